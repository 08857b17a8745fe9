//! The catalogue of functions, as another program reads it.

use std::sync::Arc;

use arrow_array::types::Float64Type;
use arrow_array::{ListArray, RecordBatch, StringArray};
use sameas::rules::FunctionGroup;
use sameas::{ErrorKind, Input, Job, Session};

#[test]
fn functions_are_listed_and_found() {
    let all = sameas::functions();
    assert!(all.len() > 70 && all.iter().any(|function| function.group == FunctionGroup::Operators));
    assert_eq!(sameas::function("jaro").unwrap().signature, "jaro(a, b)");
    assert_eq!(sameas::function("jarro").unwrap_err().kind(), ErrorKind::Usage);
}

/// One of the two examples that need records.
#[test]
fn the_example_of_neighbours_holds() {
    let example = sameas::function("neighbours").unwrap();
    let column = |texts: Vec<&str>| Arc::new(StringArray::from(texts)) as _;
    let columns = [("id", column(vec!["1", "2", "3"])), ("name", column(vec!["Cid", "Ann", "Bob"]))];
    let people = RecordBatch::try_from_iter(columns).unwrap();
    let input = Input::batches("people", people.schema(), vec![people]).unwrap();
    let session = Session::builder().threads(1).build().unwrap();
    let run = session.run(&Job::dedupe(input).with_rule(example.example), &()).unwrap();
    assert_eq!(run.record().pairs, 2);
    assert!(run.why(["1", "2"]).unwrap().match_key.is_none(), "Bob is between Ann and Cid");
    assert!(example.result.contains("follow each other"));
}

#[test]
fn the_example_of_cosine_similarity_holds() {
    let example = sameas::function("cosine_similarity").unwrap();
    let vectors = [[1.0, 0.0], [3.0, 4.0]].map(|vector| Some(vector.map(Some)));
    let vectors = ListArray::from_iter_primitive::<Float64Type, _, _>(vectors);
    let columns = [("id", Arc::new(StringArray::from(vec!["1", "2"])) as _), ("v", Arc::new(vectors) as _)];
    let input = RecordBatch::try_from_iter(columns).unwrap();
    let input = Input::batches("vectors", input.schema(), vec![input]).unwrap();
    let session = Session::builder().threads(1).build().unwrap();
    let rule = format!("{} = 0.6", example.example);
    assert_eq!(session.run(&Job::dedupe(input).with_rule(&rule), &()).unwrap().record().pairs, 1);
    assert_eq!(example.result, "0.6 for the vectors [1, 0] and [3, 4]");
}

#[test]
fn lists_are_looked_for_in_the_folder_of_the_rules_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("names.csv"), "Ann,Anna\n").unwrap();
    let rules = "[[rule]]\nwhen = \"in_list(l.name, r.name, 'names.csv')\"\n";
    let rules = sameas::RuleFile::parse(rules, "rules").unwrap().in_folder(folder.path());
    let column = |texts: Vec<&str>| Arc::new(StringArray::from(texts)) as _;
    let columns = [("id", column(vec!["1", "2", "3"])), ("name", column(vec!["Ann", "Anna", "anna"]))];
    let people = RecordBatch::try_from_iter(columns).unwrap();
    let input = Input::batches("people", people.schema(), vec![people]).unwrap();
    let run = Session::builder().threads(1).build().unwrap().run(&Job::dedupe(input).with_rules(rules), &()).unwrap();
    assert_eq!(run.record().pairs, 1);
    let list = &run.record().lists[0];
    assert_eq!((list.name.as_str(), list.bytes), ("names.csv", 9));
}
