//! How good a result is: [`Session::evaluate`](crate::Session::evaluate) takes an [`EvaluationRequest`] and gives an
//! [`Evaluation`].

#[doc(inline)]
pub use sameas_report::evaluate::{
    AnswerKind, Blocking, Evaluation, EvaluationLists, EvaluationRequest, PairCounts, PairList, ReliabilityBin,
    RuleScore, ThresholdScore,
};
