//! A job on a thread of its own, while the thread that called listens to signals and shows how far it has come.
//!
//! Python runs handlers of signals on its main thread, and only between two of its instructions. So the calling thread never
//! waits for long: it looks for signals twenty-five times a second, without holding the interpreter's lock between. Ctrl-C
//! cancels the job, and the exception is raised when the job has ended, or a moment later if it cannot end that fast.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::intern;
use pyo3::prelude::*;
use sameas::plan::PlanWarning;
use sameas::{Doubt, Error, Observer, Result, Stage};
use sameas_cli::{Counts, give_back, report};

use crate::errors::exception;

/// Between two looks for signals.
const LOOK: Duration = Duration::from_millis(40);

/// Between two lines of progress.
const SHOW: Duration = Duration::from_millis(200);

/// What a cancelled job may take before the caller goes on without it. It ends by itself.
const PATIENCE: Duration = Duration::from_millis(250);

/// Bytes of the stack of a job's thread: as much as a main thread has.
const STACK_BYTES: usize = 8 << 20;

/// What the threads of a job and the calling thread share.
#[derive(Default)]
pub struct SharedProgress {
    is_cancelled: AtomicBool,
    counts: Counts,
    /// What is to be said to the user.
    notices: Mutex<Vec<String>>,
}

impl SharedProgress {
    fn notice(&self, texts: impl IntoIterator<Item = String>) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
    }

    fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for SharedProgress {
    fn stage(&self, stage: &Stage, total: Option<u64>) {
        self.counts.stage(stage, total);
    }

    fn advance(&self, amount: u64) {
        self.counts.advance(amount);
    }

    fn doubts(&self, doubts: &[Doubt]) {
        self.notice(report::doubts(doubts));
    }

    fn planned(&self, warnings: &[PlanWarning]) {
        self.notice(warnings.iter().map(report::warning));
    }

    fn counted(&self, candidates: u64, pairs: u64) {
        self.counts.counted(candidates, pairs);
    }

    fn memory_freed(&self) {
        give_back();
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed)
    }
}

/// Does work on another thread. `display` learns how far it has come (`update`) and what the user should know (`notice`).
pub fn supervise<T: Send + 'static>(
    py: Python<'_>,
    display: &Bound<'_, PyAny>,
    work: impl FnOnce(&SharedProgress) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(SharedProgress::default());
    let result = wait(py, display, &watch, start(&watch, work).map_err(|error| exception(py, &error))?);
    for notice in watch.take_notices() {
        display.call_method1(intern!(py, "notice"), (notice,))?;
    }
    result
}

/// Starts the thread; what comes out of the work comes through the channel.
fn start<T: Send + 'static>(
    watch: &Arc<SharedProgress>,
    work: impl FnOnce(&SharedProgress) -> Result<T> + Send + 'static,
) -> Result<Receiver<Result<T>>> {
    let (sender, receiver) = sync_channel(1);
    let watch = Arc::clone(watch);
    let job = move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&watch))).unwrap_or_else(|panic| Err(defect(&*panic)));
        if result.is_err() {
            // What the job had is free now, and the interpreter goes on.
            give_back();
        }
        // Nobody may be waiting any more.
        drop(sender.send(result));
    };
    let thread = thread::Builder::new().name("sameas".into()).stack_size(STACK_BYTES).spawn(job);
    thread.map_err(|error| Error::resource(format!("cannot start a thread: {error}")))?;
    Ok(receiver)
}

fn defect(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Error::internal(format!("a defect of sameas: {}", text.unwrap_or_default()))
        .with_help("please report it, with what you did")
}

fn wait<T: Send>(
    py: Python<'_>,
    display: &Bound<'_, PyAny>,
    watch: &SharedProgress,
    mut receiver: Receiver<Result<T>>,
) -> PyResult<T> {
    let mut shown = Instant::now();
    loop {
        let result;
        (receiver, result) = received(py, receiver, LOOK);
        match result {
            Ok(result) => return result.map_err(|error| exception(py, &error)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(exception(py, &Error::internal("the thread of a job ended without a result")));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let looked = py.check_signals().and_then(|()| show(py, display, watch, &mut shown));
        if let Err(interruption) = looked {
            watch.is_cancelled.store(true, Relaxed);
            drop(received(py, receiver, PATIENCE));
            return Err(interruption);
        }
    }
}

/// Waits without the interpreter's lock. The receiver goes there and back: only one thread at a time can have it.
fn received<T: Send>(
    py: Python<'_>,
    receiver: Receiver<Result<T>>,
    longest: Duration,
) -> (Receiver<Result<T>>, std::result::Result<Result<T>, RecvTimeoutError>) {
    py.detach(move || {
        let result = receiver.recv_timeout(longest);
        (receiver, result)
    })
}

/// Shows how far the job has come, from time to time.
fn show(py: Python<'_>, display: &Bound<'_, PyAny>, watch: &SharedProgress, shown: &mut Instant) -> PyResult<()> {
    let now = Instant::now();
    if now - *shown < SHOW {
        return Ok(());
    }
    *shown = now;
    let Some(line) = watch.counts.line(now) else { return Ok(()) };
    display.call_method1(intern!(py, "update"), (line, watch.counts.share())).map(drop)
}
