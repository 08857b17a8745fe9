//! What a run tells of itself: the parts of a [`RunRecord`](crate::RunRecord), which is the content of `run.json`, and
//! what an [`Observer`](crate::Observer) is given while it runs.

#[doc(inline)]
pub use sameas_engine::dataset::{InputFileRecord, InputRecord};
#[doc(inline)]
pub use sameas_engine::engine::{
    ClusterCause, ClusterSizeRecord, CutRecord, DeriveRecord, JobRecord, LargestCluster, NearCondition, NearRecord,
    NeverRecord, RulePairs, RuleRecord, ThresholdClusters,
};
#[doc(inline)]
pub use sameas_engine::job::{Resumption, StartOverReason};
#[doc(inline)]
pub use sameas_engine::observer::WorkUnit;
#[doc(inline)]
pub use sameas_engine::scoring::ScoreRecord;
#[doc(inline)]
pub use sameas_engine::timeline::{Operator, OperatorRecord};
#[doc(inline)]
pub use sameas_records::judgements::{DecidedRecord, PairDecision};
#[doc(inline)]
pub use sameas_records::output::FileRecord;
#[doc(inline)]
pub use sameas_records::records::stats::ColumnFacts;
#[doc(inline)]
pub use sameas_records::records::{ContentId, SkippedRecord};
