//! Tables of other programs: texts of every type, results by number, scores, expressions and closures without files.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
    StringViewArray,
};
use sameas::closure::ClosureJob;
use sameas::{ErrorCode, ErrorKind, Expression, Input, Job, RuleFile, Session};

fn table(columns: &[(&str, ArrayRef)]) -> Input {
    let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
    Input::batches("people", batch.schema(), vec![batch]).unwrap()
}

fn numbers(rows: i64) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(0..rows))
}

fn session() -> Session {
    Session::builder().threads(2).build().unwrap()
}

fn names() -> Vec<Option<String>> {
    (0..3000).map(|row| (row % 7 != 0).then(|| format!("name {}", row % 900))).collect()
}

/// The left ids of the pairs of records with one name.
fn lefts(names: ArrayRef) -> Vec<i64> {
    let job = Job::dedupe(table(&[("id", numbers(names.len() as i64)), ("name", names)])).with_rule("l.name = r.name");
    let run = session().run(&job, &()).unwrap();
    let of_batch = |batch: RecordBatch| batch.column(0).as_primitive::<Int64Type>().values().to_vec();
    run.pairs().flat_map(|batch| of_batch(batch.unwrap())).collect()
}

#[test]
fn texts_of_every_type_give_the_same_pairs() {
    let names = names();
    let short: ArrayRef = Arc::new(StringArray::from(names.clone()));
    let expected = lefts(short.clone());
    assert!(expected.len() > 1000, "{} pairs", expected.len());
    let texts = || names.iter().map(Option::as_deref);
    let padded = || std::iter::repeat_n(Some("before"), 5).chain(texts()).chain([Some("after")]);
    let kinds: [ArrayRef; 5] = [
        Arc::new(LargeStringArray::from_iter(texts())),
        Arc::new(StringViewArray::from_iter(texts())),
        Arc::new(texts().collect::<DictionaryArray<Int32Type>>()),
        Arc::new(LargeStringArray::from_iter(padded()).slice(5, names.len())),
        Arc::new(StringArray::from_iter(padded()).slice(5, names.len())),
    ];
    for kind in kinds {
        assert_eq!(lefts(kind.clone()), expected, "{}", kind.data_type());
    }
}

#[test]
fn tables_that_cannot_be_read_say_why() {
    let ask = |input: Input| session().run(&Job::dedupe(input).with_rule("l.a = r.a"), &()).unwrap_err();
    let none = Input::batches("people", Arc::new(arrow_schema::Schema::empty()), Vec::new()).unwrap();
    assert_eq!(ask(none).message(), "`people` has no columns");
    let twice = ask(table(&[("id", numbers(1)), ("a", numbers(1)), ("a", numbers(1))]));
    assert_eq!(twice.message(), "people: two columns are called `a`");
    assert_eq!((twice.kind(), twice.help()), (ErrorKind::Data, Some("give each column a name of its own")));
}

#[test]
fn batches_of_results_have_numbers() {
    let rows = 600;
    let one: ArrayRef = Arc::new(Int64Array::from_value(1, rows as usize));
    let job = Job::dedupe(table(&[("id", numbers(rows)), ("a", one)])).with_rule("l.a = r.a");
    let run = session().run(&job, &()).unwrap();
    let all: Vec<RecordBatch> = run.pairs().map(Result::unwrap).collect();
    assert_eq!((run.pairs().len(), run.pairs().rows()), (3, 600 * 599 / 2));
    for (number, batch) in all.iter().enumerate() {
        assert_eq!(&run.pairs().nth(number).unwrap().unwrap(), batch);
    }
    assert!(run.pairs().nth(3).is_none() && run.pairs().nth(usize::MAX).is_none());
}

#[test]
fn scores_of_others_need_no_file() {
    let people = || table(&[("id", numbers(4)), ("a", Arc::new(Int64Array::from(vec![1, 1, 1, 2])))]);
    let mut rules = RuleFile::default();
    rules.add_rule("l.a = r.a");
    rules.add_column_from("sum", "l.id + r.id", "columns");
    let candidates = session().run(&Job::dedupe(people()).with_rules(rules.clone().without_scores()), &()).unwrap();
    let batch = candidates.pairs().next().unwrap().unwrap();
    assert_eq!(batch.column_by_name("sum").unwrap().as_primitive::<Float64Type>().values(), &[1.0, 2.0, 3.0]);
    let pairs = [("unique_id_l", batch.column(0).clone()), ("unique_id_r", batch.column(1).clone())];
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.4, 7.0, 0.9]));
    let scored = |name| table(&[pairs[0].clone(), pairs[1].clone(), (name, scores.clone())]);
    let job = Job::dedupe(people()).with_rules(rules).with_scores(scored("score"));
    let run = session().run(&job, &()).unwrap();
    let found = run.pairs().next().unwrap().unwrap();
    assert_eq!(found.column_by_name("score").unwrap().as_primitive::<Float64Type>().values(), &[7.0, 0.9]);
    assert_eq!(run.why(["0", "1"]).unwrap().outside.unwrap().score, Some(0.4));
    let error = session().run(&Job::dedupe(people()).with_scores(scored("points")), &()).unwrap_err();
    assert!(error.message().contains("no column `score`"), "{error}");
}

#[test]
fn scores_of_others_are_in_the_column_that_the_rules_name() {
    let [left, right] = [vec![0_i64, 0], vec![1, 2]].map(|ids| Arc::new(Int64Array::from(ids)) as ArrayRef);
    let [score, weight] = [vec![0.9, 0.8], vec![7.5, 8.5]].map(|of| Arc::new(Float64Array::from(of)) as ArrayRef);
    let scores = [("unique_id_l", left), ("unique_id_r", right), ("score", score), ("match_weight", weight)];
    let found = |column: &str| {
        let rules = RuleFile::parse(&format!("[score]\nthreshold = 8\ncolumn = \"{column}\"\n"), "rules.toml").unwrap();
        let job = Job::dedupe(table(&[("id", numbers(3))])).with_rules(rules).with_scores(table(&scores));
        session().run(&job, &()).map(|run| run.pairs().rows())
    };
    assert_eq!((found("match_weight").unwrap(), found("score").unwrap()), (1, 0));
    let error = found("nonsense").unwrap_err();
    assert_eq!(error.message(), "the pairs with scores, `people`, have no column `nonsense`");
    let columns = "its columns are: unique_id_l, unique_id_r, score, match_weight";
    assert_eq!((error.kind(), error.help()), (ErrorKind::Data, Some(columns)));
}

#[test]
fn expressions_are_evaluated_over_tables() {
    let names: ArrayRef = Arc::new(LargeStringArray::from(vec![Some("Zoé"), None, Some("")]));
    let batch = RecordBatch::try_from_iter([("Name", names)]).unwrap();
    let lower = Expression::new("lower(strip_accents(name))", &batch.schema()).unwrap();
    let texts = lower.evaluate(&batch).unwrap();
    assert_eq!(texts.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("zoe"), None, None]);
    let words = Expression::new("words(name)", &batch.schema()).unwrap();
    assert_eq!(words.evaluate(&batch).unwrap().data_type(), &words.data_type());
    assert_eq!(words.evaluate(&batch).unwrap().as_list::<i32>().value(0).as_string::<i32>().value(0), "Zoé");
    assert_eq!(lower.evaluate(&batch.slice(1, 0)).unwrap().len(), 0);
    let error = Expression::new("lower(nam)", &batch.schema()).unwrap_err();
    assert!(error.kind() == ErrorKind::Rules && error.message().contains("lower(nam)"), "{error}");
    let other = RecordBatch::try_from_iter([("name", numbers(1))]).unwrap();
    assert_eq!(lower.evaluate(&other).unwrap_err().kind(), ErrorKind::Usage);
}

#[test]
fn closures_are_read_without_a_file() {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(1..=500));
    let job = ClosureJob::new(table(&[("from", numbers(500)), ("to", ids)]));
    let closure = session().closure(&job, &()).unwrap();
    let mut rows = Vec::new();
    let mut take = |batch: RecordBatch| {
        assert_eq!(batch.schema(), closure.schema());
        let [from, to] = [0, 1].map(|at| batch.column(at).as_primitive::<Int64Type>().values().to_vec());
        rows.extend(from.into_iter().zip(to));
        Ok(())
    };
    closure.read(&mut take, &()).unwrap();
    let expected: Vec<(i64, i64)> = (0..500).flat_map(|from| (from + 1..=500).map(move |to| (from, to))).collect();
    assert_eq!(rows, expected);
    let stopped = closure.read(&mut |_| Err(sameas::Error::usage("enough")), &()).unwrap_err();
    assert_eq!((stopped.message(), stopped.code()), ("enough", ErrorCode::Other));
}
