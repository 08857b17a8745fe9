//! The only place that writes to standard output and standard error.

use std::io::{self, IsTerminal, Write};

use sameas::Error;

use crate::outcome::{Ended, Stop};

/// Where text for the user goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error, while standard output carries results.
    Err,
}

/// Whether standard error is a terminal: only there does a progress bar make sense.
pub fn shows_progress() -> bool {
    io::stderr().is_terminal()
}

/// Writes text that ends with a line break of its own.
pub fn say(stream: Stream, text: &str) -> Ended<()> {
    let written = match stream {
        Stream::Out => write(&mut io::stdout().lock(), text),
        Stream::Err => write(&mut io::stderr().lock(), text),
    };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Stop::NobodyReads,
        _ => Stop::Failed(Error::resource(format!("cannot write to the terminal or pipe: {error}"))),
    })
}

/// Writes an error. If that fails too, there is nobody left to tell.
pub fn complain(message: &str) {
    let _ = write(&mut io::stderr().lock(), &format!("error: {message}\n"));
}

/// Tells of something that does not stop the program.
pub fn warn(message: &str) {
    let _ = write(&mut io::stderr().lock(), &format!("warning: {message}\n"));
}

fn write(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}
