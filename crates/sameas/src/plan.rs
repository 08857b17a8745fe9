//! What a plan is made of: the parts of an [`Explanation`](crate::Explanation) and of a [`JobPlan`](crate::JobPlan),
//! with the reasons for each choice.

#[doc(inline)]
pub use sameas_engine::plan::cost::calibrate::Calibration;
#[doc(inline)]
pub use sameas_engine::plan::{
    AccessPath, BranchKind, BranchPlace, BranchRecord, BranchScoring, ChoiceReason, CpuReason, EarlierRun, KeyRecord,
    PartingRecord, Place, PlanWarning, RevisionRecord, StepRecord, TableRecord,
};
