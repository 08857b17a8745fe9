//! Judgements: what people say of pairs of records, as a file.
//!
//! One file serves every command: it can force pairs together or apart, and it can be a sample by which a result is judged. A row
//! has two ids, with their inputs where there are several, and says whether the records are the same, different, or that nobody
//! can tell. A sample also says which stratum a pair was drawn from, and how likely it was to be drawn.
//!
//! A pair is judged once: rows that repeat it are put together, and rows that contradict each other are an error. What was not
//! understood is never left out: it would count as not judged.
//!
//! `decided_pairs` has judgements as decisions about the records of a job, which `judged_rows` finds by their ids, and
//! `decision_record` what a run tells of them.

mod columns;
mod decided_pairs;
mod decision_record;
mod judged_rows;
mod judgement;
mod once;
mod read;
#[cfg(test)]
mod tests;

pub use decided_pairs::{DecidedPair, DecidedPairs};
pub use decision_record::{DecidedRecord, PairDecision};
pub use judgement::{JudgedRecord, Judgement, JudgementKind};
pub use read::{JudgementReading, Judgements};
