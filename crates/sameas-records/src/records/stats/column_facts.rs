//! What `run.json` keeps of the values that rules compare.

use serde::{Deserialize, Serialize};

use super::column::ColumnStatistics;
use super::sample::{SAMPLE, SEED};

/// What a run has learned about the values that rules compare: how often they occur, how long they are. `run.json` keeps
/// it for readers and reports; what is inside may change with every version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ColumnFacts {
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

impl ColumnFacts {
    /// What is known of these columns.
    #[doc(hidden)]
    pub fn new(columns: Vec<ColumnStatistics>) -> Self {
        Self { seed: SEED, sampled: SAMPLE as u64, columns }
    }

    /// What is known about a column of an input; `column` is the text of its expression.
    #[doc(hidden)]
    pub fn of_column(&self, column: &str, input: &str) -> Option<&ColumnStatistics> {
        self.columns.iter().find(|known| known.column == column && known.input == input)
    }
}
