//! What a program does, and what it did: strata, rules with their join orders, rounds.

use serde::Serialize;

use crate::device::{DeviceKind, NoGpu};

/// What the evaluation of a program does, or did.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct RelateExplanation {
    /// The relations that files fill, with their tuples as far as they are known.
    pub inputs: Vec<RelationTuples>,
    /// In the order of evaluation; relations without rules are not listed.
    pub strata: Vec<StratumRecord>,
    /// The relations that are written, with their tuples after a run.
    pub outputs: Vec<RelationTuples>,
    /// Bindings that all joins together are expected to make: a GPU is worth its start from some tens of millions on.
    pub expected_bindings: f64,
    /// Where relations are evaluated.
    pub device: DeviceKind,
    /// Why that is not a GPU, where the choice was left to the library.
    pub no_gpu: Option<NoGpu>,
    /// Seconds of a run, from the reading of files to the last round.
    pub seconds: Option<f64>,
}

/// A relation and its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelationTuples {
    /// Its name.
    pub relation: String,
    /// The number of its tuples, if it is known.
    pub tuples: Option<u64>,
}

/// Relations that are evaluated together.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct StratumRecord {
    /// Their names, with their tuples after a run.
    pub relations: Vec<RelationTuples>,
    /// Whether their rules are applied again until they give nothing new.
    pub is_recursive: bool,
    /// Whether it counts the tuples of another relation by groups.
    pub counts: Option<String>,
    /// The column whose values are followed one by one, if the rules hand one on untouched.
    pub carried: Option<String>,
    /// Its rules.
    pub rules: Vec<PlannedRule>,
    /// What each round of a run has added.
    pub rounds: Vec<RoundRecord>,
    /// Seconds of a run.
    pub seconds: Option<f64>,
}

/// A rule and how its atoms are joined.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlannedRule {
    /// As it is written, in one line.
    pub rule: String,
    /// Where it is written: `paths.dl:7`.
    pub place: String,
    /// The join of the first round.
    pub first: PlannedJoin,
    /// The joins of later rounds: the first atom of each reads only what the last round has added.
    pub later: Vec<PlannedJoin>,
}

/// Atoms in the order in which they are joined.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedJoin {
    /// From the first to the last.
    pub atoms: Vec<JoinedAtom>,
}

/// An atom of a join.
#[derive(Clone, Debug, Serialize)]
pub struct JoinedAtom {
    /// In the words of its rule.
    pub atom: String,
    /// The bindings that are expected after it.
    pub expected: f64,
}

/// What a round has added.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RoundRecord {
    /// From 1.
    pub number: u32,
    /// Tuples that were new, of all relations of the stratum.
    pub new: u64,
    /// All tuples of these relations after it.
    pub tuples: u64,
    /// Tuples that the rules gave, repetitions included.
    pub candidates: u64,
    /// How long it took.
    pub seconds: f64,
}
