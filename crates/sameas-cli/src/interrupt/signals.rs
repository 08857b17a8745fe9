//! The thread that waits for signals, and the one that ends the program after them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder};
use std::time::Duration;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::exit;

use super::{REMOVERS, SIGNAL, SIGNALS, announce, locked, say_interrupted};
use crate::terminal;

/// What a command has to stop by itself.
const PATIENCE: Duration = Duration::from_millis(250);

/// What a last line may take: standard error can be a pipe that nobody reads, and the machine busy.
const LAST_LINE: Duration = Duration::from_millis(200);

/// Begins to listen.
pub fn listen() {
    survive_large_files();
    let wanted: Vec<i32> = SIGNALS.iter().map(|(signal, _)| *signal).filter(|signal| !is_ignored(*signal)).collect();
    let (listening, waits): (Sender<()>, _) = channel();
    let hear = move || {
        let Ok(mut signals) = Signals::new(&wanted) else { return };
        drop(listening);
        serve(&mut signals);
    };
    // Without a thread that listens, signals end the program as they always do.
    if Builder::new().name("signals".into()).spawn(hear).is_ok() {
        let _ = waits.recv();
    }
}

/// A file that grows beyond the limit of the process (`ulimit -f`) would end the program at once, whatever it leaves behind. A
/// program that hears the signal goes on, and its write fails as on a full disk.
fn survive_large_files() {
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Whether whoever started the program wants it to survive a signal.
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action nothing changes, and the old one is written where there is room for it.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: a structure of zeros is one, and it has been filled if the call succeeded.
    asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

fn serve(signals: &mut Signals) {
    let mut signals = signals.forever();
    let Some(first) = signals.next() else { return };
    SIGNAL.store(first, SeqCst);
    let (hurry, waits) = channel();
    if Builder::new().spawn(move || end_late(first, &waits)).is_err() {
        // Nobody is left to hear a second signal.
        thread::sleep(PATIENCE);
        end(first);
    }
    if signals.next().is_some() {
        let _ = hurry.send(());
    }
    if signals.next().is_some() {
        exit(128 + first);
    }
}

/// Ends the program if the command has not ended after a moment, or at once if that is wanted.
fn end_late(signal: i32, hurry: &Receiver<()>) {
    let _ = hurry.recv_timeout(PATIENCE);
    end(signal);
}

fn end(signal: i32) -> ! {
    // Held to the end: the command finishes nothing more.
    let mut removers = locked(&REMOVERS);
    // All of them, whatever the first says.
    let is_finished = removers.iter_mut().fold(false, |finished, (_, remove)| !remove() || finished);
    if is_finished {
        announce("the results are complete");
    }
    let (said, waits): (Sender<()>, _) = channel();
    let last_line = || {
        terminal::clear_progress();
        say_interrupted();
    };
    let say = move || {
        last_line();
        drop(said);
    };
    if Builder::new().spawn(say).is_err() {
        last_line();
    }
    let _ = waits.recv_timeout(LAST_LINE);
    // Not the usual end, which would wait for drivers and flush what nobody reads.
    exit(128 + signal)
}
