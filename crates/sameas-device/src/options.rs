//! How devices are used.

/// How a device is used. None of this changes the result.
///
/// ```
/// # mod sameas { pub use sameas_device::*; }
/// let options = sameas::DeviceOptions::default().with_memory(4 << 30);
/// # assert_eq!(options.memory, Some(4 << 30));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DeviceOptions {
    /// Bytes of device memory that may be taken; by default most of what is free.
    pub memory: Option<usize>,
    /// Relative sizes of the logical devices that a GPU counts as, each with its share of the memory: work is then
    /// distributed as it is to several GPUs. Without any it is one device.
    #[doc(hidden)]
    pub logical: Vec<u32>,
    /// Who does which unit of the work where there are several devices.
    #[doc(hidden)]
    pub scheduler: Scheduler,
    /// Which warp does which task of a launch: for measurements.
    #[doc(hidden)]
    pub schedule: WarpSchedule,
    /// How many times slower each device is made than it is, for tests and measurements.
    #[doc(hidden)]
    pub slowdowns: Vec<u32>,
    /// Records are cut into parts at least this many times, whether they fit or not: for tests.
    #[doc(hidden)]
    pub cuts: u32,
    /// Checks are counted one by one, which takes a device some time.
    #[doc(hidden)]
    pub count_checks: bool,
    /// How many times the expected share of candidates a check may pass before the checks of a branch are put into another
    /// order, where it is not the usual number; every branch is tried then: for tests.
    #[doc(hidden)]
    pub misestimate_factor: Option<f64>,
    /// What is left out, to measure what it is worth, or chosen for a test.
    #[doc(hidden)]
    pub ablation: Ablation,
    /// Whether texts are joined by an index wherever there is one, or never; by default where it pays: for tests.
    #[doc(hidden)]
    pub text_index: Option<bool>,
    /// The first of the emulated devices fails at this launch, counted from 1, and at everything after it, as a lost
    /// device does: for tests.
    #[doc(hidden)]
    pub fail_at_launch: Option<u64>,
    /// What happens to a branch on a device that fails, where the device was chosen by name.
    #[doc(hidden)]
    pub on_failure: OnFailure,
}

impl DeviceOptions {
    /// Takes at most this many bytes of device memory; with `None`, most of what is free.
    #[must_use]
    pub fn with_memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.memory = bytes.into();
        self
    }

    /// For experiments: another scheduler distributes the work of several devices.
    #[doc(hidden)]
    #[must_use]
    pub fn with_scheduler(mut self, scheduler: Scheduler) -> Self {
        self.scheduler = scheduler;
        self
    }

    /// For experiments: candidates do not wait until an expensive check has work for all lanes.
    #[must_use]
    pub fn without_queue(mut self) -> Self {
        self.ablation.no_queue = true;
        self
    }

    /// For experiments: the checks of a branch are walked by recursion, each where it is met.
    #[must_use]
    pub fn without_sequence(mut self) -> Self {
        self.ablation.no_sequence = true;
        self
    }

    /// For experiments: signatures are not tested before texts are compared.
    #[must_use]
    pub fn without_signatures(mut self) -> Self {
        self.ablation.no_signatures = true;
        self
    }

    /// For experiments: dense candidates are walked through the tree one by one, without a test of many together.
    #[must_use]
    pub fn without_gate(mut self) -> Self {
        self.ablation.no_gate = true;
        self
    }

    /// For experiments: the warps of a launch share its tasks in another way.
    #[must_use]
    pub fn with_schedule(mut self, schedule: WarpSchedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// For experiments: files are written one after the other.
    #[must_use]
    pub fn without_overlap(mut self) -> Self {
        self.ablation.no_overlap = true;
        self
    }
}

/// What happens to a branch on a device that fails: an illegal access, a lost device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The job ends with an error.
    #[default]
    Error,
    /// The branch is done again on the CPU, and the device is not used again: so it is where
    /// [`DeviceChoice::Auto`](super::DeviceChoice::Auto) chose it.
    UseCpu,
}

/// How the units of a job's work are given to several devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    /// Consecutive units, in proportion to the sizes of the devices.
    EvenSplit,
    /// One after the other.
    RoundRobin,
    /// Consistent hashing with bounded loads; idle devices take from busy ones.
    #[default]
    BoundedHashing,
}

impl Scheduler {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::EvenSplit, Self::RoundRobin, Self::BoundedHashing];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::EvenSplit => "even-split",
            Self::RoundRobin => "round-robin",
            Self::BoundedHashing => "bounded-hashing",
        }
    }
}

/// Which warp of a device does which task of a launch. All but the first are experiments, after "HyperBlocker".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarpSchedule {
    /// All take the next one from a counter.
    #[default]
    Queue,
    /// Each has as many consecutive ones.
    Continuous,
    /// Parallel sliding windows: each has one of every window, which is as wide as there are warps.
    Windows,
    /// The same, and then any that nobody has taken: stealing between intervals.
    WindowStealing,
    /// Each has consecutive ones, and then half of another's: stealing within intervals.
    RangeStealing,
}

impl WarpSchedule {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Queue, Self::Continuous, Self::Windows, Self::WindowStealing, Self::RangeStealing];
}

/// Parts of a device's work that are left out, each by a flag, or not chosen by cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ablation {
    /// Candidates do not wait in shared memory until an expensive check has work for all lanes.
    pub no_queue: bool,
    /// The tree of checks is walked by recursion instead of as a sequence.
    pub no_sequence: bool,
    /// Signatures are not tested before texts are compared.
    pub no_signatures: bool,
    /// Dense candidates are walked through the tree one by one, without a test of many together.
    pub no_gate: bool,
    /// Files are written one after the other.
    pub no_overlap: bool,
    /// Columns of the verifier are not copied to the device where kernels can read them in the memory of the host.
    pub no_copies: bool,
    /// Pairs of a slice from which on the device brings them in order, where it is not the usual number.
    pub ordered_from: Option<usize>,
    /// Whether sets meet in the lists of prefix tokens or in one list of everything, where costs do not decide it.
    pub set_lists: Option<bool>,
}
