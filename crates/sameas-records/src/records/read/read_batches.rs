//! What readers give, and who takes it.

use arrow_array::RecordBatch;

use crate::error::Result;

/// The records of a block or of a part, in order.
pub(super) type ReadBatches = Vec<RecordBatch>;

/// Rows of a batch at most.
pub(super) const MAX_BATCH_ROWS: usize = 65_536;

/// What takes records as they are read, in order, where no table keeps them.
pub(super) trait BatchTaker: Sync {
    /// Takes some batches; an error ends the reading.
    fn take(&self, batches: ReadBatches) -> Result<()>;
}
