//! Relations and rules that refer to each other: [`Session::relate`](crate::Session::relate) evaluates the
//! [`RelateProgram`] of a [`RelateJob`] and gives [`RelatedTuples`].

#[doc(inline)]
pub use sameas_datalog::datalog::{
    BatchSink, JoinedAtom, PlannedJoin, PlannedRule, RelateExplanation, RelateJob, RelateProgram, RelatedTuples,
    RelationTuples, RoundRecord, StratumRecord, ValueKind,
};
