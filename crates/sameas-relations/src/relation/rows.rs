//! A carried fixpoint as rows: the values that each value of the carried column comes with.

use std::ops::Range;

use crate::cancel::{Cancel, catch};
use crate::error::Result;

/// The rows of some values of the carried column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBlock {
    /// Where each row begins in `targets`, and where the last ends.
    pub offsets: Vec<usize>,
    /// The values of the other column, ascending within a row.
    pub targets: Vec<u32>,
}

/// What finds rows: one per kind of device.
pub trait CarriedSource: Send {
    /// The values of the carried column that occur, ascending; each has a row.
    fn sources(&self) -> &[u32];
    /// The rows of a range of the sources.
    fn rows(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<RowBlock>;
    /// The number of targets of the rows of a range of the sources.
    fn count(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<u64>;
    /// Whether a device finds them, and no thread of the host.
    fn is_on_device(&self) -> bool {
        false
    }
}

/// The fixpoint of rules that carry a column, found row by row.
pub struct CarriedRows<'a> {
    source: Box<dyn CarriedSource + 'a>,
    column: usize,
}

impl<'a> CarriedRows<'a> {
    pub(super) fn new(source: Box<dyn CarriedSource + 'a>, column: usize) -> Self {
        Self { source, column }
    }

    /// The column of the head that is carried; the other one has the targets.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The values of the carried column that occur, ascending; each has a row.
    pub fn sources(&self) -> &[u32] {
        self.source.sources()
    }

    /// Whether a device finds them, and no thread of the host: many rows at a time are then worth asking for.
    pub fn is_on_device(&self) -> bool {
        self.source.is_on_device()
    }

    /// The rows of a range of the sources, whose targets are held by the caller.
    pub fn rows(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<RowBlock> {
        catch(|| self.source.rows(sources, cancel))
    }

    /// The number of tuples in the rows of a range of the sources.
    pub fn count(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<u64> {
        catch(|| self.source.count(sources, cancel))
    }
}

impl std::fmt::Debug for CarriedRows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CarriedRows {{ sources: {}, column: {} }}", self.sources().len(), self.column)
    }
}
