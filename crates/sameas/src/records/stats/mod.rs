//! Statistics of encoded operands: how often values occur, exactly; how long they are and what their token sets look
//! like, from a seeded sample of rows.
//!
//! The planner estimates with them, `run.json` keeps them, and a later run can read them back.

mod column;
mod frequencies;
mod histogram;
mod sample;
#[cfg(test)]
mod tests;
mod tokens;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use column::{ColumnStatistics, HeavyValue, value_text};
pub use frequencies::Frequencies;
pub use histogram::{Bin, Histogram};
pub use sample::{Random, SAMPLE, SEED, sample_rows};
pub use tokens::{RankShare, TokenStatistics};

use super::encode::{Column, Encoded};

/// What is known about the values that rules compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// The seed of the samples.
    pub seed: u64,
    /// Rows that are sampled of each input, if it has as many.
    pub sampled: u64,
    /// One for each operand, in their order.
    pub columns: Vec<ColumnStatistics>,
}

impl Statistics {
    /// The statistics of all operands. `frequencies` are theirs, and `inputs` names the input of each frame.
    pub fn of(encoded: &Encoded, frequencies: &[Frequencies], inputs: &[String], seed: u64) -> Self {
        let samples = samples(&encoded.columns, seed);
        let of = |operand: usize| {
            let frame = encoded.columns[operand].frame;
            let input = inputs.get(frame).map_or("", String::as_str);
            ColumnStatistics::of(encoded, operand, &frequencies[operand], input, &samples[frame])
        };
        let columns = (0..encoded.columns.len()).into_par_iter().with_max_len(1).map(of).collect();
        Self { seed, sampled: SAMPLE as u64, columns }
    }

    /// What is known about a column of an input; `column` is the text of its expression.
    pub fn of_column(&self, column: &str, input: &str) -> Option<&ColumnStatistics> {
        self.columns.iter().find(|known| known.column == column && known.input == input)
    }
}

/// The sampled rows of each frame: operands of one frame are sampled together, so that their sizes belong together.
fn samples(columns: &[Column], seed: u64) -> Vec<Vec<u32>> {
    let frames = columns.iter().map(|column| column.frame + 1).max().unwrap_or(0);
    let rows = |frame: usize| columns.iter().find(|column| column.frame == frame).map_or(0, |c| c.codes.len());
    (0..frames).map(|frame| sample_rows(rows(frame) as u32, SAMPLE, seed)).collect()
}
