//! What is done with the bytes of an input. Each target asserts what must hold; the limits of time and memory are around
//! it.

mod against_oracle;
mod files;
mod programs;
mod rules;

pub use against_oracle::{expression, job};
pub use files::{csv, json, parquet};
pub use programs::program;
pub use rules::{rule, toml};
