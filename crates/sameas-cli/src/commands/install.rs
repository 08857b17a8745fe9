//! `sameas completions` and `sameas man`: made from the same description of the command line that parses it.

use clap::CommandFactory;
use clap_mangen::Man as Page;
use sameas::Error;

use crate::args::{Cli, Completions, Man};
use crate::outcome::{CommandResult, Outcome};
use crate::terminal::give;

/// Runs `sameas completions`.
pub fn completions(args: &Completions) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut script);
    give_text(script)
}

/// Runs `sameas man`.
pub fn man(args: &Man) -> CommandResult {
    let page = match &args.command {
        None => Cli::command().disable_help_subcommand(true),
        Some(name) => command(name)?,
    };
    let mut text = Vec::new();
    // The page is of a version, whatever was built in.
    let page = Page::new(page.version(VERSION).long_version(VERSION)).source(format!("{NAME} {VERSION}"));
    let made = page.render(&mut text);
    made.map_err(|error| Error::internal(format!("the manual page: {error}")))?;
    give_text(text)
}

const NAME: &str = "sameas";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A command, named as its page is: `sameas-dedupe`.
fn command(name: &str) -> Result<clap::Command, Error> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();
    if let Some(found) = cli.find_subcommand(name) {
        return Ok(found.clone());
    }
    let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let help = format!("the commands are {}", names.join(", "));
    Err(Error::usage(format!("there is no command `{name}`")).with_help(help))
}

fn give_text(bytes: Vec<u8>) -> CommandResult {
    let text = String::from_utf8(bytes).map_err(|error| Error::internal(format!("text that is no UTF-8: {error}")))?;
    give(&text)?;
    Ok(Outcome::Done)
}
