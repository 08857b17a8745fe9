//! The program `sameas`: parses the arguments, runs the command, and turns what came of it into an exit code.
//!
//! 0: done. 1: the command looked for something wrong and found it (`check`, `evaluate --min-f1`, `selftest`). 2: failure.
//! 129, 130, 143: interrupted by SIGHUP, SIGINT or SIGTERM.

mod advice;
mod allocator;
mod args;
mod commands;
mod interrupt;
mod outcome;
mod progress;
mod report;
mod settings;
mod terminal;
mod text;

use std::process::ExitCode;

use crate::outcome::{Outcome, Stop};

const FAILURE: u8 = 2;

fn main() -> ExitCode {
    keep_decoders_silent();
    #[cfg(feature = "cuda")]
    keep_connections_few();
    interrupt::listen();
    let Some(cli) = args::parse() else { return ExitCode::from(FAILURE) };
    match (commands::run(&cli.command), interrupt::exit_code()) {
        // What was done before the signal came is done.
        (Err(_), Some(code)) => {
            interrupt::say_so();
            ExitCode::from(code)
        }
        // Nobody is left to read (`sameas ... | head`): that is how such a pipe ends, and no failure.
        (Ok(Outcome::Done) | Err(Stop::NobodyReads), _) => ExitCode::SUCCESS,
        (Ok(Outcome::Findings), _) => ExitCode::from(1),
        (Err(Stop::Failed(error)), None) => {
            terminal::complain(&advice::text(&error));
            ExitCode::from(FAILURE)
        }
    }
}

/// A damaged file can make its decoder panic. The library turns that into an error, which is all that should be said of it.
fn keep_decoders_silent() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(sameas::DECODER_THREAD) {
            usual(panic);
        }
    }));
}

/// The driver opens eight queues to a GPU, and a job needs one: with one a context starts and ends in two thirds of the time.
/// The driver reads it from the environment when it starts; whoever has set it knows better.
#[cfg(feature = "cuda")]
fn keep_connections_few() {
    const NAME: &str = "CUDA_DEVICE_MAX_CONNECTIONS";
    if std::env::var_os(NAME).is_none() {
        // SAFETY: the program has no other thread yet, which could read the environment meanwhile.
        unsafe { std::env::set_var(NAME, "1") };
    }
}
