//! Tables of records whose clusters are given.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int64Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, Date32Array, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray, StructArray,
    TimestampMicrosecondArray,
};
use arrow_schema::{DataType, Field, SchemaRef};
use arrow_select::concat::concat_batches;
use sameas_core::cancel::{Cancel, catch};
use sameas_core::error::Result;
use sameas_core::memory::MemoryBudget;
use sameas_entities::record_stream::StreamedInput;
use sameas_entities::tables::{ClusteredRecords, RecordTable, TableSink, TableTools};
use sameas_records::records::{Input, RowIds, SkippedRecords};
use sameas_rules::rules::RuleFile;

const ENTITIES: RecordTable = RecordTable::Entities { provenance: false };
const WITH_PROVENANCE: RecordTable = RecordTable::Entities { provenance: true };

/// A table of the records of some inputs, whose ids are in `id`.
fn table(inputs: &[(&str, RecordBatch)], roots: &[u32], rules: &str, table: RecordTable) -> Result<RecordBatch> {
    table_within(inputs, roots, rules, table, 1 << 30, 2)
}

fn table_within(
    inputs: &[(&str, RecordBatch)],
    roots: &[u32],
    rules: &str,
    table: RecordTable,
    memory: usize,
    threads: usize,
) -> Result<RecordBatch> {
    let of_input = |(name, batch): &(&str, RecordBatch)| {
        let pieces: Vec<RecordBatch> = (0..batch.num_rows())
            .step_by(1_000)
            .map(|from| batch.slice(from, 1_000.min(batch.num_rows() - from)))
            .collect();
        Input::batches(name, batch.schema(), pieces)
    };
    let sources = inputs.iter().map(of_input).collect::<Result<Vec<_>>>()?;
    let ids = inputs
        .iter()
        .map(|(_, batch)| RowIds::new(&[batch.column_by_name("id").unwrap().clone()]))
        .collect::<Result<Vec<_>>>()?;
    let names: Vec<String> = inputs.iter().map(|(name, _)| (*name).to_owned()).collect();
    let ids = if ids.len() == 1 { ids[0].clone() } else { RowIds::join(&ids, &names)? };
    let skipped = SkippedRecords::default();
    let streamed: Vec<StreamedInput<'_>> = inputs
        .iter()
        .zip(&sources)
        .map(|((name, batch), source)| StreamedInput {
            name,
            source,
            id: Some("id"),
            skipped: &skipped,
            rows: batch.num_rows(),
        })
        .collect();
    let weights = || Ok((0..roots.len() as i64).map(|row| -(row % 5)).collect());
    let records = ClusteredRecords { inputs: &streamed, ids: &ids, roots, weights: &weights };
    let rules = RuleFile::parse(rules, "e.toml")?;
    let budget = MemoryBudget::new(memory);
    let tools = TableTools { budget: &budget, spill_folder: None, cancel: Cancel::NEVER, progress: &|_| {} };
    let mut made: (Option<SchemaRef>, Vec<RecordBatch>) = Default::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| catch(|| table.write(records, &rules, tools, &mut made as &mut dyn TableSink)))?;
    Ok(concat_batches(&made.0.unwrap(), &made.1).unwrap())
}

fn people() -> RecordBatch {
    let texts = |texts: &[Option<&str>]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
    let street = texts(&[Some("A st"), None, Some("B st"), None, Some("C st")]);
    let city = texts(&[None, Some("Rome"), Some("Oslo"), Some(""), Some("Bern")]);
    let money = Decimal128Array::from(vec![100, 250, 5, 0, 75]).with_precision_and_scale(9, 2).unwrap();
    let times = TimestampMicrosecondArray::from(vec![3, 9, 5, 1, 2]).with_timezone("Europe/Oslo");
    let nested = StructArray::from(vec![(
        Arc::new(Field::new("k", DataType::Int64, true)),
        Arc::new(Int64Array::from(vec![1, 2, 2, 4, 5])) as ArrayRef,
    )]);
    RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from(vec![10, 20, 30, 40, 50])) as ArrayRef),
        ("name", texts(&[Some("Ann"), Some("Anna"), Some("Ann"), Some("Bob"), None])),
        ("street", street),
        ("city", city),
        ("born", Arc::new(Date32Array::from(vec![Some(1), Some(2), None, Some(7), Some(8)])) as ArrayRef),
        ("money", Arc::new(money) as ArrayRef),
        ("seen", Arc::new(times) as ArrayRef),
        ("nested", Arc::new(nested) as ArrayRef),
    ])
    .unwrap()
}

/// Records 0, 1 and 2 are one entity, 3 and 4 another one.
const ROOTS: [u32; 5] = [0, 0, 0, 3, 3];

fn shown(table: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let column = table.column_by_name(column).unwrap_or_else(|| panic!("no column {column}"));
    (0..column.len())
        .map(|row| column.is_valid(row).then(|| arrow_cast::display::array_value_to_string(column, row).unwrap()))
        .collect()
}

fn values(table: &RecordBatch, column: &str) -> Vec<String> {
    shown(table, column).into_iter().map(|value| value.unwrap_or_else(|| "-".to_owned())).collect()
}

#[test]
fn without_rules_each_column_is_most_frequent_and_types_stay() {
    let made = table(&[("people", people())], &ROOTS, "", ENTITIES).unwrap();
    let names: Vec<&str> = made.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    let expected = ["entity_id", "entity_size", "name", "street", "city", "born", "money", "seen", "nested"];
    assert_eq!(names, expected);
    assert_eq!(
        (values(&made, "entity_id"), values(&made, "entity_size")),
        (vec!["10".into(), "40".into()], vec!["3".to_owned(), "2".into()])
    );
    assert_eq!(
        (values(&made, "name"), values(&made, "city")),
        (vec!["Ann".into(), "Bob".into()], vec!["Rome".to_owned(), "Bern".into()])
    );
    for (column, of) in people().schema().fields().iter().map(|field| (field.name(), field.data_type())).skip(1) {
        assert_eq!(made.column_by_name(column).unwrap().data_type(), of, "{column}");
    }
}

#[test]
fn each_entry_does_what_it_says() {
    let rules = "[derive]\nshort = \"lower(name)\"\n[entity]\n\"*\" = \"none\"\nmoney = \"sum\"\n\
                 name = { take = \"newest\", by = \"seen\", where = \"short <> 'anna'\" }\n\
                 address = { columns = [\"street\", \"city\"], take = \"most_complete\" }\n\
                 born = \"max\"\nall_names = { take = \"union\", value = \"short\" }\n\
                 mean = { take = \"mean\", value = \"money\" }\nheavy = { take = \"strongest\", value = \"id\" }\n";
    let made = table(&[("people", people())], &ROOTS, rules, WITH_PROVENANCE).unwrap();
    assert_eq!(values(&made, "name"), ["Ann", "Bob"]);
    assert_eq!(
        (values(&made, "name_record"), values(&made, "name_disagreed")),
        (vec!["30".into(), "40".into()], vec!["0".to_owned(), "0".into()])
    );
    assert_eq!(
        (values(&made, "street"), values(&made, "city")),
        (vec!["B st".into(), "C st".into()], vec!["Oslo".to_owned(), "Bern".into()])
    );
    assert_eq!(
        (values(&made, "street_disagreed"), values(&made, "city_record")),
        (vec!["1".into(), "0".into()], vec!["30".to_owned(), "50".into()])
    );
    assert_eq!(values(&made, "money"), ["3.55", "0.75"]);
    assert_eq!(made.column_by_name("born").unwrap().as_primitive::<Date32Type>().values(), &[2, 8]);
    assert_eq!(values(&made, "all_names"), ["[ann, anna]", "[bob]"]);
    assert_eq!(values(&made, "mean"), [(355.0 / (100.0 * 3.0)).to_string(), (75.0 / (100.0 * 2.0)).to_string()]);
    assert_eq!(
        (values(&made, "heavy"), values(&made, "mean_record")),
        (vec!["10".into(), "40".into()], vec!["-".to_owned(), "-".into()])
    );
}

#[test]
fn inputs_with_other_columns_meet() {
    let one = RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from(vec![1, 2])) as ArrayRef),
        ("mail", Arc::new(StringArray::from(vec!["a@x", "b@x"])) as ArrayRef),
        ("age", Arc::new(Int64Array::from(vec![30, 40])) as ArrayRef),
    ])
    .unwrap();
    let other = RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from(vec![1])) as ArrayRef),
        ("email", Arc::new(StringArray::from(vec!["A@X"])) as ArrayRef),
        ("age", Arc::new(Float64Array::from(vec![f64::NAN])) as ArrayRef),
    ])
    .unwrap();
    let inputs = [("crm", one), ("web", other)];
    let rules =
        "[entity]\nmail = { take = \"priority\", sources = [\"web\", \"crm\"], value = { web = \"lower(email)\" } }\n";
    let made = table(&inputs, &[0, 1, 1], rules, WITH_PROVENANCE).unwrap();
    assert_eq!(
        (values(&made, "entity_id"), values(&made, "mail")),
        (vec!["crm:1".into(), "crm:2".into()], vec!["a@x".to_owned(), "a@x".into()])
    );
    assert_eq!(
        (values(&made, "mail_record"), values(&made, "age")),
        (vec!["crm:1".into(), "web:1".into()], vec!["30.0".to_owned(), "40.0".into()])
    );
    let records = table(&inputs, &[0, 1, 1], "", RecordTable::Records).unwrap();
    let names: Vec<&str> = records.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["entity_id", "source_dataset", "id", "mail", "age", "email"]);
    assert_eq!(
        (values(&records, "source_dataset"), values(&records, "mail")),
        (vec!["crm".into(), "crm".into(), "web".into()], vec!["a@x".to_owned(), "b@x".into(), "-".into()])
    );
    let best = table(&inputs, &[0, 1, 1], "", RecordTable::Best).unwrap();
    assert_eq!(
        (values(&best, "id"), values(&best, "source_dataset")),
        (vec!["1".into(), "2".into()], vec!["crm".to_owned(), "crm".into()])
    );
}

#[test]
fn the_best_record_is_whole() {
    let people = [("people", people())];
    let best = table(&people, &ROOTS, "", RecordTable::Best).unwrap();
    assert_eq!(
        (values(&best, "id"), values(&best, "born")),
        (vec!["10".into(), "50".into()], vec!["1970-01-02".to_owned(), "1970-01-09".into()])
    );
    let rules = "[entity]\nall = { columns = \"*\", take = \"newest\", by = \"seen\", where = \"name is not null\" }\n";
    let best = table(&people, &ROOTS, rules, RecordTable::Best).unwrap();
    assert_eq!(best.column_by_name("id").unwrap().as_primitive::<Int64Type>().values(), &[20, 40]);
}

#[test]
fn mistakes_have_their_place() {
    for (rules, message) in [
        ("[entity]\nname = \"sum\"\n", "`sum` needs numbers, and column `name` holds text"),
        (
            "[entity]\nborn = \"longest\"\n",
            "`longest` needs texts or lists, and column `born` holds values of type Date32",
        ),
        ("[entity]\nname = { take = \"newest\", by = \"sene\" }\n", "sene"),
    ] {
        let error = table(&[("people", people())], &ROOTS, rules, ENTITIES).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("e.toml:2"), "{error}");
    }
    let twice = RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from(vec![1])) as ArrayRef),
        ("entity_id", Arc::new(Int64Array::from(vec![1])) as ArrayRef),
    ]);
    let error = table(&[("t", twice.unwrap())], &[0], "", RecordTable::Records).unwrap_err();
    assert!(error.message().contains("two columns called `entity_id`"), "{error}");
}

/// Many clusters whose records lie far from each other.
fn many(rows: u32) -> (RecordBatch, Vec<u32>) {
    let clusters = rows / 3;
    let roots: Vec<u32> = (0..rows).map(|row| row % clusters).collect();
    let ids = Int64Array::from_iter_values(i64::from(0_u8)..i64::from(rows));
    let texts = StringArray::from_iter((0..rows).map(|row| (row % 7 != 0).then(|| format!("name {}", row % 1_000))));
    let numbers = Int64Array::from_iter((0..rows).map(|row| (row % 11 != 0).then_some(i64::from(row) * 17 % 101)));
    let long = StringArray::from_iter_values((0..rows).map(|row| "x".repeat(200 + row as usize % 50)));
    let batch = RecordBatch::try_from_iter([
        ("id", Arc::new(ids) as ArrayRef),
        ("text", Arc::new(texts) as ArrayRef),
        ("number", Arc::new(numbers) as ArrayRef),
        ("long", Arc::new(long) as ArrayRef),
    ]);
    (batch.unwrap(), roots)
}

#[test]
fn neither_memory_nor_threads_change_a_value() {
    let (batch, roots) = many(150_000);
    let input = [("many", batch)];
    let rules = "[entity]\nnumber = \"max\"\nlong = \"longest\"\n";
    for kind in [WITH_PROVENANCE, RecordTable::Best, RecordTable::Records] {
        let roomy = table(&input, &roots, rules, kind).unwrap();
        for (memory, threads) in [(0, 1), (0, 3)] {
            let tight = table_within(&input, &roots, rules, kind, memory, threads).unwrap();
            assert!(tight == roomy, "{kind:?} {memory} {threads}");
        }
    }
    let made = table(&input, &roots, rules, ENTITIES).unwrap();
    assert_eq!(made.num_rows(), 50_000);
    let sizes = made.column_by_name("entity_size").unwrap().as_primitive::<UInt32Type>();
    assert!(sizes.values().iter().all(|size| *size == 3));
    let numbers = made.column_by_name("number").unwrap().as_primitive::<Int64Type>();
    for entity in 0..50_000_u32 {
        let of = |row: u32| (!row.is_multiple_of(11)).then_some(i64::from(row) * 17 % 101);
        let expected = (0..3).filter_map(|copy| of(entity + copy * 50_000)).max();
        assert_eq!(numbers.is_valid(entity as usize).then(|| numbers.value(entity as usize)), expected);
    }
}

#[test]
fn nothing_gives_a_table_without_rows() {
    let empty = people().slice(0, 0);
    for kind in [WITH_PROVENANCE, RecordTable::Records, RecordTable::Best] {
        assert_eq!(table(&[("people", empty.clone())], &[], "", kind).unwrap().num_rows(), 0);
    }
}
