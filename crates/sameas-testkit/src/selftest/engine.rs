//! The engine under test: a case as files, a job through the public interface, the results read back.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use sameas::device::Drivers;
use sameas::engine::{JobSpec, NoProgress, Options, OutputTarget, RunRecord, execute};
use sameas::output::Format;
use sameas::plan::BranchReport;
use sameas::rules::{Job, LinkType};

use super::inputs;
use super::outcome::{Given, Outcome, cluster_columns, pair_columns, read};
use super::variant::Variant;
use super::why;
use crate::case::{Case, JobKind, job_toml};

const FORMATS: [Format; 3] = [Format::Csv, Format::Parquet, Format::Json];

/// The engine, which remembers the access paths it has taken.
#[derive(Default)]
pub struct Engine {
    paths: Mutex<BTreeSet<&'static str>>,
    on_device: Mutex<BTreeSet<&'static str>>,
    /// Shared by all runs, so that a GPU is opened once.
    drivers: Drivers,
}

impl Engine {
    /// The access paths of all plans so far.
    pub fn paths(&self) -> Vec<&'static str> {
        self.paths.lock().map(|paths| paths.iter().copied().collect()).unwrap_or_default()
    }

    /// The access paths that a device has run so far: a branch that it cannot run is the CPU's, and says so.
    pub fn paths_on_device(&self) -> Vec<&'static str> {
        self.on_device.lock().map(|paths| paths.iter().copied().collect()).unwrap_or_default()
    }

    /// The results of a case, run in all these ways, which must write the same bytes; of the first way that does not,
    /// if there is one. There is at least one way; the seed chooses how the case is written to files.
    pub fn run(&self, case: &Case, seed: u64, variants: &[Variant], folder: &Path) -> Result<Given, String> {
        catch_unwind(AssertUnwindSafe(|| self.run_all(case, seed, variants, folder))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
        })
    }

    fn run_all(&self, case: &Case, seed: u64, variants: &[Variant], folder: &Path) -> Result<Given, String> {
        let job = Job::parse(&job_toml(&case.job), "job.toml").map_err(|error| error.to_string())?;
        let link_type = link_type(case.job.kind);
        let spec = JobSpec { job, inputs: inputs::write(case, seed, folder)?, link_type, id: None };
        let format = FORMATS[(seed / 7) as usize % 3];
        let mut first: Option<(Results, Given)> = None;
        for variant in variants {
            let results = self.run_one(&spec, variant, format, folder)?;
            match &first {
                None => first = Some((results.clone(), results.given(case, variant, format, folder)?)),
                Some((known, _)) if *known == results => {}
                Some((_, known)) => {
                    let given = results.given(case, variant, format, folder)?;
                    let same = format!("{} gives other bytes than {}", variant.name, known.by);
                    return if given.outcome == known.outcome { Err(same) } else { Ok(given) };
                }
            }
        }
        let (_, given) = first.ok_or("no way to run the case")?;
        why::agrees(case, seed, &spec, &given.outcome)?;
        Ok(given)
    }

    fn remember(&self, record: &RunRecord) {
        let on_device = |branch: &&BranchReport| {
            record.device != "cpu" && !branch.changes.iter().any(|change| change.starts_with("ran on the CPU"))
        };
        if let (Ok(mut paths), Ok(mut device)) = (self.paths.lock(), self.on_device.lock()) {
            paths.extend(record.plan.iter().map(|branch| branch.path));
            device.extend(record.plan.iter().filter(on_device).map(|branch| branch.path));
        }
    }

    fn run_one(&self, spec: &JobSpec, variant: &Variant, format: Format, folder: &Path) -> Result<Results, String> {
        let out = folder.join("out");
        let options = Options { drivers: self.drivers.clone(), ..variant.options.clone() };
        let record = run_job(spec, &options, format, &out)
            .map_err(|why| format!("{why}\n  in the run with {}", variant.name))?;
        self.remember(&record);
        let bytes = |name: &str| {
            let path = out.join(format!("{name}.{}", format.extension()));
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let rules = record.rules.iter().map(|r| (r.name.clone(), [r.alone, r.marginal, r.cumulative])).collect();
        Ok(Results { pairs: bytes("pairs")?, clusters: bytes("clusters")?, rules, counted: record.pairs })
    }
}

/// What a run wrote.
#[derive(Clone, PartialEq, Eq)]
struct Results {
    pairs: Vec<u8>,
    clusters: Vec<u8>,
    rules: Vec<(String, [u64; 3])>,
    /// The number of pairs that its record tells.
    counted: u64,
}

impl Results {
    /// The files of the run, which lie in the folder still, as rows.
    fn given(&self, case: &Case, variant: &Variant, format: Format, folder: &Path) -> Result<Given, String> {
        let path = |name: &str| folder.join("out").join(format!("{name}.{}", format.extension()));
        let pairs = read(&path("pairs"), format, pair_columns(case.job.kind))?;
        if self.counted != pairs.len() as u64 {
            return Err(format!("run.json says {} pairs, the file has {}", self.counted, pairs.len()));
        }
        let clusters = read(&path("clusters"), format, cluster_columns(case.job.kind))?;
        Ok(Given { by: variant.name.clone(), outcome: Outcome { pairs, clusters, rules: self.rules.clone() } })
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

/// Runs a job with these options into a folder, which may hold earlier results.
pub fn run_job(spec: &JobSpec, options: &Options, format: Format, out: &Path) -> Result<RunRecord, String> {
    let target = OutputTarget::Folder { path: out.to_owned(), overwrite: true, format };
    execute(spec, options, &target, &NoProgress).map_err(|error| error.to_string())
}
