//! Reads tables from CSV, JSON lines and Parquet, plain or packed, in row order and on all threads.
//!
//! In two steps, so that rules can be checked before anything large is read: [`Source::open`] finds the columns,
//! [`Source::read`] reads those that are wanted.

mod batches;
mod blocks;
mod byte_source;
mod csv;
mod given;
mod in_order;
mod input_file;
mod json;
mod line;
mod normal;
mod parquet;
mod plain_text;
mod sample;
mod slices;
mod spreadsheet;
#[cfg(test)]
mod tests;
mod transcode;
mod unify;
mod wanted;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Fields, Schema, SchemaRef};
use rayon::prelude::*;

pub(super) use self::line::line_of_row;
pub(super) use self::normal::Normal;
pub use self::parquet::DECODER_THREAD;
use crate::cancel::Cancel;
use crate::memory::MemoryBudget;

use self::batches::BatchesPart;
use self::blocks::{BLOCK_BYTES, BlockLimits};
use self::byte_source::{ByteSource, FileFormat};
use self::csv::CsvPart;
use self::json::JsonPart;
use self::parquet::ParquetPart;
use self::plain_text::PlainTextPart;
use self::sample::FirstRecords;
use self::unify::Unified;
use self::wanted::WantedColumns;
use super::input::{FileInput, Input, InputSource, Location, TextOptions};
use super::null_texts::NullTexts;
use super::table::{RowOrigin, Table};
use crate::error::{Error, Result};
use crate::expr::repetition;

type ReadBatches = Vec<RecordBatch>;

/// Rows of a batch at most.
const MAX_BATCH_ROWS: usize = 65_536;

/// An input whose columns are known and whose rows are not read yet.
pub struct Source {
    name: String,
    schema: SchemaRef,
    parts: Vec<InputPart>,
    block_bytes: usize,
    nulls: NullTexts,
    text: TextOptions,
    /// Whether texts of batches in memory stay where they are.
    as_given: bool,
}

impl Source {
    /// Finds the columns of `input`: reads the headers and footers of its files, and JSON lines as a whole.
    pub fn open(input: &Input) -> Result<Self> {
        Self::open_until(input, Cancel::NEVER)
    }

    /// As [`Self::open`], unless the job is cancelled meanwhile or its memory does not suffice.
    pub fn open_until(input: &Input, cancel: Cancel<'_>) -> Result<Self> {
        Self::open_with(input, BLOCK_BYTES, cancel)
    }

    fn open_with(input: &Input, block_bytes: usize, cancel: Cancel<'_>) -> Result<Self> {
        let opened = match &input.source {
            InputSource::Files(files) => Self::open_files(files, block_bytes, cancel),
            InputSource::Batches { name, schema, batches } => {
                Self::of_batches(name, BatchesPart::in_memory(name, schema, batches.clone()))
            }
            InputSource::Stream { name, schema, stream } => {
                Self::of_batches(name, BatchesPart::streamed(name, schema, stream))
            }
        };
        Ok(Self { nulls: input.null_texts(), ..opened? })
    }

    fn open_files(input: &FileInput, block_bytes: usize, cancel: Cancel<'_>) -> Result<Self> {
        let text = input.text_options()?;
        let locations = input.locations()?;
        let name = locations[0].name();
        let budget = cancel.budget().cloned().unwrap_or_else(MemoryBudget::unlimited);
        let check = |_| cancel.check();
        let reading = Reading::new(locations.len(), block_bytes, &budget, &check);
        let open = |location: &Location| InputPart::open(location, text, &reading);
        let parts = in_groups(locations, |location| open(&location))?;
        let schema = Arc::new(Schema::new(unified(&parts)?));
        Ok(Self { name, schema, parts, block_bytes, nulls: NullTexts::default(), text, as_given: false })
    }

    fn of_batches(name: &str, part: BatchesPart) -> Result<Self> {
        if part.fields().is_empty() {
            return Err(Error::data(format!("`{name}` has no columns")));
        }
        let parts = vec![InputPart { label: name.to_owned(), fields: part.fields(), content: Content::Batches(part) }];
        let schema = Arc::new(Schema::new(unified(&parts)?));
        let (nulls, text) = (NullTexts::default(), TextOptions::default());
        Ok(Self { name: name.to_owned(), schema, parts, block_bytes: BLOCK_BYTES, nulls, text, as_given: false })
    }

    /// The same, where texts of batches in memory stay where they are: see [`Table`].
    #[must_use]
    pub fn as_given(self) -> Self {
        Self { as_given: true, ..self }
    }

    /// What `source_dataset` says of the records: the name of the first file without its endings, `stdin`,
    /// or the name of a list or stream of batches.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All columns, with the types in which [`Self::read`] gives them.
    ///
    /// Nested objects (`Struct`) and binary data are listed too, but cannot be read.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Whether its files are plain text, which has no names for its columns.
    pub fn is_plain_text(&self) -> bool {
        self.parts.iter().all(|part| matches!(part.content, Content::Plain(_)))
    }

    /// Reads the columns at these places of the schema, each at most once; the table has them in the order given.
    ///
    /// Uses the threads of the current pool, and tells `progress`, from any of them, how many more rows are read.
    pub fn read(self, columns: &[usize], progress: &(dyn Fn(u64) + Sync)) -> Result<Table> {
        self.read_within(&MemoryBudget::unlimited(), columns, progress)
    }

    /// As [`Self::read`], until the rows no longer fit the memory.
    pub fn read_within(
        self,
        budget: &MemoryBudget,
        columns: &[usize],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Table> {
        for &column in columns {
            self.check_usable(column)?;
        }
        let fields: Fields = columns.iter().map(|&column| self.schema.fields()[column].clone()).collect();
        let schema = Arc::new(Schema::new(fields));
        let reading = Reading::new(self.parts.len(), self.block_bytes, budget, progress);
        let labels: Vec<String> = self.parts.iter().map(|part| part.label.clone()).collect();
        let read = |part: InputPart| {
            let as_given = self.as_given && matches!(part.content, Content::Batches(_));
            let wanted = WantedColumns { as_given, ..part.wanted(&schema, &self.nulls) };
            part.read(&wanted, &reading)
        };
        let parts = in_groups(self.parts, read)?;
        let rows = parts.iter().map(|batches| batches.iter().map(RecordBatch::num_rows).sum());
        let files = labels.into_iter().zip(rows).collect();
        let batches = parts.into_iter().flatten().collect();
        Ok(Table { name: self.name, schema, batches, files, origin: RowOrigin::of(self.text) })
    }

    fn check_usable(&self, column: usize) -> Result<()> {
        let field = self.schema.field(column);
        if let Some(places) = repetition(field) {
            let error = Error::data(format!("the name of column `{}` is repeated: {places} have it", field.name()));
            return Err(error.with_help("give them different names in the first line of the file"));
        }
        let Some(what) = normal::unusable(field.data_type()) else { return Ok(()) };
        let culprit = self.parts.iter().find(|part| {
            part.fields.find(field.name()).is_some_and(|(_, own)| normal::unusable(own.data_type()).is_some())
        });
        let label = culprit.map_or("", |part| part.label.as_str());
        Err(Error::data(format!("{label}: column `{}` holds {what}, which rules cannot use", field.name())))
    }
}

/// How a reading goes about its work.
struct Reading<'a> {
    limits: BlockLimits,
    /// Blocks of one file worked on at a time.
    wave: usize,
    budget: &'a MemoryBudget,
    progress: &'a (dyn Fn(u64) + Sync),
    /// What takes the records where only some are wanted.
    sample: Option<&'a FirstRecords>,
}

impl<'a> Reading<'a> {
    /// Files are read side by side, so each gets its share of the blocks that may be in memory.
    fn new(files: usize, block_bytes: usize, budget: &'a MemoryBudget, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        let threads = rayon::current_num_threads();
        let wave = (2 * threads / files.clamp(1, threads)).max(2);
        Self { limits: BlockLimits::new(block_bytes, budget), wave, budget, progress, sample: None }
    }

    fn tell(&self, batches: &ReadBatches) {
        (self.progress)(batches.iter().map(|batch| batch.num_rows() as u64).sum());
    }

    /// Adds the batches of a block to those of its file, if they fit.
    fn keep(&self, block: ReadBatches, batches: &mut ReadBatches) -> Result<()> {
        if let Some(sample) = self.sample {
            return sample.keep(block);
        }
        self.budget.take(block.iter().map(RecordBatch::get_array_memory_size).sum())?;
        batches.extend(block);
        Ok(())
    }
}

/// Works on as many items at a time as there are threads; gives the results in order, or the first error in order.
fn in_groups<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let threads = rayon::current_num_threads();
    let mut results = Vec::with_capacity(items.len());
    let mut items = items.into_iter();
    loop {
        let group: Vec<T> = items.by_ref().take(threads).collect();
        if group.is_empty() {
            return Ok(results);
        }
        let done: Vec<Result<R>> = group.into_par_iter().map(&work).collect();
        for result in done {
            results.push(result?);
        }
    }
}

fn unified(parts: &[InputPart]) -> Result<Fields> {
    let (first, others) = parts.split_first().ok_or_else(|| Error::internal("an input without files"))?;
    let mut unified = Unified::new(&first.label, &first.fields)?;
    for part in others {
        unified.add(&part.label, &part.fields, part.has_fixed_columns())?;
    }
    let fields = unified.finish();
    match fields.is_empty() {
        true => Err(Error::data(format!("{}: the file is empty", first.label))),
        false => Ok(fields),
    }
}

/// One file, or one list or stream of batches.
struct InputPart {
    label: String,
    fields: Fields,
    content: Content,
}

enum Content {
    Batches(BatchesPart),
    Csv(CsvPart),
    Json(JsonPart),
    Parquet(ParquetPart),
    Plain(PlainTextPart),
}

impl InputPart {
    fn open(location: &Location, text: TextOptions, reading: &Reading<'_>) -> Result<Self> {
        let (place, format) = ByteSource::find(location, text.encoding)?;
        Self::with_content(place, format, text.of_file(location), reading)
    }

    fn with_content(place: ByteSource, format: FileFormat, text: TextOptions, reading: &Reading<'_>) -> Result<Self> {
        let label = place.label.clone();
        let content = match format {
            FileFormat::Csv if text.is_plain => Content::Plain(PlainTextPart::open(place, text, reading)?),
            FileFormat::Csv => Content::Csv(CsvPart::open(place, text, reading)?),
            FileFormat::Json => Content::Json(JsonPart::open(place, reading)?),
            FileFormat::Parquet => Content::Parquet(ParquetPart::open(place, reading)?),
        };
        let fields = match &content {
            Content::Batches(part) => part.fields(),
            Content::Csv(part) => part.fields(),
            Content::Json(part) => part.fields(),
            Content::Parquet(part) => part.fields(),
            Content::Plain(part) => part.fields(),
        };
        Ok(Self { label, fields, content })
    }

    /// JSON rows name the columns they have, so a file of them may lack some.
    fn has_fixed_columns(&self) -> bool {
        !matches!(self.content, Content::Json(_))
    }

    fn wanted(&self, schema: &SchemaRef, nulls: &NullTexts) -> WantedColumns {
        let own: HashMap<&str, usize> =
            self.fields.iter().enumerate().map(|(place, field)| (field.name().as_str(), place)).collect();
        let places = schema.fields().iter().map(|field| own.get(field.name().as_str()).copied()).collect();
        WantedColumns { schema: schema.clone(), places, nulls: nulls.clone(), as_given: false }
    }

    fn read(self, wanted: &WantedColumns, reading: &Reading<'_>) -> Result<ReadBatches> {
        match self.content {
            Content::Batches(part) => part.read(wanted, reading),
            Content::Csv(part) => part.read(wanted, reading),
            Content::Json(part) => part.read(wanted, reading),
            Content::Parquet(part) => part.read(wanted, reading),
            Content::Plain(part) => part.read(wanted, reading),
        }
    }
}
