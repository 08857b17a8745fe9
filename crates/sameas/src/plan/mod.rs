//! Plan: which access path finds the candidates of each conjunction.
//!
//! Conjunctions with the same access condition share a branch and its candidates. `access` alone decides which path a
//! conjunction takes; `prepare` makes the path; `explain` says it in words.

mod access;
mod explain;
mod prepare;

pub use access::{Access, Branch, Plan, plan};
pub use explain::{BranchReport, describe};
