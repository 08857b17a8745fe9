//! What is known of all records of a job: enough to plan it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::equality::{EqualityKey, EqualityStatistics, SampledRow};
use super::operand::OperandStatistics;
use super::sample::{SAMPLE, SEED};
use super::sampled::HashedRow;
use super::stored_value::StoredValue;
use crate::records::encode::OperandKey;
use crate::rules::LinkType;

/// What is known of all records of a job: enough to plan it, wherever the records are. Statistics of parts can be
/// [put together](Self::merge), in any order and grouping. What is inside may change with every version.
///
/// **They have values of records in them**: of each input up to 4,096 records with what rules read of them, those of some
/// pairs, and frequent values. Whoever may not see the records may not see their statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// The version of what is inside.
    #[doc(hidden)]
    pub version: u32,
    /// The seed of samples and draws.
    #[doc(hidden)]
    pub seed: u64,
    /// What pairs are made of.
    #[doc(hidden)]
    pub link_type: LinkType,
    /// The inputs.
    #[doc(hidden)]
    pub inputs: Vec<InputCount>,
    /// What the rules compare.
    #[doc(hidden)]
    pub operands: BTreeMap<OperandKey, OperandStatistics>,
    /// Operands that are compared with each other.
    #[doc(hidden)]
    pub equalities: BTreeMap<EqualityKey, EqualityStatistics>,
    /// Rows of each input, those with the least hashes; ascending by hash.
    #[doc(hidden)]
    pub samples: Vec<Vec<HashedRow>>,
    /// Conditions on one record.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    #[doc(hidden)]
    pub conditions: BTreeSet<OperandKey>,
    /// What rules read of the records that a sample or a drawn pair has; in the order of these. Plans that are made where
    /// the records are have no need of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[doc(hidden)]
    pub records: Vec<SampledRecord>,
}

/// What rules read of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledRecord {
    /// Which record it is.
    #[serde(flatten)]
    pub of: SampledRow,
    /// Its values, in the order of the operands; none for those of the other side.
    pub values: Vec<Option<StoredValue>>,
    /// Which conditions it satisfies, in their order; none where a value is missing, and for those of the other side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Option<bool>>,
}

/// An input and its records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCount {
    /// What results call it.
    pub name: String,
    /// Its records.
    pub rows: u64,
}

/// Rows that are sampled of all inputs, and of the least of them.
pub const SAMPLE_OF_ALL: usize = 65_536;
pub const SAMPLE_OF_LEAST: usize = 16;

/// Rows that are sampled of each of some inputs, if it has as many. It depends on nothing that is known only after all
/// records were read, so that samples of parts can be put together.
pub fn sampled_of_each(inputs: usize) -> usize {
    (SAMPLE_OF_ALL / inputs.max(1)).clamp(SAMPLE_OF_LEAST, SAMPLE)
}

impl Statistics {
    /// The version that this library makes.
    pub const VERSION: u32 = 1;

    /// What is counted where the records are: no values of single records.
    #[doc(hidden)]
    pub fn new(
        link_type: LinkType,
        inputs: Vec<InputCount>,
        operands: BTreeMap<OperandKey, OperandStatistics>,
        equalities: BTreeMap<EqualityKey, EqualityStatistics>,
        samples: Vec<Vec<HashedRow>>,
    ) -> Self {
        let (version, seed) = (Self::VERSION, SEED);
        let (conditions, records) = (BTreeSet::new(), Vec::new());
        Self { version, seed, link_type, inputs, operands, equalities, samples, conditions, records }
    }

    /// Whether each side of a pair is one input.
    #[doc(hidden)]
    pub fn has_two_sides(&self) -> bool {
        self.link_type == LinkType::LinkOnly && self.inputs.len() == 2
    }

    /// Whether only pairs of different inputs count, of several in one frame.
    #[doc(hidden)]
    pub fn is_across(&self) -> bool {
        self.link_type == LinkType::LinkOnly && self.inputs.len() != 2
    }

    /// Records of the left and of the right side.
    #[doc(hidden)]
    pub fn rows(&self) -> [u64; 2] {
        match (self.has_two_sides(), &self.inputs[..]) {
            (true, [left, right]) => [left.rows, right.rows],
            _ => [self.record_count(); 2],
        }
    }

    /// Records of all inputs.
    pub(crate) fn record_count(&self) -> u64 {
        self.inputs.iter().map(|input| input.rows).sum()
    }

    /// The records that a sample or a drawn pair has.
    #[doc(hidden)]
    pub fn named_records(&self) -> BTreeSet<SampledRow> {
        let sampled = self
            .samples
            .iter()
            .enumerate()
            .flat_map(|(input, rows)| rows.iter().map(move |row| SampledRow { input: input as u32, row: row.row }));
        let drawn = self.equalities.values().flat_map(|of| of.drawn.iter().flatten());
        sampled.chain(drawn.flat_map(|pair| [pair.l, pair.r])).collect()
    }

    /// All pairs there are.
    #[doc(hidden)]
    pub fn nominal_pairs(&self) -> f64 {
        let [left, right] = self.rows();
        if self.is_across() {
            // Every pair is counted at both of its records.
            let of_input = |input: &InputCount| u128::from(input.rows) * u128::from(left - input.rows);
            return (self.inputs.iter().map(of_input).sum::<u128>() / 2) as f64;
        }
        let [left, right] = [left, right].map(|rows| rows as f64);
        if self.has_two_sides() { left * right } else { left * (left - 1.0).max(0.0) / 2.0 }
    }
}
