//! Targets for fuzzing: functions that take any bytes and may do anything but panic, hang or take memory without bound.
//!
//! - [`targets`]: what is done with the bytes, one file per kind of input;
//! - [`limits`]: the time and memory that one input may take, and [`allocator`], which counts the memory;
//! - [`mutation`]: simple changes of bytes by a seed, for the test that runs without a fuzzer.
//!
//! `fuzz/run` builds the targets with instrumentation and runs them under libFuzzer; `cargo test -p sameas-fuzz` replays
//! `corpus/` and `regressions/` and some changes of them.

pub mod allocator;
mod edits;
pub mod limits;
pub mod mutation;
mod parquet_files;
mod target;
pub mod targets;
mod world;

pub use target::Target;

/// All targets.
pub const TARGETS: [Target; 8] = [
    Target { name: "rule", run: targets::rule, longest: 4096 },
    Target { name: "toml", run: targets::toml, longest: 4096 },
    Target { name: "csv", run: targets::csv, longest: 4096 },
    Target { name: "json", run: targets::json, longest: 4096 },
    Target { name: "parquet", run: targets::parquet, longest: 1024 },
    Target { name: "expression", run: targets::expression, longest: 512 },
    Target { name: "program", run: targets::program, longest: 2048 },
    Target { name: "job", run: targets::job, longest: 1024 },
];

/// The target of this name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
