//! How sure it is that two records match: the parts of a [`Model`](crate::Model), scores and what they are made of, and
//! how frequent values are.

#[doc(inline)]
pub use sameas_engine::engine::OutsideScore;
#[doc(inline)]
pub use sameas_engine::score::ScoreBin;
#[doc(inline)]
pub use sameas_engine::scoring::{
    ColumnFrequencies, ComparisonScore, CoverRecord, ExpectedThreshold, HigherThreshold, MatchesFrom, ScoreExpectation,
    ScoreExplanation, TermFrequencyRecord, WeightedExplanation, WeightedScore,
};
#[doc(inline)]
pub use sameas_rules::model::{
    ComparisonModel, LearnedFrom, LevelModel, NotCombinedReason, PairClass, PassShare, SharedColumns, TrainingPass,
    TrainingWarning,
};
