//! The access paths under one contract.

use super::all_pairs::AllPairs;
use super::by_value::{ByValue, TilePiece};
use super::equi_join::key_join::KeyJoin;
use super::neighbourhood::Neighbourhood;
use super::tile::Sink;

/// A way to the candidates of an access condition: each at most once, none missing.
///
/// `for round in 0..rounds() { prepare(round); run every task; then every piece of pieces() }`: tasks and pieces are
/// independent and run on all cores.
pub enum Path<'a> {
    /// Equal keys.
    Keys(Box<KeyJoin<'a>>),
    /// Values that satisfy a predicate.
    Values(ByValue<'a>),
    /// Numbers near each other.
    Neighbourhood(Neighbourhood),
    /// Everything.
    AllPairs(AllPairs),
}

impl Path<'_> {
    /// How many times an index is built: more than once where that of all records exceeds the budget.
    pub fn rounds(&self) -> usize {
        match self {
            Self::Keys(join) => join.rounds(),
            Self::Values(join) => join.rounds(),
            Self::Neighbourhood(_) | Self::AllPairs(_) => 1,
        }
    }

    /// Builds the index of a round.
    pub fn prepare(&mut self, round: usize) {
        match self {
            Self::Keys(join) => join.prepare(round),
            Self::Values(join) => join.prepare(round),
            Self::Neighbourhood(_) | Self::AllPairs(_) => {}
        }
    }

    /// Number of tasks of the prepared round.
    pub fn tasks(&self) -> usize {
        match self {
            Self::Keys(join) => join.tasks(),
            Self::Values(join) => join.tasks(),
            Self::Neighbourhood(join) => join.tasks(),
            Self::AllPairs(join) => join.tasks(),
        }
    }

    /// Runs a task.
    pub fn run(&self, task: usize, sink: &mut impl Sink) {
        match self {
            Self::Keys(join) => join.run(task, sink),
            Self::Values(join) => join.run(task, sink),
            Self::Neighbourhood(join) => join.run(task, sink),
            Self::AllPairs(join) => join.run(task, sink),
        }
    }

    /// What the tasks of the round have left over, to be run after them.
    pub fn pieces(&mut self) -> Vec<TilePiece> {
        if let Self::Values(join) = self { join.pieces() } else { Vec::new() }
    }

    /// Runs a piece.
    pub fn run_piece(&self, piece: &TilePiece, sink: &mut impl Sink) {
        if let Self::Values(join) = self {
            join.run_piece(piece, sink);
        }
    }

    /// The number of candidates of the prepared round, where it is known without enumerating them, and whether it is
    /// exact; else it is an upper bound.
    pub fn pairs(&self) -> Option<(u64, bool)> {
        match self {
            Self::Keys(join) => Some(join.pairs()),
            Self::Values(_) => None,
            Self::Neighbourhood(join) => Some((join.pairs(), join.is_exact())),
            Self::AllPairs(join) => Some((join.pairs(), true)),
        }
    }
}
