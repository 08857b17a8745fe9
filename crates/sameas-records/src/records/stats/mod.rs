//! Statistics of encoded operands: how often values occur, exactly; how long they are and what their token sets look
//! like, from a seeded sample of rows (`sample`).
//!
//! Of a job, `run.json` keeps what readers want to know of its columns (`column_facts`). A plan is made from
//! [`Statistics`]: counts by operand (`operand`), pairs of equal values and some of them (`equality`), and a sample of rows
//! that can be put together from those of parts (`sampled`). Statistics of parts are put together by `merge`: what cannot be
//! counted apart is sketched (`distinct`, `pair_sketch`) and estimated from that (`estimated_pairs`), and sampled records go
//! with their values (`stored_value`).

mod column;
mod column_facts;
mod distinct;
mod equality;
mod estimated_pairs;
mod frequencies;
mod histogram;
mod merge;
mod operand;
mod pair_sketch;
mod sample;
mod sampled;
mod statistics;
mod stored_value;
#[cfg(test)]
mod tests;
mod tokens;

pub use column::{ColumnStatistics, HeavyValue, value_text};
pub use column_facts::ColumnFacts;
pub use distinct::{DistinctSketch, value_hash};
pub use equality::{DRAWN_PAIRS, EqualityKey, EqualityStatistics, ExactPairs, HeaviestValue, SampledPair, SampledRow};
pub use frequencies::{Frequencies, ValueRows};
pub use histogram::{Bin, Histogram};
pub use operand::{ExactValues, OperandStatistics, ValueSketches};
pub use pair_sketch::PairSketch;
pub use sample::{Random, SAMPLE, SEED, sample_rows};
pub use sampled::{HashedRow, least_of, least_rows};
pub use statistics::{InputCount, SAMPLE_OF_ALL, SAMPLE_OF_LEAST, SampledRecord, Statistics, sampled_of_each};
pub use stored_value::StoredValue;
pub use tokens::{RankShare, TokenStatistics, tokenizer_name};
