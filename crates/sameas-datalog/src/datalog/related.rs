//! What a program has found: relations to read, and to write as files.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use rayon::prelude::*;
use serde::Serialize;

use super::evaluate::ProgramEvaluator;
use super::explanation::RelateExplanation;
use super::job::RelateJob;
use super::program::RelateProgram;
use super::syntax::ValueKind;
use super::values::DomainValues;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::observer::{Progress, Stage};
use crate::output::{FileRecord, Format, OutputFolder, TableStream};
use crate::records::{Input, broken};
use crate::relation::{RelationId, Relations};

/// What `Session::relate` has found: the relations of a program, complete.
pub struct RelatedTuples {
    program: RelateProgram,
    inputs: Vec<Input>,
    relations: Relations,
    ids: Vec<RelationId>,
    values: Vec<DomainValues>,
    explanation: RelateExplanation,
}

/// The record of a run, as `run.json` holds it.
#[derive(Serialize)]
struct RelateRecord<'a> {
    version: &'static str,
    relations: Vec<&'a str>,
    #[serde(flatten)]
    explanation: &'a RelateExplanation,
    files: &'a [FileRecord],
}

/// Receives batches of rows.
pub type BatchSink<'a> = dyn FnMut(RecordBatch) -> Result<()> + 'a;

impl RelatedTuples {
    pub(super) fn new(job: &RelateJob, evaluator: ProgramEvaluator<'_>) -> Self {
        let ProgramEvaluator { relations, ids, values, explanation, .. } = evaluator;
        Self { program: job.program.clone(), inputs: job.inputs(), relations, ids, values, explanation }
    }

    /// What was done: strata, join orders, and the tuples and seconds of each round.
    pub fn explanation(&self) -> &RelateExplanation {
        &self.explanation
    }

    /// The number of tuples of a relation of the program.
    pub fn count(&self, relation: &str) -> Result<u64> {
        Ok(self.relations.len(self.ids[self.place(relation)?]))
    }

    /// The columns of a relation of the program.
    pub fn schema(&self, relation: &str) -> Result<SchemaRef> {
        Ok(self.table(self.place(relation)?).schema)
    }

    /// The tuples of a relation of the program, in the order of their values, some at a time.
    pub fn read(&self, relation: &str, sink: &mut BatchSink<'_>) -> Result<()> {
        let table = self.table(self.place(relation)?);
        self.relations.sorted(table.id, Cancel::NEVER, &mut |block| sink(table.batch(block)?))
    }

    fn place(&self, relation: &str) -> Result<usize> {
        let found = self.program.checked().core.find(relation);
        found.ok_or_else(|| Error::usage(format!("the program has no relation `{relation}`")))
    }

    /// The names of the files that are written.
    fn file_names(&self, format: Format) -> Vec<String> {
        self.program.outputs().map(|name| format!("{name}.{}", format.extension())).collect()
    }

    #[doc(hidden)]
    pub fn write_files(&mut self, mut folder: OutputFolder, format: Format, progress: Progress<'_>) -> Result<()> {
        let names = self.file_names(format);
        folder.announce(&names)?;
        folder.protect_inputs(&self.inputs)?;
        let outputs = &self.program.checked().core.outputs;
        let rows = outputs.iter().map(|place| self.relations.len(self.ids[*place])).sum();
        progress.begin(&Stage::WritingRelations, Some(rows));
        let mut files = Vec::new();
        for (place, name) in outputs.iter().zip(&names) {
            files.push(self.write_file(&mut folder, *place, name, format, progress)?);
        }
        let relations = self.program.outputs().collect();
        let record = RelateRecord { version: crate::VERSION, relations, explanation: &self.explanation, files: &files };
        folder.write_record(&record)?;
        progress.cancel().check();
        folder.commit()
    }

    fn write_file(
        &self,
        folder: &mut OutputFolder,
        place: usize,
        name: &str,
        format: Format,
        progress: Progress<'_>,
    ) -> Result<FileRecord> {
        let file = folder.file(name)?;
        let path = file.path().to_owned();
        let table = self.table(place);
        let mut stream = TableStream::begin(file, &table.schema, format, &path)?;
        let chunk = format.chunk_rows(self.relations.len(table.id)) as usize;
        let mut waiting = Chunks { table: &table, rows: chunk, columns: vec![Vec::new(); table.columns.len()] };
        self.relations.sorted(table.id, progress.cancel(), &mut |block| {
            waiting.add(block);
            let rows = waiting.write(&mut stream, false)?;
            progress.advance(rows);
            Ok(())
        })?;
        progress.advance(waiting.write(&mut stream, true)?);
        stream.finish()?.finish()
    }

    fn table(&self, place: usize) -> CodedTable<'_> {
        let checked = self.program.checked();
        let relation = &checked.core.relations[place];
        let field = |column: &super::core::CoreColumn| match column.kind {
            ValueKind::Number => Field::new(&column.name, DataType::Int64, false),
            ValueKind::Symbol => Field::new(&column.name, DataType::Utf8, false),
        };
        let schema = Arc::new(Schema::new(relation.columns.iter().map(field).collect::<Vec<_>>()));
        let columns = checked.domains.of_columns[place].iter().map(|domain| &self.values[*domain]).collect();
        CodedTable { schema, columns, id: self.ids[place] }
    }
}

impl std::fmt::Debug for RelatedTuples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RelatedTuples").field("outputs", &self.explanation.outputs).finish_non_exhaustive()
    }
}

/// A relation whose codes are written as values.
struct CodedTable<'a> {
    schema: SchemaRef,
    columns: Vec<&'a DomainValues>,
    id: RelationId,
}

impl CodedTable<'_> {
    fn batch(&self, codes: &[Vec<u32>]) -> Result<RecordBatch> {
        let codes: Vec<&[u32]> = codes.iter().map(Vec::as_slice).collect();
        self.batch_of(&codes)
    }

    fn batch_of(&self, codes: &[&[u32]]) -> Result<RecordBatch> {
        let column = |(codes, values): (&&[u32], &&DomainValues)| values_of(codes, values);
        let columns: std::result::Result<Vec<ArrayRef>, _> = codes.iter().zip(&self.columns).map(column).collect();
        let batch = columns.and_then(|columns| RecordBatch::try_new(Arc::clone(&self.schema), columns));
        batch.map_err(|error| broken(&error))
    }
}

/// The values of codes.
fn values_of(codes: &[u32], values: &DomainValues) -> std::result::Result<ArrayRef, ArrowError> {
    match values {
        DomainValues::Numbers(numbers) => {
            let values = codes.iter().map(|code| numbers.values()[*code as usize]);
            Ok(Arc::new(Int64Array::from_iter_values(values)))
        }
        DomainValues::Texts(texts) => {
            // They were texts, which is checked of all of them together.
            let values = BinaryArray::from_iter_values(codes.iter().map(|code| texts.value(*code)));
            Ok(Arc::new(StringArray::try_from_binary(values)?))
        }
    }
}

/// Tuples that wait until they fill some chunks: what is written does not depend on the blocks in which they come.
struct Chunks<'a> {
    table: &'a CodedTable<'a>,
    rows: usize,
    columns: Vec<Vec<u32>>,
}

impl Chunks<'_> {
    fn add(&mut self, block: &[Vec<u32>]) {
        self.columns.iter_mut().zip(block).for_each(|(column, more)| column.extend_from_slice(more));
    }

    /// Writes the chunks that are full, if they are enough for all threads or nothing more comes; gives their rows.
    fn write<W: std::io::Write + Send>(&mut self, stream: &mut TableStream<W>, is_end: bool) -> Result<u64> {
        let waiting = self.columns[0].len();
        if !is_end && waiting < self.rows * rayon::current_num_threads() {
            return Ok(0);
        }
        let rows = if is_end { waiting } else { waiting - waiting % self.rows };
        let starts: Vec<usize> = (0..rows).step_by(self.rows).collect();
        let batch = |start: &usize| {
            let codes: Vec<&[u32]> =
                self.columns.iter().map(|column| &column[*start..rows.min(start + self.rows)]).collect();
            self.table.batch_of(&codes)
        };
        let batches = starts.par_iter().map(batch).collect::<Result<Vec<_>>>()?;
        stream.write(batches)?;
        self.columns.iter_mut().for_each(|column| drop(column.drain(..rows)));
        Ok(rows as u64)
    }
}
