//! A run: what a job found, as tables in memory or in files.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_cast::cast;
use arrow_schema::{DataType, FieldRef, Fields, Schema, SchemaRef};

use super::session::Session;
use crate::engine::{Found, Job, Observer, RunRecord, Why};
use crate::error::{Error, Result};
use crate::output::{ClusterTable, Format, OutputFolder, PairTable};

/// Rows of a batch.
const BATCH_ROWS: u64 = 1 << 16;

/// A table whose columns are spelled out: dictionaries are a matter of files, not of readers.
fn plain_schema(schema: &SchemaRef) -> SchemaRef {
    let plain = |field: &FieldRef| match field.data_type() {
        DataType::Dictionary(_, values) => Arc::new(field.as_ref().clone().with_data_type(values.as_ref().clone())),
        _ => Arc::clone(field),
    };
    Arc::new(Schema::new(schema.fields().iter().map(plain).collect::<Fields>()))
}

fn plain_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| cast(column, field.data_type()));
    let batch = columns.collect::<std::result::Result<_, _>>().and_then(|c| RecordBatch::try_new(schema.clone(), c));
    batch.map_err(|error| Error::internal(format!("a batch of results: {error}")).with_source(error))
}

/// What a job found: its pairs, which may be more than fit the memory, its clusters, and the record of how.
pub struct Run {
    session: Session,
    job: Job,
    found: Found,
}

impl Run {
    pub(super) fn new(session: Session, job: Job, found: Found) -> Self {
        Self { session, job, found }
    }

    /// The pairs, in order: `unique_id_l`, `unique_id_r` and `match_key`, the first rule that holds. In a link with
    /// dedupe each id has its `source_dataset` before it.
    pub fn pairs(&self) -> PairBatches<'_> {
        let table = self.found.pair_table();
        PairBatches { written: table.schema(), schema: plain_schema(&table.schema()), table, next: 0 }
    }

    /// The clusters, every record once and in order: `unique_id` and `cluster_id`, the id of the cluster's first record.
    /// In a link each id has its `source_dataset` before it.
    pub fn clusters(&self) -> ClusterBatches<'_> {
        let table = self.found.cluster_table();
        ClusterBatches { written: table.schema(), schema: plain_schema(&table.schema()), table, next: 0 }
    }

    /// Everything that can be said about the run up to now; `run.json` holds the same.
    pub fn record(&self) -> RunRecord {
        self.found.record()
    }

    /// Why the records with these ids are a pair, or why not. Reads the inputs again, so they must not be streams.
    pub fn why(&self, ids: [&str; 2]) -> Result<Why> {
        self.session.why(&self.job, ids, &())
    }

    /// Writes `pairs`, `clusters` and `run.json` into a folder, all together or not at all.
    pub fn write(&mut self, folder: OutputFolder, format: Format, observer: &dyn Observer) -> Result<()> {
        let found = &mut self.found;
        self.session.with(observer, |progress| found.write_files(folder, format, progress))
    }

    /// Writes the pairs alone; `name` is what messages call the writer.
    pub fn write_pairs(
        &mut self,
        out: impl Write + Send,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let found = &mut self.found;
        self.session.with(observer, |progress| found.write_pairs(out, format, Path::new(name), progress))
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Run {{ pairs: {} }}", self.found.pair_table().pairs.len())
    }
}

/// The pairs of a [`Run`], some tens of thousands at a time.
pub struct PairBatches<'a> {
    table: PairTable<'a>,
    /// As files have it.
    written: SchemaRef,
    schema: SchemaRef,
    next: u64,
}

impl PairBatches<'_> {
    /// Names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Iterator for PairBatches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let ranks = self.next..self.table.pairs.len().min(self.next + BATCH_ROWS);
        self.next = ranks.end;
        (!ranks.is_empty()).then(|| plain_batch(&self.table.batch(&self.written, ranks)?, &self.schema))
    }
}

/// The clusters of a [`Run`], some tens of thousands of records at a time.
pub struct ClusterBatches<'a> {
    table: ClusterTable<'a>,
    /// As files have it.
    written: SchemaRef,
    schema: SchemaRef,
    next: usize,
}

impl ClusterBatches<'_> {
    /// Names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Iterator for ClusterBatches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.next..self.table.roots.len().min(self.next + BATCH_ROWS as usize);
        self.next = rows.end;
        (!rows.is_empty()).then(|| plain_batch(&self.table.batch(&self.written, rows)?, &self.schema))
    }
}
