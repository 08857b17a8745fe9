//! How a source is opened: what is said of how it is read, and what may be taken for it.

use std::path::{Path, PathBuf};

use super::blocks::BLOCK_BYTES;
use crate::cancel::Cancel;
use crate::memory::MemoryBudget;
use crate::records::read_options::ReadOptions;
use crate::records::tuples::TupleShape;

/// What a source is opened with.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    pub(in crate::records) options: &'a ReadOptions,
    pub(in crate::records) tuples: Option<TupleShape>,
    /// Says where a file is now.
    pub(in crate::records) moved: Option<fn(&Path) -> PathBuf>,
    /// Bytes of a block of text.
    pub(in crate::records) block_bytes: usize,
    pub(in crate::records) cancel: Cancel<'a>,
}

impl<'a> Opening<'a> {
    pub(in crate::records) fn new(options: &'a ReadOptions, cancel: Cancel<'a>) -> Self {
        Self { options, tuples: None, moved: None, block_bytes: BLOCK_BYTES, cancel }
    }

    /// How the records are to be read. A source takes of it what concerns it; texts that stand for a missing value are
    /// replaced whatever the source is.
    pub fn options(&self) -> &'a ReadOptions {
        self.options
    }

    /// Bytes that the job may still take: batches should be a small part of them.
    pub fn memory_left(&self) -> usize {
        self.cancel.budget().map_or(usize::MAX, MemoryBudget::room)
    }

    /// Whether the caller of the job wants it to stop. What takes long should ask, and return an error then.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_wanted()
    }

    /// Where a file is now.
    pub(in crate::records) fn current(&self, path: &Path) -> PathBuf {
        self.moved.map_or_else(|| path.to_owned(), |moved| moved(path))
    }
}
