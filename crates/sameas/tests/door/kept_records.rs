//! A run keeps its records: what is asked about it afterwards reads nothing again, and says what it would have said.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use sameas::arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
use sameas::report::{ClusterRecords, ReportOptions};
use sameas::{Format, Input, Job, Model, OutputFolder, RuleFile, Run, RunRecord, Session, Why};

use crate::dice::Dice;
use crate::inputs;
use crate::scores::{RULES, model, rules};

fn session() -> Session {
    Session::builder().threads(2).build().unwrap()
}

/// Writes people with these ids. No rule reads their notes.
fn people(folder: &Path, name: &str, ids: Range<usize>) -> PathBuf {
    let path = folder.join(format!("{name}.csv"));
    let row = |id: usize| {
        let (name, city) = (["anna", "anne", "bob", "bo", "carla"][id * 7 % 5], ["rome", "oslo", "bern"][id % 3]);
        format!("{id},{name},{city},{},note {id}\n", 1960 + id * 13 % 40)
    };
    std::fs::write(&path, format!("id,name,city,year,note\n{}", ids.map(row).collect::<String>())).unwrap();
    path
}

/// Rules that derive, rank, measure and forbid.
const KINDS: &str = r#"
[derive]
first = "substr(name, 1, 1)"

[[rule]]
when = "l.first = r.first and jaro_winkler(l.name, r.name) >= 0.9 and abs(l.year - r.year) <= 5"

[[rule]]
when = "neighbours(l.year, r.year, 4) and l.city = r.city"

[[never]]
when = "l.name = 'bob' and r.city = 'oslo'"
"#;

pub(super) type IdPair = [&'static str; 2];

/// Jobs over three files, and pairs of each to ask about.
pub(super) fn jobs(files: &[PathBuf; 3]) -> Vec<(Job, Vec<IdPair>)> {
    let [a, b, c] = files.each_ref().map(|file| Input::files([file]));
    let kinds = || RuleFile::parse(KINDS, "rules.toml").unwrap();
    let alone = vec![["0", "40"], ["1", "2"], ["7", "12"], ["59", "3"]];
    let named = [["a:0", "b:40"], ["a:7", "b:52"], ["b:41", "a:2"]];
    let scored = rules(RULES, -30.0);
    vec![
        (Job::dedupe(a.clone()).with_rules(kinds()), alone.clone()),
        (Job::dedupe(a.clone()).with_rules(kinds()).with_near(0.05), alone.clone()),
        (Job::link(a.clone(), b.clone()).with_rules(kinds()), vec![["0", "40"], ["7", "52"], ["a:3", "b:59"]]),
        (Job::link_all([a.clone(), b.clone(), c]).with_rules(kinds()), [&named[..], &[["c:9", "a:9"]]].concat()),
        (Job::link_and_dedupe(a.clone(), b.clone()).with_rules(kinds()), [&named[..], &[["a:0", "a:40"]]].concat()),
        (Job::dedupe(a.clone()).with_rules(scored.clone()).with_model(model(&mut Dice(5))).with_all_pairs(), alone),
        (Job::link(a, b).with_rules(scored).with_model(model(&mut Dice(6))).with_all_pairs(), vec![["1", "41"]]),
    ]
}

pub(super) fn files(folder: &Path) -> [PathBuf; 3] {
    [people(folder, "a", 0..60), people(folder, "b", 40..100), people(folder, "c", 5..20)]
}

/// An answer as a session gives it, which knows no clusters.
fn without_clusters(mut answer: Why) -> Why {
    answer.connection = None;
    answer
}

#[test]
fn why_needs_no_inputs_after_a_run() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let forgetful = Session::builder().threads(2).keep_records(false).build().unwrap();
    let files = files(folder.path());
    let asked = |(job, ids): (Job, Vec<IdPair>)| {
        let expected: Vec<Why> = ids.iter().map(|ids| session.why(&job, *ids, &()).unwrap()).collect();
        let runs = [session.run(&job, &()).unwrap(), forgetful.run(&job, &()).unwrap()];
        assert_eq!(without_clusters(runs[1].why(ids[0]).unwrap()), expected[0]);
        (runs, ids, expected)
    };
    let asked: Vec<([Run; 2], Vec<IdPair>, Vec<Why>)> = jobs(&files).into_iter().map(asked).collect();
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    for ([keeping, forgetful], ids, expected) in asked {
        let answers: Vec<Why> = ids.iter().map(|ids| without_clusters(keeping.why(*ids).unwrap())).collect();
        assert_eq!(answers, expected);
        assert!(forgetful.why(ids[0]).is_err(), "its records are gone");
        assert!(keeping.why(["0", "nobody"]).unwrap_err().message().contains("there is no record with id `nobody`"));
    }
}

#[test]
fn whole_records_are_read_once() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let files = files(folder.path());
    for (job, ids) in jobs(&files) {
        files_again(&files, folder.path());
        let (run, whole) = (session.run(&job, &()).unwrap(), job.with_all_columns());
        let expected: Vec<Why> = ids.iter().map(|ids| session.why(&whole, *ids, &()).unwrap()).collect();
        assert!(expected[0].records.iter().any(|field| field.name == "note"));
        assert_eq!(without_clusters(run.why_with_records(ids[0], &()).unwrap()), expected[0]);
        files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
        let answer = |ids: &IdPair| without_clusters(run.why_with_records(*ids, &()).unwrap());
        let answers: Vec<Why> = ids.iter().map(answer).collect();
        assert_eq!(answers, expected);
        assert!(run.why(ids[0]).unwrap().records.is_empty());
    }
}

fn files_again(before: &[PathBuf; 3], folder: &Path) {
    assert_eq!(&files(folder), before);
}

#[test]
fn a_report_is_the_same_with_records_at_hand() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let (files, options) = (files(folder.path()), ReportOptions::default());
    let mut kept = Vec::new();
    for (at, (job, _)) in jobs(&files).into_iter().enumerate() {
        let out = folder.path().join(at.to_string());
        let mut run = session.run(&job, &()).unwrap();
        run.write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
        let (record, records) = (RunRecord::read(&out.join("run.json")).unwrap(), run.into_records().unwrap());
        let of_folder = session.report(&out, &record, Some(&job), &options, &()).unwrap();
        let at_hand = session.report_on(&records, &out, &record, &options, &()).unwrap();
        assert_eq!(at_hand.facts(), of_folder.facts());
        assert_eq!(at_hand.tables(), of_folder.tables());
        assert!(at_hand.without_values().is_none() && of_folder.without_values().is_none());
        let unasked = session.run(&job, &()).unwrap().into_records().unwrap();
        kept.push((out, record, job, [records, unasked]));
    }
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    for (out, record, job, records) in kept {
        let of_folder = session.report(&out, &record, Some(&job), &options, &()).unwrap();
        assert!(of_folder.without_values().is_some());
        // Without the columns that nobody has read before.
        for records in records {
            let at_hand = session.report_on(&records, &out, &record, &options, &()).unwrap();
            assert!(at_hand.without_values().is_none());
        }
    }
}

/// The id of a record that is in a cluster with others.
fn clustered_id(run: &Run) -> String {
    let pairs = inputs::rows(run);
    let (columns, first) = (run.pairs().schema(), pairs.first().expect("some pairs"));
    let cells: Vec<&str> = first.split(',').collect();
    let cell = |name: &str| columns.index_of(name).ok().map(|at| cells[at]);
    let id = cell("unique_id_l").expect("pairs have ids");
    cell("source_dataset_l").map_or_else(|| id.to_owned(), |input| format!("{input}:{id}"))
}

#[test]
fn a_cluster_is_the_same_with_records_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let forgetful = Session::builder().threads(2).keep_records(false).build().unwrap();
    let (session, files) = (session(), files(folder.path()));
    let mut kept = Vec::new();
    for (at, (job, _)) in jobs(&files).into_iter().enumerate() {
        let out = folder.path().join(at.to_string());
        let [mut run, unasked, without] = [&session, &session, &forgetful].map(|of| of.run(&job, &()).unwrap());
        run.write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
        let (record, id) = (RunRecord::read(&out.join("run.json")).unwrap(), clustered_id(&run));
        let id = if job.inputs.len() == 2 && run.pairs().schema().index_of("source_dataset_l").is_err() {
            format!("a:{id}")
        } else {
            id
        };
        let expected = session.cluster(&out, &record, Some(&job), &id, 200, &()).unwrap();
        let is_whole = expected.records.len() > 1 && !expected.pairs.is_empty() && expected.without_values.is_none();
        assert!(is_whole, "{id}: {expected:?}");
        assert!(expected.columns.iter().any(|column| column.name == "note"));
        assert_eq!(run.cluster(&id, 200, &()).unwrap(), expected);
        assert_eq!(without.cluster(&id, 200, &()).unwrap(), expected);
        kept.push((out, record, id, expected, [run, unasked, without]));
    }
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    for (out, record, id, expected, [run, unasked, without]) in kept {
        assert_eq!(run.cluster(&id, 200, &()).unwrap(), expected);
        assert!(without.cluster(&id, 200, &()).unwrap().without_values.is_some(), "its records are gone");
        // What no rule reads was never read.
        let records = unasked.into_records().unwrap();
        let some = session.cluster_on(&records, &out, &record, &id, 200, &()).unwrap();
        assert!(some.without_values.is_none() && some.columns.iter().all(|column| column.name != "note"));
        assert_eq!((some.records.len(), &some.pairs), (expected.records.len(), &expected.pairs));
        let name = |of: &ClusterRecords| {
            let at = of.columns.iter().position(|column| column.name == "name").unwrap();
            of.records.iter().map(|record| record.values[at].clone()).collect::<Vec<_>>()
        };
        assert_eq!(name(&some), name(&expected));
    }
}

#[test]
fn a_stream_can_be_asked_why() {
    let batches = inputs::people();
    let schema = batches[0].schema();
    let stream = Input::reader("people", RecordBatchIterator::new(batches.clone().into_iter().map(Ok), schema.clone()));
    let in_memory = Input::batches("people", schema, batches).unwrap();
    let job = |input: Input| Job::dedupe(input).with_rule("l.city = r.city and levenshtein(l.name, r.name) <= 1");
    let [streamed, given] = [stream, in_memory].map(|input| session().run(&job(input), &()).unwrap());
    let pairs = inputs::rows(&given);
    for pair in pairs.iter().step_by(37) {
        let ids: Vec<&str> = pair.split(',').take(2).collect();
        let why = streamed.why([ids[0], ids[1]]).unwrap();
        assert_eq!((why.match_key.as_deref(), &why), (Some("rule_1"), &given.why([ids[0], ids[1]]).unwrap()));
    }
    assert!(streamed.report(&ReportOptions::default(), &()).unwrap().without_values().is_none());
}

/// Scores of others, and term frequencies that were given: they are read once, too.
#[test]
fn what_was_given_for_scores_is_not_read_again() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let ([people, ..], options) = (files(folder.path()), ReportOptions::default());
    let [frequencies, scores] = ["frequencies.csv", "scores.csv"].map(|name| folder.path().join(name));
    std::fs::write(&frequencies, "value,frequency\nanna,0.001\nanne,0.3\nbob,0.05\n").unwrap();
    std::fs::write(&scores, "unique_id_l,unique_id_r,score\n0,40,0.9\n1,2,0.2\n").unwrap();
    let job = || Job::dedupe(Input::files([&people]));
    let by_model = job().with_rules(rules(RULES, -30.0)).with_model(model(&mut Dice(5))).with_all_pairs();
    let jobs = [
        by_model.with_term_frequencies("name", Input::files([&frequencies])),
        job()
            .with_rules(RuleFile::parse("[score]\nthreshold = 0.5\n", "rules.toml").unwrap())
            .with_scores(Input::files([&scores])),
    ];
    let ids = [["0", "40"], ["1", "2"], ["0", "5"]];
    let mut asked = Vec::new();
    for (at, job) in jobs.into_iter().enumerate() {
        let expected = ids.map(|ids| session.why(&job, ids, &()).unwrap());
        let (mut run, out) = (session.run(&job, &()).unwrap(), folder.path().join(at.to_string()));
        run.write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
        let record = RunRecord::read(&out.join("run.json")).unwrap();
        let report = session.report(&out, &record, Some(&job), &options, &()).unwrap();
        // Reads the columns that no rule reads.
        run.report(&options, &()).unwrap();
        asked.push((run, expected, (out, record, report, job)));
    }
    assert!(asked[0].1[2].score.is_some() && asked[1].1[0].outside.is_some());
    [people, frequencies, scores].iter().for_each(|file| std::fs::remove_file(file).unwrap());
    for (run, expected, (out, record, report, job)) in asked {
        assert_eq!(ids.map(|ids| without_clusters(run.why(ids).unwrap())), expected);
        // A report explains pairs by them, and looks for more with a lower threshold.
        let records = run.into_records().unwrap();
        let at_hand = session.report_on(&records, &out, &record, &options, &()).unwrap();
        // And one that has to be made again has what was read for the one before.
        let again = options.clone().with_records_of(&report);
        let again = session.report(&out, &record, Some(&job), &again, &()).unwrap();
        let third = options.clone().with_records_of(&again);
        let third = session.report(&out, &record, Some(&job), &third, &()).unwrap();
        for other in [&at_hand, &again, &third] {
            assert!(other.without_values().is_none() && report.without_values().is_none());
            assert_eq!((other.facts(), other.tables()), (report.facts(), report.tables()));
        }
        assert!(session.report(&out, &record, Some(&job), &options, &()).unwrap().without_values().is_some());
    }
}

/// One more comparison of names, which weighs them by their frequency too.
const SAME_NAME: &str =
    "[[compare]]\nname = \"same name\"\nlevels = [\"l.name = r.name\"]\nterm_frequency = \"name\"\n";

/// A model that knows this comparison.
fn model_with_same_name() -> Model {
    let mut model = model(&mut Dice(5));
    let mut more = model.comparisons[0].clone();
    more.levels.truncate(1);
    more.name = "same name".to_owned();
    model.comparisons.push(more);
    model
}

/// Two comparisons weigh by them, pairs are explained by them, and near misses are scored by them.
#[test]
fn a_report_reads_term_frequencies_once() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let ([people, ..], out) = (files(folder.path()), folder.path().join("out"));
    let values: ArrayRef = Arc::new(StringArray::from(vec!["anna", "anne", "bob"]));
    let shares: ArrayRef = Arc::new(Float64Array::from(vec![0.001, 0.3, 0.05]));
    let table = RecordBatch::try_from_iter([("value", values), ("frequency", shares)]).unwrap();
    let (frequencies, opened) = inputs::counted("names", &table);
    let compared = rules(&format!("{RULES}{SAME_NAME}"), -30.0);
    let job = Job::dedupe(Input::files([people])).with_rules(compared).with_model(model_with_same_name());
    let job = job.with_all_pairs().with_term_frequencies("name", frequencies);
    let mut run = session.run(&job, &()).unwrap();
    run.write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
    let (record, before) = (RunRecord::read(&out.join("run.json")).unwrap(), opened.load(Relaxed));
    let report = session.report(&out, &record, Some(&job), &ReportOptions::default(), &()).unwrap();
    assert!(report.without_values().is_none());
    assert_eq!(opened.load(Relaxed) - before, 1);
}

/// One by a file, the other counted: what is kept for one is not for the other.
#[test]
fn comparisons_of_one_column_have_frequencies_of_their_own() {
    let (folder, session, options) = (tempfile::tempdir().unwrap(), session(), ReportOptions::default());
    let ([people, ..], out) = (files(folder.path()), folder.path().join("out"));
    let file = folder.path().join("names.csv");
    std::fs::write(&file, "value,frequency\nanna,0.001\nanne,0.3\nbob,0.05\n").unwrap();
    let with_file = format!("term_frequency = \"name\"\n    term_frequencies = \"{}\"", file.display());
    let text = format!("{}{SAME_NAME}", RULES.replace("term_frequency = \"name\"", &with_file));
    let job = Job::dedupe(Input::files([people])).with_rules(rules(&text, -30.0)).with_model(model_with_same_name());
    let job = job.with_all_pairs();
    let mut run = session.run(&job, &()).unwrap();
    run.write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
    let record = RunRecord::read(&out.join("run.json")).unwrap();
    let given: Vec<bool> = record.term_frequencies.iter().map(|of| of.given.is_some()).collect();
    assert_eq!(given, [true, false]);
    let records = run.into_records().unwrap();
    let of_folder = session.report(&out, &record, Some(&job), &options, &()).unwrap();
    let at_hand = session.report_on(&records, &out, &record, &options, &()).unwrap();
    assert!(at_hand.without_values().is_none() && of_folder.without_values().is_none());
    assert_eq!((at_hand.facts(), at_hand.tables()), (of_folder.facts(), of_folder.tables()));
}
