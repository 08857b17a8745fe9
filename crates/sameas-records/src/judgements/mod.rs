//! Judgements: what people say of pairs of records, as a file.
//!
//! One file serves every command: it can force pairs together or apart, and it can be a sample by which a result is judged. A row
//! has two ids, with their inputs where there are several, and says whether the records are the same, different, or that nobody
//! can tell. A sample also says which stratum a pair was drawn from, and how likely it was to be drawn.
//!
//! A pair is judged once: rows that repeat it are put together, and rows that contradict each other are an error. What was not
//! understood is never left out: it would count as not judged.

mod columns;
mod judgement;
mod once;
mod read;
#[cfg(test)]
mod tests;

pub use judgement::{JudgedRecord, Judgement, JudgementKind};
pub use read::{JudgementReading, Judgements};
