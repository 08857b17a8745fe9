//! A variant as a chain: tuples of its first atom, for each of them the matches of the second, and so on.
//!
//! `compile` turns a variant into steps. `walk` goes through them block by block: the number of matches of a block is
//! known before they are listed, so a block that has many is cut into pieces of bounded size, which any thread takes. A
//! value with a million matches stalls nothing, and no list grows beyond a piece. The last step lists nothing: its matches
//! go from the index to the set of the head.

mod compile;
mod walk;

pub use compile::compile;
pub use walk::ChainWalk;

use super::set::TupleBits;
use crate::relation::program::{RelationId, TermComparison};

/// Where a value is found while a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuePlace {
    /// In a column of the block that the step extends.
    Row(usize),
    /// In a wanted column of the tuple that the step has found.
    Match(usize),
    /// Here.
    Constant(u32),
}

/// What must hold for a match.
#[derive(Clone, Debug)]
pub enum StepCondition {
    /// Two values compare.
    Compare(ValuePlace, TermComparison, ValuePlace),
    /// An index has nothing for a key.
    Absent {
        /// Which of the indexes.
        index: usize,
        /// The key.
        key: Vec<ValuePlace>,
    },
}

/// The tuples that a chain begins with.
#[derive(Clone, Debug)]
pub struct ScanStep {
    /// The relation.
    pub relation: RelationId,
    /// Only what the last round has added.
    pub is_delta: bool,
    /// On the columns of the relation, as matches.
    pub conditions: Vec<StepCondition>,
    /// The columns of the block.
    pub kept: Vec<ValuePlace>,
}

/// A step to the matches of an atom.
#[derive(Debug)]
pub struct JoinStep {
    /// Which of the indexes.
    pub index: usize,
    /// What is looked up.
    pub key: Vec<ValuePlace>,
    /// On the block's columns and the wanted columns of the match.
    pub conditions: Vec<StepCondition>,
    /// The columns of the next block; of the last step, the output.
    pub kept: Vec<ValuePlace>,
    /// The domains of the next block's columns, where going on from the same values twice gives nothing new.
    pub once: Option<Vec<u64>>,
}

/// A variant, ready to be evaluated.
pub struct Chain {
    /// What must hold whatever the tuples are.
    pub before: Vec<StepCondition>,
    /// The output of a rule without atoms.
    pub constants: Vec<ValuePlace>,
    /// The first atom; `None` for a rule without atoms.
    pub scan: Option<ScanStep>,
    /// The other atoms.
    pub joins: Vec<JoinStep>,
    /// For each join, the blocks' rows that were seen in this or an earlier round.
    pub seen: Vec<Option<TupleBits>>,
}

impl Chain {
    /// The indexes that it reads.
    pub fn indexes(&self) -> Vec<usize> {
        let scanned = self.scan.iter().flat_map(|scan| &scan.conditions);
        let joined = self.joins.iter().flat_map(|join| &join.conditions);
        let absent = self.before.iter().chain(scanned).chain(joined).filter_map(|condition| match condition {
            StepCondition::Absent { index, .. } => Some(*index),
            StepCondition::Compare(..) => None,
        });
        absent.chain(self.joins.iter().map(|join| join.index)).collect()
    }
}
