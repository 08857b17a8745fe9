//! Plan: how the candidates of each conjunction are found, and in which order they are checked.
//!
//! `estimate` surveys the records and draws pairs; `cost` knows what an evaluation takes; `choose` alone decides which
//! access condition a conjunction uses, among the `options` it allows; `branch` orders the checks below it and `tree`
//! makes steps of them; `tables` picks predicates to decide once for all values; `planner` puts it together, for all
//! conjunctions or for those that are left; `prepare` makes the access path; `explain` makes a record of the plan, with `reasons` and `warnings` as data.

mod access_path;
mod as_written;
mod branch;
mod choose;
mod condition;
pub mod cost;
mod estimate;
mod explain;
mod options;
mod planner;
mod prepare;
mod random_plan;
mod reasons;
mod strategy;
mod tables;
mod tree;
mod warnings;

pub use access_path::AccessPath;
pub use branch::{Branch, Evaluation, Weight};
pub use condition::{Access, Condition};
pub use estimate::{Estimator, Pace, Place, Survey};
pub use explain::{BranchRecord, Describer, StepRecord, TableRecord};
pub use planner::{Material, Plan, Planner};
pub use prepare::DevicePlan;
pub use prepare::{path_over, verdict_table};
pub use reasons::{ChoiceReason, PlanRevision};
pub use strategy::{Draw, Strategy};
pub use tables::TablePlan;
pub use warnings::{JoinAdvice, KeyValue, PlanWarning};
