//! The engine: a job from its inputs to its results, step by step.
//!
//! [`find`] does it all. A `bound_job` is a job with its records, read and encoded (`dataset`), its rules (`job_rules`) and what its
//! pairs are scored by. `run_plan` plans it, `execute` runs the plan, and the pairs are sorted and clustered. [`JobResults`] is the
//! result: `largest_cluster` looks at it, and `writing` makes files of it. `near` finds borderline pairs after all others. Where the
//! rules say how clusters are made, `job_clusters` has that, and `cut_pairs` the pairs between clusters. `entity_tables` has records with
//! their clusters, and what becomes of these. What people have decided about
//! pairs is read with the job (`read_decisions`) and applied to its sorted pairs (`decided`).
//!
//! `explain` says what a job would do, or has done; `check` looks at rules without a run; `train` has a model learned; `statistics`
//! makes statistics of records, and plans from them elsewhere. `branch_run` runs one branch of a stored plan over parts of the
//! records (`part_records`), if the rules are those of the plan. `job_key` is what an interrupted run is found by.
//!
//! `asked_records` are the records that questions are about, kept by a run (`asked_run`) or read. `why` looks at two of them, which
//! `named_pair` finds by their ids, `inspected` at pairs of some, `shown_records` at their values alone (both have
//! `inspected_inputs` with `inspected_columns`), and `near_misses` looks for more pairs among these. `connection` is what
//! connects two of them in a run, whose pairs `run_pairs` shows.
//!
//! A bound job does not change after it is made. A plan is a value of the run, and is made again where the device is
//! another one than was expected. Near rules have a plan, a sorter with half of the memory and a checkpoint of their
//! own, so nothing of the run depends on them.
//!
//! **Questions about a run.** A run keeps its dataset and its rules as they are written, where there is room for its
//! tables, unless the session says otherwise: the program keeps them only for a report. So `why` after a run binds the
//! rules to a subset of two records and reads nothing; the score is explained by the program that the run was scored
//! by. Where only a job is at hand, in another process, its inputs are read once more, and everything else is the same.

mod asked_records;
mod asked_run;
mod bound_job;
mod branch_run;
mod check;
mod cluster_record;
mod connection;
mod cut_pairs;
mod decided;
mod entity_tables;
mod explain;
mod find;
mod heavy_keys;
mod inspected;
mod inspected_columns;
mod inspected_inputs;
mod job_clusters;
mod job_key;
mod job_record;
mod job_results;
mod job_rules;
mod kept_pairs;
mod largest_cluster;
mod named_pair;
mod near;
mod near_misses;
mod part_records;
mod read_decisions;
mod record;
mod rows_written;
mod run_pairs;
mod run_plan;
mod shown_entities;
mod shown_records;
mod statistics;
mod train;
mod why;
mod writing;

pub use asked_records::AskedRecords;
pub use asked_run::ask_why;
pub use branch_run::{BranchRun, run_branch};
pub use check::{RuleCheck, check};
pub use cluster_record::{
    ClusterCause, ClusterFacts, ClusterSizeRecord, CutRecord, LargestCluster, RulePairs, ThresholdClusters,
};
pub use connection::{ConnectedRun, ConnectingPair, Connection, CutReason, RunPair, SomePairs};
pub use cut_pairs::CutTable;
pub use explain::{Explanation, explain, plan};
pub use find::{PairUse, analyze, find, resume};
pub use heavy_keys::{HeavyKey, has_keys};
pub use inspected::{ConditionWays, InspectedPair, InspectedRecords, InspectionRequest, inspect_pairs};
pub use inspected_columns::InspectedColumn;
pub use inspected_inputs::{InspectedInputs, InspectedRun};
pub use job_record::{DeriveRecord, JobRecord};
pub use job_results::JobResults;
pub use near::{NearCondition, NearRecord};
pub use near_misses::{NearMiss, USUAL_AMOUNT, USUAL_WEIGHT, low_scores, near_misses};
pub use part_records::{BranchPairs, OfAllRecords, PartRecords, open_parts};
pub use read_decisions::DECIDED;
pub use record::{NeverRecord, RuleRecord, RunRecord};
pub use shown_records::ShownRecords;
pub use statistics::{plan_from, statistics, statistics_among};
pub use train::train;
pub use why::{OutsideScore, RecordField, Why};
