//! Statistics of the pairs of records with equal values.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::sample::Random;
use crate::expr::FieldValue;
use crate::records::encode::OperandKey;

/// Pairs that are drawn from an equality at most.
pub const DRAWN_PAIRS: usize = 256;

/// What an equality compares, whatever job asks for it: two operands, and whether two nulls are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EqualityKey(String);

impl EqualityKey {
    /// The key of two operands that are compared.
    pub fn new(left: &OperandKey, right: &OperandKey, null_safe: bool) -> Self {
        let operator = if null_safe { "is not distinct from" } else { "=" };
        // Texts are quoted, so that no two equalities have one key.
        Self(format!("{:?} {operator} {:?}", left.text(), right.text()))
    }

    /// What draws of its pairs begin with: the same in every job and on every machine.
    pub fn seed(&self) -> u64 {
        xxh3_64(self.0.as_bytes())
    }
}

/// The pairs of records with equal values of two operands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EqualityStatistics {
    /// Twice the number of pairs within the records that were counted together. Of two operands of one frame about half of
    /// the pairs of values have the left row first, so that half a pair is possible.
    pub twice_within: u128,
    /// Pairs drawn from them, if an equality asks for them; ascending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Vec<SampledPair>>,
    /// What only a count of all records says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactPairs>,
}

impl EqualityStatistics {
    /// The pairs within the records that were counted together.
    pub fn pairs_within(&self) -> f64 {
        self.twice_within as f64 / 2.0
    }
}

/// What is known of the pairs of an equality where all records were counted together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExactPairs {
    /// The value with the most pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heaviest: Option<HeaviestValue>,
}

/// A value that more pairs have than any other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeaviestValue {
    /// The value.
    pub value: FieldValue,
    /// Its share of all pairs of records with the same value.
    pub share: f64,
}

/// A record by its number in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SampledRow {
    /// The number of the input.
    pub input: u32,
    /// The number of the record among all of the input.
    pub row: u64,
}

/// A drawn pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledPair {
    /// Decides which pairs stay where draws are put together: those with the least. A pair that stands for more others has
    /// lesser ones (Efraimidis and Spirakis, 2006, with logarithms: they are exact for pairs that stand for very many).
    pub order: u64,
    /// Its left record.
    pub l: SampledRow,
    /// Its right record.
    pub r: SampledRow,
}

impl SampledPair {
    /// Drawn pairs, of which each stands for this many. A pair may have been drawn several times.
    pub fn of_draw(pairs: impl Iterator<Item = [SampledRow; 2]>, stands_for: f64, seed: u64) -> Vec<Self> {
        let of_pair = |(at, [l, r]): (usize, [SampledRow; 2])| {
            let rows = [u64::from(l.input), l.row, u64::from(r.input), r.row, at as u64];
            let mixed = rows.into_iter().fold(seed, |mixed, word| Random::after(mixed, word).word());
            // From above 0 to 1.
            let unit = 1.0 - Random::new(mixed).unit();
            // No negative number: bits of others are in their order.
            let order = (-unit.ln() / stands_for.max(f64::MIN_POSITIVE)).abs().to_bits();
            Self { order, l, r }
        };
        let mut pairs: Vec<Self> = pairs.enumerate().map(of_pair).collect();
        pairs.sort_unstable();
        pairs
    }
}
