//! Records: read, derive, encode.
//!
//! `source` says where records come from, and `read` turns what a source gives into a [`Table`]; `frame` adds derived columns;
//! `encode` gives every value that a predicate compares a code; `stats` counts what the codes say.
//!
//! **Sources.** A `source` can be opened as often as needed, by several jobs at once. It says how it can be found again
//! (`SourceDescription`) and which files no result may replace. An `Input` is a source and how it is read
//! (`ReadOptions`, a plain value). What identifies the content is the hash of the columns that were read
//! (`content_hash`), whatever the source. What comes once, a stream of batches, standard input or a pipe, is kept in
//! temporary files without a name.
//!
//! **Order.** Parts of a source are read at the same time, and results are put together in order: the order of rows
//! never depends on threads. `input_rows` has inputs that lie in one frame, one after the other, and the pairs across
//! them.
//!
//! **Columns.** Types belong to a use. A text column that repeats its values has them once in a block, and what is
//! derived from it is computed for these values (`block_column`). A block takes its records from the table, and each
//! column is dropped when the last operand that reads it is encoded. `rank` has the place of each record in a sorted
//! order, for `neighbours`.
//!
//! **Ids.** `ids` checks them and, if asked, leaves out records without one; `skipped` knows where those are.

mod batch_sources;
mod block_column;
mod content_hash;
mod content_id;
pub mod encode;
mod encoding;
mod expression;
mod file_source;
mod formats;
mod frame;
mod id_search;
mod ids;
mod input;
mod input_rows;
mod location;
mod named_records;
mod null_texts;
mod rank;
mod read;
mod read_options;
mod record_values;
mod row_ids;
mod skipped;
mod source;
pub mod stats;
mod table;
mod text_reading;
mod tuples;

pub use block_column::{BlockColumn, BlockValues};
pub use content_hash::{column_hash, content_hash, hash_of_columns};
pub use content_id::ContentId;
pub use expression::Expression;
pub use formats::{FileFormat, ResultEnding, result_ending};
pub use frame::Frame;
pub use ids::{MissingIds, row_ids};
pub use input::Input;
pub use input_rows::InputRows;
pub use location::{STDIN_LABEL, found_in, is_relative};
pub use named_records::{NamedRecords, RecordNames};
pub use rank::{add_rankings, add_ranks, ranks_of};
pub use read::{DECODER_THREAD, KeptColumns, OpenSource, Opening, PartBatches, PartReading, SourcePart};
pub use read_options::ReadOptions;
pub use record_values::{record_values, shown_values};
pub use row_ids::{RowIds, broken, dictionary, dictionary_field};
pub use skipped::{SkippedRecord, SkippedRecords};
pub use source::{Source, SourceDescription};
pub use table::{RowOrigin, Table};
pub use text_reading::{ColumnUse, ColumnUses};
pub use tuples::{TupleShape, no_names, whole_number};
