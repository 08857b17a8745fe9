//! How a job is stopped before its end: long loops check whether the caller still wants it and whether its memory still
//! suffices, and unwind if not.
//!
//! A stop can be necessary anywhere: while columns are derived or encoded, an index is built or a plan is made, in code
//! that cannot fail and returns no `Result`. So a check unwinds the stack, without a message, and [`catch`], at the door of
//! the library, turns that into an error. Nothing is left half-done for others to see: whatever a job has made belongs to
//! it and goes with it, files under temporary names included.
//!
//! A `Result` through all of that code, only to stop, would cost every hot loop a branch and every reader a question.
//! Panics that are no cancelling go on. Memory that does not suffice ends a job in the same way: a [`Cancel`] carries
//! the [`MemoryBudget`] that counts what evaluation and encoding make ([`Cancel::hold`]).
//!
//! Checks are made when a stage begins, for each block of records that is read, derived, encoded, tokenised or written,
//! for each domain that is counted, before each round of a join and each batch of candidates, after each task, and
//! after each slice of work on a device, which is kept short.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};

/// Whether the caller wants the job to stop, and the memory that it may take.
#[derive(Clone, Copy)]
pub struct Cancel<'a> {
    is_wanted: Option<&'a (dyn Fn() -> bool + Sync)>,
    budget: Option<&'a MemoryBudget>,
}

/// What unwinds the stack of a job that ends early.
struct EarlyEnd(Error);

impl<'a> Cancel<'a> {
    /// Nobody will want the job to stop, and it may take any memory.
    pub const NEVER: Self = Self { is_wanted: None, budget: None };

    /// Stops where `is_wanted` says so; it is called often, and from any thread.
    pub fn when(is_wanted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { is_wanted: Some(is_wanted), budget: None }
    }

    /// The same for work whose memory is counted.
    #[must_use]
    pub fn within(self, budget: &'a MemoryBudget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// Ends the job here if that is wanted. Must be called at least every tenth of a second.
    #[inline]
    pub fn check(self) {
        if self.is_wanted() {
            end(Error::cancelled());
        }
    }

    /// Whether the caller wants the job to stop, for code that ends it by itself.
    #[inline]
    pub fn is_wanted(self) -> bool {
        self.is_wanted.is_some_and(|is_wanted| is_wanted())
    }

    /// The memory that the job may take, if it is counted.
    #[inline]
    pub fn budget(self) -> Option<&'a MemoryBudget> {
        self.budget
    }

    /// Whether memory is counted.
    #[inline]
    pub fn counts_memory(self) -> bool {
        self.budget.is_some()
    }

    /// Counts `bytes` until the value is dropped. Ends the job here if they do not fit.
    pub fn hold(self, bytes: usize) -> Held {
        self.budget.map_or_else(Held::default, |budget| or_end(budget.hold(bytes)))
    }

    /// Ends the job here if `bytes` more do not fit its memory.
    pub fn check_room(self, bytes: usize) {
        if let Some(budget) = self.budget {
            or_end(budget.check_room(bytes));
        }
    }
}

/// Ends the job with this error.
pub fn end(error: Error) -> ! {
    resume_unwind(Box::new(EarlyEnd(error)))
}

/// Whether a panic is the end of a job.
pub fn is_end(payload: &(dyn Any + Send)) -> bool {
    payload.is::<EarlyEnd>()
}

/// The value, or the end of the job, for code that returns no `Result`.
#[inline]
pub fn or_end<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| end(error))
}

impl std::fmt::Debug for Cancel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cancel {{ possible: {} }}", self.is_wanted.is_some())
    }
}

/// Does work that may end early.
pub fn catch<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // What the work has changed is either its own or behind a lock that does not mind a thread that unwinds.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(payload) => match payload.downcast::<EarlyEnd>() {
            Ok(ended) => Err(ended.0),
            Err(payload) => resume_unwind(payload),
        },
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

    #[test]
    fn memory_that_does_not_suffice_ends_the_work_with_an_error() {
        let budget = MemoryBudget::new(200 << 20);
        let cancel = Cancel::NEVER.within(&budget);
        let error = catch(|| {
            let held = cancel.hold(150 << 20);
            cancel.check_room(60 << 20);
            drop(held);
            Ok(())
        });
        assert_eq!(error.unwrap_err().code(), ErrorCode::MemoryLimit);
        assert_eq!(budget.room(), 200 << 20, "what was held is free again");
        Cancel::NEVER.check_room(usize::MAX);
    }
}
