//! The only place that writes to standard output and standard error.
//!
//! What is for people is made printable here, whatever names and values are in it; what is for programs stays as it is.

mod open_at_start;

use std::io::{self, IsTerminal, Write};

use sameas::{Error, printable};

use crate::outcome::{CommandResult, Stop};

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

/// Characters of a line of the terminal that standard output is, if it is one.
pub fn width() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width)).filter(|width| *width > 0)
}

/// Clears the line of a progress bar whose owner no longer can.
pub fn clear_progress() {
    if shows_progress() {
        let _ = write(&mut io::stderr().lock(), "\r\u{1b}[K");
    }
}

/// Writes text for people. It ends with a line break of its own.
pub fn say(stream: Stream, text: &str) -> CommandResult<()> {
    let text = printable_lines(text);
    match stream {
        Stream::Out => give(&text),
        Stream::Err => write(&mut io::stderr().lock(), &text).map_err(|error| failed(&error)),
    }
}

/// Writes text for programs to standard output.
pub fn give(text: &str) -> CommandResult<()> {
    write(&mut standard_output()?, text).map_err(|error| failed(&error))
}

/// Standard output, without a buffer. Unlike the one of Rust's library it fails where nothing can be written: where it is
/// closed, or open for reading only.
pub fn standard_output() -> Result<impl Write + Send, Error> {
    if open_at_start::was_closed() {
        return Err(Error::resource("standard output is closed").with_help("send it to a file or a pipe"));
    }
    raw_output().map_err(|error| Error::resource(format!("cannot write to standard output: {error}")))
}

#[cfg(unix)]
fn raw_output() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn raw_output() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

fn failed(error: &io::Error) -> Stop {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Stop::NobodyReads,
        _ => Stop::Failed(Error::resource(format!("cannot write to the terminal or pipe: {error}"))),
    }
}

/// Writes an error. If that fails too, there is nobody left to tell.
pub fn complain(message: &str) {
    complain_as_is(&format!("error: {message}\n"));
}

/// Writes an error that is complete with its beginning and its end.
pub fn complain_as_is(text: &str) {
    let _ = write(&mut io::stderr().lock(), &printable_lines(text));
}

/// Says how far the program has come.
pub fn tell(line: &str) {
    complain_as_is(&format!("{line}\n"));
}

/// Tells of something that does not stop the program.
pub fn warn(message: &str) {
    complain_as_is(&format!("warning: {message}\n"));
}

/// Every line, made printable. Names with line breaks are made so where they are put into a text.
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

fn write(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_all_else_is_escaped() {
        assert_eq!(printable_lines("a\n  b\u{1b}[2J\r\n\nc\tü\n"), "a\n  b\\u{1b}[2J\\r\n\nc\\tü\n");
    }
}
