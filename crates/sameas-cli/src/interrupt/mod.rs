//! Signals that end the program: SIGINT, SIGTERM and SIGHUP.
//!
//! The first asks the command to stop, and a stopped command leaves nothing behind. One that waits for a pipe or a device
//! cannot hear that; so after a moment the program removes what the command would have removed, and ends. A second signal
//! takes that moment away, and a third ends the program as it is. A signal that was ignored when the program began, as
//! `nohup` does it, stays ignored.

#[cfg(unix)]
mod signals;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
pub use signals::listen;

use crate::terminal;

/// The signal that has come, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether the last line is written.
static SAID: Mutex<bool> = Mutex::new(false);

/// What becomes of the results, to be said in the last line.
static RESULTS: Mutex<&str> = Mutex::new("");

/// What to remove if the command cannot.
static REMOVERS: Mutex<Vec<(u64, Remover)>> = Mutex::new(Vec::new());

/// Removes unfinished work; `false` where it was finished already.
type Remover = Box<dyn FnMut() -> bool + Send>;

/// Unfinished work that is removed if the program is interrupted; no longer when this is dropped.
pub struct Unfinished {
    number: u64,
}

/// Whether the command shall stop.
pub fn is_wanted() -> bool {
    SIGNAL.load(SeqCst) != 0
}

/// The exit code of an interrupted program.
pub fn exit_code() -> Option<u8> {
    let signal = SIGNAL.load(SeqCst);
    (signal != 0).then(|| u8::try_from(128 + signal).unwrap_or(u8::MAX))
}

/// Says what becomes of the results if the program is interrupted.
pub fn announce(results: &'static str) {
    *locked(&RESULTS) = results;
}

/// Has unfinished work removed if the program must end before the command does.
pub fn remove_with(remover: impl FnMut() -> bool + Send + 'static) -> Unfinished {
    let mut removers = locked(&REMOVERS);
    let number = removers.last().map_or(0, |(last, _)| last + 1);
    removers.push((number, Box::new(remover)));
    Unfinished { number }
}

/// Has a folder removed with all that is in it.
pub fn remove_folder(path: PathBuf) -> Unfinished {
    // A thread that goes on may write another file meanwhile.
    remove_with(move || {
        let _ = (0..10).any(|_| fs::remove_dir_all(&path).is_ok() || !path.exists());
        true
    })
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        locked(&REMOVERS).retain(|(number, _)| *number != self.number);
    }
}

/// Says, once, that the program was interrupted. Who comes second waits until it is said: it may end the program.
pub fn say_interrupted() {
    let mut said = locked(&SAID);
    if !std::mem::replace(&mut *said, true) {
        let results = *locked(&RESULTS);
        let more = if results.is_empty() { String::new() } else { format!(": {results}") };
        terminal::complain(&format!("interrupted by {}{more}", name(SIGNAL.load(SeqCst))));
    }
}

const SIGNALS: [(i32, &str); 3] = [(1, "SIGHUP"), (2, "SIGINT"), (15, "SIGTERM")];

fn name(signal: i32) -> &'static str {
    SIGNALS.iter().find(|(number, _)| *number == signal).map_or("a signal", |(_, name)| name)
}

/// Nothing here is left half-done by a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Other systems end the program as they always do.
#[cfg(not(unix))]
pub fn listen() {}
