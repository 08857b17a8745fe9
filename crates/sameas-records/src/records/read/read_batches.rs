//! What readers give.

use arrow_array::RecordBatch;

/// The records of a block or of a part, in order.
pub(super) type ReadBatches = Vec<RecordBatch>;

/// Rows of a batch at most.
pub(super) const MAX_BATCH_ROWS: usize = 65_536;
