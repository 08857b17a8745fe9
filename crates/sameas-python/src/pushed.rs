//! Batches that the library pushes, for those who pull: a thread is two batches ahead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use sameas::{Error, Result};

/// Batches that are ready before they are asked for.
const AHEAD: usize = 2;

/// Where batches are pushed to.
pub type Push<'a> = &'a mut (dyn FnMut(RecordBatch) -> Result<()> + Send);

/// Pushes all batches.
type Work = Box<dyn FnOnce(Push<'_>) -> Result<()> + Send>;

/// Batches as they are asked for. The work begins with the first, and ends when nobody is left to ask.
pub struct PushedBatches {
    schema: SchemaRef,
    state: State,
    /// Whether nobody is left to ask.
    is_over: Arc<AtomicBool>,
}

enum State {
    Waiting(Work),
    Running(Receiver<Result<RecordBatch>>, JoinHandle<()>),
    Ended,
}

impl PushedBatches {
    /// Batches with these columns.
    pub fn new(schema: SchemaRef, work: impl FnOnce(Push<'_>) -> Result<()> + Send + 'static) -> Self {
        Self { schema, state: State::Waiting(Box::new(work)), is_over: Arc::default() }
    }

    /// The same for work that looks at this flag before there are any batches: it is set when nobody is left to ask.
    #[must_use]
    pub fn stopped_by(mut self, is_over: Arc<AtomicBool>) -> Self {
        self.is_over = is_over;
        self
    }

    fn begin(&mut self) -> Result<()> {
        self.state = match std::mem::replace(&mut self.state, State::Ended) {
            State::Waiting(work) => {
                let (sender, receiver) = sync_channel(AHEAD);
                let thread = Builder::new().spawn(move || push(&sender, work));
                let failed = |error| Error::resource(format!("cannot start a thread: {error}"));
                State::Running(receiver, thread.map_err(failed)?)
            }
            begun => begun,
        };
        Ok(())
    }

    /// Whoever pushes learns that nobody takes any more, and ends: well, or by a panic.
    fn end(&mut self) -> Result<()> {
        let State::Running(receiver, thread) = std::mem::replace(&mut self.state, State::Ended) else { return Ok(()) };
        self.is_over.store(true, Relaxed);
        drop(receiver);
        thread.join().map_err(|_| Error::internal("the thread that makes the batches has failed"))
    }
}

fn push(sender: &SyncSender<Result<RecordBatch>>, work: Work) {
    let gone = |_| Error::internal("nobody takes the batches any more");
    if let Err(error) = work(&mut |batch| sender.send(Ok(batch)).map_err(gone)) {
        drop(sender.send(Err(error)));
    }
}

impl Iterator for PushedBatches {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.begin() {
            return Some(Err(ArrowError::ExternalError(Box::new(error))));
        }
        let State::Running(receiver, _) = &self.state else { return None };
        match receiver.recv() {
            Ok(batch) => Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error)))),
            Err(_) => self.end().err().map(|error| Err(ArrowError::ExternalError(Box::new(error)))),
        }
    }
}

impl RecordBatchReader for PushedBatches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for PushedBatches {
    fn drop(&mut self) {
        drop(self.end());
    }
}
