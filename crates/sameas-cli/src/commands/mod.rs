//! The commands.

mod calibrate;
mod check;
mod closure;
mod cluster;
mod demo;
mod devices;
mod evaluate;
mod explain;
mod find;
mod from_splink;
mod functions;
mod generate;
mod install;
mod profile;
mod relate;
mod report;
mod selftest;
mod show;
mod sweep;
mod term_frequencies;
mod train;
mod why;

use std::ffi::OsString;

use crate::args::Command;
use crate::outcome::CommandResult;

/// Runs a command; `arguments` is how it was given, for the record of a run.
pub fn run(command: &Command, arguments: Vec<OsString>) -> CommandResult {
    match command {
        Command::Dedupe(args) => find::dedupe(args, arguments),
        Command::Link(args) => find::link(args, arguments),
        Command::Explain(args) => explain::run(args),
        Command::Why(args) => why::run(args),
        Command::Profile(args) => profile::run(args),
        Command::Report(args) => report::run(args),
        Command::Show(args) => show::run(args),
        Command::Relate(args) => relate::run(args),
        Command::Check(args) => check::run(args),
        Command::Functions(args) => functions::run(args),
        Command::Train(args) => train::run(args),
        Command::TermFrequencies(args) => term_frequencies::run(args),
        Command::FromSplink(args) => from_splink::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Cluster(args) => cluster::run(args, arguments),
        Command::Sweep(args) => sweep::run(args),
        Command::Closure(args) => closure::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Calibrate(args) => calibrate::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Selftest(args) => selftest::run(args),
        Command::Completions(args) => install::completions(args),
        Command::Man(args) => install::man(args),
    }
}
