//! A run: what a job found, as tables in memory or in files.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use sameas_core::error::Result;
use sameas_core::memory::MemoryBudget;
use sameas_engine::engine::{AskedRecords, CutTable, JobResults, RunRecord, Why};
use sameas_engine::job::Job;
use sameas_engine::observer::Observer;
use sameas_entities::tables::{EntityRecord, RecordTable, TableCounts, TableFile, TableSink, WithColumns};
use sameas_records::output::{ClusterTable, Format, OutputFolder, PairTable, plain_batch, plain_schema};
use sameas_records::records::Input;
use sameas_report::report::{
    self, ClusterRecords, ClusterRequest, ConnectionRequest, ReportOptions, ReportRequest, ResultRows, RunReport,
    RunResults,
};

use super::session::Session;

/// Rows of a batch.
const BATCH_ROWS: u64 = 1 << 16;

/// What a job found: its pairs, which may be more than fit the memory, its clusters, and the record of how.
pub struct Run {
    session: Session,
    job: Job,
    results: JobResults,
}

impl Run {
    pub(super) fn new(session: Session, job: Job, results: JobResults) -> Self {
        let job = results.resolved(job);
        Self { session, job, results }
    }

    /// The pairs, in order: `unique_id_l`, `unique_id_r` and `match_key`, the first rule that holds, in the order of
    /// the rules with certain ones first. In a link with dedupe, or of more than two inputs, each id has its `source_dataset`
    /// before it.
    pub fn pairs(&self) -> ResultBatches<'_> {
        ResultBatches::new(ResultTable::Pairs(self.results.pair_table()))
    }

    /// The clusters, every record once and in order: `unique_id` and `cluster_id`, the id of the cluster's first record.
    /// In a link each id has its `source_dataset` before it.
    pub fn clusters(&self) -> ResultBatches<'_> {
        ResultBatches::new(ResultTable::Clusters(self.results.cluster_table()))
    }

    /// The near pairs, as [`Job::with_near`] asks for them: the columns of pairs, and `loosened`, the condition that they
    /// miss. None where the job does not ask for them.
    pub fn near(&self) -> Option<ResultBatches<'_>> {
        self.results.near_table().map(|table| ResultBatches::new(ResultTable::Pairs(table)))
    }

    /// The pairs between clusters, where the rules say how clusters are made: the columns of pairs, `cause`, what has cut each, and
    /// `because`, what was in the way. None where they say nothing of it, or clusters are made at several thresholds.
    pub fn cut(&self) -> Option<ResultBatches<'_>> {
        self.results.cut_table().map(|table| ResultBatches::new(ResultTable::Cut(table)))
    }

    /// Everything that can be said about the run up to now; `run.json` holds the same.
    pub fn record(&self) -> RunRecord {
        self.results.record()
    }

    /// All files that its job reads: see [`Job::files_read`].
    pub fn files_read(&self) -> Vec<Input> {
        self.job.files_read()
    }

    /// Why the records with these ids are a pair, or why not, and if they are no pair of one cluster, what connects them; that also
    /// of two records of one input of a link, named as in `people:17`, which no rule compares. Reads the inputs again only if the
    /// run has not [kept](crate::SessionBuilder::keep_records) its records.
    pub fn why(&self, ids: [&str; 2]) -> Result<Why> {
        self.why_of(ids, self.job.all_columns, &())
    }

    /// The same with the two whole records, whatever columns the job reads.
    pub fn why_with_records(&self, ids: [&str; 2], observer: &dyn Observer) -> Result<Why> {
        self.why_of(ids, true, observer)
    }

    fn why_of(&self, ids: [&str; 2], whole_records: bool, observer: &dyn Observer) -> Result<Why> {
        let why = match self.session.with(observer, |progress| self.results.why(ids, whole_records, progress))? {
            Some(why) => why,
            None => {
                let mut job = self.results.job_again();
                job.all_columns = whole_records;
                self.session.why(&job, ids, observer)?
            }
        };
        self.with_connection(why, observer)
    }

    /// The same answer with what connects the two records.
    fn with_connection(&self, mut why: Why, observer: &dyn Observer) -> Result<Why> {
        let budget = &MemoryBudget::new(self.session.settings().memory);
        why.connection = self.session.with(observer, |progress| {
            let [l, r] = why.ids.each_ref().map(|id| self.results.record_called(id));
            let request = ConnectionRequest {
                records: [l?, r?],
                is_pair: why.match_key.is_some(),
                roots: self.results.roots(),
                budget,
                cancel: progress.cancel(),
            };
            report::connection(&mut &self.results, request)
        })?;
        Ok(why)
    }

    /// Its records, without its results, if they were [kept](crate::SessionBuilder::keep_records).
    pub fn into_records(self) -> Option<RunRecords> {
        self.results.into_records().map(|records| RunRecords { records })
    }

    /// What is worth seeing of the run: facts and tables for a page, within a size. Records that were not
    /// [kept](crate::SessionBuilder::keep_records) are read again; where that is not possible, it has no values of them.
    pub fn report(&self, options: &ReportOptions, observer: &dyn Observer) -> Result<RunReport> {
        let mut run = self.record();
        if run.entities.is_none() && self.job.rules.entity.is_given {
            run.entities = Some(self.entity_record(observer)?);
        }
        self.session.with(observer, |progress| {
            let (job, at_hand) = self.asked();
            let request = ReportRequest { run: &run, results: self, job, at_hand, options };
            report::make_report(&request, self.session.settings(), progress)
        })
    }

    /// What is known of its entities, before anybody has written them.
    fn entity_record(&self, observer: &dyn Observer) -> Result<EntityRecord> {
        let table = RecordTable::Entities { provenance: false };
        let TableCounts { rows, columns } = self.record_table(table, &mut NoRows, observer)?;
        Ok(EntityRecord::new(rows, columns))
    }

    /// The records of one of its clusters, at most `most` of them; `id` is that of the cluster, or of one of its records. Records
    /// that were not [kept](crate::SessionBuilder::keep_records) are read again; where that is not possible, they have no values.
    pub fn cluster(&self, id: &str, most: usize, observer: &dyn Observer) -> Result<ClusterRecords> {
        let run = self.record();
        self.session.with(observer, |progress| {
            let (job, at_hand) = self.asked();
            let request = ClusterRequest { run: &run, results: self, job, at_hand };
            report::cluster_records(request, id, most, self.session.settings(), progress)
        })
    }

    /// The job and its records, if they were kept: then with all that was read for it.
    fn asked(&self) -> (Option<&Job>, Option<&AskedRecords>) {
        let at_hand = self.results.records();
        (Some(at_hand.map_or(&self.job, |records| &records.job)), at_hand)
    }

    /// Writes `pairs`, `clusters`, near pairs if there are any to write, and `run.json` into a folder, all together or not at all.
    pub fn write(&mut self, folder: OutputFolder, format: Format, observer: &dyn Observer) -> Result<()> {
        let results = &mut self.results;
        self.session.with(observer, |progress| results.write_files(folder, format, progress))
    }

    /// Writes the pairs alone; `name` is what messages call the writer.
    pub fn write_pairs(
        &mut self,
        out: impl Write + Send,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let results = &mut self.results;
        self.session.with(observer, |progress| results.write_pairs(out, format, Path::new(name), progress).map(drop))
    }

    /// Gives the rows of a table of records or entities to a sink. The inputs are read once more.
    pub fn record_table(
        &self,
        table: RecordTable,
        sink: &mut dyn TableSink,
        observer: &dyn Observer,
    ) -> Result<TableCounts> {
        self.session.with(observer, |progress| self.results.record_table(table, sink, progress))
    }

    /// Gives the pairs with columns of both records beside them to a sink. The inputs are read once more.
    pub fn pairs_with(
        &self,
        columns: &WithColumns,
        sink: &mut dyn TableSink,
        observer: &dyn Observer,
    ) -> Result<TableCounts> {
        let results = &self.results;
        self.session.with(observer, |progress| results.pairs_with(results.pair_table(), columns, sink, progress))
    }

    /// Writes the pairs with columns of both records beside them; `name` is what messages call the writer.
    pub fn write_pairs_with(
        &self,
        out: impl Write + Send,
        columns: &WithColumns,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let mut file = TableFile::new(out, format, Path::new(name));
        self.pairs_with(columns, &mut file, observer)?;
        file.finish().map(drop)
    }

    /// Writes a table of records or entities; `name` is what messages call the writer.
    pub fn write_record_table(
        &mut self,
        out: impl Write + Send,
        table: RecordTable,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let results = &mut self.results;
        self.session.with(observer, |progress| {
            results.write_record_table(out, table, format, Path::new(name), progress).map(drop)
        })
    }

    /// Writes the clusters alone; `name` is what messages call the writer.
    pub fn write_clusters(
        &mut self,
        out: impl Write + Send,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        let results = &mut self.results;
        self.session.with(observer, |progress| results.write_clusters(out, format, Path::new(name), progress).map(drop))
    }
}

/// Keeps nothing of a table, which is counted alone.
struct NoRows;

impl TableSink for NoRows {
    fn begin(&mut self, _: &SchemaRef) -> Result<()> {
        Ok(())
    }

    fn take(&mut self, _: Vec<RecordBatch>) -> Result<()> {
        Ok(())
    }
}

/// The records of a run that stay at hand for questions about it, whatever has become of its results.
#[derive(Debug)]
pub struct RunRecords {
    pub(super) records: AskedRecords,
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

    fn cut(&self) -> Result<Option<ResultRows<'_>>> {
        Ok(Self::cut(self).map(|rows| Box::new(rows) as ResultRows<'_>))
    }

    fn pairs_as_input(&self) -> Result<Input> {
        let pairs = Self::pairs(self);
        Input::batches("pairs", pairs.schema(), pairs.collect::<Result<_>>()?)
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Run {{ pairs: {} }}", self.results.pair_table().pairs.len())
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
    Cut(CutTable<'a>),
}

impl<'a> ResultBatches<'a> {
    fn new(table: ResultTable<'a>) -> Self {
        let written = match &table {
            ResultTable::Pairs(table) => table.schema(),
            ResultTable::Clusters(table) => table.schema(),
            ResultTable::Cut(table) => table.as_pairs().schema(),
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
            ResultTable::Cut(table) => table.as_pairs().pairs.len(),
        }
    }

    fn batch(&self, rows: Range<u64>) -> Result<RecordBatch> {
        let batch = match &self.table {
            ResultTable::Pairs(table) => table.batch(&self.written, rows)?,
            ResultTable::Clusters(table) => table.batch(&self.written, rows.start as usize..rows.end as usize)?,
            ResultTable::Cut(table) => table.as_pairs().batch(&self.written, rows)?,
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
