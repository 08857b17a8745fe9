//! Tables of records with their clusters: entities, and records as they are read once more.

use std::io::Write;
use std::path::Path;

use arrow_schema::SchemaRef;
use sameas_entities::record_stream::StreamedInput;
use sameas_entities::tables::{
    ClusteredRecords, EntityRecord, PairsOfRecords, RecordTable, TableCounts, TableFile, TableSink, TableTools,
    WithColumns, pair_weights, pairs_with,
};

use super::bound_job::BoundJob;
use super::job_results::JobResults;
use crate::dataset::{Dataset, DatasetInput, OpenedInputs};
use crate::error::Result;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::output::{Format, OutputFolder, PairTable, WriteOptions, write_pairs};
use crate::records::SkippedRecords;
use crate::rules::has_two_sides;
use crate::timeline::Operator;

/// The inputs of a dataset, to be read once more.
pub(super) fn streamed(dataset: &Dataset) -> Vec<StreamedInput<'_>> {
    fn input(of: &DatasetInput) -> StreamedInput<'_> {
        let DatasetInput { name, source, id_column, skipped, ids, .. } = of;
        StreamedInput { name, source, id: id_column.as_deref(), skipped, rows: ids.len() }
    }
    dataset.inputs().iter().map(input).collect()
}

/// Says what is wrong with the tables that a job asks for, and with what its rules take for entities, before anything is read.
pub(super) fn check_tables_before_reading(job: &Job, opened: &OpenedInputs, budget: &MemoryBudget) -> Result<()> {
    let (ids, skipped) = (opened.id_columns(job)?, SkippedRecords::default());
    let input = |at: usize| {
        let (name, source, id) = (opened.names[at].as_str(), &opened.inputs[at], ids[at].as_deref());
        StreamedInput { name, source, id, skipped: &skipped, rows: 0 }
    };
    let inputs: Vec<StreamedInput<'_>> = (0..opened.inputs.len()).map(input).collect();
    let schemas = opened.sources.iter().map(|source| source.schema().clone()).collect();
    job.tables.check(&job.rules, &inputs, schemas, has_two_sides(job.link_type, inputs.len()), budget)
}

impl BoundJob {
    /// Says what is wrong with the tables that it asks for, before anything is computed.
    pub(super) fn check_tables(&self, budget: &MemoryBudget) -> Result<()> {
        let schemas: Vec<SchemaRef> = self.dataset.inputs().iter().map(|input| input.schema.clone()).collect();
        let has_two_sides = self.dataset.layout().has_two_sides();
        self.job.tables.check(&self.job.rules, &streamed(&self.dataset), schemas, has_two_sides, budget)
    }
}

impl JobResults {
    /// Gives the rows of a table of records or entities to a sink.
    pub fn record_table(
        &self,
        table: RecordTable,
        sink: &mut dyn TableSink,
        progress: Progress<'_>,
    ) -> Result<TableCounts> {
        let of_right = self.bound.right_offset();
        let weights = || pair_weights(&self.pairs, &self.roots, of_right, progress.cancel());
        self.with_inputs(progress, |inputs, tools| {
            let records = ClusteredRecords { inputs, ids: &self.all_ids, roots: &self.roots, weights: &weights };
            table.write(records, &self.bound.job.rules, tools, sink)
        })
    }

    /// Gives pairs with columns of both records to a sink.
    pub fn pairs_with(
        &self,
        table: PairTable<'_>,
        with: &WithColumns,
        sink: &mut dyn TableSink,
        progress: Progress<'_>,
    ) -> Result<TableCounts> {
        let has_two_sides = self.bound.dataset.layout().has_two_sides();
        let pairs = PairsOfRecords { table, right_offset: self.bound.right_offset(), has_two_sides };
        self.with_inputs(progress, |inputs, tools| pairs_with(inputs, pairs, with, tools, sink))
    }

    /// Writes pairs, with columns of both records if the job asks for some.
    pub(super) fn write_pair_table<W: Write + Send>(
        &self,
        out: W,
        table: &PairTable<'_>,
        options: &WriteOptions<'_>,
        progress: Progress<'_>,
    ) -> Result<W> {
        let Some(with) = &self.bound.job.tables.with else { return write_pairs(out, table, options) };
        let mut sink = TableFile::new(out, options.format, options.path);
        self.pairs_with(*table, with, &mut sink, progress)?;
        sink.finish()
    }

    /// Does some work for which the inputs are read once more.
    fn with_inputs<T>(
        &self,
        progress: Progress<'_>,
        work: impl FnOnce(&[StreamedInput<'_>], TableTools<'_>) -> Result<T>,
    ) -> Result<T> {
        progress.begin(&Stage::WritingRecords, Some(self.roots.len() as u64));
        let budget = MemoryBudget::new(self.machine.memory.join);
        let tools = TableTools {
            budget: &budget,
            spill_folder: self.machine.settings.spill_folder.as_deref(),
            cancel: progress.cancel(),
            progress: &|rows| progress.advance(rows),
        };
        work(&streamed(&self.bound.dataset), tools)
    }

    /// Writes a table of records or entities and returns the flushed writer; `path` is what messages call it.
    pub fn write_record_table<W: Write + Send>(
        &mut self,
        out: W,
        table: RecordTable,
        format: Format,
        path: &Path,
        progress: Progress<'_>,
    ) -> Result<W> {
        self.timeline.go_on();
        let mut sink = TableFile::new(out, format, path);
        let TableCounts { rows, columns } = self.record_table(table, &mut sink, progress)?;
        if let RecordTable::Entities { .. } = table {
            self.entities = Some(EntityRecord::new(rows, columns));
        }
        let out = sink.finish()?;
        self.timeline.end(Operator::WriteRecords, rows);
        Ok(out)
    }

    /// Says which tables of records and entities will be written: other files of a folder may have these names.
    pub(super) fn announce_record_tables(&self, folder: &mut OutputFolder, format: Format) -> Result<()> {
        let tables = self.bound.job.tables.of_folder(&self.bound.job.rules);
        let names: Vec<String> =
            tables.iter().map(|table| format!("{}.{}", table.name(), format.extension())).collect();
        if names.is_empty() { Ok(()) } else { folder.announce(&names) }
    }

    /// Writes the tables of records and entities that the job asks for into a folder.
    pub(super) fn write_record_tables(
        &mut self,
        folder: &mut OutputFolder,
        format: Format,
        progress: Progress<'_>,
    ) -> Result<()> {
        for table in self.bound.job.tables.of_folder(&self.bound.job.rules) {
            let file = folder.file(&format!("{}.{}", table.name(), format.extension()))?;
            let path = file.path().to_owned();
            let file = self.write_record_table(file, table, format, &path, progress)?.finish()?;
            self.files.push(file);
        }
        Ok(())
    }
}
