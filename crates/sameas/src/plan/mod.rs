//! Plan: how the candidates of each conjunction are found, and in which order they are checked.
//!
//! `estimate` surveys the records and draws pairs; `cost` knows what an evaluation takes; `choose` alone decides which
//! access condition a conjunction uses, among the `options` it allows; `branch` orders the checks below it and `tree`
//! makes steps of them; `tables` picks predicates to decide once for all values; `planner` puts it together, for all
//! conjunctions or for those that are left; `prepare` makes the access path; `explain` says it in words.

mod as_written;
mod branch;
mod choose;
mod condition;
pub mod cost;
mod estimate;
mod explain;
mod options;
mod place;
mod planner;
mod prepare;
mod random_plan;
mod strategy;
mod tables;
mod tree;
mod warnings;
mod words;

pub use branch::{Branch, Evaluation, Weight};
pub use condition::{Access, Condition};
pub use estimate::{Estimator, Pace, Place, Survey};
pub use explain::{BranchReport, Describer, StepReport, TableReport};
pub use place::{BranchPlace, CpuReason, NoDevicePath, PartsReason};
pub use planner::{Material, Plan, Planner};
#[cfg(feature = "gpu")]
pub(crate) use prepare::Preparer;
pub use prepare::{path_over, verdict_table};
pub use strategy::{Draw, Strategy};
pub use tables::TablePlan;
pub use words::grouped;
