//! Parquet: row groups, projection, and types made normal.

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::file::properties::WriterProperties;
use arrow_array::*;
use arrow_schema::{Field, Schema};

use super::*;

fn bytes_of(columns: Vec<(&str, ArrayRef)>, group_rows: usize) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)));
    let batch = batch.unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group_rows)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// One row, `id` and `x`.
pub(super) fn bytes_of_two_columns() -> Vec<u8> {
    bytes_of(vec![("id", Arc::new(Int32Array::from(vec![1]))), ("x", Arc::new(StringArray::from(vec!["2"])))], 10)
}

/// Rows with numbers, and with texts or without, in groups of this size.
pub(super) fn bytes_of_rows(rows: i64, group_rows: usize) -> Vec<u8> {
    let names = (0..rows).map(|id| (id % 3 > 0).then(|| format!("n{id}")));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..rows))),
        ("name", Arc::new(LargeStringArray::from_iter(names))),
    ];
    bytes_of(columns, group_rows)
}

#[test]
fn row_groups_keep_their_order_on_any_number_of_threads() {
    let ids: ArrayRef = Arc::new(UInt64Array::from_iter_values(0..200_000));
    let names: ArrayRef = Arc::new(LargeStringArray::from_iter_values((0..200_000).map(|id| format!("n{id}"))));
    let bytes = bytes_of(vec![("name", names), ("skip", ids.clone()), ("id", ids)], 70_000);
    let (_folder, path) = Folder::with("big.parquet", bytes);
    for threads in [1, 2, 8] {
        let read = || Input::files([&path]).open().unwrap().read(&[2, 0], &|_| {}).unwrap();
        let table = pool(threads).install(read);
        assert_eq!(types(&table.schema), [("id", &DataType::UInt64), ("name", &DataType::Utf8)]);
        assert_eq!(table.batches.len(), 5);
        assert!(
            rows(&table).iter().enumerate().all(|(id, row)| row[0] == id.to_string() && row[1] == format!("n{id}"))
        );
    }
    let none = Input::files([&path]).open().unwrap().read(&[], &|_| {}).unwrap();
    assert_eq!(none.rows(), 200_000);
}

#[test]
fn types_are_made_normal() {
    let codes: ArrayRef = Arc::new(DictionaryArray::<types::Int8Type>::from_iter([Some("a"), Some(""), None]));
    let times = TimestampMillisecondArray::from(vec![Some(1_717_156_800_000), None, Some(0)]).with_timezone("UTC");
    let money = Decimal128Array::from(vec![1250, 0, -1]).with_precision_and_scale(10, 2).unwrap();
    let tags = ["x", "", "y"].map(|tag| Some(vec![Some(tag)]));
    let mut list = builder::ListBuilder::new(builder::StringViewBuilder::new());
    list.extend(tags);
    let columns: Vec<(&str, ArrayRef)> =
        vec![("code", codes), ("at", Arc::new(times)), ("money", Arc::new(money)), ("tags", Arc::new(list.finish()))];
    let (_folder, path) = Folder::with("a.pq", bytes_of(columns, 2));
    let table = read_path(&path).unwrap();
    let texts = logical_types::list_of(DataType::Utf8);
    assert_eq!(table.schema.field(3).data_type(), &texts);
    assert_eq!(
        rows(&table),
        [
            ["a", "2024-05-31T12:00:00Z", "12.50", "[x]"],
            ["-", "-", "0.00", "[]"],
            ["-", "1970-01-01T00:00:00Z", "-0.01", "[y]"],
        ]
    );
}

#[test]
fn several_files_meet_by_name_and_type() {
    let folder = Folder::new();
    let first: Vec<(&str, ArrayRef)> =
        vec![("id", Arc::new(Int8Array::from(vec![1]))), ("x", Arc::new(Int64Array::from(vec![7])))];
    let second: Vec<(&str, ArrayRef)> =
        vec![("x", Arc::new(StringArray::from(vec!["t"]))), ("id", Arc::new(Int32Array::from(vec![2])))];
    let paths = [folder.file("a.parquet", bytes_of(first, 9)), folder.file("b", bytes_of(second, 9))];
    let table = read_all(&Input::files(&paths)).unwrap();
    assert_eq!(types(&table.schema), [("id", &DataType::Int64), ("x", &DataType::Utf8)]);
    assert_eq!(rows(&table), [["1", "7"], ["2", "t"]]);
}

#[test]
fn binary_data_fails_only_when_read() {
    let columns: Vec<(&str, ArrayRef)> =
        vec![("id", Arc::new(Int8Array::from(vec![1]))), ("photo", Arc::new(BinaryArray::from(vec![&b"x"[..]])))];
    let (folder, path) = Folder::with("a.parquet", bytes_of(columns, 9));
    let open = || Input::files([&path]).open().unwrap();
    assert_eq!(rows(&open().read(&[0], &|_| {}).unwrap()), [["1"]]);
    let error = open().read(&[1], &|_| {}).unwrap_err();
    assert_eq!(folder.plain(&error), "a.parquet: column `photo` holds binary data, which rules cannot use");
}

#[test]
fn a_file_without_rows_has_columns() {
    let field = Field::new("id", DataType::Int8, true);
    let batch = RecordBatch::new_empty(Arc::new(Schema::new(vec![field])));
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let (_folder, path) = Folder::with("a.parquet", writer.into_inner().unwrap());
    let table = read_path(&path).unwrap();
    assert_eq!((table.rows(), types(&table.schema)), (0, vec![("id", &DataType::Int8)]));
}
