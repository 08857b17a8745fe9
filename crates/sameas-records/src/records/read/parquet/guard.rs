//! Runs a decoder that panics on some damaged files, so that a panic is an error as any other.

use std::panic::resume_unwind;
use std::thread;

use crate::cancel::is_end;
use crate::error::{Error, Result};

/// The name of the threads on which files are decoded. A panic there is caught and becomes an error, so a program whose
/// panic hook prints may leave such panics out.
pub const DECODER_THREAD: &str = "sameas-decoder";

/// Does work on a thread of its own. `None` says that it panicked.
pub(super) fn guarded<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<Option<T>> {
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().name(DECODER_THREAD.to_owned()).spawn_scoped(scope, work);
        thread.map(|thread| thread.join())
    });
    match done.map_err(|error| Error::no_thread("the thread that decodes a file", error))? {
        Ok(result) => result.map(Some),
        Err(payload) if is_end(&*payload) => resume_unwind(payload),
        Err(_) => Ok(None),
    }
}
