//! What a run looks like: [`Run::report`](crate::Run::report) and [`Session::report`](crate::Session::report) give a
//! [`RunReport`], whose [`ReportFacts`](facts::ReportFacts) and tables a page shows;
//! [`Run::cluster`](crate::Run::cluster) and [`Session::cluster`](crate::Session::cluster) give the records of one cluster;
//! [`Run::why`](crate::Run::why) and [`Session::why_in`](crate::Session::why_in) say what connects two records.

pub use crate::api::RunRecords;
#[doc(inline)]
pub use sameas_engine::engine::{ConnectingPair, Connection, CutReason};
#[doc(inline)]
pub use sameas_report::report::facts;
#[doc(inline)]
pub use sameas_report::report::{
    ClusterColumn, ClusterCut, ClusterEntityColumn, ClusterMember, ClusterPair, ClusterRecords, ReportOptions,
    RunReport, WithoutValues,
};
