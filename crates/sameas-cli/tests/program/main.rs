//! Runs the program as its users do: arguments in, files, text and exit codes out.

// A skipped test says so.
#![allow(clippy::print_stderr)]

mod bytes;
mod calibrate;
mod check;
#[cfg(target_os = "linux")]
mod closed_output;
mod devices;
mod evaluate;
mod explain;
mod failures;
mod find;
mod generate;
mod large;
mod memory;
mod names;
mod near;
mod pipes;
mod results;
mod selftest;
#[cfg(target_os = "linux")]
mod signals;
mod support;
mod two_inputs;
mod why;
