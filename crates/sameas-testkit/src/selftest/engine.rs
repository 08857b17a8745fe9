//! The engine under test: a case as files, a job through the public interface, the results read back.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

use sameas::device::DeviceKind;
use sameas::plan::{AccessPath, BranchPlace, BranchRecord};
use sameas::record::Operator;
use sameas::{Error, ErrorCode, Format, Input, Job, LinkType, OutputFolder, RuleFile, RunRecord, Session};

use super::check::catch;
use super::inputs;
use super::interrupted;
use super::near;
use super::outcome::{NamedOutcome, Outcome, cluster_columns, has_counts, pair_columns, read};
use super::scores;
use super::variant::{Options, Variant};
use super::why;
use crate::case::{Case, JobKind, job_toml};

const FORMATS: [Format; 3] = [Format::Csv, Format::Parquet, Format::Json];

/// The engine, which remembers the access paths it has taken.
#[derive(Default)]
pub struct Engine {
    paths: Mutex<BTreeSet<AccessPath>>,
    on_device: Mutex<BTreeSet<AccessPath>>,
    /// Jobs without rules whose threshold was too low for anything but all pairs, and the others.
    too_low: AtomicU64,
    complete: AtomicU64,
    /// The first session, whose devices all others share, so that a GPU is opened once.
    first: OnceLock<Session>,
}

impl Engine {
    /// The access paths of all plans so far.
    pub fn paths(&self) -> Vec<AccessPath> {
        self.paths.lock().map(|paths| paths.iter().copied().collect()).unwrap_or_default()
    }

    /// The access paths that a device has run so far: a branch that it cannot run is run by the CPU, and says so.
    pub fn paths_on_device(&self) -> Vec<AccessPath> {
        self.on_device.lock().map(|paths| paths.iter().copied().collect()).unwrap_or_default()
    }

    /// Jobs without rules whose pairs were found by looking at all pairs, and those that needed less.
    pub fn without_rules(&self) -> [u64; 2] {
        [&self.too_low, &self.complete].map(|jobs| jobs.load(Relaxed))
    }

    /// The results of a case, run in all these ways, which must write the same bytes; of the first way that does not,
    /// if there is one. There is at least one way; the seed chooses how the case is written to files.
    pub fn run(&self, case: &Case, seed: u64, variants: &[Variant], folder: &Path) -> Result<NamedOutcome, String> {
        catch(|| self.run_all(case, seed, variants, folder))
    }

    fn run_all(&self, case: &Case, seed: u64, variants: &[Variant], folder: &Path) -> Result<NamedOutcome, String> {
        let format = FORMATS[(seed / 7) as usize % 3];
        let mut job = job(case, seed, folder)?;
        if case.job.rules.is_empty() && variants.first().is_some_and(|first| self.needs_all_pairs(&job, first, folder))
        {
            job = job.with_all_pairs();
        }
        let mut first: Option<(Results, NamedOutcome)> = None;
        let mut first_near: Option<(Vec<u8>, &str)> = None;
        for (at, variant) in variants.iter().enumerate() {
            // The first way is without near pairs: they change nothing of the results.
            let amount = near::amount(case, seed).filter(|_| at > 0);
            let job = amount.map_or_else(|| job.clone(), |amount| job.clone().with_near(amount));
            let results = self.run_one(&job, variant, format, folder)?;
            if let Some(amount) = amount {
                let file = folder.join("out").join(format!("near.{}", format.extension()));
                let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                match &first_near {
                    None => near::agrees(case, amount, format, &folder.join("out"))
                        .map_err(|why| format!("{why}\n  in the run with {}", variant.name))?,
                    Some((known, by)) if *known != bytes => {
                        return Err(format!("{} writes other near pairs than {by}", variant.name));
                    }
                    _ => {}
                }
                first_near.get_or_insert((bytes, &variant.name));
            }
            match &first {
                None => first = Some((results.clone(), results.given(case, variant, format, folder)?)),
                Some((known, _)) if *known == results => {}
                Some((_, known)) => {
                    let given = results.given(case, variant, format, folder)?;
                    let same = format!("{} writes other bytes than {}", variant.name, known.by);
                    return if given.outcome == known.outcome { Err(same) } else { Ok(given) };
                }
            }
        }
        let (_, given) = first.ok_or("no way to run the case")?;
        why::agrees(case, seed, &job, &given.outcome)?;
        Ok(given)
    }

    /// Whether a threshold is so low that only all pairs are complete, which must be asked for.
    fn needs_all_pairs(&self, job: &Job, variant: &Variant, folder: &Path) -> bool {
        let (jobs, is_too_low) = match self.record(job, &variant.options, Format::Csv, &folder.join("out")) {
            Ok(_) => (&self.complete, false),
            Err(error) if error.code() == ErrorCode::ThresholdTooLow => (&self.too_low, true),
            // The run itself will say so.
            Err(_) => return false,
        };
        jobs.fetch_add(1, Relaxed);
        is_too_low
    }

    fn remember(&self, record: &RunRecord) {
        let on_device = |branch: &&BranchRecord| record.device != DeviceKind::Cpu && ran_on_device(branch);
        if let (Ok(mut paths), Ok(mut device)) = (self.paths.lock(), self.on_device.lock()) {
            paths.extend(record.plan.iter().map(|branch| branch.path));
            device.extend(record.plan.iter().filter(on_device).map(|branch| branch.path));
        }
    }

    fn record(&self, job: &Job, options: &Options, format: Format, out: &Path) -> sameas::Result<RunRecord> {
        let session = options.session(self.first.get())?;
        self.first.get_or_init(|| session.clone());
        match options.interrupted_after {
            None if options.on_dataset => run_on_dataset(&session, &options.apply(job)?, format, out),
            None => run_in(&session, &options.apply(job)?, format, out),
            Some(branches) => {
                let next = options.after_interruption().session(self.first.get())?;
                interrupted::run_in([&session, &next], branches, &options.apply(job)?, format, out)
            }
        }
    }

    fn run_one(&self, job: &Job, variant: &Variant, format: Format, folder: &Path) -> Result<Results, String> {
        let out = folder.join("out");
        let record = self
            .record(job, &variant.options, format, &out)
            .map_err(|why| format!("{why}\n  in the run with {}", variant.name))?;
        self.remember(&record);
        let bytes = |name: &str| {
            let path = out.join(format!("{name}.{}", format.extension()));
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let rules = record.rules.iter().map(|r| (r.name.clone(), [r.alone, r.marginal, r.cumulative])).collect();
        let forbidden = record.never.iter().map(|never| never.removed).collect();
        Ok(Results { pairs: bytes("pairs")?, clusters: bytes("clusters")?, rules, forbidden, counted: record.pairs })
    }
}

/// What a run wrote.
#[derive(Clone, PartialEq, Eq)]
struct Results {
    pairs: Vec<u8>,
    clusters: Vec<u8>,
    rules: Vec<(String, [u64; 3])>,
    forbidden: Vec<u64>,
    /// The number of pairs according to its record.
    counted: u64,
}

impl Results {
    /// The files of the run, which are still in the folder, as rows.
    fn given(&self, case: &Case, variant: &Variant, format: Format, folder: &Path) -> Result<NamedOutcome, String> {
        let path = |name: &str| folder.join("out").join(format!("{name}.{}", format.extension()));
        let pairs = scores::exact(case, read(&path("pairs"), format, &pair_columns(case))?)?;
        if self.counted != pairs.len() as u64 {
            return Err(format!("run.json says {} pairs, the file has {}", self.counted, pairs.len()));
        }
        let clusters = read(&path("clusters"), format, &cluster_columns(case.job.kind))?;
        let counts = has_counts(case).then(|| (self.rules.clone(), self.forbidden.clone()));
        let (rules, forbidden) = counts.unwrap_or_default();
        Ok(NamedOutcome { by: variant.name.clone(), outcome: Outcome { pairs, clusters, rules, forbidden } })
    }
}

/// Whether a branch of a job on a device ran there, whole or in parts.
fn ran_on_device(branch: &BranchRecord) -> bool {
    matches!(branch.place, Some(BranchPlace::Device | BranchPlace::DeviceInParts { .. }))
}

/// The job of a case, whose files are written into a folder.
pub fn job(case: &Case, seed: u64, folder: &Path) -> Result<Job, String> {
    let rules = inputs::rules(case, folder)?;
    let job = job_of(link_type(case.job.kind), inputs::write(case, seed, folder)?).with_rules(rules);
    Ok(match scores::model(case, folder)? {
        Some(model) => job.with_model(model),
        None => job,
    })
}

/// The engine's word for a kind of job.
pub fn link_type(kind: JobKind) -> LinkType {
    match kind {
        JobKind::Dedupe => LinkType::DedupeOnly,
        JobKind::Link => LinkType::LinkOnly,
        JobKind::LinkAndDedupe => LinkType::LinkAndDedupe,
    }
}

/// A job of this kind over these inputs, without rules.
pub fn job_of(link_type: LinkType, inputs: Vec<Input>) -> Job {
    match link_type {
        LinkType::DedupeOnly => {
            Job::dedupe(inputs.into_iter().next().unwrap_or_else(|| Input::files(Vec::<&Path>::new())))
        }
        LinkType::LinkOnly => Job::link_all(inputs),
        LinkType::LinkAndDedupe => Job::link_and_dedupe_all(inputs),
    }
}

/// The rules of a case.
pub fn rules_of(case: &Case) -> Result<RuleFile, String> {
    RuleFile::parse(&job_toml(&case.job, case.tables.len()), "job.toml").map_err(|error| error.to_string())
}

/// Runs a job with these options into a folder, which may hold earlier results.
pub fn run_job(job: &Job, options: &Options, format: Format, out: &Path) -> Result<RunRecord, String> {
    Engine::default().record(job, options, format, out).map_err(|error| error.to_string())
}

fn run_in(session: &Session, job: &Job, format: Format, out: &Path) -> sameas::Result<RunRecord> {
    let folder = OutputFolder::create(out, true)?;
    let mut run = session.run(job, &())?;
    run.write(folder, format, &())?;
    Ok(run.record())
}

/// The same over records that are at hand: all that the run needs of them was encoded and counted before.
fn run_on_dataset(session: &Session, job: &Job, format: Format, out: &Path) -> sameas::Result<RunRecord> {
    let folder = OutputFolder::create(out, true)?;
    let records = session.open(job, &())?;
    session.explain_on(&records, job, &())?;
    let mut run = session.run_on(&records, job, &())?;
    run.write(folder, format, &())?;
    let record = run.record();
    match record.operators.iter().any(|of| of.operator == Operator::Read) {
        true => Err(Error::internal("a run over a dataset has read its inputs")),
        false => Ok(record),
    }
}
