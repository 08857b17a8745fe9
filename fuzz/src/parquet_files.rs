//! Small valid Parquet files: every encoding, compression and kind of page that a reader may meet.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    ListArray, RecordBatch, StringArray, StringViewArray, StructArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};

/// A rule that reads columns of all types; lists are only read, because planning joins of sets takes longer than reading.
pub const RULE: &str = "l.a = r.a or l.number = r.number or l.whole < r.whole or l.list is not null and l.a = r.b \
    or l.lists is null and l.b = r.b or l.day = r.day or l.decimal = r.decimal or l.truth = r.truth";

/// The first of the files have columns of all types, the others two columns.
const OF_ALL_TYPES: usize = 4;
/// The number of files.
pub const FILES: usize = 16;

/// Whether the file at this number has columns of all types; numbers go round.
pub fn has_all_types(number: u8) -> bool {
    usize::from(number) % FILES < OF_ALL_TYPES
}

/// All files.
pub fn all() -> [Vec<u8>; FILES] {
    let plain = || WriterProperties::builder().set_dictionary_enabled(false);
    let encoded = |encoding| plain().set_encoding(encoding).set_statistics_enabled(EnabledStatistics::None);
    let with = |codec| WriterProperties::builder().set_compression(codec);
    [
        file(&everything(), plain(), false),
        file(&everything(), WriterProperties::builder(), false),
        file(&everything(), WriterProperties::builder().set_max_row_group_row_count(Some(2)), true),
        file(&everything(), plain().set_writer_version(WriterVersion::PARQUET_2_0), true),
        file(&texts(), plain(), true),
        file(&texts(), WriterProperties::builder().set_data_page_row_count_limit(1).set_write_batch_size(1), true),
        file(&texts(), encoded(Encoding::DELTA_BYTE_ARRAY), true),
        file(&texts(), encoded(Encoding::DELTA_LENGTH_BYTE_ARRAY), true),
        file(&numbers(), encoded(Encoding::DELTA_BINARY_PACKED), true),
        file(&numbers(), encoded(Encoding::BYTE_STREAM_SPLIT), true),
        file(&texts(), with(Compression::SNAPPY), true),
        file(&texts(), with(Compression::GZIP(Default::default())), true),
        file(&texts(), with(Compression::ZSTD(Default::default())), true),
        file(&texts(), with(Compression::LZ4_RAW), true),
        file(&texts(), with(Compression::LZ4), true),
        file(&texts(), WriterProperties::builder().set_bloom_filter_enabled(true), true),
    ]
}

/// The file of a batch; Arrow's own schema is in it unless it is to be left out.
fn file(batch: &RecordBatch, properties: WriterPropertiesBuilder, skip_schema: bool) -> Vec<u8> {
    let options = ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(skip_schema);
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new_with_options(&mut bytes, batch.schema(), options).expect("a schema");
    writer.write(batch).expect("a batch");
    writer.close().expect("a file");
    bytes
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, name != "id"));
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length")
}

fn ids() -> ArrayRef {
    Arc::new(StringArray::from_iter_values(["p", "q", "r", "s"]))
}

fn texts() -> RecordBatch {
    let a = StringArray::from_iter([Some("ann"), Some("anna"), None, Some("ann")]);
    let b = StringArray::from_iter([Some("x y"), Some("x z"), Some("y"), Some("")]);
    batch(vec![("id", ids()), ("a", Arc::new(a)), ("b", Arc::new(b))])
}

fn numbers() -> RecordBatch {
    let a = Int64Array::from_iter([Some(7), Some(-1), None, Some(i64::MAX)]);
    let b = Int32Array::from_iter_values([1, 2, 3, i32::MIN]);
    batch(vec![("id", Arc::new(Int64Array::from_iter_values([1, 2, 3, 4]))), ("a", Arc::new(a)), ("b", Arc::new(b))])
}

fn everything() -> RecordBatch {
    let a: DictionaryArray<Int32Type> = [Some("ann"), Some("anna"), None, Some("ann")].into_iter().collect();
    let decimal = Decimal128Array::from_iter([Some(101), None, Some(-5), Some(10_i128.pow(30))]);
    batch(vec![
        ("id", ids()),
        ("a", Arc::new(a)),
        ("b", Arc::new(StringViewArray::from_iter([Some("a text of more than twelve bytes"), None, Some("y"), None]))),
        ("number", Arc::new(Float64Array::from_iter([Some(0.5), Some(f64::NAN), None, Some(-0.0)]))),
        ("whole", Arc::new(UInt64Array::from_iter([Some(u64::MAX), Some(7), None, Some(0)]))),
        ("decimal", Arc::new(decimal.with_precision_and_scale(38, 2).expect("a decimal type"))),
        ("day", Arc::new(Date32Array::from_iter([Some(0), Some(-1), None, Some(i32::MAX)]))),
        ("moment", Arc::new(TimestampMicrosecondArray::from_iter([Some(0), Some(-1), None, Some(i64::MAX)]))),
        ("truth", Arc::new(BooleanArray::from_iter([Some(true), Some(false), None, Some(true)]))),
        ("list", lists()),
        ("lists", vectors()),
        ("inner", inner()),
    ])
}

fn lists() -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("a"), None, Some("b")]);
    lists.append_null();
    lists.append_value([] as [Option<&str>; 0]);
    lists.append_value([Some("b")]);
    Arc::new(lists.finish())
}

fn vectors() -> ArrayRef {
    let lists = [Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(i32::MAX)])];
    Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists))
}

fn inner() -> ArrayRef {
    let field = Arc::new(Field::new("x", DataType::Int32, true));
    Arc::new(StructArray::from(vec![(field, Arc::new(Int32Array::from(vec![1, 2, 3, 4])) as ArrayRef)]))
}
