//! Writes the pairs in order, some sources at a time.
//!
//! The pairs of each source are counted before, so that files are cut by the pairs alone, never by method or memory.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::{Schema, SchemaRef};

use super::fixpoint;
use super::plan::ClosureMethod;
use super::solve::SolvedClosure;
use crate::cancel::Cancel;
use crate::engine::{Progress, Stage};
use crate::error::{Error, Result};
use crate::graph::reach::{ReachCounts, ReachRows};
use crate::output::{Format, WriteOptions, write_table};
use crate::records::broken;

/// Sources and targets of some pairs.
type ClosureColumns = [Vec<u32>; 2];

/// The pairs of some sources.
type ColumnsOf<'a> = dyn Fn(Range<u32>) -> Result<ClosureColumns> + Sync + 'a;

impl SolvedClosure {
    /// Writes all pairs; `path` is what messages call the writer.
    pub fn write<W: Write + Send>(&self, out: W, format: Format, path: &Path, progress: Progress<'_>) -> Result<W> {
        let counted = match &self.counts {
            Some(counts) => counts.clone(),
            None => self.reach(progress)?,
        };
        if counted.total() != self.pairs {
            let message = format!("the fixpoint has {} pairs, and bit rows have {}", self.pairs, counted.total());
            return Err(Error::internal(message));
        }
        progress.begin(&Stage::WritingPairs, Some(self.pairs));
        let cancel = progress.cancel().within(&self.budget);
        match self.plan.method {
            ClosureMethod::Fixpoint => {
                let mut rules = self.rules(cancel)?;
                let rows = Mutex::new(rules.rows(cancel)?);
                let pairs = |sources: Range<u32>| {
                    fixpoint::pairs(&mut rows.lock().unwrap_or_else(PoisonError::into_inner), &sources, cancel)
                };
                // One chunk at a time: all threads look for its rows together.
                self.write_rows((out, format, path), &counted, (&pairs, 1), progress)
            }
            _ => {
                let rows = ReachRows::new(&self.condensed, self.plan.reflexive);
                let pairs = |sources: Range<u32>| Ok(reach_pairs(&rows, sources, cancel));
                let parallel = rayon::current_num_threads() + 1;
                self.write_rows((out, format, path), &counted, (&pairs, parallel), progress)
            }
        }
    }

    fn write_rows<W: Write + Send>(
        &self,
        (out, format, path): (W, Format, &Path),
        counts: &ReachCounts,
        (pairs, parallel): (&ColumnsOf<'_>, usize),
        progress: Progress<'_>,
    ) -> Result<W> {
        let schema = self.schema();
        let chunks = counts.cut(&self.condensed, format.chunk_rows(self.pairs));
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
        let options = WriteOptions { format, path, parallel, progress: &report };
        write_table(out, &schema, &[], chunks.len() as u64, &make_chunk, &options)
    }

    fn schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.edges.names.iter().map(|name| self.edges.ids.field(name)).collect();
        Arc::new(Schema::new(fields))
    }

    fn batch(&self, schema: &SchemaRef, columns: ClosureColumns) -> Result<RecordBatch> {
        let [sources, targets] = columns.map(UInt32Array::from);
        let columns = vec![self.edges.ids.gather(&sources)?, self.edges.ids.gather(&targets)?];
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
    }
}

fn reach_pairs(rows: &ReachRows<'_>, sources: Range<u32>, cancel: Cancel<'_>) -> ClosureColumns {
    let block = rows.rows(sources, cancel);
    let mut left = Vec::with_capacity(block.targets.len());
    for (source, end) in (block.first..).zip(&block.ends) {
        left.resize(*end, source);
    }
    [left, block.targets]
}
