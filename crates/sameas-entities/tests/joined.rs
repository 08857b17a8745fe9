//! Pairs with columns of both records, and files of tables with columns of all types.

use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    Time32SecondArray, TimestampSecondArray,
};
use arrow_schema::{DataType, Field, SchemaRef};
use arrow_select::concat::concat_batches;
use sameas_core::cancel::{Cancel, catch};
use sameas_core::memory::MemoryBudget;
use sameas_entities::record_stream::StreamedInput;
use sameas_entities::tables::{
    ClusteredRecords, PairsOfRecords, RecordTable, TableFile, TableSink, TableTools, WithColumns, pairs_with,
};
use sameas_records::output::{Format, PairSorter, PairTable};
use sameas_records::pairs::Pair;
use sameas_records::records::{Input, RowIds, SkippedRecords};
use sameas_rules::rules::RuleFile;

/// Records with ids from 0 on, a text that is missing in some of them, and a number.
fn people(rows: u32) -> RecordBatch {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows).map(i64::from)));
    let name = |row: u32| (!row.is_multiple_of(5)).then(|| format!("name {row} {}", "x".repeat(row as usize % 90)));
    let names: ArrayRef = Arc::new(StringArray::from_iter((0..rows).map(name)));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows).map(|row| i64::from(row) * 3)));
    RecordBatch::try_from_iter([("id", ids), ("name", names), ("number", numbers)]).unwrap()
}

/// Pairs of these inputs with columns of both records.
fn joined(inputs: &[RecordBatch], pairs: &[Pair], with: &WithColumns, memory: usize, threads: usize) -> RecordBatch {
    let sources: Vec<Input> = inputs
        .iter()
        .map(|batch| {
            let pieces = (0..batch.num_rows()).step_by(777);
            let pieces = pieces.map(|from| batch.slice(from, 777.min(batch.num_rows() - from))).collect();
            Input::batches("people", batch.schema(), pieces).unwrap()
        })
        .collect();
    let skipped = SkippedRecords::default();
    let streamed: Vec<StreamedInput<'_>> = sources
        .iter()
        .zip(inputs)
        .map(|(source, batch)| StreamedInput {
            name: "people",
            source,
            id: Some("id"),
            skipped: &skipped,
            rows: batch.num_rows(),
        })
        .collect();
    let ids: Vec<RowIds> = inputs.iter().map(|batch| RowIds::new(&[batch.column(0).clone()]).unwrap()).collect();
    let sorter = PairSorter::new(1 << 20, 1, None).unwrap();
    let mut buffer = sorter.buffer();
    pairs.iter().for_each(|pair| buffer.push(*pair).unwrap());
    let sorted = sorter.finish(vec![buffer]).unwrap();
    let (rules, has_two_sides) = (["same".to_owned()], inputs.len() == 2);
    let (left, right) = (&ids[0], &ids[ids.len() - 1]);
    let table = PairTable { pairs: &sorted, left, right, rules: &rules, loosened: None, more: None };
    let right_offset = if has_two_sides { inputs[0].num_rows() as u32 } else { 0 };
    let pairs = PairsOfRecords { table, right_offset, has_two_sides };
    let budget = MemoryBudget::new(memory);
    let tools = TableTools { budget: &budget, spill_folder: None, cancel: Cancel::NEVER, progress: &|_| {} };
    let mut made: (Option<SchemaRef>, Vec<RecordBatch>) = Default::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| catch(|| pairs_with(&streamed, pairs, with, tools, &mut made as &mut dyn TableSink))).unwrap();
    concat_batches(&made.0.unwrap(), &made.1).unwrap()
}

/// The rows of some values of one record each.
fn rows_of(batch: &RecordBatch, column: &str, rows: impl Iterator<Item = u32>) -> ArrayRef {
    let places = arrow_array::UInt32Array::from_iter_values(rows);
    arrow_select::take::take(batch.column_by_name(column).unwrap(), &places, None).unwrap()
}

#[test]
fn every_pair_has_the_values_of_its_records() {
    let rows = 9_000;
    let batch = people(rows);
    let mut pairs: Vec<Pair> = (0..60_000_u32)
        .map(|at| (at * 7919 % rows, at.wrapping_mul(104_729) % rows))
        .filter(|(l, r)| l != r)
        .map(|(a, b)| Pair { l: a.min(b), r: a.max(b), rule: 0 })
        .collect();
    pairs.sort_by_key(|pair| pair.key());
    pairs.dedup();
    for (memory, threads) in [(1 << 30, 2), (0, 1), (0, 3)] {
        let made = joined(std::slice::from_ref(&batch), &pairs, &WithColumns::All, memory, threads);
        let names: Vec<&str> = made.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
        let expected = ["unique_id_l", "unique_id_r", "match_key", "name_l", "name_r", "number_l", "number_r"];
        assert_eq!((names.as_slice(), made.num_rows()), (&expected[..], pairs.len()));
        for column in ["name", "number"] {
            let left = rows_of(&batch, column, pairs.iter().map(|pair| pair.l));
            let right = rows_of(&batch, column, pairs.iter().map(|pair| pair.r));
            assert_eq!(made.column_by_name(&format!("{column}_l")).unwrap(), &left);
            assert_eq!(made.column_by_name(&format!("{column}_r")).unwrap(), &right);
        }
    }
}

#[test]
fn each_side_of_a_link_has_its_own_columns() {
    let other = people(40).project(&[0, 1]).unwrap();
    let pairs: Vec<Pair> = (0..30).map(|at| Pair { l: at, r: 39 - at, rule: 0 }).collect();
    let with = WithColumns::Named(vec!["Number".to_owned(), "name".to_owned()]);
    let made = joined(&[people(30), other], &pairs, &with, 1 << 30, 2);
    let names: Vec<&str> = made.schema_ref().fields().iter().skip(3).map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["number_l", "name_l", "name_r"]);
    let right = rows_of(&people(40), "name", pairs.iter().map(|pair| pair.r));
    assert_eq!(made.column_by_name("name_r").unwrap(), &right);
    assert_eq!(joined(&[people(3)], &[], &WithColumns::All, 0, 1).num_rows(), 0);
}

/// A column of many types.
fn typed() -> RecordBatch {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), None]), None, Some(vec![])]);
    let inner: ArrayRef = Arc::new(StringArray::from(vec![Some("a\"b"), None, Some("c")]));
    let object = StructArray::from(vec![(Arc::new(Field::new("k", DataType::Utf8, true)), inner)]);
    let columns: [(&str, ArrayRef); 8] = [
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3]))),
        (
            "money",
            Arc::new(Decimal128Array::from(vec![Some(125), None, Some(1)]).with_precision_and_scale(7, 2).unwrap()),
        ),
        ("at", Arc::new(TimestampSecondArray::from(vec![Some(0), None, Some(5)]).with_timezone("Europe/Oslo"))),
        ("time", Arc::new(Time32SecondArray::from(vec![1, 2, 3]))),
        ("bytes", Arc::new(BinaryArray::from_opt_vec(vec![Some(b"\x00\xff"), None, Some(b"")]))),
        ("yes", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("list", Arc::new(list)),
        ("object", Arc::new(object)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

/// The table of records of an input, each an entity of its own.
fn write(input: &Input, format: Format) -> Vec<u8> {
    let ids = RowIds::new(&[Arc::new(Int64Array::from(vec![1, 2, 3])) as ArrayRef]).unwrap();
    let skipped = SkippedRecords::default();
    let streamed = [StreamedInput { name: "t", source: input, id: Some("id"), skipped: &skipped, rows: 3 }];
    let weights = || Ok(vec![0; 3]);
    let records = ClusteredRecords { inputs: &streamed, ids: &ids, roots: &[0, 1, 2], weights: &weights };
    let budget = MemoryBudget::unlimited();
    let tools = TableTools { budget: &budget, spill_folder: None, cancel: Cancel::NEVER, progress: &|_| {} };
    let mut file = TableFile::new(Vec::new(), format, Path::new("t"));
    RecordTable::Records.write(records, &RuleFile::default(), tools, &mut file).unwrap();
    file.finish().unwrap()
}

#[test]
fn types_last_through_files() {
    let batch = typed();
    let input = Input::batches("t", batch.schema(), vec![batch.clone()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    std::fs::write(&path, write(&input, Format::Parquet)).unwrap();
    let again = Input::files([&path]).open().unwrap().with_kept_types().unwrap();
    for field in batch.schema().fields() {
        let (_, kept) = again.schema().fields().find(field.name()).unwrap();
        assert_eq!(kept.data_type(), field.data_type(), "{}", field.name());
    }
    let csv = String::from_utf8(write(&input, Format::Csv)).unwrap();
    let expected = "entity_id,id,money,at,time,bytes,yes,list,object\n\
        1,1,1.25,1970-01-01T00:00:00Z,00:00:01,00ff,true,\"[1,null]\",\"{\"\"k\"\":\"\"a\\\"\"b\"\"}\"\n\
        2,2,,,00:00:02,,,,\"{\"\"k\"\":null}\"\n\
        3,3,0.01,1970-01-01T00:00:05Z,00:00:03,\"\",false,[],\"{\"\"k\"\":\"\"c\"\"}\"\n";
    assert_eq!(csv, expected);
    let json = String::from_utf8(write(&input, Format::Json)).unwrap();
    let first = "{\"entity_id\":1,\"id\":1,\"money\":1.25,\"at\":\"1970-01-01T00:00:00Z\",\"time\":\"00:00:01\",\"bytes\":\"00ff\",\"yes\":true,\"list\":[1,null],\"object\":{\"k\":\"a\\\"b\"}}";
    assert_eq!(json.lines().next(), Some(first));
}
