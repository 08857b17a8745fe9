//! A job is run again from what its run has recorded: the same bytes, of the same records and of no others.

use std::path::Path;
use std::sync::Arc;

use sameas::arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use sameas::record::ContentId;
use sameas::report::ReportOptions;
use sameas::{ErrorCode, Format, Input, Job, JobSpec, OutputFolder, Result, RuleFile, Run, RunRecord, Session};

use crate::dice::Dice;
use crate::inputs::people;
use crate::scores::{self, RULES, Row, model, row, rules};

const RULE: &str = "l.city = r.city and levenshtein(l.name, r.name) <= 1";

fn session() -> Session {
    Session::builder().threads(2).build().unwrap()
}

fn run(job: &Job) -> Result<Run> {
    session().run(job, &())
}

/// The files of its pairs and clusters.
fn bytes(run: &mut Run) -> [Vec<u8>; 2] {
    let [mut pairs, mut clusters] = [Vec::new(), Vec::new()];
    run.write_pairs(&mut pairs, Format::Csv, "pairs", &()).unwrap();
    run.write_clusters(&mut clusters, Format::Csv, "clusters", &()).unwrap();
    [pairs, clusters]
}

/// The description that the record of a run has, stored and read.
fn spec_of(run: &Run) -> JobSpec {
    let stored = serde_json::to_string(&run.record()).unwrap();
    serde_json::from_str::<RunRecord>(&stored).unwrap().job.spec.unwrap()
}

fn table(name: &str, batches: Vec<RecordBatch>) -> Input {
    Input::batches(name, batches[0].schema(), batches).unwrap()
}

/// The people, with other values in a column.
fn people_with(column: &str, values: &dyn Fn(i64) -> String) -> Vec<RecordBatch> {
    let changed = |batch: RecordBatch| {
        let at = batch.schema().index_of(column).unwrap();
        let mut columns = batch.columns().to_vec();
        columns[at] = Arc::new(StringArray::from_iter_values((0..batch.num_rows() as i64).map(values)));
        RecordBatch::try_new(batch.schema(), columns).unwrap()
    };
    people().into_iter().map(changed).collect()
}

#[test]
fn records_in_memory_are_asked_for_and_give_the_same_bytes() {
    let text = "null = [\"York\"]\nunique_id = { right = \"name\" }\nskip_null_ids = true\n\
                [derive]\nplace = \"lower(city)\"\n[[rule]]\nname = \"near\"\n\
                when = \"l.place = r.place and levenshtein(l.name, r.name) <= 1\"\n\
                [columns]\nboth = \"l.name || r.name\"\n";
    let mut right: Vec<RecordBatch> = people();
    right.truncate(1);
    // Each name once, as names are ids.
    right[0] = right[0].slice(0, 90);
    let [left, right] = [table("some", people()), table("others", right)];
    let job = Job::link(left.clone(), right.clone()).with_rules(RuleFile::parse(text, "rules.toml").unwrap());
    let mut first = run(&job.with_id_of("left", "id").with_near(0.05)).unwrap();
    let spec = spec_of(&first);
    assert_eq!(spec.asks_for(), ["some", "others"]);
    for (input, record) in spec.inputs.iter().zip(first.record().inputs) {
        let ContentId { rows, xxh128, .. } = input.content.clone().unwrap();
        assert_eq!((rows, xxh128), (record.rows, record.xxh128));
    }
    let expected = bytes(&mut first);
    assert!(expected[0].iter().filter(|byte| **byte == b'\n').count() > 20);
    let mut again = run(&spec.job(&[left.clone(), right]).unwrap()).unwrap();
    assert_eq!(bytes(&mut again), expected);
    assert_eq!(spec_of(&again), spec);
    let error = spec.job(&[left]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RecordsNotGiven, "{error}");
}

#[test]
fn other_records_are_refused_by_whoever_reads_them() {
    let first = run(&Job::dedupe(table("people", people())).with_rule(RULE)).unwrap();
    let spec = spec_of(&first);
    let of = |batches: Vec<RecordBatch>| spec.job(&[table("people", batches)]).unwrap();
    let other = of(people_with("city", &|row| ["Rome", "York"][(row % 2) as usize].to_owned()));
    let mut fewer = people();
    fewer.pop();
    for job in [other, of(fewer)] {
        let error = run(&job).unwrap_err();
        assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
        assert_eq!(error.message(), "the records of `people` are not those that the run has read");
        let why = session().why(&job.with_all_columns(), ["1", "2"], &()).unwrap_err();
        assert_eq!(why.code(), ErrorCode::OtherRecords, "{why}");
    }
    // However they come, and whatever is in columns that nothing reads.
    let with_more = |batch: RecordBatch| {
        let more: ArrayRef = Arc::new(Int64Array::from_iter_values(0..batch.num_rows() as i64));
        let schema = batch.schema();
        let names = schema.fields().iter().map(|field| field.name().as_str());
        RecordBatch::try_from_iter(names.zip(batch.columns().to_vec()).chain([("more", more)])).unwrap()
    };
    let batches: Vec<RecordBatch> = people().into_iter().map(with_more).collect();
    let stream = RecordBatchIterator::new(batches.clone().into_iter().map(Ok), batches[0].schema());
    let streamed = spec.job(&[Input::reader("people", stream)]).unwrap();
    for job in [of(batches), streamed] {
        assert_eq!(run(&job).unwrap().record().pairs, first.record().pairs);
        // Only a run knows what else connects the two.
        let mut of_run = first.why(["1", "2"]).unwrap();
        of_run.connection = None;
        assert_eq!(session().why(&job, ["1", "2"], &()).unwrap(), of_run);
    }
}

#[test]
fn tables_that_came_with_a_job_are_asked_for_too() {
    let mut dice = Dice(11);
    let rows: Vec<Row> = (0..60).map(|_| row(&mut dice)).collect();
    let shares = |share: f64| {
        let names: ArrayRef = Arc::new(StringArray::from(vec!["anna", "bob"]));
        let shares: ArrayRef = Arc::new(Float64Array::from(vec![share, 0.5]));
        table("names", vec![RecordBatch::try_from_iter([("value", names), ("frequency", shares)]).unwrap()])
    };
    let input = scores::input("people", &rows);
    let job = Job::dedupe(input.clone()).with_rules(rules(RULES, -4.0)).with_model(model(&mut dice)).with_all_pairs();
    let mut first = run(&job.with_term_frequencies("name", shares(0.01))).unwrap();
    let spec = spec_of(&first);
    assert_eq!(spec.asks_for(), ["people", "names"]);
    let mut again = run(&spec.job(&[input.clone(), shares(0.01)]).unwrap()).unwrap();
    assert_eq!(bytes(&mut again), bytes(&mut first));
    assert_eq!(spec_of(&again), spec);
    let error = run(&spec.job(&[input, shares(0.02)]).unwrap()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
    assert_eq!(error.message(), "the term frequencies of `name` are not those of the run");
}

#[test]
fn scores_of_others_are_asked_for_too() {
    let given = |score: f64| {
        let ids = |ids: [i64; 2]| Arc::new(Int64Array::from(ids.to_vec())) as ArrayRef;
        let scores: ArrayRef = Arc::new(Float64Array::from(vec![score, 0.8]));
        let columns = [("unique_id_l", ids([0, 1])), ("unique_id_r", ids([7, 8])), ("score", scores)];
        table("given", vec![RecordBatch::try_from_iter(columns).unwrap()])
    };
    let input = table("people", people());
    let mut first = run(&Job::dedupe(input.clone()).with_scores(given(0.9))).unwrap();
    let spec = spec_of(&first);
    assert_eq!((spec.asks_for(), first.record().pairs), (vec!["people", "given"], 2));
    let mut again = run(&spec.job(&[input.clone(), given(0.9)]).unwrap()).unwrap();
    assert_eq!(bytes(&mut again), bytes(&mut first));
    assert_eq!(spec_of(&again), spec);
    let error = run(&spec.job(&[input, given(0.7)]).unwrap()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
}

/// Only the record, the records and the list that rules name are left.
#[test]
fn files_are_read_again_and_rules_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("people.csv"), b"key;name\n1;J\xf6rg\n2;jorg\n3;-\n4;ann\n5;anna\n").unwrap();
    std::fs::write(path("names.csv"), "ann,anna\n").unwrap();
    let text = "unique_id = \"key\"\nencoding = \"latin1\"\nnull = [\"-\"]\n\
                [derive]\nplain = \"lower(strip_accents(name))\"\n[[rule]]\n\
                when = \"in_list(l.plain, r.plain, 'names.csv')\"\n";
    std::fs::write(path("rules.toml"), text).unwrap();
    let job = Job::dedupe(Input::files([path("people.csv")]).with_delimiter(b';'));
    let job = job.with_rules(RuleFile::read(&path("rules.toml")).unwrap()).with_rule("l.plain = r.plain");
    let mut first = run(&job).unwrap();
    first.write(OutputFolder::create(&path("out"), false).unwrap(), Format::Csv, &()).unwrap();
    std::fs::remove_file(path("rules.toml")).unwrap();
    let record = RunRecord::read(&path("out/run.json")).unwrap();
    let spec = record.job.spec.unwrap();
    assert!(spec.asks_for().is_empty());
    let mut again = run(&spec.job(&[]).unwrap()).unwrap();
    assert_eq!((bytes(&mut again), again.record().pairs), (bytes(&mut first), 2));
    assert_eq!(again.record().inputs, record.inputs);
    std::fs::write(path("people.csv"), "key;name\n1;jorg\n2;jorg\n3;-\n4;ann\n5;anna\n").unwrap();
    let error = run(&spec.job(&[]).unwrap()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
    // Whoever does not ask for the same records gets the answer for those that are there.
    let mut other = spec;
    other.inputs[0].content = None;
    assert_eq!(run(&other.job(&[]).unwrap()).unwrap().record().pairs, 2);
}

/// A job whose rules name a list, pairs with scores or term frequencies, each in a file of its own, and how that may change.
fn jobs_with_named_files(folder: &Path) -> [(Job, &'static str, &'static str); 3] {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("list.csv", "Leeds,York\n");
    write("scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n3,4,0.7\n");
    write("names.csv", "value,frequency\nanna,0.01\nbob,0.5\n");
    write("list.toml", "[[rule]]\nwhen = \"r.id = l.id + 1 and in_list(l.city, r.city, 'list.csv')\"\n");
    write("scored.toml", "[score]\npairs = \"scored.csv\"\nthreshold = 0.6\n");
    let with_file = "term_frequency = \"name\"\n    term_frequencies = \"names.csv\"";
    let compared = RULES.replace("term_frequency = \"name\"", with_file);
    write("names.toml", &format!("{compared}\n[score]\nthreshold_weight = -4.0\n"));
    let rules = |name: &str| RuleFile::read(&folder.join(name)).unwrap();
    let mut dice = Dice(11);
    let rows: Vec<Row> = (0..60).map(|_| row(&mut dice)).collect();
    let people = Job::dedupe(table("people", people()));
    let scored = Job::dedupe(scores::input("people", &rows)).with_model(model(&mut dice)).with_all_pairs();
    [
        (people.clone().with_rules(rules("list.toml")), "list.csv", "Leeds,Bern\n"),
        (people.with_rules(rules("scored.toml")), "scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n3,4,0.1\n"),
        (scored.with_rules(rules("names.toml")), "names.csv", "value,frequency\nanna,0.02\nbob,0.5\n"),
    ]
}

#[test]
fn files_that_rules_name_must_be_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for (job, name, changed) in jobs_with_named_files(folder.path()) {
        let mut first = run(&job).unwrap();
        let (spec, file) = (spec_of(&first), folder.path().join(name));
        let file_name = file.to_str().unwrap();
        assert_eq!(spec.files.keys().collect::<Vec<_>>(), [file_name]);
        let again = spec.job(&job.inputs).unwrap();
        let mut second = run(&again).unwrap();
        assert_eq!((bytes(&mut second), spec_of(&second)), (bytes(&mut first), spec.clone()));
        let forgetful = Session::builder().threads(2).keep_records(false).build().unwrap().run(&job, &()).unwrap();
        assert!(first.record().pairs > 0 && forgetful.why(["1", "2"]).is_ok(), "{name}");
        let dataset = session().open(&again.clone().with_rules(RuleFile::default()), &()).unwrap();
        std::fs::write(&file, changed).unwrap();
        let refused = [
            run(&again).map(drop),
            session().why(&again, ["1", "2"], &()).map(drop),
            session().explain(&again, &()).map(drop),
            session().run_on(&dataset, &again, &()).map(drop),
            session().why_on(&dataset, &again, ["1", "2"], &()).map(drop),
            forgetful.why(["1", "2"]).map(drop),
        ];
        for (at, refused) in refused.into_iter().enumerate() {
            let error = refused.expect_err(&format!("{name} {at}"));
            assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
            let message = format!("the file `{file_name}`, which the rules name, is not the one that the run has read");
            assert_eq!(error.message(), message);
        }
        // What the run has kept is as it was; whoever does not ask for the same file gets the answer for that which is there.
        assert!(first.why(["1", "2"]).is_ok());
        let mut other = spec;
        other.files.clear();
        let mut fresh = run(&other.job(&job.inputs).unwrap()).unwrap();
        assert_ne!(bytes(&mut fresh), bytes(&mut first), "{name}");
    }
}

/// A report is of the run, and not of files that have changed since. Scores of others are those that the results have.
#[test]
fn a_report_refuses_files_of_rules_that_have_changed() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs_with_named_files(folder.path());
    for (job, name, changed) in jobs.into_iter().filter(|(_, name, _)| *name != "scored.csv") {
        let out = folder.path().join(format!("of {name}"));
        run(&job).unwrap().write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
        let record = RunRecord::read(&out.join("run.json")).unwrap();
        let of_spec = record.job.spec.as_ref().unwrap().job(&job.inputs).unwrap();
        let report = |job: &Job| session().report(&out, &record, Some(job), &ReportOptions::default(), &());
        assert!(report(&of_spec).unwrap().without_values().is_none());
        std::fs::write(folder.path().join(name), changed).unwrap();
        let codes = [&job, &of_spec].map(|job| report(job).unwrap_err().code());
        assert_eq!(codes, [ErrorCode::OtherRecords; 2], "{name}");
    }
}
