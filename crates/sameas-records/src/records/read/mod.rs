//! Reads tables from files, batches and other sources, in row order and on all threads.
//!
//! In two steps, so that rules can be checked before anything large is read: a source is opened, which finds its columns, and
//! [`OpenSource::read`] reads those that are wanted. What is opened has parts (`part`): files of any format, batches in memory,
//! streams of batches. They are read at the same time, each by its own means.
//!
//! CSV is cut into blocks at record boundaries by one quick scan for quotes and line breaks, and decoded on all cores;
//! a block without quotes is decoded by one scan for delimiters and line breaks (`csv/plain`). A block that cannot be
//! decoded is read once more, slowly, to report the line, the column and the byte. Batches, those of callers too, are
//! converted some at a time on all threads, counted, and checked against their schema (`batches`). Text in other
//! encodings is decoded before it is cut into blocks (`transcode`). Files of tuples are read as their endings say, and
//! may begin with a tuple in place of names.
//!
//! A job that needs each record once takes the batches one after the other and keeps no table (`passed_batches`), so it can read
//! tables that are larger than the memory.
//!
//! One input is read in one state: a file that is opened again must be the same as when it was found (`input_file`), or
//! the job ends.

mod batches;
mod blocks;
mod byte_source;
mod caller_columns;
mod column_types;
mod csv;
mod files;
mod first_records;
mod in_groups;
mod in_order;
mod input_file;
mod json;
mod kept_columns;
mod line;
mod line_ends;
mod logical_types;
mod open_source;
mod opening;
mod parquet;
mod part;
mod passed_batches;
mod plain_text;
mod read_batches;
mod reading;
mod sample;
mod slices;
mod spooled_batches;
mod spooled_bytes;
mod spreadsheet;
#[cfg(test)]
mod tests;
mod transcode;
mod unify;
mod wanted;

pub(super) use self::batches::schema_difference;
pub(super) use self::byte_source::KnownStreams;
pub(super) use self::files::open_files;
pub use self::kept_columns::KeptColumns;
pub(super) use self::line::line_of_row;
pub(super) use self::logical_types::EngineTypes;
pub use self::open_source::OpenSource;
pub use self::opening::Opening;
pub use self::parquet::DECODER_THREAD;
pub use self::part::{PartBatches, PartReading, SourcePart};
pub(super) use self::spooled_batches::SpooledBatches;
