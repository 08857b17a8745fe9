//! Runs the program as its users do: arguments in, files, text and exit codes out.

mod bytes;
mod check;
mod evaluate;
mod explain;
mod failures;
mod find;
mod generate;
mod pipes;
mod support;
