//! sameas finds the records that mean the same thing: every pair of records that satisfies a rule, the clusters those
//! pairs form, and the reason for each.
//!
//! The folders follow the data: [`records`] are read and encoded, [`rules`] become predicates, `plan` gives each
//! conjunction an access path, `candidates` enumerates pairs, `verify` decides them, [`cluster`] joins them, and
//! [`output`] sorts and writes. [`engine`] runs them one after the other; start there.

pub mod candidates;
pub mod cluster;
pub mod device;
pub mod device_values;
pub mod engine;
mod error;
pub mod evaluate;
pub mod expr;
pub mod measure;
pub mod memory;
pub mod output;
pub mod plan;
pub mod records;
pub mod rules;
pub mod threshold;
pub mod verify;

pub use error::{Error, ErrorCode, ErrorKind, Result};

/// The version of the library, as `run.json` and `--version` give it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
