//! The differential suite: the engine against the oracle, in groups, on the chosen device.
//!
//! - `groups` says which cases are run and in which ways; `variant` has the ways, and `seeded_cases` the random cases;
//! - `engine` runs a case: `inputs` writes it as files, `outcome` reads the results, `why` explains one pair,
//!   `near` has the near pairs, `scores` the scores;
//! - `compare` judges the results, and makes a failing case small; `runner` is the loop;
//! - `check` is a question about relations and `check_loop` the loop over such questions, which `relations`, `closures` and
//!   `programs` ask; `relation_files` has their files. `training` asks about models, and `record_parts` about records that
//!   are divided into parts;
//! - `settings` says what to run, and `group_report` what came of it.
//!
//! `sameas selftest` and the tests of this crate run the same groups.
//!
//! All ways to run a case must write the same bytes. A device must itself have run every path that it has a kernel for;
//! groups about devices are skipped by name on the CPU. Jobs with scores are also asked `why`. A budget that does not
//! suffice must be said.

pub mod check;
mod check_loop;
mod closures;
pub mod compare;
pub mod engine;
mod group_report;
pub mod groups;
mod inputs;
mod interrupted;
mod near;
pub mod outcome;
mod parquet_file;
mod programs;
pub mod record_parts;
mod relation_files;
mod relations;
pub mod runner;
pub mod scores;
mod seeded_cases;
mod settings;
mod training;
pub mod variant;
pub mod why;

use std::time::Instant;

use sameas::plan::AccessPath;
use sameas_device::DeviceChoice;

use self::compare::{Subject, report};
use self::engine::Engine;
pub use self::group_report::GroupReport;
use self::group_report::{SMALLER, heading, is_wanted};
use self::groups::{Group, Jobs, Work};
use self::runner::{Failed, Runner, Task};
pub use self::settings::{CASES, Settings};
use self::variant::{device_paths, paths};

/// Runs a group; `None` where the filter leaves it no case.
pub fn run_group(group: &Group, settings: &Settings) -> Option<GroupReport> {
    match &group.work {
        Work::Jobs(jobs) => run_jobs(group, jobs, settings),
        Work::Checks(checks) => check_loop::run(group, checks(settings), settings),
    }
}

fn run_jobs(group: &Group, jobs: &Jobs, settings: &Settings) -> Option<GroupReport> {
    let mut tasks = (jobs.tasks)(settings);
    let all = tasks.len();
    tasks.retain(|task| is_wanted(group, &task.name, settings));
    if tasks.is_empty() {
        return None;
    }
    let report = GroupReport { name: group.name, ..GroupReport::default() };
    if group.only_on_a_device && settings.device == DeviceChoice::Cpu {
        return Some(GroupReport { skipped: Some("it is about a GPU, and the CPU runs".to_owned()), ..report });
    }
    let (begun, engine) = (Instant::now(), Engine::default());
    let subject: &Subject<'_> =
        &|case, seed, folder| engine.run(case, seed, &(jobs.variants)(settings.device, seed), folder);
    let runner = Runner { threads: settings.threads, stops: false, subject, observer: &|_, _, _| {} };
    let failures = runner.run(&tasks);
    let mut failed: Vec<String> = Vec::new();
    for failure in &failures {
        let (task, small) = (&tasks[failure.at], failed.is_empty().then_some(subject));
        let text = described(task, failure, small);
        failed.push(format!("{}\n\n{text}", heading(group, &task.name, task.seed, settings)));
    }
    let passed = (tasks.len() - failures.len()) as u64;
    // What no case reaches is not tested; a part of the cases need not reach everything.
    if jobs.takes_every_path && tasks.len() == all {
        failed.extend(missing(group, &paths(), &engine.paths(), "no case takes"));
        if settings.device != DeviceChoice::Cpu {
            failed.extend(missing(group, &device_paths(), &engine.paths_on_device(), "the device never runs"));
        }
    }
    Some(GroupReport { passed, failed, time: begun.elapsed(), ..report })
}

/// What the group should have reached and has not.
fn missing(group: &Group, wanted: &[AccessPath], reached: &[AccessPath], what: &str) -> Option<String> {
    let missing: Vec<&str> = wanted.iter().filter(|path| !reached.contains(path)).map(|path| path.name()).collect();
    (!missing.is_empty()).then(|| format!("{}: {what} {}", group.name, missing.join(", ")))
}

/// What went wrong; with the case, made small, if there is a subject to run again.
fn described(task: &Task, failed: &Failed, subject: Option<&Subject<'_>>) -> String {
    match subject {
        Some(subject) => report((task.case)(), task.seed, &failed.failure, subject, SMALLER),
        None => failed.failure.text().to_owned(),
    }
}
