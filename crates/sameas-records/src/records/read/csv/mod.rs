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
use super::blocks::{Block, Blocks, Fault, ProcessedBlock, count_lines};
use super::byte_source::{BOM, ByteSource};
use super::part::{PartBatches, PartReading, SourcePart};
use super::read_batches::{MAX_BATCH_ROWS, ReadBatches};
use super::reading::Reading;
use super::wanted::WantedColumns;
use crate::error::Result;
use crate::memory::Held;
use crate::records::read_options::TextOptions;

/// What is wrong with a block that ends inside quotes or is no text, and shows no other fault.
const BROKEN: &str = "the record is broken";

/// A CSV file whose header has been read.
pub(super) struct CsvPart {
    place: ByteSource,
    text: TextOptions,
    names: Vec<String>,
    columns: NamedColumns,
    /// The memory of the columns.
    _held: Held,
}

impl CsvPart {
    pub(super) fn open(place: ByteSource, text: TextOptions, reading: &Reading<'_>) -> Result<Self> {
        let header = Header::read(&mut place.stream()?, &place.label, text, &reading.limits)?;
        let columns = NamedColumns::from_header(&header.names, &place.label);
        Ok(Self { place, text, names: header.names, columns, _held: header.held })
    }
}

impl SourcePart for CsvPart {
    fn label(&self) -> &str {
        &self.place.label
    }

    fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.columns.fields.clone()))
    }

    fn read(self: Box<Self>, part: &PartReading<'_>) -> Result<PartBatches> {
        let (Self { place, text, names, columns, _held }, reading) = (*self, part.reading);
        let mut stream = place.stream()?;
        let header = Header::read(&mut stream, &place.label, text, &reading.limits)?;
        let ends = CsvRecordEnds::new(header.delimiter);
        let decoding = CsvDecoding::new(header.delimiter, names, &columns.places, &part.wanted);
        let blocks = Blocks::new(stream, &place.label, ends, header.rest, header.bytes, &reading.limits);
        let batches = reading.decode_blocks(blocks, &place.label, header.lines, |block| decoding.work(block))?;
        place.check_unchanged()?;
        Ok(PartBatches(batches))
    }

    fn can_be_sampled(&self) -> bool {
        true
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
    fn work(&self, block: &Block) -> ProcessedBlock<ReadBatches> {
        let lines = count_lines(&block.bytes);
        let sound = !block.unfinished && std::str::from_utf8(&block.bytes).is_ok();
        let decoded = if sound {
            self.decode(&block.bytes, lines).map_err(|error| error.to_string())
        } else {
            Err(BROKEN.into())
        };
        ProcessedBlock { lines: lines as u64, result: decoded.map_err(|why| self.fault(block, why)) }
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
