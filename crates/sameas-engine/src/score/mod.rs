//! Scores: how sure it is that two records match, by the levels that their comparisons reach.
//!
//! `outcome` finds the level of each comparison for a batch of pairs and makes one integer of them, the pattern. `scorer`
//! makes the score of a pair of a model, and `programs` what scores many pairs, on the host or on a device, with no more
//! looks at them than it takes.
//! `value_frequencies` has how frequent values are, counted or given by a [table](FrequencyTable); `term_frequencies` what that is
//! worth.
//! `expectation` learns from a table of pattern counts, which `pass_table` has decoded, within a `match_limit`; `pass_errors` says
//! how far what it has learned may be off, by `paired_outcomes`, and `design_effect` how much more that is for a
//! sample; `estimate` has what else a model is learned from. `cover` chooses conditions that no pair above a threshold fails, and
//! `score_rule` is a rule of such conditions. `weighted_sum` has averages of similarities, which need no model, and which
//! comparisons reach a threshold together. `histogram` counts scores, and `pair_expectation` how many pairs above a threshold
//! match, as a model expects.
//!
//! A level keeps conjunctions that contradict themselves (`p and not p`), which a rule leaves out: they never hold, but
//! are null where `p` is, and so is the outcome. Values of a frequency table become the bytes that the dictionary has
//! for them, so that codes look their frequencies up; a value that the table lacks has none, and adds nothing. What
//! bounds a score, and what cuts values into bands, takes the largest of these adjustments, wherever they are from.

mod cover;
mod design_effect;
mod estimate;
mod expectation;
mod histogram;
mod match_limit;
mod outcome;
mod pair_expectation;
mod paired_outcomes;
mod pass_errors;
mod pass_table;
mod pattern;
mod programs;
mod score_rule;
mod scorer;
mod term_frequencies;
mod value_frequencies;
mod weighted_sum;

pub use crate::frequency_table::{
    COUNT, FREQUENCY, FrequencyReader, FrequencySource, FrequencyTable, VALUE, converted,
};
pub use cover::{Cover, CoverCondition, CoverJoin, CoverOutcome, CoverPart, Covering, Uncovered, without_implied};
pub use estimate::{LevelShare, WithError, WithoutMatches, weighted_median};
pub use expectation::{Pass, PassBelief, PassRecord, SMOOTHING, expectation_maximisation, says_nothing, smoothed};
pub use histogram::{ScoreBin, ScoreHistogram};
pub use match_limit::MatchLimit;
pub use outcome::{LevelConjunctions, OutcomeReader};
pub use pair_expectation::{PairExpectation, PairsAbove};
pub use paired_outcomes::{OutcomePairs, PairedOutcomes};
pub use pass_errors::PassErrors;
pub use pass_table::{PassTable, TableSample};
pub use pattern::{PatternCounts, Patterns};
pub use programs::{PredicateSource, keeping_program, pattern_program};
pub use score_rule::{RareCondition, SCORE_RULE, ScoreRule};
pub use scorer::{ScoreParts, Scorer};
pub use term_frequencies::{RareLimit, TermFrequencies, ValueBand};
pub use value_frequencies::ValueFrequencies;
pub use weighted_sum::{JoinablePart, WeightedSum, reaching_sets};
