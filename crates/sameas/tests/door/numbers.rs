//! Integers of any width and decimals are exact: alone, in lists, across types, across files, and as ids.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Decimal128Array, Decimal256Array, Float64Array, Int8Array, Int64Array, ListArray};
use arrow_array::{RecordBatch, StringArray, UInt64Array};
use arrow_buffer::i256;
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use sameas::{Input, Job, Run, Session};

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

fn input(name: &str, columns: Vec<(&str, ArrayRef)>) -> Input {
    let batch = table(columns);
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

fn ids(texts: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

fn unsigned(values: &[u64]) -> ArrayRef {
    Arc::new(UInt64Array::from(values.to_vec()))
}

fn decimal(digits: u8, scale: i8, values: &[i128]) -> ArrayRef {
    Arc::new(Decimal128Array::from(values.to_vec()).with_precision_and_scale(digits, scale).unwrap())
}

fn decimal256(digits: u8, scale: i8, values: &[i64]) -> ArrayRef {
    let values: Vec<i256> = values.iter().map(|value| i256::from(*value)).collect();
    Arc::new(Decimal256Array::from(values).with_precision_and_scale(digits, scale).unwrap())
}

fn run(job: &Job) -> Run {
    Session::builder().threads(2).build().unwrap().run(job, &()).unwrap()
}

/// The ids of the pairs of a job, as text.
fn pairs(job: &Job) -> Vec<String> {
    let mut found = Vec::new();
    for batch in run(job).pairs() {
        let batch = batch.unwrap();
        let text = |column: usize| arrow_cast::cast(batch.column(column), &DataType::Utf8).unwrap();
        let (left, right) = (text(0), text(1));
        let (left, right) = (left.as_string::<i32>(), right.as_string::<i32>());
        found.extend((0..batch.num_rows()).map(|row| format!("{} {}", left.value(row), right.value(row))));
    }
    found
}

fn deduped(columns: Vec<(&str, ArrayRef)>, rule: &str) -> Vec<String> {
    pairs(&Job::dedupe(input("t", columns)).with_rule(rule))
}

fn linked(left: ArrayRef, right: ArrayRef, rule: &str) -> Vec<String> {
    let names = |letter: &str, rows: usize| -> ArrayRef {
        Arc::new((0..rows).map(|row| Some(format!("{letter}{row}"))).collect::<StringArray>())
    };
    let left = input("left", vec![("id", names("a", left.len())), ("x", left)]);
    let right = input("right", vec![("id", names("b", right.len())), ("x", right)]);
    pairs(&Job::link(left, right).with_rule(rule))
}

const MAX: u64 = u64::MAX;

#[test]
fn unsigned_integers_are_exact() {
    let column = || vec![("id", ids(&["a", "b", "c"])), ("x", unsigned(&[MAX, MAX - 1, MAX]))];
    assert_eq!(deduped(column(), "l.x = r.x"), ["a c"]);
    assert_eq!(deduped(column(), "l.x < r.x"), ["a b", "b c"]);
    assert_eq!(deduped(column(), "abs(l.x - r.x) <= 0"), ["a c"]);
    assert_eq!(deduped(column(), "abs(l.x - r.x) <= 1"), ["a b", "a c", "b c"]);
    assert_eq!(deduped(column(), "abs(l.x - r.x) = 1"), ["a b", "b c"]);
    assert_eq!(deduped(column(), "cast(l.x as varchar) = cast(r.x as varchar)"), ["a c"]);
    assert_eq!(deduped(column(), "l.x = r.x and cast(l.x as varchar) = '18446744073709551615'"), ["a c"]);
    assert_eq!(deduped(column(), "l.x = 18446744073709551614 and r.id = 'a'"), ["a b"]);
    assert_eq!(deduped(column(), "l.x in (18446744073709551614, 5) and r.x <> 18446744073709551614"), ["a b", "b c"]);
    assert_eq!(deduped(column(), "neighbours(l.x, r.x, 2)"), ["a b", "a c"]);
}

#[test]
fn decimals_are_exact_at_every_scale() {
    let wide = |values: &[i128]| vec![("id", ids(&["a", "b", "c"])), ("x", decimal(38, 0, values))];
    let large = 10_i128.pow(37);
    assert_eq!(deduped(wide(&[large, large + 1, large]), "l.x = r.x"), ["a c"]);
    assert_eq!(deduped(wide(&[large, large + 1, large + 3]), "abs(l.x - r.x) <= 1"), ["a b"]);
    let money = || vec![("id", ids(&["a", "b", "c"])), ("x", decimal(5, 2, &[10, 30, 130]))];
    assert_eq!(deduped(money(), "l.x = 0.1 and r.x = 0.3"), ["a b"]);
    assert_eq!(deduped(money(), "abs(l.x - r.x) <= 0.2"), ["a b"]);
    assert_eq!(deduped(money(), "abs(l.x - r.x) < 0.2 or abs(l.x - r.x) > 1.1"), ["a c"]);
    assert_eq!(deduped(money(), "l.x + 0.2 = r.x"), ["a b"]);
    assert_eq!(deduped(money(), "l.x between 0.1 and 0.3 and r.x in (0.1, 0.3)"), ["a b"]);
    assert_eq!(deduped(money(), "cast(l.x as varchar) = '0.10' and cast(r.x as varchar) = '1.30'"), ["a c"]);
    let hundreds = vec![("id", ids(&["a", "b"])), ("x", decimal256(70, -2, &[1, 1]))];
    assert_eq!(deduped(hundreds, "l.x = r.x and l.x = 100 and cast(l.x as varchar) = '100'"), ["a b"]);
    let beyond = vec![("id", ids(&["a", "b", "c"])), ("x", decimal256(76, -100, &[1, 2, 1]))];
    assert_eq!(deduped(beyond, "l.x = r.x and l.x > 1e99"), ["a c"]);
}

#[test]
fn numbers_of_all_types_meet_by_value() {
    let ints: ArrayRef = Arc::new(Int64Array::from(vec![5, 1 << 53, i64::MAX]));
    let rule = "l.x = r.x";
    assert_eq!(linked(unsigned(&[5, MAX, 1 << 63]), ints.clone(), rule), ["a0 b0"]);
    assert_eq!(linked(unsigned(&[5, MAX, MAX - 1]), decimal(38, 0, &[MAX as i128, 5]), rule), ["a0 b1", "a1 b0"]);
    assert_eq!(linked(decimal(5, 2, &[150, 151]), decimal(10, 1, &[15, 16]), rule), ["a0 b0"]);
    assert_eq!(linked(decimal256(60, 3, &[5000, 5001]), ints.clone(), rule), ["a0 b0"]);
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.5, 0.1, 18_446_744_073_709_551_616.0]));
    assert_eq!(linked(decimal(30, 2, &[150, 10]), floats.clone(), rule), ["a0 b0"]);
    assert_eq!(linked(decimal(30, 2, &[150, 10]), floats.clone(), "cast(l.x as double) = r.x"), ["a0 b0", "a1 b1"]);
    assert_eq!(linked(unsigned(&[MAX]), floats, "l.x < r.x"), ["a0 b2"]);
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["18446744073709551615", "1.50"]));
    assert_eq!(linked(unsigned(&[MAX, MAX - 1]), texts.clone(), rule), ["a0 b0"]);
    assert_eq!(linked(decimal(5, 1, &[15]), texts, rule), ["a0 b1"]);
    let small: ArrayRef = Arc::new(Int8Array::from(vec![-128, 1]));
    assert_eq!(linked(small, decimal(20, 1, &[-1280, 11]), rule), ["a0 b0"]);
}

#[test]
fn integers_in_lists_are_exact() {
    let lists = |values: Vec<Vec<i64>>| -> ArrayRef {
        let values = values.into_iter().map(|list| Some(list.into_iter().map(Some).collect::<Vec<_>>()));
        Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(values))
    };
    let big = (1 << 53) + 1;
    let column = || vec![("id", ids(&["a", "b", "c"])), ("x", lists(vec![vec![big, 1], vec![big - 1, 2], vec![big]]))];
    assert_eq!(deduped(column(), "list_has_any(l.x, r.x)"), ["a c"]);
    assert_eq!(deduped(column(), "jaccard(l.x, r.x) >= 0.5"), ["a c"]);
    let unsigned =
        ListArray::from_iter_primitive::<UInt64Type, _, _>([Some(vec![Some(MAX)]), Some(vec![Some(MAX - 1)])]);
    let decimals = ListArray::from_iter_primitive::<Decimal128Type, _, _>([
        Some(vec![Some(i128::from(MAX) * 10_i128.pow(10))]),
        Some(vec![Some(15 * 10_i128.pow(9))]),
    ]);
    let floats = ListArray::from_iter_primitive::<Float64Type, _, _>([Some(vec![Some(1.5)])]);
    let rule = "list_has_any(l.x, r.x)";
    assert_eq!(linked(Arc::new(unsigned.clone()), Arc::new(unsigned.clone()), rule), ["a0 b0", "a1 b1"]);
    assert_eq!(linked(Arc::new(unsigned), Arc::new(decimals.clone()), rule), ["a0 b0"]);
    assert_eq!(linked(Arc::new(floats), Arc::new(decimals), rule), ["a0 b1"]);
    let vectors = vec![("id", ids(&["a", "b"])), ("x", lists(vec![vec![1, 2], vec![2, 4]]))];
    assert_eq!(deduped(vectors, "cosine_similarity(l.x, r.x) >= 0.999"), ["a b"]);
}

#[test]
fn ids_print_as_they_are() {
    let column = |ids: ArrayRef| vec![("id", ids), ("x", unsigned(&[1, 1]))];
    let same = |ids: ArrayRef| deduped(column(ids), "l.x = r.x");
    assert_eq!(same(decimal(38, 0, &[101, 102])), ["101 102"]);
    assert_eq!(same(decimal(5, 2, &[150, 10])), ["1.50 0.10"]);
    assert_eq!(same(decimal256(50, 0, &[101, -7])), ["101 -7"]);
    assert_eq!(same(unsigned(&[MAX, MAX - 1])), ["18446744073709551615 18446744073709551614"]);
    let repeated = Job::dedupe(input("t", column(decimal(38, 0, &[101, 101])))).with_rule("l.x = r.x");
    let error = Session::new().unwrap().run(&repeated, &()).unwrap_err();
    assert!(error.message().contains("the id `101` in column `id` was used before"), "{error}");
    let job = Job::dedupe(input("t", column(decimal(38, 0, &[101, 102])))).with_rule("l.x = r.x");
    let run = run(&job);
    let clusters: Vec<RecordBatch> = run.clusters().map(Result::unwrap).collect();
    let shown = arrow_cast::cast(clusters[0].column(0), &DataType::Utf8).unwrap();
    assert_eq!(shown.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["101", "102"]);
}

#[test]
fn why_shows_all_digits() {
    let lists = ListArray::from_iter_primitive::<UInt64Type, _, _>([Some(vec![Some(MAX)]), Some(vec![Some(MAX - 1)])]);
    let columns = vec![
        ("id", decimal(38, 0, &[101, 102])),
        ("x", unsigned(&[MAX, MAX - 1])),
        ("price", decimal(5, 2, &[150, 10])),
        ("list", Arc::new(lists) as ArrayRef),
    ];
    let rule = "l.x = r.x and abs(l.price - r.price) < 1 and list_has_any(l.list, r.list)";
    let run = run(&Job::dedupe(input("t", columns)).with_rule(rule));
    let shown = format!("{:?}", run.why(["101", "102"]).unwrap());
    for number in ["18446744073709551615", "18446744073709551614", "1.50", "0.10"] {
        assert!(shown.contains(&format!("\"{number}\"")), "{number}: {shown}");
    }
}

fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch = table(columns);
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn files_of_one_input_may_differ_in_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.parquet", "b.parquet", "c.parquet"].map(|name| folder.path().join(name));
    let max = i128::from(MAX);
    write(&paths[0], vec![("id", unsigned(&[1, MAX])), ("x", unsigned(&[MAX, 5]))]);
    write(&paths[1], vec![("id", Arc::new(Int64Array::from(vec![-1, 7]))), ("x", decimal(38, 1, &[max * 10, 50]))]);
    write(&paths[2], vec![("id", decimal(12, 0, &[3, 4])), ("x", decimal256(60, 0, &[5, 6]))]);
    let job = Job::dedupe(Input::files(paths)).with_rule("l.x = r.x");
    assert_eq!(pairs(&job), ["1 -1", "18446744073709551615 7", "18446744073709551615 3", "7 3"]);
}
