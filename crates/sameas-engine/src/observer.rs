//! What a caller learns of a job while it runs, and how it stops one.

use crate::cancel::Cancel;
use crate::candidates::AccessPath;
use crate::plan::PlanWarning;
use crate::rules::Doubt;

/// Learns how far a job has come, and can stop it. Called from several threads at once.
///
/// `()` is the observer that wants to know nothing.
///
/// ```
/// # mod sameas { pub use sameas_core::error::*; pub use sameas_engine::{job::*, observer::*}; pub use sameas_records::records::Input; }
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// /// Prints what is done; another thread sets the flag to stop it.
/// struct Printing(AtomicBool);
///
/// impl sameas::Observer for Printing {
///     fn stage(&self, stage: &sameas::Stage, _: Option<u64>) {
///         eprintln!("{stage:?}");
///     }
///     fn is_cancelled(&self) -> bool {
///         self.0.load(Ordering::Relaxed)
///     }
/// }
/// ```
pub trait Observer: Sync {
    /// A stage begins, with this many [units](Stage::unit) of work if their number is known.
    fn stage(&self, stage: &Stage, total: Option<u64>) {
        let _ = (stage, total);
    }

    /// More of the stage's work is done.
    fn advance(&self, amount: u64) {
        let _ = amount;
    }

    /// Some conditions of the rules are likely mistakes. Called before the work that depends on them, perhaps several times,
    /// each time with others.
    fn doubts(&self, doubts: &[Doubt]) {
        let _ = doubts;
    }

    /// The plan is made, and candidates are about to be looked for; `warnings` says what is expensive about that.
    fn planned(&self, warnings: &[PlanWarning]) {
        let _ = warnings;
    }

    /// More candidates were looked at, and more pairs were found.
    fn counted(&self, candidates: u64, pairs: u64) {
        let _ = (candidates, pairs);
    }

    /// Much memory was freed. Where the allocator keeps what is freed, a program can have it returned to the system here.
    fn memory_freed(&self) {}

    /// Whether the job shall stop. It then ends within half a second with [`ErrorCode::Cancelled`](crate::error::ErrorCode) and
    /// leaves nothing behind. Called often: it should only look at a flag.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// What a job does at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// The inputs are read.
    Reading,
    /// Derived columns are computed, and the values that rules compare are encoded.
    Encoding,
    /// The records are surveyed, and the plan is made.
    Planning,
    /// A predicate is decided once for all pairs of distinct values.
    DecidingTable {
        /// The predicate as it is written.
        predicate: String,
    },
    /// Candidates are found and verified.
    Joining {
        /// How they are found.
        path: AccessPath,
        /// The rules that they are for.
        rules: Vec<String>,
        /// Whether they are near pairs of these rules, and not their pairs.
        near: bool,
        /// The number of the branch and of all branches. Branches that have not begun may be planned again, so the second may
        /// change.
        branch: (usize, usize),
        /// From where to where it is of the work that the planner expects all branches to be, in thousandths; nothing where
        /// that is not known.
        work: Option<(u32, u32)>,
        /// The round and the number of rounds: more than one where the index does not fit the memory.
        round: (usize, usize),
        /// Whether the pairs of the most frequent values are left, which all threads share.
        frequent_values: bool,
    },
    /// The pairs are sorted, and the clusters formed.
    Sorting,
    /// A model is learned.
    Training,
    /// Columns are described, and keys are tried.
    Profiling,
    /// Ids of pairs are numbered, and what lies on one cycle becomes one.
    Condensing,
    /// The pairs of a closure are counted.
    Counting,
    /// The rules of a Datalog program are applied.
    Relating {
        /// The number of the stratum and of all strata.
        stratum: (usize, usize),
        /// The round, from 1.
        round: u32,
        /// Tuples that the relations of the stratum have after the round before.
        tuples: u64,
    },
    /// Relations are written.
    WritingRelations,
    /// Results are looked at for a report.
    Reporting,
    /// Pairs and clusters are written, at the same time.
    WritingResults,
    /// Pairs are written.
    WritingPairs,
    /// Clusters are written.
    WritingClusters,
    /// Records are read once more, and written with their clusters, or as entities.
    WritingRecords,
}

/// What the work of a stage is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkUnit {
    /// It is not counted.
    None,
    /// Records.
    Records,
    /// Tasks of about the same size.
    Tasks,
    /// Pairs.
    Pairs,
    /// Rows of tables of results.
    Rows,
}

impl Stage {
    /// What its work is counted in.
    pub fn unit(&self) -> WorkUnit {
        match self {
            Self::Encoding
            | Self::Planning
            | Self::DecidingTable { .. }
            | Self::Sorting
            | Self::Training
            | Self::Condensing
            | Self::Reporting
            | Self::Relating { .. } => WorkUnit::None,
            Self::Reading | Self::WritingClusters | Self::WritingRecords => WorkUnit::Records,
            Self::Joining { .. } | Self::Profiling | Self::Counting => WorkUnit::Tasks,
            Self::WritingPairs => WorkUnit::Pairs,
            Self::WritingResults | Self::WritingRelations => WorkUnit::Rows,
        }
    }
}

/// An observer as the engine sees it: whatever is reported is also a chance to stop.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    observer: &'a dyn Observer,
    cancel: Cancel<'a>,
}

impl<'a> Progress<'a> {
    /// Reports to `observer`; `is_cancelled` asks it.
    pub fn new(observer: &'a dyn Observer, is_cancelled: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { observer, cancel: Cancel::when(is_cancelled) }
    }

    /// The same for work of which nobody needs to learn anything; it can still be stopped.
    #[must_use]
    pub fn silent(self) -> Self {
        Self { observer: &(), ..self }
    }

    /// A stage begins.
    pub fn begin(&self, stage: &Stage, total: Option<u64>) {
        self.cancel.check();
        self.observer.stage(stage, total);
    }

    /// Some conditions are likely mistakes.
    pub fn doubts(&self, doubts: &[Doubt]) {
        if !doubts.is_empty() {
            self.observer.doubts(doubts);
        }
    }

    /// The plan is made.
    pub fn planned(&self, warnings: &[PlanWarning]) {
        self.observer.planned(warnings);
    }

    /// More work is done.
    pub fn advance(&self, amount: u64) {
        self.observer.advance(amount);
        self.cancel.check();
    }

    /// More candidates were looked at, and more pairs were found.
    pub fn counted(&self, candidates: u64, pairs: u64) {
        self.observer.counted(candidates, pairs);
    }

    /// Much memory was freed.
    pub fn memory_freed(&self) {
        self.observer.memory_freed();
    }

    /// Ends the job here if the caller wants that.
    pub fn cancel(&self) -> Cancel<'a> {
        self.cancel
    }
}
