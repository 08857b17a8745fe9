//! How a job is stopped: long loops check whether the caller still wants it, and unwind if not.
//!
//! A stop can be wanted anywhere: while columns are encoded, an index is built or a plan is made, in code that cannot fail
//! and returns no `Result`. So a check unwinds the stack, without a message, and [`catch`], at the door of the library,
//! turns that into an error. Nothing is left half-done for others to see: whatever a job has made belongs to it and goes
//! with it, files under temporary names included.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::{Error, Result};

/// Whether the caller wants the job to stop.
#[derive(Clone, Copy)]
pub struct Cancel<'a> {
    is_wanted: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// What unwinds the stack of a job that is cancelled.
struct Cancelled;

impl<'a> Cancel<'a> {
    /// Nobody will want the job to stop.
    pub const NEVER: Self = Self { is_wanted: None };

    /// Stops where `is_wanted` says so; it is called often, and from any thread.
    pub fn when(is_wanted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { is_wanted: Some(is_wanted) }
    }

    /// Ends the job here if that is wanted. Must be called at least every tenth of a second.
    #[inline]
    pub fn check(self) {
        if self.is_wanted.is_some_and(|is_wanted| is_wanted()) {
            resume_unwind(Box::new(Cancelled));
        }
    }
}

impl std::fmt::Debug for Cancel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cancel {{ possible: {} }}", self.is_wanted.is_some())
    }
}

/// Does work that may be cancelled.
pub fn catch<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // What the work has changed is either its own or behind a lock that does not mind a thread that unwinds.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(payload) if payload.is::<Cancelled>() => Err(Error::cancelled()),
        Err(payload) => resume_unwind(payload),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use rayon::prelude::*;

    use super::*;
    use crate::error::ErrorCode;

    #[test]
    fn a_check_ends_the_work_of_all_threads() {
        let done = AtomicU64::new(0);
        let is_wanted = || done.load(Relaxed) >= 100;
        let cancel = Cancel::when(&is_wanted);
        let error = catch(|| {
            (0..1_000_000).into_par_iter().with_max_len(1).for_each(|_: u32| {
                cancel.check();
                done.fetch_add(1, Relaxed);
            });
            Ok(())
        });
        assert_eq!(error.unwrap_err().code(), ErrorCode::Cancelled);
        assert!(done.load(Relaxed) < 1_000);
        let goes_on = catch(|| {
            Cancel::NEVER.check();
            Ok(7)
        });
        assert_eq!(goes_on.ok(), Some(7));
    }
}
