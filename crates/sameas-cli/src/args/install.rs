//! The command line of `completions` and `man`: what is installed beside the program.

use clap::Args;
use clap_complete::Shell;

/// Print the completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas completions bash > ~/.local/share/bash-completion/completions/sameas
  sameas completions zsh > \"${fpath[1]}/_sameas\"
  sameas completions fish > ~/.config/fish/completions/sameas.fish")]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Print the manual page of the program, or of one of its commands
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas man | man -l -                                          read it
  sameas man dedupe > ~/.local/share/man/man1/sameas-dedupe.1    install the page of a command")]
pub struct Man {
    /// The command that the page is about
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}
