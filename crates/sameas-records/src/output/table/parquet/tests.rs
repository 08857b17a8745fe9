//! Columns by reference, read back by the parquet crate.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, LargeStringArray, StringArray, StructArray, UInt32Array};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Fields, Schema};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;

use super::*;
use crate::output::Format;

fn column(texts: ArrayRef, keys: &[u32]) -> RecordBatch {
    let keys = UInt32Array::from(keys.to_vec());
    let field = Field::new_dictionary("x", DataType::UInt32, texts.data_type().clone(), false);
    let column: ArrayRef = Arc::new(DictionaryArray::<UInt32Type>::try_new(keys, texts).unwrap());
    RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![column]).unwrap()
}

fn file(batches: &[RecordBatch], distinct: &[&str]) -> Bytes {
    let options = WriteOptions { format: Format::Parquet, path: Path::new("x"), parallel: 2, progress: &|_| {} };
    let make = |k: u64| Ok(batches[k as usize].clone());
    write(Vec::new(), &batches[0].schema(), distinct, batches.len() as u64, &make, &options).unwrap().into()
}

/// Whether a row group has a dictionary, and its bounds.
type Group = (bool, Option<(String, String)>);

/// The texts of a file, and its row groups.
fn read(file: &Bytes) -> (Vec<String>, Vec<Group>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
    let of_group = |group: &parquet::file::metadata::RowGroupMetaData| {
        let column = group.column(0);
        let statistics = column.statistics().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let bounds = statistics.min_bytes_opt().zip(statistics.max_bytes_opt());
        let is_dictionary = column.encodings().any(|encoding| encoding == Encoding::RLE_DICTIONARY);
        (is_dictionary, bounds.map(|(least, greatest)| (text(least), text(greatest))))
    };
    let groups = reader.metadata().row_groups().iter().map(of_group).collect();
    let mut texts = Vec::new();
    for batch in reader.build().unwrap() {
        texts.extend(batch.unwrap().column(0).as_string::<i32>().iter().map(|text| text.unwrap().to_owned()));
    }
    (texts, groups)
}

/// Pages are divided where a bitmap of missing values has none that is missing, and nowhere else, in a file of this size.
#[test]
fn bytes_depend_on_the_values_alone() {
    let rows = 100_000;
    let text = |row: usize| format!("{}", row * 7919 % 30_011);
    let plain = StringArray::from_iter_values((0..rows).map(text));
    let (offsets, values, _) = plain.clone().into_parts();
    let all = NullBuffer::new_valid(rows);
    let with_bitmap = StringArray::new(offsets, values, Some(all.clone()));
    let object = |texts: &StringArray, nulls: Option<NullBuffer>| {
        let fields = Fields::from(vec![Field::new("t", DataType::Utf8, true)]);
        StructArray::new(fields, vec![Arc::new(texts.clone()) as ArrayRef], nulls)
    };
    let table = |texts: &StringArray, nulls: Option<NullBuffer>| {
        let columns: [(&str, ArrayRef, bool); 2] =
            [("x", Arc::new(texts.clone()), true), ("o", Arc::new(object(texts, nulls)), true)];
        file(&[RecordBatch::try_from_iter_with_nullable(columns).unwrap()], &[])
    };
    assert_eq!(table(&plain, None), table(&with_bitmap, Some(all)));
}

proptest! {
    #[test]
    fn what_is_referred_to_is_read(
        texts in prop::collection::vec("[a-zé]{0,12}", 1..50),
        picks in prop::collection::vec((any::<prop::sample::Index>(), 1usize..40), 1..60),
        large in any::<bool>(),
    ) {
        let keys: Vec<u32> = picks.iter().flat_map(|(at, n)| vec![at.index(texts.len()) as u32; *n]).collect();
        let values: ArrayRef = match large {
            true => Arc::new(LargeStringArray::from(texts.clone())),
            false => Arc::new(StringArray::from(texts.clone())),
        };
        let (first, second) = keys.split_at(keys.len() / 2);
        let batches: Vec<_> =
            [first, second].iter().filter(|keys| !keys.is_empty()).map(|keys| column(values.clone(), keys)).collect();
        let (found, groups) = read(&file(&batches, &[]));
        let expected: Vec<&String> = keys.iter().map(|key| &texts[*key as usize]).collect();
        prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
        prop_assert!(groups.iter().all(|(is_dictionary, _)| *is_dictionary));
        let bounds = groups.iter().filter_map(|(_, bounds)| bounds.clone());
        prop_assert_eq!(bounds.clone().map(|(least, _)| least).min(), found.iter().min().cloned());
        prop_assert_eq!(bounds.map(|(_, greatest)| greatest).max(), found.iter().max().cloned());
    }
}

#[test]
fn several_pages_and_one_text_only() {
    let keys: Vec<u32> = (0..200_000u32).map(|row| row.wrapping_mul(2_654_435_761) % 1000).collect();
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|at| format!("t{at}"))));
    let (found, _) = read(&file(&[column(texts.clone(), &keys)], &[]));
    assert!(found.iter().zip(&keys).all(|(text, key)| *text == format!("t{key}")));
    let (found, _) = read(&file(&[column(texts, &[7; 100])], &[]));
    assert_eq!(found, vec!["t7"; 100]);
}

#[test]
fn no_dictionary_where_it_would_be_large_or_texts_do_not_repeat() {
    let long: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..50).map(|at| at.to_string() + &"x".repeat(100_000))));
    let (found, groups) = read(&file(&[column(long, &(0..50).collect::<Vec<u32>>())], &[]));
    assert_eq!((found.len(), found[49].len()), (50, 100_002));
    // The bounds of the parquet crate are cut.
    assert!(groups[0].1.is_some());
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..50).map(|at| at.to_string())));
    let (found, groups) = read(&file(&[column(texts, &(0..50).collect::<Vec<u32>>())], &["x"]));
    assert_eq!((found.len(), groups[0].0), (50, false));
}
