//! The program `sameas` as a function: parses the arguments, runs the command, and turns what came of it into an exit code.
//!
//! 0: done. 1: the command looked for something wrong and found it (`check`, `evaluate --min-f1`, `selftest`). 2: failure.
//! 129, 130, 143: interrupted by SIGHUP, SIGINT or SIGTERM.
//!
//! Whoever shows the same facts elsewhere, as the Python package does, says them in the same words: [`report`] makes text of
//! the facts of the library, and [`Counts`] makes a line of how far a job has come.
//!
//! Options, the terminal, the environment and the user's folder for settings are known only in this crate. The
//! environment variable `CUDA_DEVICE_MAX_CONNECTIONS`, which makes a driver start sooner, is set at the start of
//! `main`: only a program may change its environment, and only before it has threads. `SAMEAS_PROGRESS_SECONDS` sets
//! the seconds between lines of progress, for tests. `report`, `show` and `why` of a folder make its job again from the
//! description in `run.json`.

mod advice;
mod allocator;
mod args;
mod commands;
mod html;
mod interrupt;
mod outcome;
mod output_files;
mod progress;
pub mod report;
mod settings;
mod terminal;
mod text;

use std::ffi::OsString;

pub use crate::allocator::give_back;
pub use crate::args::amount_of_memory;
pub use crate::html::html_report;
use crate::outcome::{FAILURE, Outcome, Stop};
pub use crate::progress::Counts;
pub use crate::settings::costs;

/// Runs the program with these arguments, the first of which is its own name, and gives its exit code. Listens to signals from
/// then on: it is for a process that does nothing else.
pub fn main(arguments: Vec<OsString>) -> u8 {
    keep_decoders_silent();
    interrupt::listen();
    let cli = match args::parse(&arguments) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match (commands::run(&cli.command, arguments), interrupt::exit_code()) {
        // What was done before the signal came is done.
        (Err(_), Some(code)) => {
            interrupt::say_interrupted();
            code
        }
        // Nobody is left to read (`sameas ... | head`): that is how such a pipe ends, and no failure.
        (Ok(Outcome::Done) | Err(Stop::NobodyReads), _) => 0,
        (Ok(Outcome::Findings), _) => 1,
        (Err(Stop::Failed(error)), None) => {
            terminal::complain(&advice::text(&error));
            FAILURE
        }
    }
}

/// A damaged file can make its decoder panic. The library turns that into an error, which is all that should be said of it.
pub fn keep_decoders_silent() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(sameas::sources::DECODER_THREAD) {
            usual(panic);
        }
    }));
}
