//! The differential suite: the engine against the oracle, in groups, on the chosen device.
//!
//! - `groups` says which cases are run and in which ways; `variant` has the ways;
//! - `engine` runs a case: `inputs` writes it as files, `outcome` reads the results, `why` explains one pair,
//!   `near` has the near pairs, `scores` the scores;
//! - `compare` judges the results, and makes a failing case small; `runner` is the loop;
//! - `check` is the loop over questions about relations, which `relations`, `closures` and `programs` ask; `relation_files`
//!   has their files. `training` asks about models.
//!
//! `sameas selftest` and the tests of this crate run the same groups.

pub mod check;
mod closures;
pub mod compare;
pub mod engine;
pub mod groups;
mod inputs;
mod interrupted;
mod near;
pub mod outcome;
mod parquet_file;
mod programs;
mod relation_files;
mod relations;
pub mod runner;
mod scores;
mod training;
pub mod variant;
pub mod why;

use std::time::{Duration, Instant};

use sameas::AccessPath;
use sameas::device::DeviceChoice;

use self::compare::{Subject, report};
use self::engine::Engine;
use self::groups::{Group, Jobs, Work};
use self::runner::{Failed, Runner, Task};
use self::variant::{device_paths, paths};

/// What to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the engine runs.
    pub device: DeviceChoice,
    /// The first seed.
    pub seed: u64,
    /// Random cases.
    pub cases: u64,
    /// A part of the names of the cases to run, as in `random/seed 17`.
    pub filter: Option<String>,
    /// Cases at a time.
    pub threads: usize,
}

/// The default number of random cases.
pub const CASES: u64 = 180;

impl Default for Settings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
        Self { device: DeviceChoice::Cpu, seed: 0, cases: CASES, filter: None, threads }
    }
}

/// The results of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupReport {
    /// Its name.
    pub name: &'static str,
    /// Why it was not run.
    pub skipped: Option<String>,
    /// Cases with the results of the oracle.
    pub passed: u64,
    /// For each other case its name, how to run it again, and what went wrong.
    pub failed: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// Time to make the first failing case of a group small; those after it are reported as they are.
const SMALLER: Duration = Duration::from_secs(20);

/// Runs a group; `None` where the filter leaves it no case.
pub fn run_group(group: &Group, settings: &Settings) -> Option<GroupReport> {
    match &group.work {
        Work::Jobs(jobs) => run_jobs(group, jobs, settings),
        Work::Checks(checks) => check::run(group, checks(settings), settings),
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

/// Whether the filter leaves the case of this name.
fn is_wanted(group: &Group, name: &str, settings: &Settings) -> bool {
    settings.filter.as_deref().is_none_or(|text| full_name(group, name).contains(text))
}

/// What the group should have reached and has not.
fn missing(group: &Group, wanted: &[AccessPath], reached: &[AccessPath], what: &str) -> Option<String> {
    let missing: Vec<&str> = wanted.iter().filter(|path| !reached.contains(path)).map(|path| path.name()).collect();
    (!missing.is_empty()).then(|| format!("{}: {what} {}", group.name, missing.join(", ")))
}

fn full_name(group: &Group, name: &str) -> String {
    format!("{}/{name}", group.name)
}

/// The name of a failed case, and how to run it alone.
fn heading(group: &Group, name: &str, seed: u64, settings: &Settings) -> String {
    let full = full_name(group, name);
    let again = if name.starts_with("seed ") {
        let seeds = format!("{}/seed", group.name);
        format!("--filter {} --seed {seed} --cases 1", for_shell(&seeds))
    } else {
        format!("--filter {} --seed {}", for_shell(&full), settings.seed)
    };
    format!("{full} fails; to run it alone: sameas selftest {again}")
}

/// An argument that a POSIX shell takes as it is.
fn for_shell(argument: &str) -> String {
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// What went wrong; with the case, made small, if there is a subject to run again.
fn described(task: &Task, failed: &Failed, subject: Option<&Subject<'_>>) -> String {
    match subject {
        Some(subject) => report((task.case)(), task.seed, &failed.failure, subject, SMALLER),
        None => failed.failure.text().to_owned(),
    }
}
