//! The engine under test: a case as files, a job through the public interface, the results read back.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use sameas::engine::{JobSpec, NoProgress, Options, OutputTarget, RunRecord, execute};
use sameas::output::Format;
use sameas::plan::Strategy;
use sameas::records::Input;
use sameas::rules::{Job, LinkType};
use sameas_testkit::case::{Case, JobKind, job_toml};

use super::inputs;
use super::outcome::{Outcome, cluster_columns, pair_columns, read};
use super::why;

const FORMATS: [Format; 3] = [Format::Csv, Format::Parquet, Format::Json];
const THREADS: [usize; 3] = [1, 2, 5];
/// From so little that a few dozen pairs are spilled and indexes are built in many parts to more than any case needs.
/// No common factor with the number of threads: every budget meets every number of threads.
const MEMORY: [usize; 7] = [1 << 10, 1 << 26, 4 << 10, 16 << 10, 300, 64 << 10, 1 << 20];

/// The engine, which remembers the access paths it has taken.
#[derive(Default)]
pub struct Engine {
    paths: Mutex<BTreeSet<&'static str>>,
}

impl Engine {
    /// The access paths of all plans so far.
    pub fn paths(&self) -> Vec<&'static str> {
        self.paths.lock().unwrap().iter().copied().collect()
    }

    /// The results of a case. A second run with other threads, another memory and another plan must write the same bytes.
    pub fn run(&self, case: &Case, seed: u64, folder: &Path) -> Result<Outcome, String> {
        catch_unwind(AssertUnwindSafe(|| self.run_twice(case, seed, folder))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
        })
    }

    fn run_twice(&self, case: &Case, seed: u64, folder: &Path) -> Result<Outcome, String> {
        let job = Job::parse(&job_toml(&case.job), "job.toml").map_err(|error| error.to_string())?;
        let link_type = link_type(case.job.kind);
        let spec = JobSpec { job, inputs: inputs::write(case, seed, folder)?, link_type, id: None };
        let format = FORMATS[(seed / 7) as usize % 3];
        let record = run_planned(&spec, seed, Strategy::Full, format, &folder.join("once"))?;
        // Any other plan gives the same: one of those that can be named, or one that is drawn.
        let named = Strategy::NAMED[(seed / 3) as usize % Strategy::NAMED.len()].1;
        let other = if seed.is_multiple_of(3) { named } else { Strategy::Random(seed) };
        let again = run_planned(&spec, seed + 1, other, format, &folder.join("again"))?;
        same_bytes(folder, "pairs", format)?;
        same_bytes(folder, "clusters", format)?;
        self.paths.lock().unwrap().extend(record.plan.iter().chain(&again.plan).map(|branch| branch.path));
        let outcome = outcome(case, &record, format, &folder.join("once"))?;
        why::agrees(case, seed, &spec, &outcome)?;
        Ok(outcome)
    }
}

/// The engine's word for a kind of job.
pub fn link_type(kind: JobKind) -> LinkType {
    match kind {
        JobKind::Dedupe => LinkType::DedupeOnly,
        JobKind::Link => LinkType::LinkOnly,
        JobKind::LinkAndDedupe => LinkType::LinkAndDedupe,
    }
}

/// Runs a job with the threads and the memory of a seed.
pub fn run_once(spec: &JobSpec, seed: u64, format: Format, out: &Path) -> Result<RunRecord, String> {
    run_planned(spec, seed, Strategy::Full, format, out)
}

fn run_planned(spec: &JobSpec, seed: u64, strategy: Strategy, format: Format, out: &Path) -> Result<RunRecord, String> {
    let memory = MEMORY[seed as usize % MEMORY.len()];
    let device = if out.ends_with("again") { sameas::device::DeviceChoice::Emulated } else { sameas::device::DeviceChoice::Cpu };
    let options = Options { threads: THREADS[seed as usize % 3], memory, strategy, device, ..Options::default() };
    let target = OutputTarget::Folder { path: out.to_owned(), overwrite: true, format };
    execute(spec, &options, &target, &NoProgress).map_err(|error| error.to_string())
}

fn same_bytes(folder: &Path, name: &str, format: Format) -> Result<(), String> {
    let bytes = |run: &str| std::fs::read(folder.join(run).join(format!("{name}.{}", format.extension())));
    match (bytes("once"), bytes("again")) {
        (Ok(once), Ok(again)) if once == again => Ok(()),
        (Ok(_), Ok(_)) => Err(format!("other threads, another memory and another plan give other bytes of {name}")),
        (Err(error), _) | (_, Err(error)) => Err(format!("{name}: {error}")),
    }
}

fn outcome(case: &Case, record: &RunRecord, format: Format, out: &Path) -> Result<Outcome, String> {
    let path = |name: &str| out.join(format!("{name}.{}", format.extension()));
    let pairs = read(&path("pairs"), format, pair_columns(case.job.kind))?;
    if record.pairs != pairs.len() as u64 {
        return Err(format!("run.json says {} pairs, the file has {}", record.pairs, pairs.len()));
    }
    Ok(Outcome {
        pairs,
        clusters: read(&path("clusters"), format, cluster_columns(case.job.kind))?,
        rules: record.rules.iter().map(|r| (r.name.clone(), [r.alone, r.marginal, r.cumulative])).collect(),
    })
}

/// A job over files, for the cases that are written as text.
pub fn job_spec(job: &str, inputs: Vec<Input>) -> Result<JobSpec, String> {
    let job = Job::parse(job, "job").map_err(|error| error.to_string())?;
    let link_type = job.link_type.unwrap_or(LinkType::DedupeOnly);
    Ok(JobSpec { job, inputs, link_type, id: None })
}
