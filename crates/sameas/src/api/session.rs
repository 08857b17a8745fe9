//! A session: threads, memory and devices for any number of jobs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::SchemaRef;
use sameas_core::cancel;
use sameas_core::error::{Error, Result};
use sameas_datalog::closure::{self, ClosureJob, ClosurePlan};
use sameas_datalog::datalog::{self, RelateExplanation, RelateJob, RelateProgram, RelatedTuples};
use sameas_device::{DeviceChoice, DeviceOptions};
use sameas_engine::dataset::RecordPart;
use sameas_engine::engine::{
    self, BranchPairs, BranchRun, Explanation, OfAllRecords, PairUse, PartRecords, RuleCheck, RunRecord, Why,
};
use sameas_engine::job::{Job, JobSpec};
use sameas_engine::observer::{Observer, Progress};
use sameas_engine::plan::JobPlan;
use sameas_engine::plan::cost::Costs;
use sameas_engine::scoring::{self, ColumnFrequencies, Trained};
use sameas_engine::settings::Settings;
use sameas_pairs::cluster_pairs::{self, ClusterPairsJob, PairClusters};
use sameas_records::output::{Format, OutputFolder};
use sameas_records::records::stats::Statistics;
use sameas_report::evaluate::{
    self, ClusterComparison, ComparisonRequest, EstimateRequest, Evaluation, EvaluationLists, EvaluationRequest,
    LabelEstimates, SweepRequest, SweepTable, ThresholdScore,
};
use sameas_report::profile::{self, Profile};
use sameas_report::report::{
    self, ClusterRecords, ClusterRequest, FolderResults, ReportOptions, ReportRequest, RunReport,
};

use super::closure::Closure;
use super::run::{Run, RunRecords};

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
    ///
    /// ```no_run
    /// # use std::path::Path;
    /// # fn main() -> sameas::Result<()> {
    /// let measured = sameas::Costs::calibrate(false, &mut |done, total| println!("{done} of {total}"))?;
    /// measured.costs.write(Path::new("costs.json"))?;
    /// let session = sameas::Session::builder().costs(measured.costs).build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.settings.costs = costs;
        self
    }

    /// Whether the records of a run stay at hand for questions about it ([`Run::why`], [`Run::report`]), if they take at most half
    /// of the memory with all that is made of them; otherwise they are read again. By default they stay.
    #[must_use]
    pub fn keep_records(mut self, keep: bool) -> Self {
        self.settings.keeps_records = keep;
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
        let found =
            self.with(observer, |progress| engine::find(job, None, &self.settings, PairUse::default(), progress))?;
        Ok(Run::new(self.clone(), job.clone(), found))
    }

    /// As [`Self::run`], for results that go to `folder`. While it runs, what it has found is kept there too; if it is
    /// interrupted, by whatever, the next call for the same job goes on from there, with any number of threads, memory and
    /// devices. [`RunRecord::resumption`](crate::RunRecord) says what came of that. [`Run::write`] removes it.
    pub fn resume(&self, job: &Job, folder: &OutputFolder, observer: &dyn Observer) -> Result<Run> {
        let path = folder.checkpoint();
        let found = self.with(observer, |progress| engine::resume(job, None, &self.settings, &path, progress))?;
        Ok(Run::new(self.clone(), job.clone(), found))
    }

    /// What a run of the job would do: the plan, with its expected candidates and costs.
    pub fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        self.with(observer, |progress| engine::explain(job, None, &self.settings, progress))
    }

    /// The plan of a job as a value: for another machine, or for later.
    pub fn plan(&self, job: &Job, observer: &dyn Observer) -> Result<JobPlan> {
        self.with(observer, |progress| engine::plan(&job.without_near(), None, &self.settings, progress))
    }

    /// What is known of the records of a job: enough to [plan](Self::plan_from) it elsewhere. It can be stored, and put together
    /// with that of other records ([`Statistics::merge`]). **It has values of records in it**, so it must be kept like these.
    pub fn statistics(&self, job: &Job, observer: &dyn Observer) -> Result<Statistics> {
        self.with(observer, |progress| engine::statistics(job, None, &self.settings, progress))
    }

    /// The same of some of the records, which the inputs of the job have: `numbers` are those of the records of each input
    /// among all of that input, ascending. No two parts have a record in common.
    pub fn statistics_of_part(&self, job: &Job, numbers: &[Vec<u64>], observer: &dyn Observer) -> Result<Statistics> {
        self.with(observer, |progress| engine::statistics(job, Some(numbers), &self.settings, progress))
    }

    /// The plan of a job from statistics of its records and from the columns of its inputs: no record is read. It may be another
    /// one than [`Self::plan`] makes, with the same pairs. A job whose own rules do not find its pairs is refused.
    pub fn plan_from(
        &self,
        spec: &JobSpec,
        schemas: &[SchemaRef],
        statistics: &Statistics,
        observer: &dyn Observer,
    ) -> Result<JobPlan> {
        self.with(observer, |progress| engine::plan_from(spec, schemas, statistics, &self.settings, progress))
    }

    /// Reads one part of the records of a job, or several, for the branches of its plan; the inputs of the job itself are not looked
    /// at. Each part is read and encoded once, whatever it is paired with. Parts that do not fit the memory together are refused:
    /// open fewer of them at a time.
    ///
    /// Records have numbers of 64 bits, by which they are in order: these decide which one of a pair is left, and in which order
    /// pairs come. What only all records can tell is given with them. A plan of other inputs, rules or derived columns is refused,
    /// and so is a job that ranks all its records (`neighbours`).
    pub fn open_parts(
        &self,
        job: &Job,
        plan: &JobPlan,
        parts: &[RecordPart],
        of_all: &OfAllRecords,
        observer: &dyn Observer,
    ) -> Result<PartRecords> {
        self.with(observer, |progress| engine::open_parts(job, plan, parts, of_all, &self.settings, progress))
    }

    /// Runs one branch of a plan over the records of parts: the pairs within each part or one of them, or those across two. They
    /// have the scores that a run gives them, and none that a run would not give.
    ///
    /// All branches together own every pair of the job once. So however the records are divided into parts, the pairs of all
    /// branches within each part and across each two of them are those of a run. [`JobPlan::kinds`] says by which keys records can
    /// be divided so that no branch has pairs across parts.
    pub fn run_branch(
        &self,
        plan: &JobPlan,
        branch: usize,
        records: &PartRecords,
        pairs: BranchPairs,
        observer: &dyn Observer,
    ) -> Result<BranchRun> {
        self.with(observer, |progress| engine::run_branch(plan, branch, records, pairs, &self.settings, progress))
    }

    /// Runs the job for what can be learned from it: the plan with what came of each join and check.
    pub fn analyze(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        self.with(observer, |progress| engine::analyze(job, None, &self.settings, progress))
    }

    /// Why the records with these ids are a pair of the job, or why not. In a link of two inputs the left id comes first, or
    /// ids have the input's name, as in `people:17`; for pairs within inputs too, or across more than two, they need it
    /// where several inputs have that id. A link compares no two records of one input: of these only a run has something to say.
    pub fn why(&self, job: &Job, ids: [&str; 2], observer: &dyn Observer) -> Result<Why> {
        self.with(observer, |progress| engine::ask_why(job, None, ids, &self.settings, progress))
    }

    /// Learns a model for the comparisons of the job's rules from its records, without knowing which of them match.
    pub fn train(&self, job: &Job, observer: &dyn Observer) -> Result<Trained> {
        self.with(observer, |progress| engine::train(job, None, &self.settings, progress))
    }

    /// Counts how frequent the values of the columns are that comparisons of the job weigh by their frequency: a table for
    /// each column, which [`Job::with_term_frequencies`] takes in a job over other records, so that values weigh as they do
    /// in this one.
    pub fn term_frequencies(&self, job: &Job, observer: &dyn Observer) -> Result<Vec<ColumnFrequencies>> {
        self.with(observer, |progress| scoring::count_frequencies(job, None, self.settings.memory, progress))
    }

    /// Writes the frequencies of the values of a column; `name` is what messages call the writer.
    pub fn write_term_frequencies<W: Write + Send>(
        &self,
        frequencies: &ColumnFrequencies,
        out: W,
        format: Format,
        name: &Path,
    ) -> Result<W> {
        self.with(&(), |_| frequencies.write(out, format, name))
    }

    /// Checks the rules of a job against the columns of its inputs, and against the first records of text files.
    /// Mistakes are an error that reports them all; conditions that are likely mistakes are in the answer.
    pub fn check(&self, job: &Job) -> Result<RuleCheck> {
        self.with(&(), |_| engine::check(job, self.settings.memory))
    }

    /// Describes the inputs of a job: what their columns hold, and which keys join their records with how many candidates.
    /// The job needs no rules, and they do not matter; neither do ids, which no record needs.
    pub fn profile(&self, job: &Job, observer: &dyn Observer) -> Result<Profile> {
        self.with(observer, |progress| profile::profile(job, self.settings.memory, progress))
    }

    /// What is worth seeing of a run whose results are in a folder: facts and tables for a page, within a size. `run` is the
    /// `run.json` in that folder, and `job` the job that was run, which [`JobSpec::job`](crate::JobSpec::job) makes of it: its
    /// inputs are read again, and must be as they were. Nothing in the folder is changed.
    pub fn report(
        &self,
        folder: &Path,
        run: &RunRecord,
        job: Option<&Job>,
        options: &ReportOptions,
        observer: &dyn Observer,
    ) -> Result<RunReport> {
        self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            let request = ReportRequest { run, results: &results, job, at_hand: None, options };
            report::make_report(&request, &self.settings, progress)
        })
    }

    /// As [`Self::report`], of a run whose records are at hand, so that they are not read again.
    pub fn report_on(
        &self,
        records: &RunRecords,
        folder: &Path,
        run: &RunRecord,
        options: &ReportOptions,
        observer: &dyn Observer,
    ) -> Result<RunReport> {
        self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            let (job, at_hand) = (Some(&records.records.job), Some(&records.records));
            let request = ReportRequest { run, results: &results, job, at_hand, options };
            report::make_report(&request, &self.settings, progress)
        })
    }

    /// Why two records of a run whose results are in a folder are a pair, or why not, and if they are no pair of one cluster, what
    /// connects them. `job` is the job that was run: its inputs are read again, and must be as they were.
    pub fn why_in(
        &self,
        folder: &Path,
        run: &RunRecord,
        job: &Job,
        ids: [&str; 2],
        observer: &dyn Observer,
    ) -> Result<Why> {
        let mut why = self.why(job, ids, observer)?;
        // Without clusters of their own, all pairs are pairs of one cluster.
        if why.match_key.is_some() && run.cut.is_none() && run.clusters_at.is_empty() {
            return Ok(why);
        }
        why.connection = self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            report::connection_in_results(&results, run, job, &why, self.settings.memory, progress)
        })?;
        Ok(why)
    }

    /// The records of a cluster of a run whose results are in a folder. What is asked for is the id of the cluster, or of one of
    /// its records, and how many records at most. With the job, whose inputs are read again, records have their values.
    pub fn cluster(
        &self,
        folder: &Path,
        run: &RunRecord,
        job: Option<&Job>,
        id: &str,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<ClusterRecords> {
        self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            let request = ClusterRequest { run, results: &results, job, at_hand: None };
            report::cluster_records(request, id, most, &self.settings, progress)
        })
    }

    /// As [`Self::cluster`], of a run whose records are at hand, so that they are not read again.
    pub fn cluster_on(
        &self,
        records: &RunRecords,
        folder: &Path,
        run: &RunRecord,
        id: &str,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<ClusterRecords> {
        self.with(observer, |progress| {
            let results = FolderResults::open(folder, run)?;
            let (job, at_hand) = (Some(&records.records.job), Some(&records.records));
            let request = ClusterRequest { run, results: &results, job, at_hand };
            report::cluster_records(request, id, most, &self.settings, progress)
        })
    }

    /// Reads pairs and counts those of their transitive closure, which can then be written.
    ///
    /// ```no_run
    /// # use sameas::closure::ClosureJob;
    /// # use sameas::{Format, Input, Session};
    /// # fn main() -> sameas::Result<()> {
    /// let job = ClosureJob::new(Input::files(["edges.csv"]));
    /// let closure = Session::new()?.closure(&job, &())?;
    /// println!("{} pairs", closure.pairs());
    /// closure.write(std::fs::File::create("closure.csv").unwrap(), Format::Csv, "closure.csv", &())?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn closure(&self, job: &ClosureJob, observer: &dyn Observer) -> Result<Closure> {
        let solved = self.with(observer, |progress| closure::solve(job, &self.settings, progress))?;
        Ok(Closure::new(self.clone(), solved))
    }

    /// Reads pairs and says how their transitive closure would be found, and why.
    pub fn explain_closure(&self, job: &ClosureJob, observer: &dyn Observer) -> Result<ClosurePlan> {
        self.with(observer, |progress| closure::explain(job, &self.settings, progress))
    }

    /// Makes clusters of pairs of any origin.
    ///
    /// ```no_run
    /// # use sameas::clusters::{ClusterPairsJob, ClusterSpec};
    /// # use sameas::{Input, Session};
    /// # fn main() -> sameas::Result<()> {
    /// let small = ClusterSpec { max_size: Some(5), ..ClusterSpec::default() };
    /// let job = ClusterPairsJob::new(Input::files(["pairs.csv"])).with_spec(small);
    /// let found = Session::new()?.cluster_pairs(&job, &())?;
    /// println!("{} pairs are cut", found.record().cut.pairs);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cluster_pairs(&self, job: &ClusterPairsJob, observer: &dyn Observer) -> Result<PairClusters> {
        self.with(observer, |progress| cluster_pairs::cluster_pairs(job, &self.settings, progress))
    }

    /// Writes clusters of pairs into a folder: `clusters`, `cut` and `run.json`, all together or not at all.
    pub fn write_pair_clusters(
        &self,
        found: &mut PairClusters,
        folder: OutputFolder,
        format: Format,
        observer: &dyn Observer,
    ) -> Result<()> {
        self.with(observer, |progress| found.write_files(folder, format, progress))
    }

    /// Compares a result with the truth.
    ///
    /// ```no_run
    /// # use sameas::evaluate::{AnswerKind, EvaluationRequest};
    /// # use sameas::{Input, Session};
    /// # fn main() -> sameas::Result<()> {
    /// let (found, truth) = (Input::files(["out/pairs.parquet"]), Input::files(["truth.csv"]));
    /// let request = EvaluationRequest::new(found, AnswerKind::Pairs, truth);
    /// println!("{:?}", Session::new()?.evaluate(&request, &())?.counts.f1());
    /// # Ok(())
    /// # }
    /// ```
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

    /// Estimates how good a result is from pairs that people have judged: precision and recall among the pairs that these were
    /// drawn from, with intervals.
    pub fn estimate(&self, request: &EstimateRequest, observer: &dyn Observer) -> Result<LabelEstimates> {
        self.with(observer, |progress| evaluate::estimate(request, self.settings.memory, progress))
    }

    /// Compares the clusters of two results with each other.
    pub fn compare_clusters(&self, request: &ComparisonRequest, observer: &dyn Observer) -> Result<ClusterComparison> {
        self.with(observer, |progress| evaluate::compare_clusters(request, self.settings.memory, progress))
    }

    /// Compares thresholds and ways to make clusters of the same pairs, which are read once: by the truth, by labelled pairs, or by
    /// how much the clusters change from one threshold to the next.
    ///
    /// ```no_run
    /// # use sameas::clusters::ClusterPairsJob;
    /// # use sameas::evaluate::SweepRequest;
    /// # use sameas::{Input, Session};
    /// # fn main() -> sameas::Result<()> {
    /// let job = ClusterPairsJob::new(Input::files(["pairs.csv"]));
    /// let mut request = SweepRequest::new(job);
    /// request.truth = Some(Input::files(["truth.csv"]));
    /// let table = Session::new()?.sweep(&request, &())?;
    /// println!("{:?}", table.best().map(|best| &table.rows[best].spec));
    /// # Ok(())
    /// # }
    /// ```
    pub fn sweep(&self, request: &SweepRequest, observer: &dyn Observer) -> Result<SweepTable> {
        self.with(observer, |progress| evaluate::sweep(request, self.settings.memory, progress))
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
