//! `pairs` read back, and its bytes with any number of threads and any budget.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Int64Array, StringArray};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;
use crate::output::{Format, PairSorter};

const ROWS: u32 = 3000;

fn sorted(pairs: impl Iterator<Item = Pair>, budget: usize, workers: usize) -> SortedPairs {
    let dir = tempfile::tempdir().unwrap();
    let sorter = PairSorter::new(budget, workers, Some(dir.path())).unwrap();
    let mut buffers: Vec<_> = (0..workers).map(|_| sorter.buffer()).collect();
    for (i, pair) in pairs.enumerate() {
        buffers[i % workers].push(pair).unwrap();
    }
    sorter.finish(buffers).unwrap()
}

/// Many distinct pairs in a scattered order, more than one row group.
fn many() -> impl Iterator<Item = Pair> {
    let all = u64::from(ROWS) * u64::from(ROWS);
    // The factor has no divisor in common with the number of cells, so no cell comes twice.
    let cell = move |i: u64| i * 6_700_417 % all;
    (0..1_300_000).map(cell).map(|cell| {
        let (l, r) = ((cell / u64::from(ROWS)) as u32, (cell % u64::from(ROWS)) as u32);
        Pair { l, r, rule: (l ^ r) % 11 }
    })
}

fn ids(text: bool) -> RowIds {
    let column: ArrayRef = if text {
        Arc::new(StringArray::from_iter_values((0..ROWS).map(|row| format!("id-{}", row * 7))))
    } else {
        Arc::new(Int64Array::from_iter_values((0..ROWS).map(|row| i64::from(row) * 7)))
    };
    RowIds::new(&[column]).unwrap()
}

fn rules() -> Vec<String> {
    (0..11).map(|rule| format!("rule {rule}")).collect()
}

fn bytes(pairs: &SortedPairs, ids: &RowIds, format: Format, threads: usize) -> Vec<u8> {
    let table = PairTable { pairs, left: ids, right: ids, rules: &rules(), loosened: None, more: None };
    let options = WriteOptions { format, path: Path::new("pairs"), parallel: threads + 1, progress: &|_| {} };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| write_pairs(Vec::new(), &table, &options)).unwrap()
}

#[test]
fn bytes_depend_on_the_pairs_alone() {
    for (text, format) in
        [(false, Format::Parquet), (true, Format::Parquet), (true, Format::Csv), (false, Format::Json)]
    {
        let ids = ids(text);
        let expected = bytes(&sorted(many(), 1 << 30, 1), &ids, format, 1);
        for (threads, budget) in [(2, 1 << 20), (4, 8 << 20), (3, 100_000)] {
            assert!(bytes(&sorted(many(), budget, threads), &ids, format, threads) == expected);
        }
    }
}

#[test]
fn parquet_holds_every_pair_in_order() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes(&sorted(many(), 4 << 20, 2), &ids(false), Format::Parquet, 2)).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(builder.metadata().num_row_groups(), 40);
    assert_eq!(builder.metadata().file_metadata().created_by(), Some("sameas"));
    assert_eq!(builder.schema().field(2).data_type(), &DataType::Utf8);
    let mut expected: Vec<_> = many().collect();
    expected.sort_by_key(|pair| pair.key());
    let mut expected = expected.into_iter();
    for batch in builder.build().unwrap() {
        let batch = batch.unwrap();
        let [l, r] = [0, 1].map(|column| batch.column(column).as_primitive::<Int64Type>().values().clone());
        let keys = batch.column(2).as_string::<i32>();
        for row in 0..batch.num_rows() {
            let pair = expected.next().unwrap();
            assert_eq!((l[row], r[row]), (i64::from(pair.l) * 7, i64::from(pair.r) * 7));
            assert_eq!(keys.value(row), format!("rule {}", pair.rule));
        }
    }
    assert_eq!(expected.next(), None);
}

#[test]
fn two_inputs_are_named() {
    let named = |ids: &RowIds, name: &str| RowIds::join(std::slice::from_ref(ids), &[name.to_owned()]).unwrap();
    let both = RowIds::unify(&[ids(false), ids(true)]).unwrap();
    let (left, right) = (named(&both[0], "old"), named(&both[1], "new, too"));
    let pairs = sorted([Pair { l: 2, r: 1, rule: 1 }, Pair { l: 1, r: 2, rule: 0 }].into_iter(), 0, 1);
    let table = PairTable { pairs: &pairs, left: &left, right: &right, rules: &rules(), loosened: None, more: None };
    let options = WriteOptions { format: Format::Csv, path: Path::new("-"), parallel: 1, progress: &|_| {} };
    let csv = String::from_utf8(write_pairs(Vec::new(), &table, &options).unwrap()).unwrap();
    let expected = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,match_key\n\
        old,7,\"new, too\",id-14,rule 0\n\
        old,14,\"new, too\",id-7,rule 1\n";
    assert_eq!(csv, expected);
}

#[test]
fn a_rule_without_a_name_is_an_internal_error() {
    let pairs = sorted([Pair { l: 0, r: 1, rule: 11 }].into_iter(), 0, 1);
    let table =
        PairTable { pairs: &pairs, left: &ids(false), right: &ids(false), rules: &rules(), loosened: None, more: None };
    let options = WriteOptions { format: Format::Csv, path: Path::new("-"), parallel: 1, progress: &|_| {} };
    assert_eq!(write_pairs(Vec::new(), &table, &options).unwrap_err().kind(), crate::error::ErrorKind::Internal);
}
