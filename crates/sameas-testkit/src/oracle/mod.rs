//! The oracle: every pair by nested loops, every value by its textbook definition.
//!
//! It shares no code with the engine it judges; the crate does not even depend on it. Nothing here is clever.

mod accents;
mod answer;
mod cluster;
pub mod clusters;
mod coverage;
mod date;
mod date_format;
pub mod entities;
mod exact;
mod fault;
pub mod faulty;
mod functions;
mod interpret;
mod keys;
mod lists;
mod metaphone;
mod near;
mod neighbours;
mod number;
mod number_text;
mod partitions;
mod records;
mod regex;
pub mod relations;
mod scores;
mod sets;
mod strings;
mod text;
pub mod training;
mod value;

pub use answer::{Answer, evaluate, evaluate_and_record};
pub use coverage::{Coverage, Seen};
pub use interpret::number_of;
pub use near::{NearPair, near};
pub use partitions::{PartitionFigures, partition_changes, partition_figures};
pub use scores::{PairScore, ScorePart, all_scores, bits, probability, score_of, value_texts};

#[cfg(test)]
mod tests;
