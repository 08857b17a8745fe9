//! sameas finds the records that mean the same thing: every pair of records that satisfies a rule, the clusters those
//! pairs form, and the reason for each.
//!
//! A [`Session`] has threads, memory and devices; a [`Job`] has inputs and rules; [`Session::run`] gives a [`Run`], whose
//! pairs and clusters are Arrow record batches or files:
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{RecordBatch, StringArray};
//! use sameas::{Input, Job, Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ids = StringArray::from(vec!["a", "b", "c"]);
//! let names = StringArray::from(vec!["Ann Smith", "Anne Smith", "Bob Jones"]);
//! let people = RecordBatch::try_from_iter([("id", Arc::new(ids) as _), ("name", Arc::new(names) as _)])?;
//!
//! let job = Job::dedupe(Input::batches("people", people.schema(), vec![people])?)
//!     .with_rule("jaro_winkler(l.name, r.name) >= 0.9");
//! let run = Session::new()?.run(&job, &())?;
//! for batch in run.pairs() {
//!     assert_eq!(batch?.num_rows(), 1);
//! }
//! assert_eq!(run.why(["a", "b"])?.match_key.as_deref(), Some("rule_1"));
//! # Ok(())
//! # }
//! ```
//!
//! What else there is, by the question it answers:
//!
//! - What do the inputs hold, and which keys join them well? [`Session::profile`] gives a [`Profile`].
//! - What will a job do, and what did it do? [`Session::explain`] and [`Session::analyze`] give an [`Explanation`],
//!   [`Run::record`] gives a [`RunRecord`], the content of `run.json`.
//! - Why are two records a pair, or not? [`Run::why`] gives a [`Why`].
//! - How sure is it that two records match? [`Session::train`] learns a [`Model`] for the comparisons of the rules,
//!   [`Job::with_model`] scores pairs by it.
//! - How does a Splink model become a job? [`SplinkSettings`] has its rules and its [`Model`], and what is not quite the same.
//! - What does a run look like? [`Run::report`] and [`Session::report`] give a [`RunReport`], which a page shows.
//! - How good is a result? [`Session::evaluate`] compares it with the truth and gives an [`Evaluation`].
//! - Which ids are connected by a path of pairs? [`Session::closure`] gives the transitive [`Closure`] of a file of pairs.
//! - What follows from relations by rules that refer to each other? [`Session::relate`] evaluates a [`RelateProgram`].
//! - What does a measure say of two columns? An [`Expression`] of the rule language is evaluated over a record batch.
//! - Where do jobs run? [`DeviceList::find`] lists the GPUs; [`DeviceChoice`] and [`DeviceOptions`] say what is used.
//! - Can the work be divided? [`Session::plan`] gives a [`JobPlan`], whose branches [`Session::run_branch`] runs.
//!
//! An [`Observer`] learns how far a job has come and can cancel it. The library prints nothing, reads no environment and
//! keeps no global state; an [`Error`] says what went wrong, where, and what to do next.

// Without the feature `internals` the rooms below are private, and what only measurements use looks unused.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

/// The rooms of the library, in the order of the layers: each imports only those before it. Benchmarks and the test kit
/// reach inside through the feature `internals`; nobody else can.
macro_rules! rooms {
    ($($room:ident)*) => {
        $(
            #[cfg(feature = "internals")]
            #[allow(missing_docs)]
            pub mod $room;
            #[cfg(not(feature = "internals"))]
            mod $room;
        )*
    };
}

rooms! {
    file_at memory cancel measure expr rules device records threshold device_values candidates verify score splink plan cluster graph
    output relation engine closure evaluate profile report datalog
}

mod api;
mod error;

pub use api::{Closure, ResultBatches, Run, Session, SessionBuilder};
pub use closure::{ClosureJob, ClosureMethod, ClosurePlan, ClosureReason};
pub use datalog::{BatchSink, RelateExplanation, RelateJob, RelateProgram, RelatedTuples, ValueKind};
pub use datalog::{JoinedAtom, PlannedJoin, PlannedRule, RelationTuples, RoundRecord, StratumRecord};
pub use device::DoesNotFit;
pub use device::{DeviceChoice, DeviceInfo, DeviceKind, DeviceList, DeviceOptions, NoGpu, WarpSchedule};
pub use engine::{
    BranchRun, Explanation, Job, JobPlan, Observer, Resumption, RuleCheck, Stage, StartOverReason, Why, WorkUnit,
};
pub use engine::{ClusterCause, ClusterSizeRecord, LargestCluster, RulePairs};
pub use engine::{
    ComparisonScore, CoverRecord, HigherThreshold, OutsideScore, ScoreExplanation, ScoreRecord, Trained,
    WeightedExplanation, WeightedScore,
};
pub use engine::{DeriveRecord, InputFileRecord, JobRecord};
pub use engine::{
    InputRecord, NearCondition, NearRecord, NeverRecord, Operator, OperatorRecord, RecordField, RuleRecord, RunRecord,
};
pub use error::{Error, ErrorCode, ErrorKind, Result, printable};
pub use evaluate::{
    AnswerKind, Blocking, Evaluation, EvaluationLists, EvaluationRequest, PairCounts, PairList, RuleScore,
    ThresholdScore,
};
pub use expr::FieldValue;
pub use output::{FileRecord, Format, OutputFolder, PartialFile, PartialResults, ResultFile};
pub use plan::cost::Costs;
pub use plan::cost::calibrate::Calibration;
pub use plan::{AccessPath, BranchRecord, StepRecord, Strategy, TableRecord};
pub use plan::{BranchPlace, ChoiceReason, CpuReason, PlanWarning, RevisionRecord};
pub use profile::{ColumnLook, ColumnProfile, ColumnType, FormatCount, GarbledText, InputProfile, JoinKey, KeySearch};
pub use profile::{KeyVerdict, LargestGroup, PatternCount, Profile, SharedValues, TextFormat, TextProfile, ValueCount};
pub use records::stats::Statistics;
pub use records::{DECODER_THREAD, Expression, Input, SkippedRecord};
pub use report::{ClusterColumn, ClusterMember, ClusterPair, ClusterRecords};
pub use report::{
    DataColumnKind, FrequentTerm, MissSource, ReportBranch, ReportClusterSize, ReportClusters, ReportColumn,
    ReportComparison, ReportCondition, ReportData, ReportEvaluation, ReportFacts, ReportFile, ReportHeader,
    ReportHeavyKey, ReportHeavyValue, ReportInput, ReportInputColumn, ReportInputFile, ReportLargestCluster,
    ReportLevel, ReportNear, ReportNearCondition, ReportNever, ReportOptions, ReportOverview, ReportPlan, ReportRule,
    ReportRuleScore, ReportRules, ReportSampling, ReportScores, ReportSearch, ReportSimilarity, ReportStage,
    ReportStep, ReportTable, ReportTermFrequency, ReportThreshold, ReportThresholdPoint, RuleOverlap, RuleThreshold,
    RunReport, ScoreKind, ShownPart, TermBin, ThresholdBin, ThresholdDirection, ValueBin, WithoutValues,
};
pub use rules::{Contradiction, Doubt, DoubtKind, LiteralRecord, RuleLabel, Severity, Simplification};
pub use rules::{FunctionGroup, FunctionInfo, function, functions};
pub use rules::{LinkType, RuleFile, RuleFileText};
pub use score::{ComparisonModel, LearnedFrom, LevelModel, Model, ScoreBin, TrainingPass};
pub use splink::{SplinkNote, SplinkNoteKind, SplinkSettings};
pub use verify::{Finding, Inspection, NamedValue};

// Record batches that come in and go out are of these versions of Arrow's crates.
pub use {arrow_array, arrow_schema};

/// The version of the library, as `run.json` gives it.
const VERSION: &str = env!("CARGO_PKG_VERSION");
