//! The loop over cases, for any subject under test.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::check::on_threads;
use super::compare::{Failure, Subject, compare};
use crate::case::Case;
use crate::oracle::{Answer, Coverage, evaluate_and_record};

/// A case to be run, made only when it is its turn.
pub struct Task {
    /// Its name within its group.
    pub name: String,
    /// What chooses how it is written and run.
    pub seed: u64,
    /// Makes it.
    pub case: Box<dyn Fn() -> Case + Send + Sync>,
}

/// A case that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Its place among the tasks.
    pub at: usize,
    /// What went wrong.
    pub failure: Failure,
}

/// Sees every case with its answer, and what was seen of each measure on the way.
pub type Observer<'a> = dyn Fn(&Case, &Answer, &Coverage) + Sync + 'a;

/// Runs tasks against the oracle.
pub struct Runner<'a> {
    /// Threads that take cases.
    pub threads: usize,
    /// Whether the first failure ends the loop.
    pub stops: bool,
    /// The subject under test.
    pub subject: &'a Subject<'a>,
    /// Sees every case.
    pub observer: &'a Observer<'a>,
}

impl Runner<'_> {
    /// The tasks that fail, in their order.
    ///
    /// # Panics
    /// Where there is no temporary folder to write in.
    pub fn run(&self, tasks: &[Task]) -> Vec<Failed> {
        let (next, stop, failed) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(Vec::new()));
        let work = || {
            let folder = tempfile::tempdir().expect("a temporary folder");
            while !stop.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(at) else { break };
                let case = (task.case)();
                let mut coverage = Coverage::default();
                let answer = evaluate_and_record(&case, &mut coverage);
                (self.observer)(&case, &answer, &coverage);
                if let Some(failure) = compare(&case, &answer, task.seed, folder.path(), self.subject) {
                    stop.store(self.stops, Ordering::Relaxed);
                    failed.lock().expect("no thread panics while it holds this").push(Failed { at, failure });
                }
            }
        };
        on_threads(self.threads, work);
        let mut failed = failed.into_inner().expect("no thread panics while it holds this");
        failed.sort_by_key(|failed| failed.at);
        failed
    }
}
