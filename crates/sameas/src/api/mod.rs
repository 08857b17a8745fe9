//! The front door: a [`Session`] runs a [`Job`](crate::Job), and a [`Run`] holds what it found.
//!
//! `dataset` has what a session does with records that are at hand.
//!
//! Nothing here computes: threads are brought together, panics of cancelled jobs are caught, and results are handed out.
//!
//! A run keeps its records for questions (`SessionBuilder::keep_records`). Types that will grow are
//! `#[non_exhaustive]`. The programs in `crates/sameas/examples` are run as tests.

mod closure;
mod dataset;
mod run;
mod session;

pub use closure::Closure;
pub use run::{ResultBatches, Run, RunRecords};
pub use session::{Session, SessionBuilder};
