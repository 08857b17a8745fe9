//! JSON lines: one object per line. Types are found by reading every row, then the rows are decoded block by block on
//! all threads.

mod shape;

use std::sync::Arc;

use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, Field, Fields, Schema, SchemaRef};
use memchr::memchr_iter;
use serde::de::DeserializeSeed;

use self::shape::ColumnShapes;
use super::blocks::{Block, Blocks, Fault, ProcessedBlock, Start, work_through};
use super::byte_source::{BOM, ByteSource};
use super::line_ends::LineEnds;
use super::part::{PartBatches, PartReading, SourcePart};
use super::read_batches::{MAX_BATCH_ROWS, ReadBatches};
use super::reading::Reading;
use super::wanted::WantedColumns;
use crate::cancel::or_end;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};

const ARRAY: &str = "the file is a JSON array, but one JSON object per line is needed";

/// A number of one digit in a list, with its place, its text and its value. Inside JSON text line breaks are always escaped.
type JsonLineEnds = LineEnds<16>;

/// A file of JSON lines whose columns are known.
pub(super) struct JsonPart {
    place: ByteSource,
    fields: Fields,
    /// The memory of the columns.
    _held: Held,
}

impl JsonPart {
    pub(super) fn open(place: ByteSource, reading: &Reading<'_>) -> Result<Self> {
        let stream = place.stream()?;
        let blocks = Blocks::new(stream, &place.label, JsonLineEnds::default(), Vec::new(), 0, &reading.limits);
        let start = Start { label: &place.label, lines: 0, wave: reading.wave };
        let budget = reading.limits.budget();
        let mut columns = ColumnShapes::new(budget)?;
        let result = work_through(blocks, &start, |block| infer(&block, budget), |more| columns.merge(more));
        result.map_err(|error| with_help(error, &place.label))?;
        let fields = fields(&columns, &place.label)?;
        Ok(Self { place, fields, _held: columns.held })
    }
}

impl SourcePart for JsonPart {
    fn label(&self) -> &str {
        &self.place.label
    }

    fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.fields.clone()))
    }

    fn read(self: Box<Self>, part: &PartReading<'_>) -> Result<PartBatches> {
        let (reading, stream) = (part.reading, self.place.stream()?);
        let blocks = Blocks::new(stream, &self.place.label, JsonLineEnds::default(), Vec::new(), 0, &reading.limits);
        let decoding = JsonDecoding::new(&part.wanted);
        let batches = reading.decode_blocks(blocks, &self.place.label, 0, |block| decoding.work(block))?;
        self.place.check_unchanged()?;
        Ok(PartBatches(batches))
    }

    /// Rows name the columns they have.
    fn may_lack_columns(&self) -> bool {
        true
    }

    fn can_be_sampled(&self) -> bool {
        true
    }
}

fn with_help(error: Error, label: &str) -> Error {
    if error.message().ends_with(ARRAY) {
        return error.with_help(format!("jq -c '.[]' {label} > rows.jsonl"));
    }
    error
}

fn fields(columns: &ColumnShapes, label: &str) -> Result<Fields> {
    let field = |(name, shape): (&String, &shape::ValueShape)| {
        let mixed = || Error::data(format!("{label}: column `{name}` holds lists and single values"));
        Ok(Field::new(name, shape.data_type().ok_or_else(mixed)?, true))
    };
    columns.names.iter().zip(&columns.shapes).map(field).collect()
}

/// The lines of a block as text, without the mark a file may begin with.
fn text(block: &Block) -> std::result::Result<&str, Fault> {
    let mark = if block.offset == 0 && block.bytes.starts_with(BOM) { BOM.len() } else { 0 };
    std::str::from_utf8(&block.bytes[mark..]).map_err(|error| {
        let at = mark + error.valid_up_to();
        let lines_before = memchr_iter(b'\n', &block.bytes[..at]).count() as u64;
        let what = format!("not valid UTF-8 at byte {} of the file", block.offset + at as u64);
        Fault { lines_before, column: None, what, is_no_text: true }
    })
}

fn line_count(block: &Block) -> u64 {
    memchr_iter(b'\n', &block.bytes).count() as u64
}

fn infer(block: &Block, budget: &MemoryBudget) -> ProcessedBlock<ColumnShapes> {
    let columns = text(block).and_then(|text| {
        let mut columns = or_end(ColumnShapes::new(budget));
        for (index, line) in text.split('\n').enumerate() {
            infer_line(line, &mut columns).map_err(|fault| line_fault(&fault, line, index, block.offset == 0))?;
        }
        Ok(columns)
    });
    ProcessedBlock { lines: line_count(block), result: columns }
}

fn infer_line(line: &str, columns: &mut ColumnShapes) -> serde_json::Result<()> {
    if line.trim_ascii().is_empty() {
        return Ok(());
    }
    let mut deserializer = serde_json::Deserializer::from_str(line);
    columns.deserialize(&mut deserializer)?;
    deserializer.end()
}

fn line_fault(error: &serde_json::Error, line: &str, index: usize, in_first_block: bool) -> Fault {
    if in_first_block && index == 0 && line.trim_ascii_start().starts_with('[') {
        return Fault { lines_before: 0, column: None, what: ARRAY.to_owned(), is_no_text: false };
    }
    let whole = error.to_string();
    let what = whole.split(" at line ").next().unwrap_or(&whole);
    Fault {
        lines_before: index as u64,
        column: Some(error.column()),
        what: format!("not one JSON object per line: {what}"),
        is_no_text: false,
    }
}

/// How the blocks of one file are decoded.
struct JsonDecoding<'a> {
    schema: SchemaRef,
    wanted: &'a WantedColumns,
}

impl<'a> JsonDecoding<'a> {
    /// The decoder makes the table's types itself: numbers in text columns keep their digits.
    fn new(wanted: &'a WantedColumns) -> Self {
        let present = wanted.schema.fields().iter().zip(&wanted.places).filter(|(_, place)| place.is_some());
        let fields: Fields = present.map(|(field, _)| field.clone()).collect();
        Self { schema: Arc::new(Schema::new(fields)), wanted }
    }

    fn work(&self, block: &Block) -> ProcessedBlock<ReadBatches> {
        let result =
            text(block).and_then(|text| self.decode(text.as_bytes()).map_err(|error| self.fault(text, &error)));
        ProcessedBlock { lines: line_count(block), result }
    }

    /// The first line that cannot be decoded by itself.
    fn fault(&self, text: &str, error: &ArrowError) -> Fault {
        let bad = |(index, line): (usize, &str)| Some((index, self.decode(line.as_bytes()).err()?.to_string()));
        let (index, what) = text.split('\n').enumerate().find_map(bad).unwrap_or((0, error.to_string()));
        Fault { lines_before: index as u64, column: None, what, is_no_text: false }
    }

    fn decode(&self, mut bytes: &[u8]) -> std::result::Result<ReadBatches, ArrowError> {
        let rows = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        if self.schema.fields().is_empty() {
            return self.rows_alone(rows);
        }
        let mut decoder = self.decoder(rows)?;
        let mut batches = Vec::new();
        while !bytes.is_empty() {
            let used = decoder.decode(bytes)?;
            bytes = &bytes[used..];
            self.flush(&mut decoder, &mut batches)?;
        }
        Ok(batches)
    }

    fn decoder(&self, rows: usize) -> std::result::Result<Decoder, ArrowError> {
        ReaderBuilder::new(self.schema.clone())
            .with_coerce_primitive(true)
            .with_batch_size(rows.clamp(1, MAX_BATCH_ROWS))
            .build_decoder()
    }

    fn flush(&self, decoder: &mut Decoder, batches: &mut ReadBatches) -> std::result::Result<(), ArrowError> {
        if let Some(batch) = decoder.flush()? {
            let (_, columns, rows) = batch.into_parts();
            batches.push(self.wanted.batch(rows, columns)?);
        }
        Ok(())
    }

    /// ReadBatches for a file that has none of the wanted columns.
    fn rows_alone(&self, rows: usize) -> std::result::Result<ReadBatches, ArrowError> {
        let sizes = (0..rows).step_by(MAX_BATCH_ROWS).map(|from| MAX_BATCH_ROWS.min(rows - from));
        sizes.map(|rows| self.wanted.batch(rows, Vec::new())).collect()
    }
}
