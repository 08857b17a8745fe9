//! Batches that are passed on: the rows of the table, in order, and no table.

use std::sync::Arc;

use arrow_array::{Int64Array, LargeStringArray, RecordBatchIterator, StringArray};

use super::*;
use crate::error::ErrorCode;

/// The rows that are passed on, and the table without them. Each batch begins where the one before it has ended.
fn passed(input: &Input, block_bytes: usize) -> Result<(Vec<Vec<String>>, Table)> {
    let source = input.open_in_blocks(block_bytes)?;
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    let mut all = Vec::new();
    let table = source.pass_on(&MemoryBudget::unlimited(), &columns, &|_| {}, &mut |table, batch, first| {
        assert_eq!((first, table.rows()), (all.len(), 0));
        all.extend(rows(&Table { batches: vec![batch.clone()], ..table.clone() }));
        assert!(!table.place(all.len() - 1).is_empty());
        Ok(())
    })?;
    Ok((all, table))
}

#[test]
fn every_format_passes_on_the_rows_of_its_table() {
    let folder = Folder::new();
    let texts =
        |row: usize| format!("{row},{}\n", if row.is_multiple_of(7) { String::new() } else { format!("n{row}") });
    let csv: String = ["id,name\n".to_owned()].into_iter().chain((0..3000).map(texts)).collect();
    let json: String = (0..3000).map(|row| format!("{{\"id\": {row}, \"name\": \"n{row}\"}}\n")).collect();
    let many = [folder.file("a.csv", &csv), folder.file("b.csv", &csv[..8]), folder.file("c.csv", &csv)];
    let (lines, packed) = (folder.file("a.jsonl", &json), folder.file("d.csv", gzip(csv.as_bytes())));
    let columns = super::parquet::bytes_of_rows(5000, 2000);
    let columns = folder.file("a.parquet", columns);
    for input in [Input::files(&many), Input::files([lines]), Input::files([packed]), Input::files([columns])] {
        let table = read_all(&input).unwrap();
        for threads in [1, 2, 8] {
            for block_bytes in [500, BLOCK_BYTES] {
                let (found, origin) = pool(threads).install(|| passed(&input, block_bytes)).unwrap();
                assert!(found == rows(&table), "{:?}", table.files);
                assert_eq!((&origin.files, &origin.schema, origin.rows()), (&table.files, &table.schema, 0));
                let last = found.len() - 1;
                assert_eq!(origin.place(last), table.place(last));
            }
        }
    }
}

#[test]
fn batches_are_passed_on_as_they_are_converted() {
    let texts = |from: i64, rows: i64| -> RecordBatch {
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(from..from + rows));
        let names = (from..from + rows).map(|id| (id % 5 > 0).then(|| format!("n{id}")));
        let names: ArrayRef = Arc::new(LargeStringArray::from_iter(names));
        RecordBatch::try_from_iter_with_nullable([("id", ids, true), ("name", names, true)]).unwrap()
    };
    let batches = vec![texts(0, 1), texts(1, 150_000), texts(150_001, 9)];
    let schema = batches[0].schema();
    let in_memory = Input::batches("made", schema.clone(), batches.clone()).unwrap();
    let reader = Input::reader("made", RecordBatchIterator::new(batches.into_iter().map(Ok), schema));
    for input in [in_memory, reader] {
        let table = read_all(&input).unwrap();
        let (found, origin) = passed(&input, BLOCK_BYTES).unwrap();
        assert_eq!((found.len(), &origin.files), (150_010, &table.files));
        assert!(found == rows(&table));
    }
}

#[test]
fn what_is_passed_on_may_be_larger_than_the_memory() {
    let (folder, text) = (Folder::new(), "x".repeat(100));
    let csv: String = ["x\n".to_owned()].into_iter().chain((0..100_000).map(|_| format!("{text}\n"))).collect();
    let path = folder.file("long.csv", csv);
    let name: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|_| &text)));
    let batch = RecordBatch::try_from_iter([("x", name)]).unwrap();
    let batches = Input::batches("made", batch.schema(), vec![batch; 100]).unwrap();
    for input in [Input::files([&path]), batches] {
        let budget = MemoryBudget::of_relations(8_000_000);
        let mut bytes = 0;
        let mut pass_on = |limit: usize| {
            let source = pool(1).install(|| input.open()).unwrap();
            let take = &mut |_: &Table, batch: &RecordBatch, _: usize| {
                bytes += Table { batches: vec![batch.clone()], ..Table::without_columns("x", 0)? }.bytes();
                if bytes < limit { Ok(()) } else { Err(Error::data("enough")) }
            };
            pool(1).install(|| source.pass_on(&budget, &[0], &|_| {}, take))
        };
        assert_eq!(pass_on(1_000_000).unwrap_err().message(), "enough");
        pass_on(usize::MAX).unwrap();
        assert!(bytes > 10_000_000 && budget.room() == 8_000_000, "{bytes}");
        let table = pool(1).install(|| input.open().unwrap().read_within(&budget, &[0], &|_| {}));
        assert_eq!(table.unwrap_err().code(), ErrorCode::MemoryLimit);
    }
}

#[test]
fn a_file_that_is_damaged_or_changes_is_refused() {
    let folder = Folder::new();
    let path = folder.file("a.csv", format!("x,y\n{}1,2,3\n", "1,2\n".repeat(5000)));
    for block_bytes in [100, BLOCK_BYTES] {
        let error = passed(&Input::files([&path]), block_bytes).unwrap_err();
        assert_eq!(folder.plain(&error), "a.csv:5002: 3 fields, but the header has 2");
    }
    let mut bytes = super::parquet::bytes_of_rows(5000, 2000);
    let path = folder.file("a.parquet", &bytes);
    let other = folder.file("other", &bytes);
    let source = Input::files([&path]).open().unwrap();
    let replace = |_: u64| drop(std::fs::rename(&other, &path));
    let take = &mut |_: &Table, _: &RecordBatch, _: usize| Ok(());
    let error = source.pass_on(&MemoryBudget::unlimited(), &[0, 1], &replace, take).unwrap_err();
    assert!(error.message().ends_with("the file changed while it was read"), "{error}");
    // Something else than pages after the head of the file.
    bytes[4..600].fill(0xAB);
    let path = folder.file("b.parquet", bytes);
    assert!(passed(&Input::files([path]), BLOCK_BYTES).is_err());
}
