//! The ways to run a case. None of them may change a byte of the answer.

use std::time::Duration;

use sameas::{Error, Job, JobSpec, Result, Session};
use sameas_device::{Ablation, DeviceChoice, DeviceOptions, Scheduler, WarpSchedule};
use sameas_engine::plan::{AccessPath, Draw, Strategy};

/// Every access path, in the order of the alphabet.
pub fn paths() -> Vec<AccessPath> {
    let mut paths = AccessPath::ALL.to_vec();
    paths.sort_by_key(|path| path.name());
    paths
}

/// Those that a device runs.
pub fn device_paths() -> Vec<AccessPath> {
    let mut paths = paths();
    paths.retain(|path| path.declaration().has_device_path());
    paths
}

const THREADS: [usize; 3] = [1, 2, 5];
/// From so little that a few dozen pairs are spilled and indexes are built in many parts to more than any case needs.
/// No common factor with the number of threads: every budget meets every number of threads.
const MEMORY: [usize; 7] = [1 << 10, 1 << 26, 4 << 10, 16 << 10, 300, 64 << 10, 1 << 20];
/// Budgets that nothing fits, whatever a job needs.
const TINY_MEMORY: [usize; 4] = [1, 300, 1 << 10, 4 << 10];

/// Device memory unless a group is about it: plenty for every case, and quickly allocated and freed.
const DEVICE_MEMORY: usize = 64 << 20;
/// Budgets of device memory that hold a part of the work at a time, and one that holds nothing.
const TINY_DEVICE_MEMORY: [usize; 3] = [8 << 20, 32 << 20, 64 << 10];

/// The least number of times that records are cut into parts.
const CUTS: [u32; 3] = [1, 5, 11];

/// How the engine runs a case.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads.
    pub threads: usize,
    /// Bytes that a job may take.
    pub memory: usize,
    /// Where to run.
    pub device: DeviceChoice,
    /// How a device is used.
    pub device_options: DeviceOptions,
    /// How the job is planned.
    pub strategy: Strategy,
    /// The run is interrupted after this many branches, and resumed with other threads and another memory.
    pub interrupted_after: Option<usize>,
    /// The job is made again of its description, which was stored and read.
    pub by_spec: bool,
    /// The job runs over records that another has read, and that it was explained over.
    pub on_dataset: bool,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (device, device_options) = (DeviceChoice::Auto, DeviceOptions::default());
        Self {
            threads,
            memory: sameas_core::memory::default_limit(),
            device,
            device_options,
            strategy: Strategy::Full,
            interrupted_after: None,
            by_spec: false,
            on_dataset: false,
        }
    }
}

impl Options {
    /// A session with these threads, this memory and this device, which `earlier` may have opened.
    pub fn session(&self, earlier: Option<&Session>) -> Result<Session> {
        let mut builder = Session::builder().threads(self.threads).memory(self.memory);
        // Every branch is stored as soon as it has ended.
        builder = builder.checkpoint_interval(Duration::ZERO);
        if let Some(earlier) = earlier {
            builder = builder.share_devices(earlier);
        }
        builder.device(self.device).device_options(self.device_options.clone()).build()
    }

    /// The options of a run that goes on where this one was interrupted.
    pub fn after_interruption(&self) -> Self {
        let next = by_seed(self.device, self.threads as u64 + self.memory as u64 + 1, Strategy::Full);
        Self { interrupted_after: None, ..next }
    }

    /// The job, planned in this way.
    pub fn apply(&self, job: &Job) -> Result<Job> {
        let job = if self.by_spec { made_again(job)? } else { job.clone() };
        Ok(job.with_strategy(self.strategy))
    }
}

/// The job of a stored description of this one, which must have the same description.
fn made_again(job: &Job) -> Result<Job> {
    let spec = JobSpec::new(job);
    let stored = serde_json::to_string(&spec).map_err(|error| Error::internal(format!("a description: {error}")))?;
    let again = JobSpec::parse(&stored, "a stored description")?.job(&[])?;
    match JobSpec::new(&again) == spec {
        true => Ok(again),
        false => Err(Error::internal(format!("the job of this description has another one: {stored}"))),
    }
}

/// A way to run a case.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What is special about it, for the report of a failure.
    pub name: String,
    /// The options of the engine.
    pub options: Options,
}

impl Variant {
    /// The variant with these options.
    pub fn new(options: Options) -> Self {
        let plan = match options.strategy {
            Strategy::Random(Draw { seed, path: Some(path) }) => {
                format!("{} forced, the rest by seed {seed}", path.name())
            }
            Strategy::Random(draw) => format!("plan drawn by seed {}", draw.seed),
            named => format!("plan {}", named.name()),
        };
        let mut name = format!("{} threads, {} bytes, {plan}, {:?}", options.threads, options.memory, options.device);
        if let (Some(memory), true) = (options.device_options.memory, options.device != DeviceChoice::Cpu) {
            name += &format!(" with {memory} bytes");
        }
        if !options.device_options.logical.is_empty() {
            let by = options.device_options.scheduler.name();
            name += &format!(" as devices of sizes {:?} by {by}", options.device_options.logical);
        }
        if options.device_options.cuts > 0 {
            name += &format!(" cut {} times", options.device_options.cuts);
        }
        if let Some(branches) = options.interrupted_after {
            name += &format!(" interrupted after {branches} branches");
        }
        if options.by_spec {
            name += " by its description";
        }
        if options.on_dataset {
            name += " over a dataset";
        }
        if options.device_options.ablation != Ablation::default() {
            name += &format!(" with {:?}", options.device_options.ablation);
        }
        Self { name, options }
    }
}

/// The planner's own plan, then another one with other threads and another memory, of the job that its description makes and
/// every other time over a dataset, then an interrupted run, all by the seed.
pub fn drawn(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    // Any other plan has the same results: one of those that can be named, or one that is drawn.
    let named = Strategy::NAMED[(seed / 3) as usize % Strategy::NAMED.len()].1;
    let other = if seed.is_multiple_of(3) { named } else { Strategy::Random(Draw { seed, path: None }) };
    let interrupted = Some(seed as usize % 4);
    let first = by_seed(device, seed, Strategy::Full);
    let on_dataset = seed % 2 == 1;
    let second = Options { by_spec: true, on_dataset, ..by_seed(device, seed + 1, other) };
    let third = Options { interrupted_after: interrupted, ..by_seed(device, seed + 2, Strategy::Full) };
    [first, second, third].map(Variant::new).into()
}

/// Every access path wherever a rule can take it.
pub fn forced(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    let of_path = |(at, path): (_, AccessPath)| {
        let strategy = Strategy::Random(Draw { seed, path: Some(path) });
        Variant::new(by_seed(device, seed + at, strategy))
    };
    (0..).zip(paths()).map(of_path).collect()
}

/// Budgets of memory that nothing fits, under the planner's own plan and drawn ones.
pub fn tiny_memory(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    let of_budget = |(at, memory)| {
        let strategy = if at == 0 { Strategy::Full } else { Strategy::Random(Draw { seed: seed + at, path: None }) };
        Variant::new(Options { memory, ..by_seed(device, seed + at, strategy) })
    };
    (0..).zip(TINY_MEMORY).map(of_budget).collect()
}

/// As [`drawn`], and in so little memory that nothing fits.
pub fn drawn_and_tiny_memory(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    let mut variants = drawn(device, seed);
    variants.extend(tiny_memory(device, seed).into_iter().take(2));
    variants
}

/// Budgets of device memory that hold a part of the work at a time, after all there is.
pub fn tiny_device_memory(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    let budgets = std::iter::once(None).chain(TINY_DEVICE_MEMORY.map(Some));
    let of_budget = |(at, memory): (u64, Option<usize>)| {
        let strategy = if at == 0 { Strategy::Full } else { Strategy::Random(Draw { seed: seed + at, path: None }) };
        let device_options = DeviceOptions::default().with_memory(memory);
        Variant::new(Options { device_options, ..by_seed(device, seed + at, strategy) })
    };
    (0..).zip(budgets).map(of_budget).chain(cut(device, seed)).collect()
}

/// Records cut into parts as if they did not fit: a few, and so often that some are left to the CPU.
fn cut(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    let of_cuts = |(at, cuts): (u64, u32)| {
        let mut options = by_seed(device, seed + at, Strategy::Random(Draw { seed: seed + at, path: None }));
        options.device_options.logical = if at == 1 { vec![1, 1] } else { Vec::new() };
        options.device_options.cuts = cuts;
        Variant::new(options)
    };
    (0..).zip(CUTS).map(of_cuts).collect()
}

/// The work distributed over several devices, which are equal and unequal shares of one, by each scheduler; one of them is
/// slower than the others.
pub fn several_devices(device: DeviceChoice, seed: u64) -> Vec<Variant> {
    let of_sizes = |(logical, scheduler): (Vec<u32>, Scheduler)| {
        let mut device_options = DeviceOptions::default().with_memory(DEVICE_MEMORY);
        (device_options.logical, device_options.scheduler) = (logical, scheduler);
        device_options.slowdowns = vec![1, 3];
        Variant::new(Options { device_options, ..by_seed(device, seed, Strategy::Full) })
    };
    let hashing = Scheduler::BoundedHashing;
    let split = [(vec![1, 1], Scheduler::EvenSplit), (vec![2, 1, 1], Scheduler::RoundRobin)];
    let hashed = [vec![], vec![1, 1], vec![1, 4], vec![3, 1, 1]].map(|logical| (logical, hashing));
    split.into_iter().chain(hashed).map(of_sizes).collect()
}

/// Most seeds leave out nothing of the verifier on a device. Cases are so small that costs would never choose lists of sets:
/// every other seed does.
fn ablation(seed: u64) -> Ablation {
    let set_lists = [Some(true), None, Some(true), Some(false)][seed as usize % 4];
    // Slices of a case have few pairs.
    let ordered_from = [None, Some(1), Some(20)][seed as usize % 3];
    Ablation {
        no_queue: seed % 5 == 3,
        no_sequence: seed % 11 == 5,
        no_signatures: seed % 7 == 4,
        no_gate: seed % 6 == 5,
        no_overlap: seed % 2 == 1,
        no_copies: seed % 9 == 7,
        ordered_from,
        set_lists,
    }
}

/// The threads and the memory of a seed.
pub fn by_seed(device: DeviceChoice, seed: u64, strategy: Strategy) -> Options {
    let mut device_options = DeviceOptions::default().with_memory(DEVICE_MEMORY);
    device_options.ablation = ablation(seed);
    device_options.schedule = WarpSchedule::ALL[(seed / 2) as usize % 8 % WarpSchedule::ALL.len()];
    // Estimates of a case are seldom far off.
    device_options.misestimate_factor = [None, Some(0.0), None, Some(1.0)][(seed / 3) as usize % 4];
    // By itself an index pays for long lists only.
    device_options.text_index = [Some(true), None, Some(false), Some(true)][seed as usize % 4];
    Options {
        threads: THREADS[seed as usize % THREADS.len()],
        memory: MEMORY[seed as usize % MEMORY.len()],
        strategy,
        device,
        device_options,
        interrupted_after: None,
        by_spec: false,
        on_dataset: false,
    }
}
