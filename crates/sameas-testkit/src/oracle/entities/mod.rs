//! Entities by their definition: each value by a loop over the records of a cluster.
//!
//! - `answer` has the clusters of a case; `columns` says which columns a job has, and gives the value of a record; `expression`
//!   computes one;
//! - `convert` makes values of one type those of another; `counting` says which records count for an entry;
//! - `pick` chooses a record, `aggregate` computes sums, means and unions;
//! - `tables` has the tables: entities with their provenance, records, the best records, and columns beside pairs.

mod aggregate;
mod answer;
mod columns;
mod convert;
mod counting;
mod expression;
mod pick;
mod tables;

pub use answer::EntityAnswer;
pub use tables::{ExpectedColumn, ExpectedTable};

#[cfg(test)]
mod tests;
