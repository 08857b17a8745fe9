//! Slices: some tasks at a time, with an output of fixed size.
//!
//! Kernels count their results past the end of the output. Where it was too small nothing of the slice counts, and a
//! smaller one is run in its place: kernels never wait, nothing is lost, and memory is bounded. A slice of one task
//! always fits. The size also follows the time that slices take, so that a job can stop soon after it is cancelled.

use std::ops::Range;
use std::time::Duration;

use crate::error::{Error, Result};

/// Tasks of the first slice: enough to keep any device busy, and few enough to be run again where the output overflows.
/// An eighth of that makes a short join of texts a fifth slower.
const FIRST: u64 = 1 << 16;

/// Tasks of a slice at most: kernels count them in 32 bits.
const MOST: u64 = 1 << 30;

/// A slice that took this long is not grown: larger ones would save nothing and make a cancelled job wait.
const LONG: Duration = Duration::from_millis(100);

/// A slice that took this long is made smaller.
const TOO_LONG: Duration = Duration::from_millis(250);

/// Which tasks come next.
#[derive(Debug)]
pub struct Slices {
    /// Tasks that have not been done.
    left: Range<u64>,
    /// Tasks of a slice.
    size: u64,
    /// Results that the output has room for.
    capacity: usize,
}

impl Slices {
    /// Slices of some tasks, none of which has more results than `capacity`.
    pub fn new(tasks: Range<u64>, capacity: usize) -> Self {
        let size = tasks.end.saturating_sub(tasks.start).clamp(1, FIRST);
        Self { left: tasks, size, capacity }
    }

    /// Goes on with other tasks of the same kind, when all are done, with slices as large as the last ones.
    pub fn go_on(&mut self, tasks: Range<u64>) {
        self.left = tasks;
    }

    /// The next slice, until all tasks are done.
    pub fn next_slice(&self) -> Option<Range<u64>> {
        let slice = self.left.start..self.left.end.min(self.left.start.saturating_add(self.size));
        (!slice.is_empty()).then_some(slice)
    }

    /// Takes note of what came of the next slice: the number of its results, whether there was room for them or not, and
    /// the time it took. False where they did not fit: then nothing of the slice counts.
    pub fn finish(&mut self, results: usize, elapsed: Duration) -> Result<bool> {
        let Some(slice) = self.next_slice() else { return Ok(true) };
        let tasks = slice.end - slice.start;
        if results > self.capacity {
            self.size = self.smaller(tasks, results)?;
            return Ok(false);
        }
        self.left.start = slice.end;
        if elapsed >= TOO_LONG {
            self.size = (tasks / 2).max(1);
        } else if elapsed < LONG && results < self.capacity / 4 {
            self.size = (2 * self.size).min(MOST);
        }
        Ok(true)
    }

    /// A number of tasks whose results fit, where those of `tasks` did not: in proportion to what came, with some room
    /// for unevenness, and at most half.
    fn smaller(&self, tasks: u64, results: usize) -> Result<u64> {
        if tasks == 1 {
            let text = format!("one task on a device gave {results} results, and there is room for {}", self.capacity);
            return Err(Error::internal(text));
        }
        let fits = tasks as f64 * self.capacity as f64 / results as f64 * 0.75;
        Ok((fits as u64).clamp(1, tasks / 2))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QUICK: Duration = Duration::from_millis(1);

    fn size(slices: &Slices) -> u64 {
        slices.next_slice().map_or(0, |slice| slice.end - slice.start)
    }

    proptest! {
        /// Tasks of any numbers of results: each is done once, in order, and no slice that counts overflows.
        #[test]
        fn every_task_once(
            results in prop::collection::vec(0usize..40, 0..300), capacity in 40usize..200, first in 0u64..1000,
            millis in prop::collection::vec(0u64..400, 1..9),
        ) {
            let mut slices = Slices::new(first..first + results.len() as u64, capacity);
            let (mut done, mut millis) = (first, millis.into_iter().cycle());
            while let Some(slice) = slices.next_slice() {
                prop_assert_eq!(slice.start, done);
                let range = (slice.start - first) as usize..(slice.end - first) as usize;
                let came: usize = results[range].iter().sum();
                let counts = slices.finish(came, Duration::from_millis(millis.next().unwrap_or(0))).unwrap();
                prop_assert_eq!(counts, came <= capacity);
                if counts {
                    done = slice.end;
                }
            }
            prop_assert_eq!(done, first + results.len() as u64);
        }
    }

    #[test]
    fn quick_slices_with_few_results_grow() {
        let mut slices = Slices::new(0..u64::MAX, 1000);
        assert_eq!(size(&slices), FIRST);
        assert!(slices.finish(249, QUICK).unwrap());
        assert_eq!(size(&slices), 2 * FIRST);
        assert!(slices.finish(250, QUICK).unwrap());
        assert_eq!(size(&slices), 2 * FIRST, "the output is filled well");
        assert!(slices.finish(0, LONG).unwrap());
        assert_eq!(size(&slices), 2 * FIRST, "it took long");
        assert!(slices.finish(0, TOO_LONG).unwrap());
        assert_eq!(size(&slices), FIRST, "it took too long");
    }

    #[test]
    fn a_slice_that_overflows_is_run_again_in_parts() {
        let mut slices = Slices::new(10..110, 100);
        assert_eq!(slices.next_slice(), Some(10..110));
        assert!(!slices.finish(150, QUICK).unwrap());
        assert_eq!(slices.next_slice(), Some(10..60));
        assert!(!slices.finish(10_000, QUICK).unwrap());
        assert_eq!(slices.next_slice(), Some(10..11));
        assert!(slices.finish(101, QUICK).is_err(), "a task by itself must fit");
    }

    #[test]
    fn no_tasks_are_no_slices() {
        assert_eq!(Slices::new(5..5, 10).next_slice(), None);
    }
}
