//! CSV files: columns from the header, rows decoded block by block on all threads.
//!
//! All columns are text. Types belong to a use, not to a column.

mod careful;
mod columns;
mod header;
mod plain;
mod record_ends;

use std::sync::Arc;

use arrow_csv::ReaderBuilder;
use arrow_csv::reader::Decoder;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};

use self::careful::first_fault;
use self::columns::NamedColumns;
pub(super) use self::header::{COLUMN_BYTES, Header};
use self::plain::PlainBlock;
use self::record_ends::CsvRecordEnds;
use super::blocks::{Block, BlockLimits, Blocks, Fault, Start, Worked, count_lines, work_through};
use super::byte_source::{BOM, ByteSource, Stream};
use super::wanted::WantedColumns;
use super::{MAX_BATCH_ROWS, ReadBatches, Reading};
use crate::error::Result;
use crate::memory::Held;
use crate::records::input::TextOptions;

/// What is wrong with a block that ends inside quotes or is no text, and shows no other fault.
const BROKEN: &str = "the record is broken";

/// A CSV file whose header has been read.
pub(super) struct CsvPart {
    place: ByteSource,
    text: TextOptions,
    names: Vec<String>,
    columns: NamedColumns,
    /// What was opened, where it cannot be opened again.
    opened: Option<(Header, Stream)>,
    /// The memory of the columns, where the header is not kept.
    _held: Held,
}

impl CsvPart {
    pub(super) fn open(mut place: ByteSource, text: TextOptions, reading: &Reading<'_>) -> Result<Self> {
        let mut stream = place.stream()?;
        let mut header = Header::read(&mut stream, &place.label, text, &reading.limits)?;
        let (names, _held) = (header.names.clone(), std::mem::take(&mut header.held));
        let opened = (!place.reopens()).then_some((header, stream));
        let columns = NamedColumns::of(&names, &place.label);
        Ok(Self { place, text, names, columns, opened, _held })
    }

    pub(super) fn fields(&self) -> Fields {
        self.columns.fields.clone()
    }

    pub(super) fn read(mut self, wanted: &WantedColumns, reading: &Reading<'_>) -> Result<ReadBatches> {
        let (header, stream) = match self.opened.take() {
            Some(opened) => opened,
            None => self.reopened(&reading.limits)?,
        };
        let start = Start { label: &self.place.label, lines: header.lines, wave: reading.wave };
        let ends = CsvRecordEnds::new(header.delimiter);
        let decoding = CsvDecoding::new(header.delimiter, self.names, &self.columns.places, wanted);
        let stream = (stream, self.place.label.as_str());
        let blocks = Blocks::new(stream, ends, header.rest, header.bytes, &reading.limits);
        let mut batches = Vec::new();
        let work = |block: Block| {
            let worked = decoding.work(&block);
            if let Ok(batches) = &worked.result {
                reading.tell(batches);
            }
            worked
        };
        work_through(blocks, &start, work, |block: ReadBatches| reading.keep(block, &mut batches))?;
        self.place.check_unchanged()?;
        Ok(batches)
    }

    fn reopened(&mut self, limits: &BlockLimits) -> Result<(Header, Stream)> {
        let mut stream = self.place.stream()?;
        let header = Header::read(&mut stream, &self.place.label, self.text, limits)?;
        Ok((header, stream))
    }
}

/// How the blocks of one file are decoded.
struct CsvDecoding<'a> {
    delimiter: u8,
    names: Vec<String>,
    schema: SchemaRef,
    wanted: &'a WantedColumns,
    /// The places of the wanted columns among all of the file.
    projection: Vec<usize>,
}

impl<'a> CsvDecoding<'a> {
    /// `places` says where the columns that have a name are.
    fn new(delimiter: u8, names: Vec<String>, places: &[usize], wanted: &'a WantedColumns) -> Self {
        let fields: Fields = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        let projection = wanted.local().iter().map(|column| places[*column]).collect();
        Self { delimiter, names, schema: Arc::new(Schema::new(fields)), wanted, projection }
    }

    /// Text is checked before it is decoded: the decoder checks fields glued together, where two broken halves of
    /// a character in neighbouring fields would pass for a whole one.
    fn work(&self, block: &Block) -> Worked<ReadBatches> {
        let lines = count_lines(&block.bytes);
        let sound = !block.unfinished && std::str::from_utf8(&block.bytes).is_ok();
        let decoded = if sound {
            self.decode(&block.bytes, lines).map_err(|error| error.to_string())
        } else {
            Err(BROKEN.into())
        };
        Worked { lines: lines as u64, result: decoded.map_err(|why| self.fault(block, why)) }
    }

    fn fault(&self, block: &Block, why: String) -> Fault {
        let found = first_fault(&block.bytes, self.delimiter, &self.names, block.offset);
        found.unwrap_or(Fault { lines_before: 0, column: None, what: why, is_no_text: false })
    }

    fn decode(&self, bytes: &[u8], lines: usize) -> std::result::Result<ReadBatches, ArrowError> {
        match PlainBlock::new(bytes, self.delimiter, self.names.len(), lines) {
            Some(block) => self.plain(&block),
            None => self.quoted(bytes, lines),
        }
    }

    fn plain(&self, block: &PlainBlock<'_>) -> std::result::Result<ReadBatches, ArrowError> {
        let batch = |start: usize| {
            let rows = start..block.rows().min(start + MAX_BATCH_ROWS);
            let columns = self.projection.iter().map(|column| block.column(*column, rows.clone()));
            self.wanted.batch(rows.len(), columns.collect::<std::result::Result<_, _>>()?)
        };
        (0..block.rows()).step_by(MAX_BATCH_ROWS).map(batch).collect()
    }

    fn quoted(&self, mut bytes: &[u8], lines: usize) -> std::result::Result<ReadBatches, ArrowError> {
        let mut decoder = self.decoder(lines, bytes.len());
        let mut batches = Vec::new();
        // The decoder drops a byte order mark from the start of what it is given, but only a file has one. An
        // empty line in front of it is not a record.
        if bytes.starts_with(BOM) {
            decoder.decode(b"\n")?;
        }
        while !bytes.is_empty() {
            let used = decoder.decode(bytes)?;
            bytes = &bytes[used..];
            if decoder.capacity() == 0 {
                self.flush(&mut decoder, &mut batches)?;
            }
        }
        decoder.decode(&[])?;
        self.flush(&mut decoder, &mut batches)?;
        Ok(batches)
    }

    /// The decoder reserves memory for all fields of the rows it may get, so its limit is as low as possible. Each field
    /// of a row takes a byte at least, a delimiter or a line break, and empty lines are no rows.
    fn decoder(&self, lines: usize, bytes: usize) -> Decoder {
        let rows = (lines + 1).min(bytes / self.names.len().max(1) + 1);
        ReaderBuilder::new(self.schema.clone())
            .with_header(false)
            .with_delimiter(self.delimiter)
            .with_projection(self.projection.clone())
            .with_batch_size(rows.min(MAX_BATCH_ROWS))
            .build_decoder()
    }

    fn flush(&self, decoder: &mut Decoder, batches: &mut ReadBatches) -> std::result::Result<(), ArrowError> {
        if let Some(batch) = decoder.flush()? {
            let (_, columns, rows) = batch.into_parts();
            batches.push(self.wanted.batch(rows, columns)?);
        }
        Ok(())
    }
}
