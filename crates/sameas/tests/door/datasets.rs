//! Jobs over records that are at hand: they find what they would find if they had read them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sameas::arrow_array::{ArrayRef, RecordBatch, StringArray};
use sameas::record::{Operator, Resumption};
use sameas::report::ReportOptions;
use sameas::{Dataset, ErrorCode, Format, Input, Job, OutputFolder, Result, RuleFile, RunRecord, Session, Why};

use crate::dice::Dice;
use crate::inputs;
use crate::kept_records::{IdPair, files, jobs};
use crate::scores::{RULES, model};

fn session() -> Session {
    Session::builder().threads(2).build().unwrap()
}

fn rules(text: &str) -> RuleFile {
    RuleFile::parse(text, "rules.toml").unwrap()
}

/// The records of a job, opened without its rules.
fn opened(session: &Session, job: &Job) -> Dataset {
    session.open(&job.clone().with_rules(RuleFile::default()), &()).unwrap()
}

#[test]
fn jobs_of_every_kind_need_no_inputs() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let files = files(folder.path());
    let asked = jobs(&files).into_iter().map(|(job, ids): (Job, Vec<IdPair>)| {
        let whys: Vec<Why> = ids.iter().map(|ids| session.why(&job, *ids, &()).unwrap()).collect();
        let (run, plan) = (session.run(&job, &()).unwrap(), session.explain(&job, &()).unwrap());
        (opened(&session, &job), job, ids, (run, plan, whys))
    });
    let asked: Vec<_> = asked.collect();
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    for (dataset, job, ids, (run, plan, whys)) in asked {
        let explained = session.explain_on(&dataset, &job, &()).unwrap();
        assert_eq!((explained.plan, explained.inputs), (plan.plan, plan.inputs));
        let on = session.run_on(&dataset, &job, &()).unwrap();
        assert_eq!(inputs::rows(&on), inputs::rows(&run));
        assert_eq!((on.record().clusters, on.record().inputs), (run.record().clusters, run.record().inputs));
        for (ids, expected) in ids.into_iter().zip(whys) {
            assert_eq!(&session.why_on(&dataset, &job, ids, &()).unwrap(), &expected);
            // Only a run knows what else connects the two.
            let mut of_run = on.why(ids).unwrap();
            of_run.connection = None;
            assert_eq!(of_run, expected);
            let whole = on.why_with_records(ids, &()).unwrap();
            assert!(whole.records.iter().any(|field| field.name == "note"), "all columns were read");
        }
        assert_eq!(dataset.records(), run.record().inputs.iter().map(|input| input.rows).sum::<u64>());
    }
}

/// Whichever of two calls is over a dataset, the second goes on from the first.
#[test]
fn an_interrupted_run_goes_on_over_a_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::builder().threads(2).checkpoint_interval(Duration::ZERO).build().unwrap();
    for (at, (job, _)) in jobs(&files(folder.path())).into_iter().enumerate() {
        let (dataset, expected) = (opened(&session, &job), inputs::rows(&session.run(&job, &()).unwrap()));
        for first_is_on in [true, false] {
            let out = OutputFolder::create(&folder.path().join(format!("{at}{first_is_on}")), false).unwrap();
            let run = |is_on: bool| match is_on {
                true => session.resume_on(&dataset, &job, &out, &()).unwrap(),
                false => session.resume(&job, &out, &()).unwrap(),
            };
            assert_eq!(inputs::rows(&run(first_is_on)), expected);
            // Nothing was written, so that the checkpoint is there still.
            let next = run(!first_is_on);
            let resumption = next.record().resumption;
            assert!(matches!(resumption, Some(Resumption::Resumed { branches: 1.. })), "{resumption:?}");
            assert_eq!(inputs::rows(&next), expected);
        }
    }
}

#[test]
fn a_second_job_reads_and_derives_nothing() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let files = files(folder.path());
    let (job, _) = jobs(&files).swap_remove(0);
    let dataset = opened(&session, &job);
    let operators = |job: &Job| -> Vec<Operator> {
        let record = session.run_on(&dataset, job, &()).unwrap().record();
        record.operators.iter().map(|of| of.operator).collect()
    };
    assert!(operators(&job).contains(&Operator::Derive));
    let bytes = dataset.bytes();
    let again = operators(&job);
    assert!([Operator::Read, Operator::Derive, Operator::Rank].iter().all(|of| !again.contains(of)), "{again:?}");
    assert_eq!(dataset.bytes(), bytes);
    // What is new is derived.
    assert!(operators(&dataset.job().with_rule("upper(l.note) = upper(r.note)")).contains(&Operator::Derive));
    assert!(dataset.bytes() > bytes);
}

const COMPARED: &str = r#"
    [[rule]]
    when = "l.city = r.city"

    [[rule]]
    when = "levenshtein(l.name, r.name) <= 1"

    [[compare]]
    name = "name"
    levels = ["l.name = r.name", "levenshtein(l.name, r.name) <= 1"]
    term_frequency = "name"

    [[compare]]
    name = "city"
    levels = ["l.city = r.city"]
"#;

#[test]
fn models_frequencies_and_statistics_are_those_of_the_inputs() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let files = files(folder.path());
    let job = Job::dedupe(Input::files([&files[0]])).with_rules(rules(COMPARED));
    let model = session.train(&job, &()).unwrap().model;
    let scored = job.clone().with_model(model.clone());
    let expected = inputs::rows(&session.run(&scored, &()).unwrap());
    let statistics = session.statistics(&scored, &()).unwrap();
    let frequencies = session.term_frequencies(&job, &()).unwrap();
    let plan = session.plan(&scored, &()).unwrap();
    let dataset = session.open(&job, &()).unwrap();
    std::fs::remove_file(&files[0]).unwrap();
    assert_eq!(session.train_on(&dataset, &job, &()).unwrap().model.to_text(), model.to_text());
    assert_eq!(inputs::rows(&session.run_on(&dataset, &scored, &()).unwrap()), expected);
    assert_eq!(session.statistics_on(&dataset, &scored, &()).unwrap(), statistics);
    let on = session.term_frequencies_on(&dataset, &job, &()).unwrap();
    assert_eq!((on.len(), on[0].batch(0).unwrap()), (1, frequencies[0].batch(0).unwrap()));
    assert_eq!(session.plan_on(&dataset, &scored, &()).unwrap(), plan);
    let analyzed = session.analyze_on(&dataset, &scored, &()).unwrap();
    assert!(analyzed.timeline.iter().all(|of| of.operator != Operator::Read));
}

/// Rules that each have what some before it have, and more.
fn growing(job: usize) -> RuleFile {
    let parts = [
        "l.name = r.name and l.city = r.city",
        "levenshtein(l.name, r.name) <= 1 and l.year = r.year",
        "jaccard(qgrams(l.note, 2), qgrams(r.note, 2)) >= 0.8",
        "l.name = r.city",
        "abs(cast(l.year as bigint) - cast(r.year as bigint)) <= 1 and l.city = r.city",
        "neighbours(l.year, r.year, 2)",
    ];
    let mut file = RuleFile::default();
    (0..=job).for_each(|at| file.add_rule(parts[(at * 5 + job) % parts.len()]));
    file
}

#[test]
fn jobs_at_the_same_time_find_what_each_finds_alone() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let files = files(folder.path());
    let job = Job::link_and_dedupe(Input::files([&files[0]]), Input::files([&files[1]]));
    let alone = |at: usize| inputs::rows(&session.run(&job.clone().with_rules(growing(at)), &()).unwrap());
    let expected: Vec<Vec<String>> = (0..6).map(alone).collect();
    let dataset = session.open(&job, &()).unwrap();
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    std::thread::scope(|scope| {
        for at in 0..12 {
            let (session, dataset, expected) = (&session, &dataset, &expected);
            scope.spawn(move || {
                let job = dataset.job().with_rules(growing(at % 6));
                let run = session.run_on(dataset, &job, &()).unwrap();
                assert_eq!(inputs::rows(&run), expected[at % 6], "job {at}");
            });
        }
    });
}

#[test]
fn a_run_over_a_dataset_can_be_run_again_by_its_description() {
    let (folder, session) = (tempfile::tempdir().unwrap(), session());
    let files = files(folder.path());
    let jobs = [
        Job::dedupe(Input::files([&files[0]])).with_id("row"),
        Job::link(Input::files([&files[0]]), Input::files([&files[1]])).with_id_of("right", "note"),
        Job::link_all(files.iter().map(|file| Input::files([file]))),
    ];
    for opened in jobs {
        let dataset = session.open(&opened, &()).unwrap();
        let run =
            session.run_on(&dataset, &dataset.job().with_rule("l.city = r.city and l.name = r.name"), &()).unwrap();
        let again = run.record().job.spec.unwrap().job(&[]).unwrap();
        let expected = inputs::rows(&run);
        assert!(expected.len() > 5);
        assert_eq!(inputs::rows(&session.run(&again, &()).unwrap()), expected);
    }
}

/// What is said when a job over the records of another one is run.
fn refused(opened: &Job, job: impl FnOnce(Job) -> Job) -> String {
    let (session, rule) = (session(), "l.name = r.name");
    let dataset = session.open(opened, &()).unwrap();
    let job = job(dataset.job().with_rule(rule));
    session.run_on(&dataset, &job, &()).unwrap_err().message().to_owned()
}

fn people(folder: &Path) -> Job {
    let file = folder.join("people.csv");
    std::fs::write(&file, "id,key,name\n1,a,anna\n,b,-\n3,c,anna\n4,d,-\n").unwrap();
    Job::dedupe(Input::files([file])).with_null_ids_skipped()
}

#[test]
fn what_would_read_other_records_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let opened = people(folder.path());
    let said = |text: &str| rules(&format!("{text}\n[[rule]]\nwhen = \"l.name = r.name\"\n"));
    let otherwise = "with these rules `people` would be read in another way than it was";
    assert_eq!(refused(&opened, |job| job.with_rules(said("null = [\"-\"]"))), otherwise);
    assert_eq!(refused(&opened, |job| job.with_rules(said("encoding = \"latin1\""))), otherwise);
    assert_eq!(refused(&opened, |job| job.with_rules(said("blank_is_null = true"))), otherwise);
    let ids = "the ids of `people` were read from another column";
    assert_eq!(refused(&opened, |job| job.with_rules(said("unique_id = \"key\""))), ids);
    assert_eq!(refused(&opened, |job| job.with_id("key")), ids);
    let wants_all = |mut job: Job| {
        job.skip_null_ids = Some(false);
        job
    };
    assert_eq!(refused(&opened, wants_all), "records of `people` without an id were left out");
    let other = |job: Job| Job::link(job.inputs[0].clone(), job.inputs[0].clone()).with_rules(job.rules);
    assert!(refused(&opened, other).starts_with("the records were read for a job of another kind"));
    assert_eq!(refused(&opened, |job| job.with_rules(RuleFile::default())), "there is no rule");
}

#[test]
fn what_was_said_of_the_inputs_goes_before_what_rules_say() {
    let folder = tempfile::tempdir().unwrap();
    let said = "null = [\"-\"]\nunique_id = \"key\"\nblank_is_null = false\n[[rule]]\nwhen = \"l.name = r.name\"\n";
    let pairs = |opened: Job, rules: RuleFile| -> u64 {
        let session = session();
        let dataset = session.open(&opened, &()).unwrap();
        session.run_on(&dataset, &dataset.job().with_rules(rules), &()).unwrap().pairs().rows()
    };
    // By the rules that it was opened with, and by what was said of the input itself.
    let by_rules = people(folder.path()).with_rules(rules(said));
    assert_eq!(pairs(by_rules.clone(), rules(said)), 1);
    assert_eq!(pairs(by_rules, rules("[[rule]]\nwhen = \"l.name = r.name\"\n")), 1);
    let of_input = Job::dedupe(Input::files([folder.path().join("people.csv")]).with_null_texts(["anna"]));
    assert_eq!(pairs(of_input.with_id("key"), rules(said)), 1);
    let plain = people(folder.path()).with_id("key");
    assert_eq!(pairs(plain, rules("[[rule]]\nwhen = \"l.name = r.name\"\n")), 2);
}

#[test]
fn a_dataset_needs_inputs_that_can_be_read() {
    let session = session();
    let error = session.open(&Job::dedupe(Input::files(["nowhere.csv"])), &()).unwrap_err();
    assert!(error.message().contains("nowhere.csv"), "{error}");
    let batches = inputs::people();
    let input = Input::batches("people", batches[0].schema(), batches).unwrap();
    let error = session.open(&Job::dedupe(input.clone()).with_rule("l.nme = r.name"), &()).unwrap_err();
    assert!(error.message().contains("nme"), "{error}");
    let little = Session::builder().threads(1).memory(1).build().unwrap();
    let dataset = little.open(&Job::dedupe(input), &()).unwrap();
    let job = dataset.job().with_rule("l.city = r.city and levenshtein(l.name, r.name) <= 1");
    let rows = inputs::rows(&little.run_on(&dataset, &job, &()).unwrap());
    assert_eq!(rows, inputs::rows(&session.run_on(&dataset, &job, &()).unwrap()));
}

/// A job with rules, comparisons with term frequencies and a model, over people whose names are these.
fn job_with_all(names: [&'static str; 3]) -> Job {
    let texts = |of: &dyn Fn(usize) -> String| -> ArrayRef {
        Arc::new((0..60).map(|row| Some(of(row))).collect::<StringArray>())
    };
    let columns = [
        ("id", texts(&|row| row.to_string())),
        ("name", texts(&|row| names[row * 7 % 3].to_owned())),
        ("city", texts(&|row| ["rome", "oslo", "bern", "lima"][row % 4].to_owned())),
        ("year", texts(&|row| (1960 + row * 13 % 40).to_string())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let people = Input::batches("people", batch.schema(), vec![batch]).unwrap();
    let text = format!(
        "[[rule]]\nwhen = \"l.city = r.city\"\n[[rule]]\nwhen = \"l.name = r.name\"\n{RULES}\n[score]\nthreshold_weight = -30.0\n"
    );
    Job::dedupe(people).with_rules(rules(&text)).with_model(model(&mut Dice(5)))
}

/// Whether each question about a job over a dataset is answered, by its name.
fn questions(session: &Session, dataset: &Dataset, job: &Job) -> Vec<(&'static str, Result<()>)> {
    vec![
        ("run", session.run_on(dataset, job, &()).map(drop)),
        ("explain", session.explain_on(dataset, job, &()).map(drop)),
        ("analyze", session.analyze_on(dataset, job, &()).map(drop)),
        ("plan", session.plan_on(dataset, job, &()).map(drop)),
        ("why", session.why_on(dataset, job, ["1", "2"], &()).map(drop)),
        ("train", session.train_on(dataset, job, &()).map(drop)),
        ("statistics", session.statistics_on(dataset, job, &()).map(drop)),
        ("term_frequencies", session.term_frequencies_on(dataset, job, &()).map(drop)),
    ]
}

#[test]
fn a_job_of_a_run_is_refused_over_other_records() {
    let session = session();
    let [job, other] = [["anna", "anne", "bob"], ["anna", "anne", "bo"]].map(job_with_all);
    let run = session.run(&job, &()).unwrap();
    let again = run.record().job.spec.unwrap().job(&job.inputs).unwrap();
    let [same, others] = [&job, &other].map(|job| opened(&session, job));
    for (name, answer) in questions(&session, &same, &again) {
        answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    assert_eq!(inputs::rows(&session.run_on(&same, &again, &()).unwrap()), inputs::rows(&run));
    for (name, answer) in questions(&session, &others, &again) {
        let error = answer.expect_err(name);
        assert_eq!(error.code(), ErrorCode::OtherRecords, "{name}: {error}");
        assert_eq!(error.message(), "the records of `people` are not those that the run has read", "{name}");
    }
    // The jobs of a dataset are over whatever it has.
    for (name, answer) in questions(&session, &others, &job) {
        answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    // What is counted without a dataset is counted of the same records, too.
    assert_eq!(session.term_frequencies(&again, &()).unwrap().len(), 1);
    let mut of_others = again;
    of_others.inputs = run.record().job.spec.unwrap().job(&other.inputs).unwrap().inputs;
    assert_eq!(session.term_frequencies(&of_others, &()).unwrap_err().code(), ErrorCode::OtherRecords);
}

#[test]
fn a_report_is_of_the_records_that_the_run_has_read() {
    let (folder, session, options) = (tempfile::tempdir().unwrap(), session(), ReportOptions::default());
    let jobs = [["anna", "anne", "bob"], ["anna", "anne", "bo"]].map(job_with_all);
    let [(first, of_first), (second, of_second)] = ["first", "second"].map(|name| {
        let (job, out) = (&jobs[usize::from(name == "second")], folder.path().join(name));
        let mut run = session.run(job, &()).unwrap();
        run.write(OutputFolder::create(&out, false).unwrap(), Format::Csv, &()).unwrap();
        (out, run.into_records().unwrap())
    });
    let [in_first, in_second] = [&first, &second].map(|out| RunRecord::read(&out.join("run.json")).unwrap());
    assert!(session.report_on(&of_first, &first, &in_first, &options, &()).unwrap().without_values().is_none());
    assert!(session.report_on(&of_second, &second, &in_second, &options, &()).unwrap().without_values().is_none());
    let error = session.report_on(&of_second, &first, &in_first, &options, &()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OtherRecords, "{error}");
    assert_eq!(error.message(), "the records of `people` are not those that the run has read");
}
