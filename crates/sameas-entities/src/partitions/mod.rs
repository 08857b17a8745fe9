//! Rows of clusters are brought together: clusters are numbered in the order of their first rows, and each partition has the rows of
//! some that follow each other. What partitions hold together is bounded; what is more goes to a temporary file.

mod cluster_numbers;
mod cluster_rows;
mod divided_rows;
mod spilled;
mod store;

pub use cluster_numbers::ClusterNumbers;
pub use cluster_rows::ClusterRows;
pub use divided_rows::{DividedRows, bytes_of, bytes_of_column, divided_rows};
pub use store::{Partitions, RowsByPartition};

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::file_at::{read_at, write_at};
use crate::memory::{Held, MemoryBudget};
use crate::records::broken;
