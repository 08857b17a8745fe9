//! The transitive closure of a file of pairs: [`Session::closure`](crate::Session::closure) takes a [`ClosureJob`] and
//! gives a [`Closure`].

pub use crate::api::Closure;
#[doc(inline)]
pub use sameas_datalog::closure::{ClosureJob, ClosureMethod, ClosurePlan, ClosureReason};
