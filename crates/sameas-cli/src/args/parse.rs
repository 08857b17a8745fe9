//! A command line that cannot be understood.

use std::ffi::OsString;

use clap::Parser;
use sameas::printable;

use super::Cli;
use crate::outcome::FAILURE;
use crate::terminal;

/// The command line; an exit code where it is wrong, or asks for help, which has been said.
pub fn parse(arguments: &[OsString]) -> Result<Cli, u8> {
    let error = match Cli::try_parse_from(arguments) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    if !error.use_stderr() {
        // Help and version. Nobody may be left to read them.
        drop(error.print());
        return Err(0);
    }
    match complaint(arguments.iter().cloned()) {
        // In colours, where there are any.
        Some(error) => drop(error.print()),
        None => terminal::complain_as_is(&terminal::printable_lines(&error.render().to_string())),
    }
    Err(FAILURE)
}

/// What is wrong with these arguments, which are part of the message as they can be printed: control characters and line
/// breaks in them are escaped.
fn complaint(arguments: impl Iterator<Item = OsString>) -> Option<clap::Error> {
    Cli::try_parse_from(arguments.map(|argument| printable(&argument.to_string_lossy()))).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_message_are_escaped() {
        let shown = |arguments: &[&str]| complaint(arguments.iter().map(OsString::from)).unwrap().render().to_string();
        let raw = shown(&["sameas", "dedupe", "a.csv", "--fo\u{1b}[31m\nerror: x"]);
        assert!(raw.starts_with("error: unexpected argument '--fo\\u{1b}[31m\\nerror: x' found"), "{raw}");
        let usual = ["sameas", "dedupe", "a.csv", "--id"];
        assert_eq!(shown(&usual), Cli::try_parse_from(usual).unwrap_err().render().to_string());
    }
}
