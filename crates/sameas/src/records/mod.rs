//! Records: read, derive, encode.
//!
//! `input` and `read` turn files into a [`Table`]; `frame` adds derived columns; `encode` gives every value that a
//! predicate compares a code; `stats` counts what the codes say.

mod block_column;
mod content_hash;
pub mod encode;
mod encoding;
mod expression;
mod frame;
mod ids;
mod input;
mod input_rows;
mod null_texts;
mod rank;
mod read;
mod recent_values;
mod row_ids;
mod row_places;
mod skipped;
pub mod stats;
mod table;
mod text_reading;
mod tuples;

pub use block_column::{BlockColumn, BlockValues};
pub use content_hash::content_hash;
pub use expression::Expression;
pub use frame::Frame;
pub use ids::{MissingIds, row_ids};
pub use input::Input;
pub use input_rows::InputRows;
pub use rank::add_rankings;
pub use read::{DECODER_THREAD, Source};
pub use row_ids::RowIds;
pub(crate) use row_ids::{broken, dictionary, dictionary_field};
pub use row_places::RowPlaces;
pub use skipped::{SkippedRecord, SkippedRecords};
pub use table::{RowOrigin, Table};
pub(crate) use tuples::{TupleShape, no_names, whole_number};
