//! What becomes of the values of a cluster: pure functions of columns whose rows are grouped by cluster.
//!
//! `order` compares values, `hashes` brings equal ones together, `counting` says which rows count, and `different` counts the values
//! that differ. `picked` chooses a row of each cluster, `totals` and `lists` make a value of all. `survivors` does what the entries of `[entity]` say.

mod counting;
mod different;
mod hashes;
mod lists;
mod order;
mod picked;
mod survivors;
mod totals;

pub use counting::{filled_columns, without_nan};
pub use different::scratch_bytes;
pub use survivors::{EntryColumns, EntryWork, SurvivingColumn, Survivors, result_type};

use crate::error::{Error, Result};
use crate::partitions::ClusterRows;
use crate::records::broken;
use crate::rules::Take;
