//! `loading-again`: reading, deriving, encoding and statistics of a second job over records that another has loaded.
//!
//! `loading-again FILE --rules RULES [--threads 1,2,4] [--runs N]`
//!
//! A line of JSON is printed for each number of threads: the seconds of the first job, and the least of those after it, each
//! with the sample that a plan is made of. A second job that encodes or counts anything fails.

use std::path::Path;
use std::time::Instant;

use sameas::{Input, Job, RuleFile};
use sameas_core::memory::MemoryBudget;
use sameas_engine::dataset::{BindingRequest, Dataset, Keep, OperandKeys};
use sameas_engine::observer::Progress;
use sameas_engine::plan::SampleProgram;
use sameas_engine::timeline::Timeline;
use sameas_joins::verify::RuleProgram;

use crate::report::{option, print};

/// Runs the measurements of `args`.
///
/// # Panics
/// If the records cannot be loaded, or a second job does the work of the first.
pub fn run(args: &[String]) {
    let file = args.first().expect("a file of records");
    let rules = option(args, "--rules").expect("--rules names a rule file");
    let rules = RuleFile::read(Path::new(rules)).unwrap_or_else(|error| panic!("{error}"));
    let job = Job::dedupe(Input::files([file])).with_rules(rules);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get()).to_string();
    let runs: usize = option(args, "--runs").map_or(5, |runs| runs.parse().expect("a whole number"));
    for threads in option(args, "--threads").unwrap_or(&cores).split(',') {
        let threads: usize = threads.parse().expect("numbers of threads");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let (first, again) = pool.install(|| measure(&job, runs));
        print(&serde_json::json!({ "op": "loading-again", "threads": threads, "first": first, "again": again }));
    }
}

/// Seconds of the first job, and the least of some after it.
fn measure(job: &Job, runs: usize) -> (f64, f64) {
    let is_cancelled = || false;
    let (budget, progress) = (MemoryBudget::unlimited(), Progress::new(&(), &is_cancelled));
    let begun = Instant::now();
    let (dataset, _) = Dataset::open(job, Keep::Always, &budget, progress).unwrap_or_else(|error| panic!("{error}"));
    prepare(&dataset, job, progress);
    let first = begun.elapsed().as_secs_f64();
    let known = (dataset.encoded_so_far(), dataset.counted_so_far());
    let seconds = (0..runs).map(|_| {
        let begun = Instant::now();
        prepare(&dataset, job, progress);
        begun.elapsed().as_secs_f64()
    });
    let again = seconds.fold(f64::INFINITY, f64::min);
    assert_eq!((dataset.encoded_so_far(), dataset.counted_so_far()), known, "what the first job did is not done again");
    (first, again)
}

/// What a job does with records before it is planned.
fn prepare(dataset: &Dataset, job: &Job, progress: Progress<'_>) {
    let cancel = progress.cancel();
    let written = dataset.compile(job, &MemoryBudget::unlimited(), progress);
    let written = written.unwrap_or_else(|error| panic!("{error}"));
    let rules = written.simplified().rules;
    let program = &RuleProgram::compile(&rules, dataset.layout().frames());
    let request = BindingRequest { rules: &written, program, with_findings: true, with_counts: true };
    let binding = dataset.derive(request, &mut Timeline::start(), progress, cancel);
    let mut binding = binding.unwrap_or_else(|error| panic!("{error}"));
    binding.findings(cancel);
    let bound = binding.bind(progress, cancel);
    dataset.input_records(&rules, progress, cancel).unwrap_or_else(|error| panic!("{error}"));
    let keys = OperandKeys::new(program, &written, dataset.layout().frames());
    let statistics = dataset.count(&bound, &keys, cancel).statistics;
    std::hint::black_box(SampleProgram::new(&bound, &keys.operands, &statistics));
}
