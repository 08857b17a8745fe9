//! The stage that gives pairs their scores, whatever kind of scores a job has.

use super::outside_stage::OutsideStage;
use super::scores::{ScoreRecord, Scores};
use super::stage::ScoreStage;
use super::weighted_stage::WeightedStage;
use crate::execute::PairStage;
use crate::rules::RuleSet;
use crate::verify::{Program, Tally};

/// One of the stages after which pairs carry scores.
pub enum AnyScoreStage<'a> {
    /// Match weights by a model.
    Weights(ScoreStage<'a>),
    /// Weighted averages of similarities.
    Averages(WeightedStage<'a>),
    /// Scores that others have given.
    Outside(OutsideStage<'a>),
}

impl<'a> AnyScoreStage<'a> {
    /// That of a job; nothing where its pairs have no scores.
    pub fn for_scores(rules: &'a RuleSet, program: &'a Program, scores: &'a Scores) -> Option<Self> {
        match scores {
            Scores::None => None,
            Scores::Model(scoring) => Some(Self::Weights(ScoreStage::new(rules, program, scoring))),
            Scores::Weighted(weighted) => Some(Self::Averages(WeightedStage::new(rules, program, weighted))),
            Scores::Given(outside) => Some(Self::Outside(OutsideStage::new(outside))),
        }
    }

    /// The same, which gives all pairs their scores and removes none.
    #[must_use]
    pub fn keeping_all(self) -> Self {
        match self {
            Self::Weights(stage) => Self::Weights(stage.keeping_all()),
            Self::Averages(stage) => Self::Averages(stage.keeping_all()),
            Self::Outside(stage) => Self::Outside(stage),
        }
    }

    /// As a stage like any other.
    pub fn as_stage(&self) -> &dyn PairStage {
        match self {
            Self::Weights(stage) => stage,
            Self::Averages(stage) => stage,
            Self::Outside(stage) => stage,
        }
    }

    /// What came of the pairs that the rules have given, of which `kept` are left. What others have given is recorded where it
    /// is read.
    pub fn record(&self, tally: &Tally, kept: u64) -> Option<ScoreRecord> {
        match self {
            Self::Weights(stage) => Some(stage.record(tally.owned.iter().sum(), kept)),
            Self::Averages(stage) => Some(stage.record()),
            Self::Outside(_) => None,
        }
    }
}
