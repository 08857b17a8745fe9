//! Which scores a job has, and what they depend on.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};

use super::super::testing::TestRecords;
use super::*;
use crate::model::{ComparisonModel, LevelModel, Model};
use crate::records::Input;
use crate::rules::RuleFile;

fn table(name: &str, columns: &[(&str, ArrayRef)]) -> Input {
    let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

fn texts(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// A dedupe of three people.
fn people(rules: &str) -> Job {
    let columns = [("id", texts(&["1", "2", "3"])), ("name", texts(&["anna", "anna", "bo"]))];
    Job::dedupe(table("people", &columns)).with_rules(RuleFile::parse(rules, "rules.toml").unwrap())
}

fn scored_pairs(score: f64) -> Input {
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.7, score]));
    let ids = [("unique_id_l", texts(&["1", "1"])), ("unique_id_r", texts(&["2", "3"]))];
    table("scored", &[ids[0].clone(), ids[1].clone(), ("score", scores)])
}

fn scores(job: &Job) -> Scores {
    TestRecords::read(job).scores(job)
}

fn model(u: f64) -> Model {
    let level = LevelModel::new(Some("l.name = r.name"), 0.9, u);
    Model::new(0.4, vec![ComparisonModel::new("name", vec![level], LevelModel::new(None, 0.1, 1.0 - u))])
}

const LEVELS: &str = "[[compare]]\nname = \"name\"\nlevels = [\"l.name = r.name\"]\nterm_frequency = \"name\"\n";

const THRESHOLD: &str = "[score]\nthreshold = 0.5\n";

fn weighted(threshold: f64) -> String {
    let compare = "[[compare]]\nname = \"name\"\nsimilarity = \"jaro(l.name, r.name)\"\n";
    format!("{compare}[score]\nthreshold = {threshold}\n")
}

#[test]
fn a_job_has_one_kind_of_scores() {
    let job = people("[[rule]]\nwhen = \"l.name = r.name\"\n");
    let none = scores(&job);
    assert!(none.is_none() && none.key(&job).is_none() && none.bytes() == 0);
    let by_model = scores(&people(LEVELS).with_model(model(0.2)));
    assert!(matches!(&by_model, Scores::Model(_)));
    assert_eq!(by_model.term_frequencies().len(), 1);
    assert!(by_model.frequency_key().is_empty(), "they are counted");
    let averages = scores(&people(&weighted(0.8)));
    assert!(averages.model().is_none() && averages.weighted().is_some());
    let given = scores(&people(THRESHOLD).with_scores(scored_pairs(0.2)));
    assert!(matches!(&given, Scores::Given(outside) if outside.pairs().len() == 2));
    assert_eq!(given.bytes(), 32);
}

#[test]
fn a_key_says_what_scores_depend_on() {
    let key = |job: &Job| scores(job).key(job).unwrap();
    let by_model = |u: f64| key(&people(LEVELS).with_model(model(u)));
    assert_eq!(by_model(0.2), by_model(0.2));
    assert_ne!(by_model(0.2), by_model(0.3));
    assert_ne!(key(&people(&weighted(0.8))), key(&people(&weighted(0.9))));
    let given = |score: f64| key(&people(THRESHOLD).with_scores(scored_pairs(score)));
    assert_eq!(given(0.2), given(0.2));
    assert_ne!(given(0.2), given(0.3));
}
