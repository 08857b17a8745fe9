//! Writes results: sorts the pairs within a memory budget and writes `pairs` and `clusters` into the output folder.
//!
//! The bytes written depend on the results alone, never on threads, devices or memory: pairs are cut into chunks by
//! their rank in output order, chunks are encoded by themselves and written in order.

mod clusters;
mod fault;
mod folder;
mod pairs;
mod replaced;
mod result_file;
mod skipped;
mod sort;
mod table;

pub use clusters::{ClusterTable, write_clusters};
pub use folder::{FileRecord, OutputFile, OutputFolder, PartialResults, current};
pub use pairs::{ExtraColumns, PairTable, write_pairs};
pub use result_file::{PartialFile, ResultFile};
pub use skipped::{SkippedTable, write_skipped};
pub use sort::{PairBuffer, PairSorter, SavedRun, SortedPairs, SorterMark, Stretch, are_intact};
pub use table::{Format, TableStream, WriteOptions, write_table};

use crate::records::RowIds;
use crate::verify::Pair;
