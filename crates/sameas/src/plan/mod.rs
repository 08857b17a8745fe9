//! Plan: how the candidates of each conjunction are found, and in which order they are checked.
//!
//! `estimate` surveys the records and draws pairs; `cost` knows what an evaluation takes; `choose` alone decides which
//! access condition a conjunction uses, among the `options` it allows; `branch` is what runs below it, `lines` orders its
//! checks and `tree` makes steps of them; `tables` picks predicates to decide once for all values; `planner` puts it together, for all
//! conjunctions or for those that are left; `explain` makes a record of it, with
//! `reasons` and `warnings` as data. A [`Plan`] is a value: nothing here runs one.

mod as_written;
mod branch;
mod choose;
pub mod cost;
mod estimate;
mod explain;
mod lines;
mod options;
mod place;
mod planner;
mod random_plan;
mod reasons;
mod revision;
mod strategy;
mod tables;
#[cfg(test)]
mod tests;
mod tree;
mod warnings;

pub use crate::candidates::{Access, AccessPath, Condition};
pub use branch::{Branch, PlannedEvaluation, Weight};
pub use estimate::{Estimator, Place, RelativeCost, Survey};
pub use explain::{BranchRecord, Describer, StepRecord, TableRecord};
pub use place::{BranchPlace, CpuReason};
pub use planner::{Plan, PlanInput, Planner};
pub use reasons::{ChoiceReason, RevisionRecord};
pub use revision::{Estimated, Misestimate, PlanRevision};
pub use strategy::{Draw, Strategy};
pub use tables::TablePlan;
pub use warnings::PlanWarning;
