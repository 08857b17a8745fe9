//! How good a result is: [`Session::evaluate`](crate::Session::evaluate) takes an [`EvaluationRequest`] and gives an
//! [`Evaluation`]. Where the truth is a sample of judged pairs, [`Session::estimate`](crate::Session::estimate) takes an
//! [`EstimateRequest`], and [`Session::compare_clusters`](crate::Session::compare_clusters) compares two results with each other.
//! [`Session::sweep`](crate::Session::sweep) compares thresholds and ways to make clusters: it takes a [`SweepRequest`].

#[doc(inline)]
pub use sameas_report::evaluate::{
    AnswerKind, Blocking, ClusterChangeExample, ClusterChangeKind, ClusterChanges, ClusterComparison, ClusterScores,
    ClusterSizeScore, ComparisonRequest, DividedClusters, EstimateRequest, Evaluation, EvaluationLists,
    EvaluationRequest, ExactClusters, LabelCounts, LabelEstimates, LabelStratum, PairCounts, PairList, ReliabilityBin,
    RuleScore, ShareEstimate, SweepEstimates, SweepMethod, SweepRequest, SweepRow, SweepScores, SweepTable,
    ThresholdScore,
};
