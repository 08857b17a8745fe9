//! A session: threads, memory and devices for any number of jobs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::closure::Closure;
use super::run::Run;
use crate::cancel;
use crate::closure::{self, ClosureJob, ClosurePlan};
use crate::datalog::{self, RelateExplanation, RelateJob, RelateProgram, RelatedTuples};
use crate::device::{DeviceChoice, DeviceOptions};
use crate::engine::{
    self, BranchRun, Explanation, Job, JobPlan, Observer, Prepared, Progress, RuleCheck, RunRecord, Settings, Trained,
    Why,
};
use crate::error::{Error, Result};
use crate::evaluate::{self, Evaluation, EvaluationLists, EvaluationRequest, ThresholdScore};
use crate::output::{Format, OutputFolder};
use crate::plan::cost::Costs;
use crate::profile::{self, Profile};
use crate::report::{self, ClusterRecords, FolderResults, ReportOptions, ReportRequest, RunReport};

/// Threads, memory and devices for any number of jobs, also at the same time. Clones share them.
///
/// ```
/// # fn main() -> sameas::Result<()> {
/// let session = sameas::Session::builder().threads(2).memory(1 << 30).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    settings: Settings,
    pool: Arc<rayon::ThreadPool>,
}

/// Bytes of a thread's stack: what the deepest expression that rules can have needs, several times over. Only what is used
/// takes memory.
const STACK_BYTES: usize = 8 << 20;

/// Says what a [`Session`] may use.
#[derive(Clone, Debug, Default)]
pub struct SessionBuilder {
    settings: Settings,
}

impl SessionBuilder {
    /// The number of threads; by default one for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads;
        self
    }

    /// The bytes of memory that a job may take; by default 75 % of what is available.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.settings.memory = bytes;
        self
    }

    /// Where jobs run; by default on a GPU where there is one and a job is worth its start.
    #[must_use]
    pub fn device(mut self, device: DeviceChoice) -> Self {
        self.settings.device = device;
        self
    }

    /// How a device is used.
    #[must_use]
    pub fn device_options(mut self, options: DeviceOptions) -> Self {
        self.settings.device_options = options;
        self
    }

    /// Uses the devices that another session has opened: opening one takes a good part of a second.
    #[must_use]
    pub fn share_devices(mut self, other: &Session) -> Self {
        self.settings.drivers = other.settings.drivers.clone();
        self
    }

    /// What evaluations cost on this machine; by default what they cost on a usual one.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.settings.costs = costs;
        self
    }

    /// The folder for what does not fit the memory; by default the system's folder for temporary files.
    #[must_use]
    pub fn spill_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.spill_folder = Some(folder.into());
        self
    }

    /// The time between two entries of a checkpoint, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn checkpoint_interval(mut self, interval: std::time::Duration) -> Self {
        self.settings.checkpoint_interval = interval;
        self
    }

    /// Starts the threads: from 1 to [`Session::MOST_THREADS`].
    pub fn build(self) -> Result<Session> {
        let threads = self.settings.threads;
        if !(1..=Session::MOST_THREADS).contains(&threads) {
            let most = Session::MOST_THREADS;
            return Err(Error::usage(format!("{threads} threads are not possible: from 1 to {most} are"))
                .with_help("more threads than the machine has cores make no job faster"));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build();
        let pool = pool.map_err(|error| Error::no_thread(&threads_text(threads), error))?;
        Ok(Session { settings: self.settings, pool: Arc::new(pool) })
    }
}

fn threads_text(threads: usize) -> String {
    if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") }
}

impl Session {
    /// The threads that a session has at most: more than any machine has cores.
    pub const MOST_THREADS: usize = 4096;

    /// A session with all cores, most of the available memory, and a GPU where it helps.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// A session to be described.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Finds all pairs and clusters of a job.
    pub fn run(&self, job: &Job, observer: &dyn Observer) -> Result<Run> {
        let found = self.with(observer, |progress| engine::find(job, &self.settings, &[], progress))?;
        Ok(Run::new(self.clone(), job.clone(), found))
    }

    /// As [`Self::run`], for results that go to `folder`. While it runs, what it has found is kept there too; if it is
    /// interrupted, by whatever, the next call for the same job goes on from there, with any number of threads, memory and
    /// devices. [`RunRecord::resumption`](crate::RunRecord) says what came of that. [`Run::write`] removes it.
    pub fn resume(&self, job: &Job, folder: &OutputFolder, observer: &dyn Observer) -> Result<Run> {
        let path = folder.checkpoint();
        let found = self.with(observer, |progress| engine::resume(job, &self.settings, &path, progress))?;
        Ok(Run::new(self.clone(), job.clone(), found))
    }

    /// What a run of the job would do: the plan, with its expected candidates and costs.
    pub fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        self.with(observer, |progress| Ok(Prepared::new(job, &self.settings, progress)?.explain()))
    }

    /// The plan of a job as a value: for another machine, or for later.
    pub fn plan(&self, job: &Job, observer: &dyn Observer) -> Result<JobPlan> {
        self.with(observer, |progress| Ok(Prepared::new(&job.without_near(), &self.settings, progress)?.plan()))
    }

    /// Runs one branch of a plan over the records of the job's inputs, on the CPU.
    ///
    /// The inputs may be some of the records that the plan was made for: `rows` has their numbers among all records of each
    /// input, ascending; but for a link of two inputs, those of each input come after all of the inputs before it.
    /// All branches together own every pair of the job once. A plan of other inputs, rules or derived columns is refused.
    pub fn run_branch(
        &self,
        job: &Job,
        plan: &JobPlan,
        branch: usize,
        rows: &[Vec<u32>],
        observer: &dyn Observer,
    ) -> Result<BranchRun> {
        self.with(observer, |progress| engine::run_branch(job, (plan, branch), rows, &self.settings, progress))
    }

    /// Runs the job for what can be learned from it: the plan with what came of each join and check.
    pub fn analyze(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        self.with(observer, |progress| engine::analyze(job, &self.settings, progress))
    }

    /// Why the records with these ids are a pair of the job, or why not. In a link of two inputs the left id comes first, or
    /// ids have the input's name, as in `people:17`; for pairs within inputs too, or across more than two, they need it
    /// where several inputs have that id.
    pub fn why(&self, job: &Job, ids: [&str; 2], observer: &dyn Observer) -> Result<Why> {
        self.with(observer, |progress| engine::why(job, ids, self.settings.memory, progress))
    }

    /// Learns a model for the comparisons of the job's rules from its records, without knowing which of them match.
    pub fn train(&self, job: &Job, observer: &dyn Observer) -> Result<Trained> {
        self.with(observer, |progress| engine::train(job, &self.settings, progress))
    }

    /// Checks the rules of a job against the columns of its inputs, and against the first records of text files.
    /// Mistakes are an error that reports them all; what cannot be meant is in the answer.
    pub fn check(&self, job: &Job) -> Result<RuleCheck> {
        self.with(&(), |_| engine::check(job, self.settings.memory))
    }

    /// Describes the inputs of a job: what their columns hold, and which keys join their records with how many candidates.
    /// The job needs no rules, and they do not matter.
    pub fn profile(&self, job: &Job, observer: &dyn Observer) -> Result<Profile> {
        self.with(observer, |progress| profile::profile(job, self.settings.memory, progress))
    }

    /// What is worth seeing of a run whose results are in a folder: facts and tables for a page, within a size. `run` is the
    /// `run.json` in that folder, and `job` the job that was run, if it is known: its inputs are read again, and must be as
    /// they were. Nothing in the folder is changed.
    pub fn report(
        &self,
        (folder, run): (&Path, &RunRecord),
        job: Option<&Job>,
        options: &ReportOptions,
        observer: &dyn Observer,
    ) -> Result<RunReport> {
        self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            report::make_report(&ReportRequest { run, results: &results, job, options }, &self.settings, progress)
        })
    }

    /// The records of a cluster of a run whose results are in a folder, at most `most` of them; `id` is that of the cluster, or
    /// of one of its records. With the job, whose inputs are read again, records have their values.
    pub fn cluster(
        &self,
        (folder, run): (&Path, &RunRecord),
        job: Option<&Job>,
        (id, most): (&str, usize),
        observer: &dyn Observer,
    ) -> Result<ClusterRecords> {
        self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            report::cluster_records((run, &results, job), id, most, &self.settings, progress)
        })
    }

    /// Reads pairs and counts those of their transitive closure, which can then be written.
    pub fn closure(&self, job: &ClosureJob, observer: &dyn Observer) -> Result<Closure> {
        let solved = self.with(observer, |progress| closure::solve(job, &self.settings, progress))?;
        Ok(Closure::new(self.clone(), solved))
    }

    /// Reads pairs and says how their transitive closure would be found, and why.
    pub fn explain_closure(&self, job: &ClosureJob, observer: &dyn Observer) -> Result<ClosurePlan> {
        self.with(observer, |progress| closure::explain(job, &self.settings, progress))
    }

    /// Compares a result with the truth.
    pub fn evaluate(&self, request: &EvaluationRequest, observer: &dyn Observer) -> Result<Evaluation> {
        self.evaluate_and_list(request, EvaluationLists::default(), observer)
    }

    /// The same, and lists the pairs that the result has wrongly, or misses, in files.
    pub fn evaluate_and_list(
        &self,
        request: &EvaluationRequest,
        lists: EvaluationLists,
        observer: &dyn Observer,
    ) -> Result<Evaluation> {
        self.with(observer, |progress| evaluate::evaluate(request, lists, self.settings.memory, progress))
    }

    /// Writes what each threshold of an evaluation would find, a row each, the highest first; `name` is what messages call the
    /// writer.
    pub fn write_thresholds<W: Write + Send>(
        &self,
        thresholds: &[ThresholdScore],
        out: W,
        format: Format,
        name: &Path,
    ) -> Result<W> {
        self.with(&(), |_| evaluate::write_thresholds(thresholds, out, format, name))
    }

    /// The Datalog program of a file, if it fits the memory.
    pub fn read_program(&self, path: &Path) -> Result<RelateProgram> {
        RelateProgram::read_within(path, self.settings.memory)
    }

    /// The Datalog program of a text, if it fits the memory; `name` is what mistakes call it.
    pub fn parse_program(&self, name: &str, text: &str) -> Result<RelateProgram> {
        RelateProgram::parse_within(name, text, self.settings.memory)
    }

    /// Evaluates a Datalog program over its inputs.
    pub fn relate(&self, job: &RelateJob, observer: &dyn Observer) -> Result<RelatedTuples> {
        self.with(observer, |progress| datalog::relate(job, &self.settings, progress))
    }

    /// What [`Self::relate`] would do: strata, rules, and the order of their joins. Reads the inputs that the job has.
    pub fn explain_relate(&self, job: &RelateJob, observer: &dyn Observer) -> Result<RelateExplanation> {
        self.with(observer, |progress| datalog::explain(job, &self.settings, progress))
    }

    /// Writes each relation of `.output` into a folder, as a file of its name, and `run.json`, all together or not at all.
    pub fn write_related(
        &self,
        found: &mut RelatedTuples,
        folder: OutputFolder,
        format: Format,
        observer: &dyn Observer,
    ) -> Result<()> {
        self.with(observer, |progress| found.write_files(folder, format, progress))
    }

    /// How jobs run.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Does work on the threads of the session, until it ends or is cancelled.
    pub(crate) fn with<T: Send>(
        &self,
        observer: &dyn Observer,
        work: impl FnOnce(Progress<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        let is_cancelled = || observer.is_cancelled();
        self.pool.install(|| cancel::catch(|| work(Progress::new(observer, &is_cancelled))))
    }
}
