//! `why-again`: why two records are a pair, asked of a run that has its records at hand.
//!
//! `why-again FILE --rules RULES [--threads 1,2,4] [--pairs N] [--id COLUMN]`
//!
//! A line of JSON is printed for each number of threads: the seconds of the run, and the median and the most of those that an
//! answer takes, of pairs from all of the result. Each pair is asked about twice, the second time with the whole records. An
//! answer that names another rule than the result does fails.

use std::path::Path;
use std::time::Instant;

use arrow_array::RecordBatch;
use sameas::{DeviceChoice, Input, Job, Result, RuleFile, Run, Session, Why};
use sameas_records::records::RowIds;

use crate::report::{option, print};

/// Runs the measurements of `args`.
///
/// # Panics
/// If the job cannot be run, or an answer is wrong.
pub fn run(args: &[String]) {
    let file = args.first().expect("a file of records");
    let rules = option(args, "--rules").expect("--rules names a rule file");
    let rules = RuleFile::read(Path::new(rules)).unwrap_or_else(|error| panic!("{error}"));
    let mut job = Job::dedupe(Input::files([file])).with_rules(rules);
    if let Some(id) = option(args, "--id") {
        job = job.with_id(id);
    }
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get()).to_string();
    let pairs: usize = option(args, "--pairs").map_or(100, |pairs| pairs.parse().expect("a whole number"));
    for threads in option(args, "--threads").unwrap_or(&cores).split(',') {
        measure(&job, threads.parse().expect("numbers of threads"), pairs.max(1));
    }
}

fn measure(job: &Job, threads: usize, pairs: usize) {
    let session = Session::builder().threads(threads).device(DeviceChoice::Cpu).build();
    let (session, begun) = (session.unwrap_or_else(|error| panic!("{error}")), Instant::now());
    let run = session.run(job, &()).unwrap_or_else(|error| panic!("{error}"));
    let seconds = begun.elapsed().as_secs_f64();
    let asked = asked(&run, pairs);
    let plain = times(&asked, |ids| run.why(ids));
    let whole = times(&asked, |ids| run.why_with_records(ids, &()));
    print(&serde_json::json!({
        "op": "why-again",
        "threads": threads,
        "run": seconds,
        "pairs": asked.len(),
        "median": plain[plain.len() / 2],
        "most": plain[plain.len() - 1],
        // The first reads the columns that no rule reads.
        "whole_records_median": whole[whole.len() / 2],
        "whole_records_most": whole[whole.len() - 1],
    }));
}

/// A pair of a result: its ids, and its rule.
type AskedPair = ([String; 2], String);

/// Some pairs of a run, from all of its result.
fn asked(run: &Run, pairs: usize) -> Vec<AskedPair> {
    let batches = run.pairs();
    let step = (batches.rows() as usize / pairs).max(1);
    let (mut first, mut asked) = (0, Vec::new());
    for batch in batches {
        let batch = batch.unwrap_or_else(|error| panic!("{error}"));
        let columns = ["unique_id_l", "unique_id_r", "match_key"].map(|name| texts(&batch, name));
        let rows = (0..batch.num_rows()).filter(|row| (first + row).is_multiple_of(step));
        asked.extend(rows.map(|row| {
            let [l, r, rule] = columns.each_ref().map(|column| column[row].clone());
            ([l, r], rule)
        }));
        first += batch.num_rows();
    }
    assert!(!asked.is_empty(), "the rules find no pair to ask about");
    asked
}

/// A column of a batch as texts.
fn texts(batch: &RecordBatch, column: &str) -> Vec<String> {
    let column = batch.column_by_name(column).expect("pairs have it");
    let values = RowIds::new(std::slice::from_ref(column)).unwrap_or_else(|error| panic!("{error}"));
    (0..batch.num_rows()).map(|row| values.text(row)).collect()
}

/// The seconds that each answer takes, ascending.
fn times(asked: &[AskedPair], why: impl Fn([&str; 2]) -> Result<Why>) -> Vec<f64> {
    let answer = |([l, r], rule): &AskedPair| {
        let begun = Instant::now();
        let answer = why([l, r]).unwrap_or_else(|error| panic!("{error}"));
        let seconds = begun.elapsed().as_secs_f64();
        assert_eq!(answer.match_key.as_ref(), Some(rule), "why {l} and {r} are a pair");
        seconds
    };
    let mut times: Vec<f64> = asked.iter().map(answer).collect();
    times.sort_by(f64::total_cmp);
    times
}
