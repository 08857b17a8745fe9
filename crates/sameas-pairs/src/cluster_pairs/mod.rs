//! Clusters of pairs of any origin: files of pairs, with scores or without.
//!
//! Tables are read some batches at a time (`read`), and nothing stays as it was read. `columns` finds what a table of pairs has,
//! `batch_rows` understands the values of a batch, and `read_pairs` puts pairs into a `pair_list`. `records` reads all records,
//! where they are given, with what limits count of them; `decided` reads judgements. Records get numbers as they come
//! (`interned`, by their `record_keys`), and names that repeat, too (`names`).
//!
//! `gathered` has all of this. `rows` orders the records by their sources and ids, so that the order of pairs changes nothing,
//! and `pair_rows` has the pairs as rows. `prepared` makes clusters of them, in any number of ways, and `solve` those that a
//! job asks for. `cut` says why a pair was cut, `conflict` which decisions contradict each other. `clustered` makes tables of
//! all that, and `write` files.
//!
//! **Memory.** A pair takes 8 bytes, 8 more for a score, mostly one for a rule and a bit for `certain`; then it becomes an edge
//! of 16 bytes, or of 24 where there are very many records and rules. A record takes what its id has, and some 20 bytes.
//!
//! Decisions are a file of judgements: `same` holds two records together, `different` keeps them apart.

mod batch_rows;
mod clustered;
mod columns;
mod conflict;
mod cut;
mod decided;
mod gathered;
mod interned;
mod job;
mod names;
mod pair_list;
mod pair_rows;
mod prepared;
mod read;
mod read_pairs;
mod record;
mod record_keys;
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
