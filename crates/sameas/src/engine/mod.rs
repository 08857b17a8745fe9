//! The engine: a job from its inputs to its results, step by step.
//!
//! [`find`] does it all: `load` reads the inputs and checks the rules against them, [`Prepared`] holds everything encoded
//! (`encode`) and planned, `join` enumerates and verifies (`gpu` on devices), `adaptive` reorders the checks of a branch
//! whose estimates were wrong, `pair_stage` is the way of the pairs from the verifier on, and `run` sorts, clusters and
//! writes; `timeline` has their times. `near` finds borderline pairs after all others. `branch_run` runs one branch of a
//! stored plan, if the rules are those that it was made for (`plan_key`). `inspected` looks at records of a run
//! again. `checkpoint` keeps what branches have found, so that an interrupted run can be resumed.

mod adaptive;
mod branch_run;
mod check;
mod checkpoint;
mod cluster_record;
mod encode;
mod gpu;
mod heavy_keys;
mod history;
mod id_columns;
mod input_names;
mod inspected;
mod inspected_columns;
mod job;
mod job_record;
mod join;
mod load;
mod near;
mod near_misses;
mod observer;
mod pair_stage;
mod plan_key;
mod prepared;
mod record;
mod rectangles;
mod run;
mod scoring;
mod settings;
mod timeline;
mod timestamp;
mod why;

pub use branch_run::{BranchRun, JobPlan, run_branch};
pub use check::{RuleCheck, check};
pub use checkpoint::{Resumption, StartOverReason};
pub use cluster_record::{ClusterCause, ClusterSizeRecord, LargestCluster, RulePairs};
pub use heavy_keys::{HeavyKey, has_keys};
pub use inspected::{
    ConditionWays, InspectedColumn, InspectedPair, InspectedRecords, InspectionRequest, RereadInputs, RereadRequest,
    inspect_pairs,
};
pub use inspected_columns::InputColumnCounts;
pub use job::Job;
pub use job_record::{DeriveRecord, JobRecord};
pub use load::{Loaded, load, open};
pub use near::{NearCondition, NearRecord};
pub use near_misses::{NearMiss, USUAL_AMOUNT, USUAL_WEIGHT, low_scores, near_misses};
pub use observer::{Observer, Progress, Stage, WorkUnit};
pub use pair_stage::PairStage;
pub use prepared::{Explanation, Prepared};
pub use record::{InputFileRecord, InputRecord, NeverRecord, Operator, OperatorRecord, RuleRecord, RunRecord};
pub use run::{Found, analyze, find, resume};
pub use scoring::{
    ComparisonScore, CoverRecord, HigherThreshold, SCORE_RULE, ScoreExplanation, ScoreRecord, Trained,
    WeightedExplanation, WeightedScore, train,
};
pub use settings::Settings;
pub use why::{OutsideScore, RecordField, Why, why};
