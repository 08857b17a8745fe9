//! Damaged and hostile files: an error or the right rows, never a panic, and never more memory than allowed.

use std::sync::Arc;

use ::parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use ::parquet::basic::{Compression, Encoding};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::*;

use crate::cancel::{Cancel, catch};
use crate::error::{ErrorCode, Result};
use crate::memory::MemoryBudget;
use crate::records::stats::Random;
use crate::records::{Input, Table};

/// Nothing that is read here may take more.
const LIMIT: usize = 128 << 20;

fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::SNAPPY)
}

fn written(columns: Vec<(&str, ArrayRef)>, properties: WriterPropertiesBuilder, with_schema: bool) -> Vec<u8> {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let options = ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(!with_schema);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn read_within(bytes: &[u8], budget: &MemoryBudget) -> Result<Table> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    std::fs::write(&path, bytes).unwrap();
    catch(|| {
        let source = Input::files([&path]).open_until(Cancel::NEVER.within(budget))?;
        let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
        source.read_within(budget, &columns, &|_| ())
    })
}

fn read(bytes: &[u8]) -> Result<Table> {
    read_within(bytes, &MemoryBudget::new(LIMIT))
}

/// Columns of many types and encodings, with nulls.
fn sample() -> Vec<(&'static str, ArrayRef)> {
    let rows = 300;
    let some = |row: i64| (row % 7 != 3).then_some(row);
    let text = |row: i64| some(row).map(|row| format!("name {} {}", row % 40, "x".repeat(row as usize % 30)));
    let texts = || -> ArrayRef { Arc::new((0..rows).map(text).collect::<StringArray>()) };
    let mut tags = ListBuilder::new(StringBuilder::new());
    (0..rows).for_each(|row| tags.append_value((0..row % 4).map(|tag| Some(format!("tag {tag}")))));
    let money: Decimal128Array = (0..rows).map(|row| some(row).map(i128::from)).collect();
    let times: TimestampMillisecondArray = (0..rows).map(some).collect();
    vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..rows))),
        ("name", texts()),
        ("prefixed", texts()),
        ("counted", texts()),
        ("price", Arc::new((0..rows).map(|row| some(row).map(|row| row as f64 / 3.0)).collect::<Float64Array>())),
        ("steps", Arc::new((0..rows).map(|row| some(row * row).map(|step| step as i32)).collect::<Int32Array>())),
        ("paid", Arc::new((0..rows).map(|row| some(row).map(|row| row % 2 == 0)).collect::<BooleanArray>())),
        ("day", Arc::new((0..rows).map(|row| some(row).map(|row| row as i32)).collect::<Date32Array>())),
        ("at", Arc::new(times.with_timezone("UTC"))),
        ("money", Arc::new(money.with_precision_and_scale(20, 2).unwrap())),
        ("tags", Arc::new(tags.finish())),
    ]
}

fn sample_file(version: WriterVersion) -> Vec<u8> {
    let properties = properties()
        .set_writer_version(version)
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(50)
        .set_column_dictionary_enabled("prefixed".into(), false)
        .set_column_encoding("prefixed".into(), Encoding::DELTA_BYTE_ARRAY)
        .set_column_dictionary_enabled("counted".into(), false)
        .set_column_encoding("counted".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .set_column_dictionary_enabled("price".into(), false)
        .set_column_dictionary_enabled("steps".into(), false)
        .set_column_encoding("steps".into(), Encoding::DELTA_BINARY_PACKED);
    written(sample(), properties, true)
}

/// Some bytes changed, cut out, or the rest cut off; the footer, at the end, more often than the pages.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
    for _ in 0..1 + random.below(3) {
        let in_footer = random.below(2) == 0;
        let from = if in_footer { bytes.len().saturating_sub(footer + 8) } else { 4 };
        let at = from + random.below((bytes.len() - from).max(1) as u32) as usize;
        let at = at.min(bytes.len() - 1);
        match random.below(20) {
            0 => bytes.truncate(at.max(8)),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, random.below(256) as u8),
            3..8 => bytes[at] ^= 1 << random.below(8),
            8..11 => bytes[at] = [0, 0x7F, 0x80, 0xFF][random.below(4) as usize],
            _ => bytes[at] = random.below(256) as u8,
        }
    }
    bytes
}

#[test]
fn damaged_files_are_errors_or_read_and_nothing_else() {
    // What panics is caught, and says nothing that a reader of the tests should see.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(super::DECODER_THREAD) {
            usual(panic);
        }
    }));
    let whole = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0].map(sample_file);
    for file in &whole {
        let table = read(file).unwrap();
        assert_eq!((table.rows(), table.schema.fields().len()), (300, 11));
    }
    let (mut random, mut broken) = (Random::new(7), 0);
    for round in 0..3000 {
        let bytes = mutated(&whole[round % 2], &mut random);
        let started = std::time::Instant::now();
        broken += usize::from(read(&bytes).is_err());
        assert!(started.elapsed().as_secs() < 5, "mutation {round} takes too long");
    }
    assert!((500..3000).contains(&broken), "{broken} of 3000 mutations were found");
}

#[test]
fn a_broken_schema_for_arrow_is_left_out() {
    let metadata = vec![KeyValue::new("ARROW:schema".to_owned(), "no schema at all".to_owned())];
    let bytes = written(sample(), properties().set_key_value_metadata(Some(metadata)), false);
    assert_eq!(read(&bytes).unwrap().rows(), 300);
}

/// A column of one long text, which a dictionary holds once.
fn repeated(text: &str, rows: usize) -> ArrayRef {
    let keys = Int32Array::from(vec![0; rows]);
    Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(StringArray::from(vec![text]))))
}

#[test]
fn a_small_file_of_many_long_texts_is_refused_in_time() {
    let bytes = written(vec![("x", repeated(&"x".repeat(100_000), 100_000))], properties(), false);
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let budget = MemoryBudget::new(LIMIT);
    let error = read_within(&bytes, &budget).unwrap_err();
    assert_eq!(error.code(), ErrorCode::MemoryLimit, "{error}");
    assert!(error.message().starts_with("the records take "), "{error}");
}

#[test]
fn long_texts_come_in_small_batches() {
    let text = "x".repeat(60_000);
    let prefixed =
        properties().set_dictionary_enabled(false).set_column_encoding("x".into(), Encoding::DELTA_BYTE_ARRAY);
    let texts: ArrayRef = Arc::new(StringArray::from(vec![text.as_str(); 1_000]));
    for bytes in [
        written(vec![("x", repeated(&text, 1_000))], properties(), false),
        written(vec![("x", texts)], prefixed, false),
    ] {
        let table = read_within(&bytes, &MemoryBudget::unlimited()).unwrap();
        assert_eq!(table.rows(), 1_000);
        assert!(table.batches.iter().all(|batch| batch.num_rows() <= super::BATCH_BYTES / 60_000));
        let last = table.batches.last().unwrap();
        let value = last.column(0).as_any().downcast_ref::<StringArray>().unwrap().value(last.num_rows() - 1);
        assert_eq!(value, text);
    }
}

#[test]
fn a_list_of_all_the_memory_in_one_record_is_refused() {
    let values = repeated(&"y".repeat(10_000), 1_000_000);
    let offsets = arrow_buffer::OffsetBuffer::from_lengths([1_000_000]);
    let field = Arc::new(arrow_schema::Field::new_list_field(values.data_type().clone(), true));
    let list: ArrayRef = Arc::new(ListArray::new(field, offsets, values, None));
    let error = read(&written(vec![("x", list)], properties(), false)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::MemoryLimit, "{error}");
}
