//! Scores are made once and carried with their pairs: whatever is spilled, interrupted or done by a device, the same bytes
//! are written, and the numbers in them are those that an explanation adds up.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use sameas::arrow_array::cast::AsArray;
use sameas::arrow_array::types::{Float64Type, UInt32Type};
use sameas::arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, UInt32Array};
use sameas::record::Resumption;
use sameas::score::ScoreBin;
use sameas::{DeviceChoice, ErrorCode, Format, Input, Job, Observer, OutputFolder, RuleFile, Run, Session, Stage, Why};

use super::dice::Dice;
use super::scores::{BLOCKING, RULES, Row, device_sessions, input, model, row};

/// Some records, of which many share values.
fn people() -> Vec<Row> {
    let mut dice = Dice(42);
    (0..150).map(|_| row(&mut dice)).collect()
}

/// By match weight, with a certain rule many of whose pairs are below the threshold, and the level of each comparison.
fn job_of_weights() -> Job {
    let text = format!("{RULES}{BLOCKING}\n[score]\nthreshold_weight = 0.0\nlevels = true\n");
    let rules = RuleFile::parse(&text, "rules.toml").unwrap();
    Job::dedupe(input("people", &people())).with_rules(rules).with_model(model(&mut Dice(3)))
}

/// By weighted average, likewise.
fn job_of_averages() -> Job {
    let text = r#"
        [[rule]]
        when = "l.year = r.year"
        [[rule]]
        when = "l.city = r.city and l.year = r.year"
        certain = true
        [[compare]]
        name = "name"
        similarity = "levenshtein_similarity(l.name, r.name)"
        weight = 2
        [[compare]]
        name = "city"
        similarity = "jaro_winkler(l.city, r.city)"
        [score]
        threshold = 0.6
        levels = true
    "#;
    Job::dedupe(input("people", &people())).with_rules(RuleFile::parse(text, "rules.toml").unwrap())
}

/// By scores that others have given to some pairs, and a certain rule, some of whose pairs have such a score.
fn job_of_others() -> Job {
    let (mut dice, mut pairs) = (Dice(9), std::collections::BTreeMap::new());
    for _ in 0..900 {
        let (a, b) = (dice.below(150) as u32, dice.below(150) as u32);
        if a != b {
            pairs.insert((a.min(b), a.max(b)), dice.unit());
        }
    }
    let ids = |of: fn(&(u32, u32)) -> u32| Arc::new(UInt32Array::from_iter_values(pairs.keys().map(of))) as ArrayRef;
    let scores = Arc::new(Float64Array::from_iter_values(pairs.values().copied())) as ArrayRef;
    let columns = [("unique_id_l", ids(|pair| pair.0)), ("unique_id_r", ids(|pair| pair.1)), ("score", scores)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let text = "[[rule]]\nwhen = \"l.name = r.name and l.city = r.city\"\ncertain = true\n[score]\nthreshold = 0.4\n";
    let scores = Input::batches("scores", batch.schema(), vec![batch]).unwrap();
    let rules = RuleFile::parse(text, "rules.toml").unwrap();
    Job::dedupe(input("people", &people())).with_rules(rules).with_scores(scores)
}

fn jobs() -> [(&'static str, Job); 3] {
    [("weights", job_of_weights()), ("averages", job_of_averages()), ("others", job_of_others())]
}

fn session(threads: usize, memory: Option<usize>) -> Session {
    let builder = Session::builder().threads(threads).device(DeviceChoice::Cpu).checkpoint_interval(Duration::ZERO);
    match memory {
        Some(memory) => builder.memory(memory).build().unwrap(),
        None => builder.build().unwrap(),
    }
}

/// What a run writes: pairs, clusters, and how its scores are distributed.
#[derive(Debug, PartialEq)]
struct Written {
    pairs: Vec<u8>,
    clusters: Vec<u8>,
    histogram: Vec<ScoreBin>,
}

fn write(mut run: Run, folder: OutputFolder, path: &Path) -> Written {
    run.write(folder, Format::Parquet, &()).unwrap();
    let file = |name: &str| std::fs::read(path.join(name)).unwrap();
    let histogram = run.record().scores.unwrap().histogram;
    Written { pairs: file("pairs.parquet"), clusters: file("clusters.parquet"), histogram }
}

fn written(session: &Session, job: &Job) -> Written {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    write(session.run(job, &()).unwrap(), OutputFolder::create(&path, true).unwrap(), &path)
}

#[test]
fn memory_threads_and_devices_change_no_byte() {
    for (name, job) in jobs() {
        let expected = written(&session(1, None), &job);
        assert!(expected.histogram.iter().map(|bin| bin.pairs).sum::<u64>() > 100, "{name}");
        // A few dozen pairs fill a buffer of this: all but the last are spilled with their scores.
        for (threads, memory) in [(1, 1), (3, 300), (2, 4 << 10), (4, 64 << 10)] {
            let found = written(&session(threads, Some(memory)), &job);
            assert!(found == expected, "{name}, {threads} threads, {memory} bytes");
        }
        for (number, session) in device_sessions().iter().enumerate() {
            assert!(written(session, &job) == expected, "{name}, session {number} of devices");
        }
    }
}

/// Ends a run soon after a branch has begun that comes after this many.
struct Interruption {
    branches: usize,
    begun: AtomicUsize,
}

impl Observer for Interruption {
    fn stage(&self, stage: &Stage, _: Option<u64>) {
        if matches!(stage, Stage::Joining { round: (1, _), frequent_values: false, .. }) {
            self.begun.fetch_add(1, Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.begun.load(Relaxed) > self.branches
    }
}

#[test]
fn a_resumed_run_writes_the_scores_of_the_interrupted_one() {
    let mut resumed = 0;
    for (name, job) in jobs() {
        let expected = written(&session(2, None), &job);
        for branches in 0..3 {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("out");
            let folder = OutputFolder::create(&path, true).unwrap();
            let interruption = Interruption { branches, begun: AtomicUsize::new(0) };
            match session(2, Some(300)).resume(&job, &folder, &interruption) {
                Err(error) if error.code() == ErrorCode::Cancelled => {}
                ended => drop(ended.unwrap()),
            }
            drop(folder);
            let folder = OutputFolder::create(&path, true).unwrap();
            let run = session(3, Some(16 << 10)).resume(&job, &folder, &()).unwrap();
            match run.record().resumption {
                Some(Resumption::Resumed { branches }) => resumed += branches,
                other => panic!("{name}: {other:?}"),
            }
            assert!(write(run, folder, &path) == expected, "{name}, interrupted after {branches} branches");
        }
    }
    assert!(resumed > 3, "{resumed}");
}

/// The score of a pair as an explanation adds it up.
fn explained(why: Why) -> Option<f64> {
    let weighted = why.weighted.map(|of| of.score);
    why.score.map(|of| of.match_weight).or(weighted).or(why.outside.and_then(|of| of.score))
}

#[test]
fn pairs_carry_what_an_explanation_adds_up() {
    for (name, job) in jobs() {
        let run = session(2, None).run(&job, &()).unwrap();
        let (mut checked, mut certain, mut negative) = (0, 0, 0);
        for batch in run.pairs() {
            let batch = batch.unwrap();
            let ids = [0, 1].map(|at| batch.column(at).as_primitive::<UInt32Type>().clone());
            let keys = batch.column(2).as_string::<i32>().clone();
            let score = batch.column_by_name("match_weight").or(batch.column_by_name("score")).unwrap();
            let scores = score.as_primitive::<Float64Type>();
            // Each look reads the inputs: some pairs of all suffice.
            for at in (0..batch.num_rows()).step_by(batch.num_rows().div_ceil(60)) {
                let why = run.why([&ids[0].value(at).to_string(), &ids[1].value(at).to_string()]).unwrap();
                assert_eq!(why.match_key.as_deref(), Some(keys.value(at)));
                let carried = scores.is_valid(at).then(|| scores.value(at).to_bits());
                let [l, r] = [&ids[0], &ids[1]].map(|ids| ids.value(at));
                assert_eq!(carried, explained(why).map(f64::to_bits), "{name}, {l} and {r}");
                checked += 1;
                certain += usize::from(keys.value(at) == "rule_2");
                negative += usize::from(scores.value(at) < 0.0);
            }
        }
        assert!(checked > 30 && (certain > 0 || name == "others"), "{name}: {checked} {certain}");
        // Only a certain rule keeps what does not reach the threshold.
        assert!(negative > 0 || name != "weights", "{name}");
    }
}

#[test]
fn pairs_that_others_have_scored_count_as_candidates() {
    let (job, session) = (job_of_others(), Session::builder().threads(2).build().unwrap());
    let candidates = session.run(&job, &()).unwrap().record().candidates;
    assert!(candidates > 500);
    session.run(&job.clone().with_max_candidates(candidates), &()).unwrap();
    let error = session.run(&job.with_max_candidates(candidates - 1), &()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::CandidateLimit);
}
