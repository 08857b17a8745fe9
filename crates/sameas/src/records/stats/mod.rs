//! Statistics of encoded operands: how often values occur, exactly; how long they are and what their token sets look
//! like, from a seeded sample of rows.
//!
//! The planner estimates with them, `run.json` keeps them, and a later run can read them back.

mod column;
mod distinct;
mod frequencies;
mod histogram;
mod sample;
#[cfg(test)]
mod tests;
mod tokens;

use serde::{Deserialize, Serialize};

pub use column::{ColumnStatistics, HeavyValue, value_text};
pub use distinct::DistinctSketch;
pub use frequencies::Frequencies;
pub use histogram::{Bin, Histogram};
pub use sample::{Random, SAMPLE, SEED, sample_rows};
pub use tokens::{RankShare, TokenStatistics};

/// What a run has learned about the values that rules compare: how often they occur, how long they are. `run.json` keeps
/// it for the plan of a later run; what is inside may change with every version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// The seed of the samples.
    #[doc(hidden)]
    pub seed: u64,
    /// Rows that are sampled of each input, if it has as many.
    #[doc(hidden)]
    pub sampled: u64,
    /// One for each operand, in their order.
    #[doc(hidden)]
    pub columns: Vec<ColumnStatistics>,
}

impl Statistics {
    /// What is known about a column of an input; `column` is the text of its expression.
    #[doc(hidden)]
    pub fn of_column(&self, column: &str, input: &str) -> Option<&ColumnStatistics> {
        self.columns.iter().find(|known| known.column == column && known.input == input)
    }
}
