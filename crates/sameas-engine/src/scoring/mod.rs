//! Scores in a job: a stage that keeps the pairs whose score reaches the threshold, the columns they are written with, and
//! the training of a model.
//!
//! The rules of a scored job give its candidates. `stage` scores each pair once by a model (`model_scores`); from there on the pair
//! carries its score, and `columns` writes it. Where there are no rules, `complete` makes the rule that finds every pair above the
//! threshold, from `covered_records`; `score_rules` knows which scores need one. `expected` is what a model expects of the pairs
//! that are kept. `frequencies` has the term frequencies, counted or given, and `written_frequencies` writes counted ones.
//!
//! `train` learns a model. `auxiliary_rules` runs the records of a job by the rules that this needs; `counted_levels` and
//! `sampled_levels` find the shares of levels among all pairs, and `null_pairs` leaves out those with missing values.
//! `null_shares` says for how many pairs a comparison is null.
//!
//! Comparisons with a similarity and a weight need no model: `weighted` averages them, `weighted_stage` keeps pairs by that, and
//! `weighted_rule` makes the conditions that no such pair fails. `outside` reads the scores of another matcher, `outside_run` makes
//! results of them, and `outside_stage` gives them to pairs of certain rules. `scores` is whichever kind a job has, and `any_stage`
//! its stage.
//!
//! A probability is a function of the match weight; the level or similarity of each comparison is made when pairs are
//! written, where a job asks for it, because most of it was never needed for the score. Rules of scores (`complete`,
//! `weighted_rule`, `outside_run`) are values that can be stored and turned into rules and a program over any records
//! of the job; one that was made of counts can be given to some of the records, if these have the frequencies of all. A
//! table of frequencies is opened before anything large is read, so that a wrong name is known at once; its hash is
//! part of a checkpoint's key and of `run.json`.

mod any_stage;
mod auxiliary_rules;
mod columns;
mod complete;
mod counted_levels;
mod counted_scores;
mod covered_records;
mod expected;
mod frequencies;
mod model_scores;
mod null_pairs;
mod null_shares;
mod outcome_conditions;
mod outside;
mod outside_run;
mod outside_stage;
mod representatives;
mod sampled_levels;
mod score_rules;
mod scores;
mod stage;
#[cfg(test)]
mod testing;
mod train;
mod waterfall;
mod weighted;
mod weighted_rule;
mod weighted_stage;
mod weighted_why;
mod written_frequencies;

pub use crate::score::SCORE_RULE;
pub use any_stage::AnyScoreStage;
pub use auxiliary_rules::KnownRecords;
pub use columns::ScoreColumns;
pub use complete::{CoverRecord, HigherThreshold};
pub use counted_scores::CountedScores;
pub use covered_records::CoveredRecords;
pub use expected::{ExpectedThreshold, MatchesFrom, ScoreExpectation};
pub use frequencies::{
    KeptFrequencies, TermFrequencyRecord, check_frequencies, counts_frequencies, frequency_columns,
    missing_frequencies, other_frequencies,
};
pub use model_scores::{Scoring, threshold_of};
pub use null_shares::{NullShare, null_shares};
pub use outside::OutsideScores;
pub use scores::{ScoreRecord, Scores};
pub use train::{DoubleCount, Trained, Training, check_learnable};
pub use waterfall::{ComparisonScore, ScoreExplanation, explain_score};
pub use weighted::Weighted;
pub use weighted_why::{WeightedExplanation, WeightedScore, explain_weighted};
pub use written_frequencies::{ColumnFrequencies, count_frequencies};
