//! Clusters of pairs of any origin: files of pairs, with scores or without.
//!
//! `columns` finds what a table of pairs has, and `read` reads it; `records` reads all records, where they are given, with
//! what limits count of them. `rows` numbers the records by their sources and ids, so that the order of pairs changes nothing.
//! `gathered` has all tables of a job, and `pair_list` the pairs. `solve` asks for clusters. `cut` says why a pair was cut, `conflict` which decisions
//! contradict each other, and `write` makes tables and files.
//!
//! Decisions are a file of judgements: `same` holds two records together, `different` keeps them apart.

mod clustered;
mod columns;
mod conflict;
mod cut;
mod decided;
mod gathered;
mod job;
mod pair_list;
mod read;
mod record;
mod records;
mod rows;
mod solve;
#[cfg(test)]
mod tests;
mod write;

pub use clustered::{PairClusterTable, PairClusters};
pub use job::{ClusterPairsJob, PairColumnNames};
pub use record::{ClusterPairsRecord, LargestPairCluster, SourceRecord, StepSeconds};
pub use solve::cluster_pairs;
