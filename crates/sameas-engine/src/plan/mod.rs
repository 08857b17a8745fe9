//! Plan: how the candidates of each conjunction are found, and in which order they are checked.
//!
//! `estimate` asks statistics about all records, and looks at sampled records and drawn pairs; `cost` knows what an
//! evaluation takes; `choose` alone decides which access condition a conjunction uses, among the `options` it allows;
//! `branch` is what runs below it, `check_lines` orders its checks by their `weight` and `tree` makes steps of them; `tables`
//! picks predicates to decide once for all values; `comparing` says what scores take; `planner` puts it together, for all
//! conjunctions or for those that are left, with what an `earlier` run has seen; `explain` makes a record of it, with
//! `branch_scoring`, `reasons` and `warnings` as data. A [`Plan`] is a value: nothing here runs one. A [`JobPlan`] can be stored: it has what its numbers stand for (`plan_key`),
//! and what kind of work each branch is (`branch_kind`).
//!
//! HyperBlocker (Zhu and others 2024) orders predicates and rules into a tree that every pair of a partition walks.
//! Here joins are at the root of the tree, so another question comes first: which candidates are looked at at all.
//!
//! 1. **Simplify** (`rules/imply`, `rules/simplify`, before a plan is made). A rule all of whose pairs belong to an
//!    earlier rule joins nothing of its own; it is only counted. A bound on a part of a sum is a predicate that no
//!    conjunction has: it is there to be joined on, and never checked.
//! 2. **Count** (`dataset/count`, `records/stats`). Null shares, distinct and heavy values and numbers of equal pairs
//!    are exact, from one pass over the codes of each domain. Lengths and set sizes are from a seeded sample.
//! 3. **Draw** (`dataset/equal_pairs`, `estimate/draw`). What candidates are like is learned from candidates: for an
//!    equality 256 pairs are drawn from exactly its pairs; bands and similarities are joined over a sample of rows by
//!    the path itself.
//! 4. **Weigh** (`cost`). Nanoseconds of an evaluation, from features of the drawn pairs. What a join itself takes is
//!    in its declaration (`estimate/effort`). Where the job has a device, a path with a kernel is weighed on both
//!    (`estimate/place`): an H200 does the work of some hundred cores, another GPU as many times that as it is faster.
//!    How fast a GPU is is measured when it is opened, to the nearest power of two, so that measuring it again gives
//!    the same plans.
//! 5. **Choose** (`options`, `choose`). Each conjunction takes the cheapest condition that its literals imply; then
//!    they move together wherever sharing candidates costs less than what they pay apart.
//! 6. **Order** (`branch`, `tree`). Below each join, checks go by (1 - probability) / cost. Where the branch is for a
//!    device, by what they cost there: codes, signatures and summaries are tested for many candidates together, so a
//!    Hamming distance, which a core finds cheap, comes late.
//! 7. **Tables** (`tables`). A similarity that would be evaluated more often than it has pairs of distinct values is
//!    decided once for all of these, as bits.
//!
//! The order of rules matters less than in the paper: `run.json` says how many pairs each rule gives by itself, so all
//! rules are checked for a pair that passes, and a pair that fails has failed all of them in whatever order.
//!
//! **A plan is a value.** It has branches and tables and nothing that points anywhere. A stored plan keeps what its
//! numbers are made of, `never` rules and derived columns included, and is refused for other rules. Branches own their
//! pairs whatever the others do, so they run anywhere, in any order.
//!
//! **When an estimate is wrong** ([`Misestimate`]), the plan is changed while it runs ([`PlanRevision`]). A check that
//! passes ten times the expected share, once it has seen 16,384 candidates, has the checks of its branch ordered again.
//! A device tries 256 tasks from four places before a branch with 2^30 expected candidates. A join with ten times the
//! expected candidates, and more than 65,536, has the branches that have not begun planned again: the same condition
//! gives what it gave, keys that contain it at most that, keys that it contains at least that (`estimate/facts`). A
//! branch that was underestimated itself runs to its end, by the best order for what it sees.
//!
//! **Facts are typed.** Reasons, places, revisions, warnings and simplifications are enums, exhaustive on purpose:
//! every program that shows them has to say something about each kind.
//!
//! **Planning is deterministic.** Seeds are fixed, and no clock is read. What it may spend is bounded by counted work:
//! where long texts or large sets make the sampled pairs cost too much, fewer of them are evaluated, and fewer rows are
//! joined. [`Strategy`] switches parts of the planner off for experiments, and draws plans at random for tests: the
//! result is the same for all of them.

mod as_written;
mod branch;
mod branch_kind;
mod branch_scoring;
mod check_lines;
mod choose;
mod comparing;
pub mod cost;
mod earlier;
mod estimate;
mod explain;
mod job_plan;
mod options;
mod place;
mod plan_key;
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
mod weight;

pub use crate::candidates::{Access, AccessPath, Condition};
pub use branch::{Branch, PlannedEvaluation};
pub use branch_kind::{BranchKind, KeyRecord, PartingRecord};
pub use branch_scoring::BranchScoring;
pub use comparing::PlannedComparing;
pub use earlier::EarlierRun;
pub use estimate::{Estimator, Place, RelativeCost, SampleProgram, shape_of};
pub use explain::{BranchRecord, Describer, StepRecord, TableRecord};
pub(crate) use job_plan::of_other;
pub use job_plan::{JobPlan, ScorePlan};
pub use place::{BranchPlace, CpuReason};
pub use planner::{Plan, PlanInput, Planner};
pub use reasons::{ChoiceReason, RevisionRecord};
pub use revision::{Estimated, Misestimate, PlanRevision};
pub use strategy::{Draw, Strategy};
pub use tables::TablePlan;
pub use warnings::PlanWarning;
pub use weight::Weight;
