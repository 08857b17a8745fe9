//! Runs the program as its users do: arguments in, files, text and exit codes out.

// A skipped test says so.
#![allow(clippy::print_stderr)]

mod bytes;
mod calibrate;
mod check;
mod devices;
mod evaluate;
mod explain;
mod failures;
mod find;
mod generate;
mod large;
mod memory;
mod pipes;
mod selftest;
mod support;
