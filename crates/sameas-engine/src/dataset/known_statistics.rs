//! What was counted of the records of a dataset, for whichever job asks for it next.

use std::collections::BTreeMap;

use crate::records::encode::OperandKey;
use crate::records::stats::{
    ColumnStatistics, EqualityKey, EqualityStatistics, HashedRow, SampledPair, TokenStatistics,
};

/// Token sets of an operand, and how they are made.
pub type TokenKey = (OperandKey, String);

/// What was counted, drawn and sampled, by what it is of.
#[derive(Clone, Debug, Default)]
pub struct KnownStatistics {
    /// Without token sets: another job may ask for others.
    pub columns: BTreeMap<OperandKey, ColumnStatistics>,
    /// The token sets.
    pub tokens: BTreeMap<TokenKey, TokenStatistics>,
    /// Operands that are compared with each other.
    pub equalities: BTreeMap<EqualityKey, EqualityStatistics>,
    /// Rows of each input.
    pub samples: Option<Vec<Vec<HashedRow>>>,
}

impl KnownStatistics {
    /// What is known of what is asked.
    pub fn select<'k>(
        &self,
        operands: &[OperandKey],
        tokens: impl Iterator<Item = &'k TokenKey>,
        equalities: impl Iterator<Item = &'k EqualityKey>,
    ) -> Self {
        Self {
            columns: operands.iter().filter_map(|key| Some((key.clone(), self.columns.get(key)?.clone()))).collect(),
            tokens: tokens.filter_map(|key| Some((key.clone(), self.tokens.get(key)?.clone()))).collect(),
            equalities: equalities.filter_map(|key| Some((key.clone(), self.equalities.get(key)?.clone()))).collect(),
            samples: self.samples.clone(),
        }
    }

    /// Whether the pairs of an equality were counted, and some of them drawn if they are to be.
    pub fn has_equality(&self, key: &EqualityKey, is_drawn: bool) -> bool {
        self.equalities.get(key).is_some_and(|known| known.drawn.is_some() || !is_drawn)
    }

    /// Keeps what somebody has found.
    pub fn add(&mut self, found: Self) {
        self.columns.extend(found.columns);
        self.tokens.extend(found.tokens);
        self.equalities.extend(found.equalities);
        self.samples = self.samples.take().or(found.samples);
    }

    /// How many of them there are.
    pub fn entries(&self) -> usize {
        self.columns.len() + self.tokens.len() + self.equalities.len() + usize::from(self.samples.is_some())
    }

    /// Memory of drawn pairs and sampled rows; the rest is little.
    pub fn bytes(&self) -> usize {
        let drawn =
            self.equalities.values().flat_map(|of| &of.drawn).map(|pairs| size_of::<SampledPair>() * pairs.len());
        let samples = self.samples.iter().flatten().map(|rows| size_of::<HashedRow>() * rows.len());
        drawn.sum::<usize>() + samples.sum::<usize>()
    }
}
