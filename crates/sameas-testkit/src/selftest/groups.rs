//! The groups of the suite: which cases, and in which ways each is run.

use sameas_device::DeviceChoice;

use super::check::Check;
use super::closures;
use super::programs;
use super::record_parts;
use super::relations;
use super::runner::Task;
pub use super::seeded_cases::{case_of, scored_case_of};
use super::settings::Settings;
use super::training;
use super::variant::{self, Variant};
use crate::case::Case;
use crate::{edges, large};

/// A group of the suite.
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it runs.
    pub work: Work,
    /// Whether it is about a device's own memory and tiles, and says nothing about the CPU.
    pub only_on_a_device: bool,
}

/// What a group runs.
pub enum Work {
    /// Jobs over tables.
    Jobs(Jobs),
    /// Questions about relations.
    Checks(fn(&Settings) -> Vec<Check>),
}

/// Jobs over tables, and how they are run.
pub struct Jobs {
    /// The cases.
    pub tasks: fn(&Settings) -> Vec<Task>,
    /// The ways to run the case of a seed: all write the same bytes.
    pub variants: fn(DeviceChoice, u64) -> Vec<Variant>,
    /// Whether every access path must have been taken when all cases have run.
    pub takes_every_path: bool,
}

/// The defaults of jobs.
const PLAIN: Jobs = Jobs { tasks: random_tasks, variants: variant::drawn, takes_every_path: false };

/// The defaults of jobs that are run in many ways.
const FEW: Jobs = Jobs { tasks: few_tasks, ..PLAIN };

/// All groups, in the order they run.
pub const GROUPS: [Group; 13] = [
    of_jobs("edges", Jobs { tasks: edge_tasks, ..PLAIN }),
    of_jobs("large tables", Jobs { tasks: large_tasks, takes_every_path: true, variants: drawn_and_forced }),
    of_jobs("access paths", Jobs { takes_every_path: true, variants: variant::forced, ..FEW }),
    of_jobs("tiny memory", Jobs { variants: variant::tiny_memory, ..FEW }),
    on_a_device("device memory", Jobs { variants: variant::tiny_device_memory, ..FEW }),
    on_a_device("several devices", Jobs { variants: variant::several_devices, ..FEW }),
    of_jobs("random", PLAIN),
    of_jobs("scores", Jobs { tasks: scored_tasks, variants: variant::drawn_and_tiny_memory, ..PLAIN }),
    of_checks("parts", record_parts::checks),
    of_checks("training", training::checks),
    of_checks("relations", relations::checks),
    of_checks("closure", closures::checks),
    of_checks("programs", programs::checks),
];

const fn of_jobs(name: &'static str, jobs: Jobs) -> Group {
    Group { name, work: Work::Jobs(jobs), only_on_a_device: false }
}

const fn on_a_device(name: &'static str, jobs: Jobs) -> Group {
    Group { name, work: Work::Jobs(jobs), only_on_a_device: true }
}

const fn of_checks(name: &'static str, checks: fn(&Settings) -> Vec<Check>) -> Group {
    Group { name, work: Work::Checks(checks), only_on_a_device: false }
}

fn drawn_and_forced(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    [variant::drawn(device, seed), variant::forced(device, seed)].concat()
}

fn edge_tasks(settings: &Settings) -> Vec<Task> {
    named(edges::cases(), settings)
}

fn large_tasks(settings: &Settings) -> Vec<Task> {
    named(large::cases(), settings)
}

/// Edges of the groups that run a case in many ways.
const FEW_EDGES: [&str; 11] = [
    "0 rows",
    "1 rows",
    "33 rows",
    "65 equal rows",
    "31 rows with 33",
    "31 rows and 33",
    "links of [31, 2, 33] rows",
    "links and dedupes of [2, 65, 1, 3, 2] rows",
    "odd texts",
    "one huge block",
    "257 characters",
];

/// Some edges and a sixth of the random cases, for groups that run each in many ways.
fn few_tasks(settings: &Settings) -> Vec<Task> {
    let mut few = edges::cases();
    few.retain(|(name, _)| FEW_EDGES.contains(&name.as_str()));
    let mut tasks = named(few, settings);
    tasks.extend((settings.seed..settings.seed + settings.cases.div_ceil(6)).map(random_task));
    tasks
}

/// As many random cases as the settings say.
pub fn random_tasks(settings: &Settings) -> Vec<Task> {
    (settings.seed..settings.seed + settings.cases).map(random_task).collect()
}

/// Cases with scores, half as many as others.
fn scored_tasks(settings: &Settings) -> Vec<Task> {
    (settings.seed..settings.seed + settings.cases.div_ceil(2)).map(scored_task).collect()
}

fn named(cases: Vec<(String, Case)>, settings: &Settings) -> Vec<Task> {
    let task = |(seed, (name, case)): (u64, (String, Case))| Task { name, seed, case: Box::new(move || case.clone()) };
    (settings.seed..).zip(cases).map(task).collect()
}

fn random_task(seed: u64) -> Task {
    Task { name: format!("seed {seed}"), seed, case: Box::new(move || case_of(seed)) }
}

/// The task of the case with scores of a seed.
pub fn scored_task(seed: u64) -> Task {
    Task { name: format!("seed {seed}"), seed, case: Box::new(move || scored_case_of(seed)) }
}
