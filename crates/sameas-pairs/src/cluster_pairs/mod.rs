//! Clusters of pairs of any origin: files of pairs, with scores or without.
//!
//! `columns` finds what a table of pairs has, and `read` reads it; `records` reads all records, where they are given, with
//! what limits count of them; `decided` reads judgements. `gathered` has all of this, and `rows` numbers the records by their
//! sources and ids, so that the order of pairs changes nothing. `pair_rows` has the pairs as rows.
//!
//! `prepared` makes clusters of them, in any number of ways, and `solve` those that a job asks for. `cut` says why a pair was cut, `conflict` which decisions contradict each other. `clustered` makes
//! tables of all that, and `write` files.
//!
//! Decisions are a file of judgements: `same` holds two records together, `different` keeps them apart.

mod clustered;
mod columns;
mod conflict;
mod cut;
mod decided;
mod gathered;
mod job;
mod pair_rows;
mod prepared;
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
pub use prepared::PreparedPairs;
pub use record::{ClusterPairsRecord, LargestPairCluster, SourceRecord, StepSeconds};
pub use solve::cluster_pairs;
