//! Scores: how sure it is that two records match, by the levels that their comparisons reach.
//!
//! `outcome` finds the level of each comparison for a batch of pairs and makes one integer of them, the pattern. `weight`
//! has the numbers: a weight is a whole multiple of 2^-32 bit, so that a score is a sum of integers, the same in any order
//! and on any machine. `model` is what was learned, or given, and its file; `scorer` makes the score of a pair of it, and
//! `programs` what scores many pairs, on the host or on a device, with no more looks at them than it takes.
//! `expectation` learns from a table of pattern counts; `estimate` has what else a model is learned from. `cover` chooses
//! conditions that no pair above a threshold fails. `weighted_sum` has averages of similarities, which need no model, and
//! which comparisons reach a threshold together. `histogram` counts scores.

mod cover;
mod estimate;
mod expectation;
mod histogram;
mod model;
mod model_file;
mod outcome;
mod pattern;
mod programs;
mod scorer;
mod weight;
mod weighted_sum;

pub use cover::{Cover, CoverCondition, CoverJoin, CoverOutcome, CoverPart, Covering, Uncovered, without_implied};
pub use estimate::{LevelShare, weighted_median, without_matches};
pub use expectation::{Pass, PassComparison, PassRecord, expectation_maximisation};
pub use histogram::{ScoreBin, ScoreHistogram};
pub use model::{ComparisonModel, LearnedFrom, LevelModel, Model, TrainingPass};
pub(crate) use model_file::toml_text;
pub use outcome::{LevelConjunctions, OutcomeReader};
pub use pattern::{PatternCounts, Patterns};
pub use programs::{PredicateSource, keeping_program, pattern_program};
pub use scorer::{ScoreParts, Scorer, TermFrequencies};
pub use weight::MatchWeight;
pub use weighted_sum::{JoinablePart, WeightedSum, reaching_sets};
