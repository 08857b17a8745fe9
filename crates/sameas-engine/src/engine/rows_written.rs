//! How far the writing of a table has come.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::Result;
use crate::observer::{Progress, Stage};
use crate::output::{Format, WriteOptions};

/// Writes a table of some rows, which reports how many it has written so far.
pub fn with_progress<W>(
    stage: &Stage,
    rows: u64,
    progress: Progress<'_>,
    write: impl FnOnce(&(dyn Fn(u64) + Sync)) -> Result<W>,
) -> Result<W> {
    progress.begin(stage, Some(rows));
    let written = RowsWritten::new(progress);
    write(&|rows| written.report(rows))
}

/// How a table is written, with its next chunks in work on all threads.
pub fn write_options<'a>(format: Format, path: &'a Path, progress: &'a (dyn Fn(u64) + Sync)) -> WriteOptions<'a> {
    WriteOptions { format, path, parallel: rayon::current_num_threads() + 1, progress }
}

/// Turns the number of rows written so far into the number of rows written since the last report.
pub struct RowsWritten<'a> {
    progress: Progress<'a>,
    so_far: AtomicU64,
}

impl<'a> RowsWritten<'a> {
    /// Nothing is written yet.
    pub fn new(progress: Progress<'a>) -> Self {
        Self { progress, so_far: AtomicU64::new(0) }
    }

    /// This many rows are written so far.
    pub fn report(&self, so_far: u64) {
        let before = self.so_far.swap(so_far, Relaxed);
        self.progress.advance(so_far.saturating_sub(before));
    }
}
