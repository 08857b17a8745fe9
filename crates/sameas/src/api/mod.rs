//! The front door: a [`Session`] runs a [`Job`](crate::Job), and a [`Run`] holds what it found.
//!
//! Nothing here computes: threads are brought together, panics of cancelled jobs are caught, and results are handed out.

mod closure;
mod run;
mod session;

pub use closure::Closure;
pub use run::{ResultBatches, Run};
pub use session::{Session, SessionBuilder};
