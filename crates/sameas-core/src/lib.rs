//! What every layer of sameas uses: errors, how a job stops, memory, places of files, numbers of ids, union-find.

// Rooms from the lowest to the highest: each imports only those before it.

pub mod error;

pub mod file_at;

pub mod memory;

pub mod cancel;

pub mod union_find;

pub mod disjoint_sets;

pub mod numbering;

pub mod cholesky;

/// The version of sameas, as `run.json` gives it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
