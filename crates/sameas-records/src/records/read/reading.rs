//! How a reading goes about its work: blocks, memory, progress.

use arrow_array::RecordBatch;

use super::blocks::{Block, BlockLimits, Blocks, ProcessedBlock, RecordEnds, Start, work_through};
use super::read_batches::{BatchTaker, ReadBatches};
use crate::error::Result;
use crate::memory::MemoryBudget;

/// How a reading goes about its work.
pub(super) struct Reading<'a> {
    pub(super) limits: BlockLimits,
    /// Blocks of one part worked on at a time.
    pub(super) wave: usize,
    pub(super) budget: &'a MemoryBudget,
    /// Learns how many more rows were read, and ends the job here if that is wanted.
    pub(super) progress: &'a (dyn Fn(u64) + Sync),
    /// What takes the records where no table keeps them.
    pub(super) taker: Option<&'a dyn BatchTaker>,
}

impl<'a> Reading<'a> {
    /// Parts are read side by side, so each gets its share of the blocks that may be in memory.
    pub(super) fn new(
        parts: usize,
        block_bytes: usize,
        budget: &'a MemoryBudget,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        let threads = rayon::current_num_threads();
        let wave = (2 * threads / parts.clamp(1, threads)).max(2);
        Self { limits: BlockLimits::new(block_bytes, budget), wave, budget, progress, taker: None }
    }

    /// Decodes every block of a file in parallel and gives the batches, in order; `lines` come before the first block.
    pub(super) fn decode_blocks<E: RecordEnds + Send>(
        &self,
        blocks: Blocks<'_, E>,
        label: &str,
        lines: u64,
        decode: impl Fn(&Block) -> ProcessedBlock<ReadBatches> + Sync,
    ) -> Result<ReadBatches> {
        let start = Start { label, lines, wave: self.wave };
        let mut batches = Vec::new();
        let work = |block: Block| {
            let worked = decode(&block);
            if let Ok(batches) = &worked.result {
                (self.progress)(batches.iter().map(|batch| batch.num_rows() as u64).sum());
            }
            worked
        };
        work_through(blocks, &start, work, |block: ReadBatches| self.keep(block, &mut batches))?;
        Ok(batches)
    }

    /// Adds the batches of a block to those of its part, if they fit, or hands them on.
    fn keep(&self, block: ReadBatches, batches: &mut ReadBatches) -> Result<()> {
        if let Some(taker) = self.taker {
            return taker.take(block);
        }
        self.budget.take(block.iter().map(RecordBatch::get_array_memory_size).sum())?;
        batches.extend(block);
        Ok(())
    }
}
