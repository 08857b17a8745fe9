//! What a fixpoint says of itself: the method for each relation, and what each round has added.

use super::program::RelationId;

/// How the tuples of a relation were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Round by round over all tuples.
    Rounds,
    /// Each value of this column on its own, to its end.
    Carried {
        /// The column that the rules hand on untouched.
        column: usize,
    },
}

/// What one round has added.
#[derive(Clone, Debug, PartialEq)]
pub struct FixpointRound {
    /// From 1.
    pub number: u32,
    /// The relations that it has added to: their new tuples, and all that each has now. The others are left out, because
    /// there may be as many rounds as relations.
    pub relations: Vec<(RelationId, u64, u64)>,
    /// All tuples of the relations that the rules extend.
    pub tuples: u64,
    /// Tuples that the rules gave before duplicates were removed.
    pub candidates: u64,
    /// How long it took.
    pub seconds: f64,
}

/// What a fixpoint has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixpointReport {
    /// In their order; the last adds nothing where rules are recursive. A carried fixpoint shows the rounds of its seeds
    /// and one entry for each part of the carried values.
    pub rounds: Vec<FixpointRound>,
    /// For each relation that the rules extend, how.
    pub method: Vec<(RelationId, Method)>,
}
