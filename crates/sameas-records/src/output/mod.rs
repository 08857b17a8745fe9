//! Writes results: sorts the pairs within a memory budget and writes `pairs` and `clusters` into the output folder.
//!
//! The bytes written depend on the results alone, never on threads, devices or memory: pairs are cut into chunks by
//! their rank in output order, chunks are encoded by themselves and written in order.
//!
//! Scores go with their pairs through all of this, bit by bit. The same tables give record batches to a caller who
//! wants no file. Pairs and clusters are written at the same time.
//!
//! Ids that are texts, names of inputs and names of rules are columns by reference: rows of a dictionary. For Parquet
//! their dictionary pages are made here (`table/parquet/references`): the parquet crate would hash every value again,
//! which took most of the time of writing. A dictionary of more than 4 MB, and everything else, is left to the crate.

mod clusters;
mod fault;
mod folder;
mod pairs;
mod plain;
mod repeated_texts;
mod replaced;
mod result_file;
mod skipped;
mod sort;
mod table;

pub use clusters::{ClusterIdColumn, ClusterTable, write_clusters};
pub use folder::{FileRecord, OutputFile, OutputFolder, PartialResults, current};
pub use pairs::{ExtraColumns, PairTable, write_pairs};
pub use plain::{plain_batch, plain_schema};
pub use repeated_texts::repeated_texts;
pub use result_file::{PartialFile, ResultFile};
pub use skipped::{SkippedTable, write_skipped};
pub use sort::{BlockRange, PairBuffer, PairSorter, SavedRun, SortedPairs, SorterMark, are_intact, sort_kept};
pub use table::{Format, TableStream, WriteOptions, write_table};

use crate::pairs::Pair;
use crate::records::RowIds;
