//! `loading`: the stages of a job around its joins, by number of threads.
//!
//! `loading FILE --rules RULES [--threads 1,2,4] [--runs N]`
//!
//! A line of JSON is printed for each number of threads: the least seconds of each stage over the runs (reading, deriving,
//! encoding, statistics, sorting, writing), values encoded each second (a value is one row of one operand; token sets are
//! part of the time), and the most memory that the process has held so far.

use std::path::Path;

use sameas::record::Operator;
use sameas::{DeviceChoice, Format, Input, Job, OutputFolder, RuleFile, RunRecord, Session};

use crate::report::{option, print};

/// What is reported, and the operators of a run that it is the time of.
const STAGES: [(&str, &[Operator]); 6] = [
    ("read", &[Operator::Read]),
    ("derive", &[Operator::Derive]),
    ("encode", &[Operator::Encode]),
    ("statistics", &[Operator::Statistics, Operator::Plan]),
    ("sort", &[Operator::Sort]),
    ("write", &[Operator::WritePairs, Operator::WriteClusters]),
];

/// Runs the measurements of `args`.
///
/// # Panics
/// If the job cannot be run.
pub fn run(args: &[String]) {
    let file = args.first().expect("a file of records");
    let rules = option(args, "--rules").expect("--rules names a rule file");
    let rules = RuleFile::read(Path::new(rules)).unwrap_or_else(|error| panic!("{error}"));
    let job = Job::dedupe(Input::files([file])).with_rules(rules);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get()).to_string();
    let runs = option(args, "--runs").map_or(3, |runs| runs.parse().expect("a whole number"));
    for threads in option(args, "--threads").unwrap_or(&cores).split(',') {
        let threads: usize = threads.parse().expect("numbers of threads");
        let records: Vec<RunRecord> = (0..runs).map(|_| record(&job, threads)).collect();
        report(threads, &records);
    }
}

fn record(job: &Job, threads: usize) -> RunRecord {
    let session = Session::builder().threads(threads).device(DeviceChoice::Cpu).build();
    let session = session.unwrap_or_else(|error| panic!("{error}"));
    let folder = std::env::temp_dir().join(format!("sameas-loading-{}", std::process::id()));
    let results = OutputFolder::create(&folder, true).unwrap_or_else(|error| panic!("{error}"));
    let mut run = session.run(job, &()).unwrap_or_else(|error| panic!("{error}"));
    run.write(results, Format::Parquet, &()).unwrap_or_else(|error| panic!("{error}"));
    let record = run.record();
    std::fs::remove_dir_all(folder).expect("results are removed");
    record
}

fn report(threads: usize, records: &[RunRecord]) {
    let least = |operators: &[Operator]| {
        let seconds = |record: &RunRecord| -> f64 {
            let of = record.operators.iter().filter(|of| operators.contains(&of.operator));
            of.map(|of| of.seconds).sum()
        };
        records.iter().map(seconds).fold(f64::INFINITY, f64::min)
    };
    let columns = &records[0].statistics.columns;
    let values: u64 = columns.iter().map(|column| column.rows).sum();
    let mut facts = serde_json::json!({
        "op": "loading",
        "threads": threads,
        "operands": columns.len(),
        "values": values,
        "values_per_second": (values as f64 / least(&[Operator::Encode])).round(),
        "peak_bytes": peak_bytes(),
    });
    for (name, operators) in STAGES {
        facts[name] = least(operators).into();
    }
    print(&facts);
}

/// The most memory that the process has held, where the system says so.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
