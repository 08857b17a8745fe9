//! A run: what a job found, as tables in memory or in files.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_cast::cast;
use arrow_schema::{DataType, FieldRef, Fields, Schema, SchemaRef};

use super::session::Session;
use crate::engine::{Found, Job, Observer, RunRecord, Why};
use crate::error::{Error, Result};
use crate::output::{ClusterTable, Format, OutputFolder, PairTable};
use crate::records::Input;
use crate::report::{self, ReportOptions, ReportRequest, ResultRows, RunReport, RunResults};

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

    /// The pairs, in order: `unique_id_l`, `unique_id_r` and `match_key`, the first rule that holds, in the order of
    /// the rules with certain ones first. In a link with dedupe, or of more than two inputs, each id has its `source_dataset`
    /// before it.
    pub fn pairs(&self) -> ResultBatches<'_> {
        ResultBatches::of(ResultTable::Pairs(self.found.pair_table()))
    }

    /// The clusters, every record once and in order: `unique_id` and `cluster_id`, the id of the cluster's first record.
    /// In a link each id has its `source_dataset` before it.
    pub fn clusters(&self) -> ResultBatches<'_> {
        ResultBatches::of(ResultTable::Clusters(self.found.cluster_table()))
    }

    /// The near pairs, as [`Job::with_near`] asks for them: the columns of pairs, and `loosened`, the condition that they
    /// miss. None where the job does not ask for them.
    pub fn near(&self) -> Option<ResultBatches<'_>> {
        self.found.near_table().map(|table| ResultBatches::of(ResultTable::Pairs(table)))
    }

    /// Everything that can be said about the run up to now; `run.json` holds the same.
    pub fn record(&self) -> RunRecord {
        self.found.record()
    }

    /// All files that its job reads: see [`Job::files_read`].
    pub fn files_read(&self) -> Vec<Input> {
        self.job.files_read()
    }

    /// Why the records with these ids are a pair, or why not. Reads the inputs again, so they must not be streams.
    pub fn why(&self, ids: [&str; 2]) -> Result<Why> {
        self.session.why(&self.job, ids, &())
    }

    /// What is worth seeing of the run: facts and tables for a page, within a size. Reads the inputs again; where they are
    /// streams, it has no values of records.
    pub fn report(&self, options: &ReportOptions, observer: &dyn Observer) -> Result<RunReport> {
        let run = self.record();
        self.session.with(observer, |progress| {
            let request = ReportRequest { run: &run, results: self, job: Some(&self.job), options };
            report::make_report(&request, self.session.settings(), progress)
        })
    }

    /// Writes `pairs`, `clusters`, near pairs if there are any to write, and `run.json` into a folder, all together or not at all.
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
        self.session.with(observer, |progress| found.write_pairs(out, format, Path::new(name), progress).map(drop))
    }

    /// Writes the clusters alone; `name` is what messages call the writer.
    pub fn write_clusters(
        &mut self,
        out: impl Write + Send,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let found = &mut self.found;
        self.session.with(observer, |progress| found.write_clusters(out, format, Path::new(name), progress).map(drop))
    }
}

impl RunResults for Run {
    fn pairs(&self) -> Result<ResultRows<'_>> {
        Ok(Box::new(Self::pairs(self)))
    }

    fn clusters(&self) -> Result<ResultRows<'_>> {
        Ok(Box::new(Self::clusters(self)))
    }

    fn near(&self) -> Result<Option<ResultRows<'_>>> {
        Ok(Self::near(self).map(|rows| Box::new(rows) as ResultRows<'_>))
    }

    fn pairs_as_input(&self) -> Result<Input> {
        let pairs = Self::pairs(self);
        Input::batches("pairs", pairs.schema(), pairs.collect::<Result<_>>()?)
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Run {{ pairs: {} }}", self.found.pair_table().pairs.len())
    }
}

/// The rows of a result of a [`Run`], some tens of thousands at a time.
pub struct ResultBatches<'a> {
    table: ResultTable<'a>,
    /// As files have it.
    written: SchemaRef,
    schema: SchemaRef,
    next: u64,
}

enum ResultTable<'a> {
    Pairs(PairTable<'a>),
    Clusters(ClusterTable<'a>),
}

impl<'a> ResultBatches<'a> {
    fn of(table: ResultTable<'a>) -> Self {
        let written = match &table {
            ResultTable::Pairs(table) => table.schema(),
            ResultTable::Clusters(table) => table.schema(),
        };
        Self { schema: plain_schema(&written), written, table, next: 0 }
    }

    /// Names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The number of all rows, whatever was taken before.
    pub fn rows(&self) -> u64 {
        match &self.table {
            ResultTable::Pairs(table) => table.pairs.len(),
            ResultTable::Clusters(table) => table.roots.len() as u64,
        }
    }

    fn batch(&self, rows: Range<u64>) -> Result<RecordBatch> {
        let batch = match &self.table {
            ResultTable::Pairs(table) => table.batch(&self.written, rows)?,
            ResultTable::Clusters(table) => table.batch(&self.written, rows.start as usize..rows.end as usize)?,
        };
        plain_batch(&batch, &self.schema)
    }
}

impl Iterator for ResultBatches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.next..self.rows().min(self.next + BATCH_ROWS);
        self.next = rows.end;
        (!rows.is_empty()).then(|| self.batch(rows))
    }

    /// Batches before the one that is wanted are not made.
    fn nth(&mut self, batches: usize) -> Option<Self::Item> {
        self.next = self.rows().min(self.next.saturating_add((batches as u64).saturating_mul(BATCH_ROWS)));
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.rows() - self.next).div_ceil(BATCH_ROWS) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for ResultBatches<'_> {}

impl std::fmt::Debug for ResultBatches<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ResultBatches {{ rows: {}, next: {} }}", self.rows(), self.next)
    }
}
