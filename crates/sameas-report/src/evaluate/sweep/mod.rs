//! Thresholds and ways to make clusters, compared on the same pairs, which are read once.
//!
//! A [`SweepMethod`] and a threshold make a [`ClusterSpec`](crate::rules::ClusterSpec), as a rule file would say it, so each row
//! can be had again by itself. Constraints of the request hold for all rows. Components without constraints are made at all
//! thresholds in one pass; every other row makes its own clusters of the same edges.
//!
//! `score_tenths` chooses thresholds where none are given. `judge` has the truth or the labels, whose records have the numbers of
//! the rows of the pairs. `ranked_pairs` says what the pairs alone are worth at each threshold, and `clusterings` makes the rows.

mod clusterings;
mod judge;
mod method;
mod ranked_pairs;
mod request;
mod row;
mod score_tenths;
#[cfg(test)]
mod tests;

pub use clusterings::sweep;
pub use method::SweepMethod;
pub use request::SweepRequest;
pub use row::{SweepEstimates, SweepRow, SweepScores, SweepTable};
