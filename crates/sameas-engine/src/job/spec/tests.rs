//! A job that is made of its description is the same job.

use sameas_entities::tables::{ResultTables, WithColumns};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use serde_json::json;

use super::*;
use crate::error::ErrorKind;
use crate::model::{ComparisonModel, LevelModel};
use crate::records::{ContentId, ReadOptions};

const RULES: &str = "encoding = \"latin1\"\nnull = [\"-\"]\nskip_null_ids = true\nunique_id = { left = \"no\" }\n\
                     [derive]\nx = \"lower(a)\"\n[[rule]]\nwhen = \"l.x = r.x\"\n[[never]]\nwhen = \"l.b <> r.b\"\n\
                     [[compare]]\nname = \"a\"\nlevels = [\"l.a = r.a\"]\nterm_frequency = \"a\"\n\
                     [score]\nthreshold = 0.9\n[columns]\nboth = \"l.a || r.a\"\n";

fn table(name: &str) -> Input {
    let column: ArrayRef = Arc::new(StringArray::from(vec!["1", "2"]));
    let batch = RecordBatch::try_from_iter([("id", column)]).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

fn model() -> Model {
    let level = LevelModel::new;
    Model::new(0.1, vec![ComparisonModel::new("a", vec![level(Some("l.a = r.a"), 0.9, 0.1)], level(None, 0.1, 0.9))])
}

/// A job with all that a description can have.
fn full_job() -> Job {
    let left = Input::files(["left/*.csv", "-"]).with_delimiter(b';').with_blank_as_null(true);
    let mut rules = RuleFile::parse(RULES, "rules.toml").unwrap();
    rules.add_rule_from("l.b = r.b", "by hand");
    let job = Job::link(left, table("people").with_null_texts(["none"])).with_rules(rules);
    let job = job.with_id("key").with_id_of("right", "other").with_model(model()).with_near(0.1 + 0.2).with_all_pairs();
    let mut tables = ResultTables::default();
    (tables.provenance, tables.with) = (true, Some(WithColumns::Named(vec!["name".into()])));
    let job = job.with_tables(tables);
    let job = job.with_scores(table("scores")).with_decisions(table("decisions"));
    let job = job.with_term_frequencies("b", table("frequencies of b"));
    job.with_term_frequencies("a", Input::files(["a.csv"]).with_encoding("utf-16le").unwrap())
}

/// The records that the job asks for.
fn given() -> [Input; 4] {
    ["people", "scores", "frequencies of b", "decisions"].map(table)
}

fn stored_and_read(spec: &JobSpec) -> JobSpec {
    JobSpec::parse(&serde_json::to_string(spec).unwrap(), "stored").unwrap()
}

#[test]
fn what_is_stored_makes_the_same_job() {
    let spec = JobSpec::new(&full_job());
    assert_eq!(spec.asks_for(), ["people", "scores", "frequencies of b", "decisions"]);
    let read = stored_and_read(&spec);
    assert_eq!(read, spec);
    let again = read.job(&given()).unwrap();
    assert_eq!(JobSpec::new(&again), spec);
    let (job, inputs) = (full_job(), again.resolved_inputs().unwrap());
    for (mine, theirs) in inputs.iter().zip(job.resolved_inputs().unwrap()) {
        assert_eq!((mine.description(), mine.options()), (theirs.description(), theirs.options()));
    }
    assert_eq!((&again.id, &again.ids, again.near, again.all_pairs), (&job.id, &job.ids, job.near, job.all_pairs));
    assert_eq!(again.tables, job.tables);
    assert_eq!(again.skip_null_ids, Some(true));
    assert_eq!(again.model.map(|model| model.to_text()), job.model.map(|model| model.to_text()));
    let tables = |job: &Job| {
        let of = |input: &Input| (input.description(), input.options().clone());
        job.scores.iter().chain(job.term_frequencies.values()).chain(&job.decided).map(of).collect::<Vec<_>>()
    };
    assert_eq!((again.rules.rule_count(), again.rules.never_count()), (2, 1));
    assert_eq!(tables(&JobSpec::new(&full_job()).job(&given()).unwrap()), tables(&full_job()));
}

/// Fields of rules that a program has changed are in no part of the rules.
#[test]
fn what_was_said_of_inputs_by_hand_counts() {
    let mut job = Job::link(Input::files(["a.csv"]), Input::files(["b.csv"]));
    job.rules = RuleFile::parse(&format!("link_type = \"dedupe_only\"\n{RULES}"), "rules.toml").unwrap();
    (job.rules.encoding, job.rules.null, job.rules.link_type) = (None, vec!["?".to_owned()], None);
    (job.rules.skip_null_ids, job.rules.unique_id) = (None, Some("key".to_owned()));
    job.rules.unique_ids.clear();
    let again = stored_and_read(&JobSpec::new(&job)).job(&[]).unwrap();
    let options: ReadOptions = serde_json::from_str(r#"{"null": ["?"]}"#).unwrap();
    assert!(again.resolved_inputs().unwrap().iter().all(|input| *input.options() == options));
    assert_eq!((again.skip_null_ids, again.rules.link_type), (Some(false), None));
    assert_eq!((again.rules.unique_id.as_deref(), again.rules.unique_ids.len()), (Some("key"), 0));
    assert_eq!(JobSpec::new(&again), JobSpec::new(&job));
}

#[test]
fn records_that_are_asked_for_must_be_given() {
    let spec = JobSpec::new(&full_job());
    let missing = spec.job(&given()[..2]).unwrap_err();
    assert_eq!((missing.kind(), missing.code()), (ErrorKind::Usage, ErrorCode::RecordsNotGiven));
    assert!(missing.message().starts_with("the records `frequencies of b` were given to the job"), "{missing}");
    let [_, scores, frequencies, decisions] = given();
    let of_a_file = [Input::files(["people.csv"]), scores, frequencies, decisions];
    let in_other_order = ["scores", "people", "frequencies of b", "decisions"].map(table);
    let too_many = ["people", "scores", "frequencies of b", "decisions", "people"].map(table);
    for (given, message) in [
        (&in_other_order[..], "the records `people` are asked for, and `scores` are given"),
        (&of_a_file[..], "the records `people` are asked for, and `people.csv` is given"),
        (&too_many[..], "the records of 4 inputs are asked for, and those of 5 are given"),
    ] {
        assert_eq!(spec.job(given).unwrap_err().message(), message);
    }
    let of_files = JobSpec::new(&Job::dedupe(Input::files(["people.csv"])));
    assert!(of_files.asks_for().is_empty() && of_files.job(&[]).is_ok());
}

#[test]
fn records_that_were_read_are_expected_again() {
    let mut spec = JobSpec::new(&Job::dedupe(table("people")));
    spec.inputs[0].content = Some(ContentId::new(2, "00"));
    let job = stored_and_read(&spec).job(&[table("people")]).unwrap();
    assert_eq!(job.inputs[0].expected(), spec.inputs[0].content.as_ref());
    assert_eq!(JobSpec::new(&job), spec);
}

#[test]
fn later_versions_and_other_texts_are_refused() {
    let mut later = serde_json::to_value(JobSpec::new(&full_job())).unwrap();
    later["new"] = json!(1);
    assert!(JobSpec::parse(&later.to_string(), "spec").is_ok());
    later["version"] = json!(JobSpec::VERSION + 1);
    later["rules"] = json!("in other words");
    let error = JobSpec::parse(&later.to_string(), "spec").unwrap_err();
    assert_eq!(error.code(), ErrorCode::LaterVersion, "{error}");
    assert!(error.message().starts_with("spec: a later version of sameas"), "{error}");
    let mut spec = JobSpec::new(&Job::dedupe(Input::files(["people.csv"])));
    spec.version += 1;
    assert_eq!(spec.job(&[]).unwrap_err().code(), ErrorCode::LaterVersion);
    let error = JobSpec::parse("{\"version\": 1}", "spec").unwrap_err();
    assert!(error.message().starts_with("spec: not the description of a job: missing field"), "{error}");
}

#[test]
fn a_small_job_has_few_words() {
    let job = Job::dedupe(Input::files(["people.csv"]).with_encoding("latin1").unwrap()).with_rule("l.a = r.a");
    let expected = json!({
        "version": 1,
        "link_type": "dedupe_only",
        "inputs": [{"source": {"files": {"given": ["people.csv"]}}, "options": {"encoding": "latin1"}}],
        "rules": [{"kind": "rule", "when": "l.a = r.a", "place": "given without a file"}],
    });
    assert_eq!(serde_json::to_value(JobSpec::new(&job)).unwrap(), expected);
}

/// Relative paths are those of the folder of the run, then those of the current one; absolute ones are as they are.
#[test]
fn files_are_found_in_the_folder_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    ["people.csv", "names.csv", "scores.csv"]
        .iter()
        .for_each(|name| std::fs::write(folder.path().join(name), "id\n").unwrap());
    let job = Job::link(Input::files(["people.csv", "nowhere.csv"]), Input::files(["*s.csv", "-"]));
    let job = job.with_scores(Input::files(["scores.csv"])).with_term_frequencies("a", Input::files(["/names.csv"]));
    let spec = JobSpec::new(&job);
    assert_eq!((&spec.folder, JobSpec::new(&spec.job(&[]).unwrap())), (&None, spec.clone()));
    let spec = spec.of_run_in(Some(folder.path()));
    assert_eq!(spec.folder.as_deref(), folder.path().to_str());
    let elsewhere = stored_and_read(&spec).job(&[]).unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let given = |input: &Input| input.given();
    assert_eq!(given(&elsewhere.inputs[0]), [place("people.csv"), "nowhere.csv".to_owned()]);
    assert_eq!(given(&elsewhere.inputs[1]), [place("*s.csv"), "-".to_owned()]);
    assert_eq!(elsewhere.scores.as_ref().map(given), Some(vec![place("scores.csv")]));
    assert_eq!(given(&elsewhere.term_frequencies["a"]), ["/names.csv"]);
    assert_eq!(JobSpec::new(&elsewhere).folder, spec.folder);
    // In the folder itself, paths stay as they were given.
    let here = JobSpec { folder: None, ..spec }.of_run_in(Some(&current_dir().unwrap()));
    assert_eq!(JobSpec::new(&here.job(&[]).unwrap()), here);
}

/// A run from elsewhere over inputs of the current folder: its rules name files of another folder, its inputs do not.
#[test]
fn inputs_and_rules_may_be_of_two_folders() {
    let [of_rules, current] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    std::fs::write(current.path().join("people.csv"), "id\n").unwrap();
    let mut spec = JobSpec::new(&Job::dedupe(Input::files(["people.csv"])));
    spec.folder = of_rules.path().to_str().map(str::to_owned);
    let spec = spec.of_run_in(Some(current.path()));
    assert_eq!(spec.folder.as_deref(), of_rules.path().to_str());
    assert_eq!(spec.inputs[0].source.given(), [current.path().join("people.csv").to_str().unwrap()]);
}

#[test]
fn a_description_names_no_folder_without_need() {
    let folder = |spec: JobSpec| spec.of_run_in(Some(Path::new("/somewhere"))).folder;
    assert_eq!(folder(JobSpec::new(&Job::dedupe(Input::files(["/data/people.csv", "-"])))), None);
    assert_eq!(folder(JobSpec::new(&Job::dedupe(table("people")))), None);
    let mut with_list = JobSpec::new(&Job::dedupe(table("people")));
    with_list.files.insert("/lists/names.csv".to_owned(), vec![ContentId::new(1, "00")]);
    assert_eq!(folder(with_list).as_deref(), Some("/somewhere"));
}

#[test]
fn files_that_rules_name_are_expected_again() {
    let mut spec = JobSpec::new(&Job::dedupe(table("people")));
    let known = ["00", "01"].map(|hash| ContentId::new(2, hash));
    spec.files.insert("names.csv".to_owned(), known.to_vec());
    let job = stored_and_read(&spec).job(&[table("people")]).unwrap();
    assert_eq!(JobSpec::new(&job), spec);
    known.iter().for_each(|known| job.check_named_file("names.csv", known).unwrap());
    let error = job.check_named_file("names.csv", &ContentId::new(3, "00")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
    assert!(error.message().starts_with("the file `names.csv`, which the rules name, is not the one"), "{error}");
    assert!(job.check_named_file("others.csv", &known[0]).is_ok());
    let other_rules = job.with_rules(RuleFile::parse(RULES, "rules.toml").unwrap());
    assert!(JobSpec::new(&other_rules).files.is_empty());
}
