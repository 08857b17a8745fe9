//! Jobs whose records lie apart: [`Session::open_parts`](crate::Session::open_parts) reads parts of the records, over
//! which [`Session::run_branch`](crate::Session::run_branch) runs branches of a [`JobPlan`](crate::JobPlan).

#[doc(inline)]
pub use sameas_engine::dataset::{PartInput, PartRole, RecordPart};
#[doc(inline)]
pub use sameas_engine::engine::{BranchPairs, OfAllRecords, PartRecords};
