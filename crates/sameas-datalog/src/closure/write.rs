//! Hands out the pairs in order, some sources at a time: to a file, or as batches.
//!
//! The pairs of each source are counted before, so that files are cut by the pairs alone, never by method, device or
//! memory. What a device has no room for, the host finds: the pairs are the same.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::{Schema, SchemaRef};

use super::blocks::{FindRows, RowBlocks};
use super::fixpoint;
use super::plan::ClosureMethod;
use super::sink::ChunkSink;
use super::solve::SolvedClosure;
use crate::error::{Error, Result};
use crate::graph::reach::gpu::{DeviceCondensation, GpuReach, GpuReachRows};
use crate::graph::reach::{ReachBlock, ReachCounts, ReachRows};
use crate::observer::{Progress, Stage};
use crate::records::broken;

/// Sources and targets of some pairs.
type ClosureColumns = [Vec<u32>; 2];

/// The pairs of some sources.
type ColumnsOf<'a> = dyn Fn(Range<u32>) -> Result<ClosureColumns> + Sync + 'a;

/// Where the pairs go, and in which chunks.
struct ClosureOutput<'a, S> {
    sink: S,
    counts: &'a ReachCounts,
    /// The sources of each chunk.
    chunks: Vec<Range<u32>>,
}

impl SolvedClosure {
    /// Hands out all pairs, chunk by chunk.
    pub fn write<S: ChunkSink>(&self, sink: S, progress: Progress<'_>) -> Result<S::Done> {
        let counts = match &self.counts {
            Some(counts) => counts.clone(),
            None => self.reach(progress)?,
        };
        if counts.total() != self.pairs {
            let message = format!("the fixpoint has {} pairs, and bit rows have {}", self.pairs, counts.total());
            return Err(Error::internal(message));
        }
        progress.begin(&Stage::WritingPairs, Some(self.pairs));
        let chunks = counts.cut(&self.condensed, sink.chunk_rows(self.pairs));
        let output = ClosureOutput { sink, counts: &counts, chunks };
        match self.plan.method {
            ClosureMethod::Fixpoint => self.write_fixpoint(output, progress),
            _ => self.write_reach(output, progress),
        }
    }

    fn write_fixpoint<S: ChunkSink>(&self, output: ClosureOutput<'_, S>, progress: Progress<'_>) -> Result<S::Done> {
        let cancel = progress.cancel().within(&self.budget);
        // Rows are asked for here already, so that a device that fails at them is left.
        let on_device = self.device.tried(|gpu| {
            let mut rules = self.rules(Some(gpu), cancel)?;
            rules.rows(cancel)?;
            Ok(rules)
        })?;
        let mut rules = on_device.map_or_else(|| self.rules(None, cancel), Ok)?;
        let rows = Mutex::new(rules.rows(cancel)?);
        let find = |sources: Range<u32>| {
            fixpoint::rows_of(&mut rows.lock().unwrap_or_else(PoisonError::into_inner), sources, cancel)
        };
        if rows.lock().unwrap_or_else(PoisonError::into_inner).is_on_device() {
            return self.write_blocks(output, &find, progress);
        }
        // One chunk at a time: all threads look for its rows together.
        self.write_rows(output, &|sources| find(sources).map(columns), 1, progress)
    }

    fn write_reach<S: ChunkSink>(&self, output: ClosureOutput<'_, S>, progress: Progress<'_>) -> Result<S::Done> {
        let cancel = progress.cancel().within(&self.budget);
        if self.plan.directed && self.pairs > 0 {
            let graph = DeviceCondensation::new(&self.condensed, self.plan.reflexive);
            let rows = |gpu| GpuReachRows::new(GpuReach::new(gpu, &graph.parts())?, &graph.parts());
            let rows = self.device.tried(rows)?;
            if let Some(rows) = rows {
                return self.write_blocks(output, &|sources| rows.unsorted(sources), progress);
            }
        }
        let rows = ReachRows::new(&self.condensed, self.plan.reflexive);
        let pairs = |sources: Range<u32>| Ok(columns(rows.rows(sources, cancel)));
        self.write_rows(output, &pairs, rayon::current_num_threads() + 1, progress)
    }

    /// Writes what a device finds, or sweeps of the host where it cannot.
    fn write_blocks<S: ChunkSink>(
        &self,
        output: ClosureOutput<'_, S>,
        on_device: &FindRows<'_>,
        progress: Progress<'_>,
    ) -> Result<S::Done> {
        let cancel = progress.cancel().within(&self.budget);
        let on_host = ReachRows::new(&self.condensed, self.plan.reflexive);
        let find = |sources: Range<u32>| {
            let found = self.device.tried(|_| on_device(sources.clone()))?;
            Ok(found.unwrap_or_else(|| on_host.rows(sources, cancel)))
        };
        let blocks = RowBlocks::new(&find, &self.condensed, output.counts, &output.chunks, &self.budget);
        let pairs = |sources: Range<u32>| blocks.pairs(sources);
        self.write_rows(output, &pairs, rayon::current_num_threads() + 1, progress)
    }

    fn write_rows<S: ChunkSink>(
        &self,
        output: ClosureOutput<'_, S>,
        pairs: &ColumnsOf<'_>,
        parallel: usize,
        progress: Progress<'_>,
    ) -> Result<S::Done> {
        let ClosureOutput { sink, counts, chunks } = output;
        let schema = self.schema();
        let make_chunk = |chunk: u64| {
            progress.cancel().check();
            let sources = chunks[chunk as usize].clone();
            let rows: u64 = sources.clone().map(|source| counts.of_component(self.condensed.component(source))).sum();
            // The pairs, and what is made of them until they are written.
            let _held = self.budget.hold(24 * rows as usize)?;
            self.batch(&schema, pairs(sources)?)
        };
        let written = AtomicU64::new(0);
        let report = |rows: u64| progress.advance(rows - written.swap(rows, Relaxed));
        sink.take(&schema, chunks.len() as u64, &make_chunk, parallel, &report)
    }

    /// The columns of the pairs.
    pub fn schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.edges.names.iter().map(|name| self.edges.ids.field(name)).collect();
        Arc::new(Schema::new(fields))
    }

    fn batch(&self, schema: &SchemaRef, columns: ClosureColumns) -> Result<RecordBatch> {
        let [sources, targets] = columns.map(UInt32Array::from);
        let columns = vec![self.edges.ids.gather(&sources)?, self.edges.ids.gather(&targets)?];
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
    }
}

/// The pairs of some rows.
fn columns(block: ReachBlock) -> ClosureColumns {
    let mut left = Vec::with_capacity(block.targets.len());
    for (source, end) in (block.first..).zip(&block.ends) {
        left.resize(*end, source);
    }
    [left, block.targets]
}
