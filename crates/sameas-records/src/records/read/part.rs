//! Parts of a source, which are read at the same time: a file, some batches in memory, a stream of them.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::SchemaRef;

use super::batches::{convert_all, convert_reader};
use super::column_types::ColumnTypes;
use super::read_batches::ReadBatches;
use super::reading::Reading;
use super::wanted::WantedColumns;
use crate::error::Result;

/// A part of a source whose columns are known and whose records are not read yet. The parts of a source are read at the same
/// time; its records are those of the first part, then those of the second, and so on.
pub trait SourcePart: Send {
    /// What messages call it, and the record of a run.
    fn label(&self) -> &str;

    /// Its columns. Parts of one source need not have them in the same order, nor with the same types.
    fn schema(&self) -> SchemaRef;

    /// Reads its records: asks [`PartReading::columns`] which columns are wanted, and hands them to [`PartReading::take`].
    fn read(self: Box<Self>, reading: &PartReading<'_>) -> Result<PartBatches>;

    /// Whether it may lack columns that other parts of its source have; they are null then. Else that is an error.
    fn may_lack_columns(&self) -> bool {
        false
    }

    /// Whether its columns have names; else they are called by their numbers, from `1`.
    fn has_column_names(&self) -> bool {
        true
    }

    /// Whether a check of rules reads its first records: values without a type may be none that rules can use, and the other
    /// records need not be read for the first ones.
    #[doc(hidden)]
    fn can_be_sampled(&self) -> bool {
        false
    }
}

/// What of a part is read, and into what.
pub struct PartReading<'a> {
    pub(super) label: &'a str,
    /// The columns that the part has.
    pub(super) schema: SchemaRef,
    pub(super) wanted: WantedColumns,
    /// The places of the wanted columns that the part has.
    columns: Vec<usize>,
    pub(super) reading: &'a Reading<'a>,
    /// In which types its columns are read.
    pub(super) types: ColumnTypes,
}

/// The records of a part, as they are in the table of its source.
pub struct PartBatches(pub(super) ReadBatches);

impl<'a> PartReading<'a> {
    pub(super) fn new(
        label: &'a str,
        schema: SchemaRef,
        wanted: WantedColumns,
        reading: &'a Reading<'a>,
        types: ColumnTypes,
    ) -> Self {
        let columns = wanted.local();
        Self { label, schema, wanted, columns, reading, types }
    }

    /// The places of the wanted columns in [`SourcePart::schema`], in the order in which they are wanted.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Reads batches with the wanted columns, in their order, to their end. Some are converted at a time, on all threads;
    /// they must fit the memory of the job, and between them it can be cancelled. An error says which row is the first that
    /// could not be read. A part takes one reader: its batches may have gone on when an error comes.
    pub fn take(&self, mut reader: impl RecordBatchReader + Send) -> Result<PartBatches> {
        convert_reader(self, &mut reader).map(PartBatches)
    }

    /// The same for batches with all columns of the part, which are in memory anyway.
    pub(super) fn take_all(&self, batches: &[RecordBatch]) -> Result<PartBatches> {
        convert_all(self, batches).map(PartBatches)
    }
}

impl std::fmt::Debug for PartReading<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PartReading {{ label: {:?}, columns: {:?} }}", self.label, self.columns)
    }
}

impl std::fmt::Debug for PartBatches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PartBatches {{ rows: {} }}", self.0.iter().map(RecordBatch::num_rows).sum::<usize>())
    }
}
