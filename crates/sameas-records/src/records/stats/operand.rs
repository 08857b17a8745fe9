//! Statistics of one operand, for plans.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::distinct::DistinctSketch;
use super::pair_sketch::PairSketch;

/// What plans ask about an operand of all records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OperandStatistics {
    /// Number of rows.
    pub rows: u64,
    /// Rows that are null.
    pub nulls: u64,
    /// Bytes of the signatures of the texts that its domain has.
    pub signature_bytes: u64,
    /// Bytes of its token sets, by how they are made.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set_bytes: BTreeMap<String, u64>,
    /// What only a count of all records says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactValues>,
    /// What stands for that where records were counted apart. It takes a pass over all values, so that it is made where
    /// statistics are to be put together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sketches: Option<ValueSketches>,
}

impl OperandStatistics {
    /// Bytes of the codes of its rows.
    pub fn code_bytes(&self) -> u64 {
        self.rows * size_of::<u32>() as u64
    }

    /// Distinct values, exactly or about.
    pub fn distinct(&self) -> f64 {
        let sketched = || self.sketches.as_ref().map_or(0.0, |sketches| sketches.distinct.estimate().round());
        self.exact.map_or_else(sketched, |exact| exact.distinct as f64)
    }
}

/// Sketches of the values of an operand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueSketches {
    /// How many there are.
    pub distinct: DistinctSketch,
    /// How many rows have the same.
    pub pairs: PairSketch,
}

impl ValueSketches {
    /// Adds rows with a value, by its hash.
    #[inline]
    pub fn add(&mut self, hash: u64, rows: u32) {
        self.distinct.add_hash(hash);
        self.pairs.add(hash, rows);
    }

    /// Adds the values of others.
    pub fn merge(&mut self, other: &Self) {
        self.distinct.merge(&other.distinct);
        self.pairs.merge(&other.pairs);
    }
}

/// The values of an operand where all records were counted together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExactValues {
    /// Distinct values.
    pub distinct: u64,
    /// Those of its domain, to which other operands may belong.
    pub domain_values: u64,
}
