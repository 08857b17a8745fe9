//! Makes items on the rayon pool and writes them in order, with a bounded number in progress.
//!
//! No thread ever waits: a thread that finishes an item writes all that are due and starts the next ones. So it works
//! in a pool of one thread, from inside a pool, and with makers that use the pool themselves.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use crate::error::{Error, Result};

/// Makes the items `0..count`, at most `parallel` of them begun and not yet written, and calls `write` with each, in
/// order. The first error ends it.
pub fn ordered<T: Send>(
    count: u64,
    parallel: usize,
    make: &(dyn Fn(u64) -> Result<T> + Sync),
    write: &mut (dyn FnMut(T) -> Result<()> + Send),
) -> Result<()> {
    let state = State { ready: BTreeMap::new(), begun: 0, written: 0, write: Some(write), error: None };
    let pipeline = OrderedPipeline { count, parallel: parallel.max(1) as u64, make, state: Mutex::new(state) };
    rayon::scope(|scope| pipeline.begin(scope, &mut pipeline.lock()));
    match pipeline.state.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

type Writer<'a, T> = &'a mut (dyn FnMut(T) -> Result<()> + Send);

struct OrderedPipeline<'a, T> {
    count: u64,
    parallel: u64,
    make: &'a (dyn Fn(u64) -> Result<T> + Sync),
    state: Mutex<State<'a, T>>,
}

struct State<'a, T> {
    /// Items made and not yet written.
    ready: BTreeMap<u64, T>,
    begun: u64,
    written: u64,
    /// The writer, unless a thread is using it.
    write: Option<Writer<'a, T>>,
    error: Option<Error>,
}

impl<'a, T: Send> OrderedPipeline<'a, T> {
    /// Begins as many items as may be in progress.
    fn begin<'s>(&'s self, scope: &Scope<'s>, state: &mut State<'a, T>) {
        while state.error.is_none() && state.begun < self.count.min(state.written + self.parallel) {
            let item = state.begun;
            state.begun += 1;
            scope.spawn(move |scope| self.make_one(scope, item));
        }
    }

    fn make_one<'s>(&'s self, scope: &Scope<'s>, item: u64) {
        if self.lock().error.is_some() {
            return;
        }
        let made = (self.make)(item);
        let mut state = self.lock();
        match made {
            Ok(made) => drop(state.ready.insert(item, made)),
            Err(error) => state.fail(error),
        }
        drop(state);
        self.write_due(scope);
    }

    /// Writes what is due, unless another thread is writing: that one looks again before it leaves.
    fn write_due<'s>(&'s self, scope: &Scope<'s>) {
        let mut state = self.lock();
        while let Some((item, write)) = state.take_due() {
            drop(state);
            let result = write(item);
            state = self.lock();
            state.write = Some(write);
            match result {
                Ok(()) => state.written += 1,
                Err(error) => state.fail(error),
            }
            self.begin(scope, &mut state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a, T> State<'a, T> {
    /// The next item and the writer, if both are there.
    fn take_due(&mut self) -> Option<(T, Writer<'a, T>)> {
        if self.error.is_some() || self.write.is_none() {
            return None;
        }
        let item = self.ready.remove(&self.written)?;
        Some((item, self.write.take()?))
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
        self.ready.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    #[test]
    fn items_come_in_order_and_few_are_in_progress() {
        for (threads, parallel) in [(1, 1), (1, 4), (2, 3), (4, 8)] {
            let (begun, written) = (AtomicU64::new(0), AtomicU64::new(0));
            let make = |k: u64| {
                begun.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_micros(k * 7919 % 300));
                assert!(begun.load(Ordering::SeqCst) - written.load(Ordering::SeqCst) <= parallel as u64 + 1);
                Ok(k)
            };
            let mut seen = Vec::new();
            let mut write = |k| {
                seen.push(k);
                written.fetch_add(1, Ordering::SeqCst);
                Ok(())
            };
            in_pool(threads, || ordered(100, parallel, &make, &mut write)).unwrap();
            assert_eq!(seen, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn errors_of_either_side_end_it() {
        let fails = |k| if k == 5 { Err(Error::data("five")) } else { Ok(k) };
        let mut seen = Vec::new();
        let error = in_pool(2, || {
            ordered(1000, 4, &fails, &mut |k| {
                seen.push(k);
                Ok(())
            })
        })
        .unwrap_err();
        assert_eq!(error.message(), "five");
        assert!(seen.len() <= 5);
        let error =
            in_pool(2, || ordered(1000, 4, &Ok, &mut |k| if k == 7 { Err(Error::data("seven")) } else { Ok(()) }));
        assert_eq!(error.unwrap_err().message(), "seven");
    }

    #[test]
    fn no_items_are_no_work() {
        ordered::<u64>(0, 3, &|_| Err(Error::internal("made")), &mut |_| Err(Error::internal("written"))).unwrap();
    }
}
