//! Runs the program as its users do: arguments in, files, text and exit codes out.

// A skipped test says so.
#![allow(clippy::print_stderr)]

mod bytes;
mod calibrate;
mod check;
#[cfg(target_os = "linux")]
mod closed_output;
mod closure;
mod cluster;
mod clusters;
mod combined;
mod console;
mod decided;
mod described;
mod devices;
mod doubts;
mod entities;
mod evaluate;
mod explain;
mod failures;
mod find;
mod first_day;
mod frequencies;
mod from_splink;
mod functions;
mod generate;
mod guide;
mod install;
mod judged;
mod large;
mod memory;
mod names;
mod near;
mod one_file;
mod pipes;
mod profile;
mod progress;
mod protected;
mod read;
mod relate;
mod report;
mod report_scores;
mod reproduce;
mod results;
mod scores;
mod selftest;
mod several_inputs;
mod show;
#[cfg(target_os = "linux")]
mod signals;
mod summary;
mod support;
mod sweep;
mod two_inputs;
mod why;
