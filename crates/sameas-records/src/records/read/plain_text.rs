//! Plain text: values with white space or commas between them, one record a line, without names and without quotes.
//! Lines that begin with `#` or `%` are comments. Columns are called by their numbers, from 1.
//!
//! With a delimiter it alone is between values, all other characters belong to them, and there are no comments: so Soufflé
//! writes tuples. Tuples with texts whose first line has a tab have tabs between values: a text may have blanks.

use std::io::{BufRead, Read};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use memchr::{memchr_iter, memrchr};

use super::blocks::{Block, Blocks, Fault, ProcessedBlock, count_lines};
use super::byte_source::{BOM, ByteSource, Stream, unreadable};
use super::csv::COLUMN_BYTES;
use super::line_ends::LineEnds;
use super::part::{PartBatches, PartReading, SourcePart};
use super::read_batches::{MAX_BATCH_ROWS, ReadBatches};
use super::reading::Reading;
use super::wanted::WantedColumns;
use crate::error::Result;
use crate::memory::Held;
use crate::records::read_options::TextOptions;
use crate::records::tuples::TupleShape;

/// Bytes that are read first; more are read until the first record is there.
const FIRST_BYTES: usize = 64 << 10;

/// A value of one character, and its place.
type PlainLineEnds = LineEnds<4>;

/// Bytes of a value that are expected.
const TYPICAL_VALUE: usize = 8;

/// Where values end, and which lines are records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueEnds {
    /// At commas, and at white space, however much of it.
    White,
    /// At tabs; white space around a value is not part of it.
    Tabs,
    /// At this byte; no line is a comment.
    Delimiter(u8),
}

impl ValueEnds {
    /// As the user has said.
    pub(super) fn from_options(text: TextOptions) -> Self {
        text.delimiter.map_or(Self::White, Self::Delimiter)
    }

    /// The same for a file that begins with this record.
    fn in_file_of(self, first: &[u8], text: TextOptions) -> Self {
        let has_texts = text.tuples.is_some_and(|shape| shape.has_texts());
        if self == Self::White && has_texts && first.contains(&b'\t') { Self::Tabs } else { self }
    }

    /// Whether a line is neither empty nor a comment.
    fn is_record(self, line: &[u8]) -> bool {
        match self {
            Self::White | Self::Tabs => !matches!(line.trim_ascii_start().first(), None | Some(b'#' | b'%')),
            Self::Delimiter(_) => !without_return(line).is_empty(),
        }
    }

    /// Puts the first values of a line, at most that many, in place of others.
    fn values<'l>(self, line: &'l [u8], most: usize, values: &mut Vec<&'l [u8]>) {
        values.clear();
        match self {
            Self::White => values.extend(words(line).take(most)),
            Self::Tabs => values.extend(line.split(|byte| *byte == b'\t').map(<[u8]>::trim_ascii).take(most)),
            Self::Delimiter(end) => values.extend(without_return(line).split(|byte| *byte == end).take(most)),
        }
    }

    /// The number of values of a record.
    fn count(self, line: &[u8]) -> usize {
        match self {
            Self::White => words(line).count(),
            Self::Tabs => memchr_iter(b'\t', line).count() + 1,
            Self::Delimiter(end) => memchr_iter(end, line).count() + 1,
        }
    }

    /// The lines with records, and their numbers from 0.
    fn records(self, bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
        let lines = bytes.split(|byte| *byte == b'\n').enumerate();
        lines.map(|(at, line)| (at, without_mark(line))).filter(move |(_, line)| self.is_record(line))
    }
}

/// The values of a line. Of commas each ends a value, of white space all that stands together.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace() || *byte == b',').filter(|value| !value.is_empty())
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BOM).unwrap_or(line)
}

/// A line that may end with CR LF.
fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A file of plain text, whose first record has been read.
pub(super) struct PlainTextPart {
    place: ByteSource,
    ends: ValueEnds,
    columns: usize,
    /// The memory of the columns.
    _held: Held,
}

impl PlainTextPart {
    pub(super) fn open(place: ByteSource, text: TextOptions, reading: &Reading<'_>) -> Result<Self> {
        let first = FirstRecord::read(&mut place.stream()?, &place.label, ValueEnds::from_options(text), reading)?;
        let ends = first.ends.in_file_of(first.line().unwrap_or_default(), text);
        // A file without records has the columns that are declared, if any are.
        let declared = text.tuples.map_or(0, TupleShape::columns);
        let columns = first.line().map_or(declared, |line| ends.count(line));
        let _held = reading.limits.budget().hold(columns * COLUMN_BYTES)?;
        Ok(Self { place, ends, columns, _held })
    }
}

impl SourcePart for PlainTextPart {
    fn label(&self) -> &str {
        &self.place.label
    }

    fn schema(&self) -> SchemaRef {
        let field = |number: usize| Field::new(number.to_string(), DataType::Utf8, true);
        Arc::new(Schema::new((1..=self.columns).map(field).collect::<Fields>()))
    }

    fn read(self: Box<Self>, part: &PartReading<'_>) -> Result<PartBatches> {
        let (reading, label) = (part.reading, self.place.label.as_str());
        let stream = self.place.stream()?;
        let blocks = Blocks::new(stream, label, PlainLineEnds::default(), Vec::new(), 0, &reading.limits);
        let places = part.columns();
        let batches = reading.decode_blocks(blocks, label, 0, |block| ProcessedBlock {
            lines: count_lines(&block.bytes) as u64,
            result: decode(block, self.ends, places, &part.wanted),
        })?;
        self.place.check_unchanged()?;
        Ok(PartBatches(batches))
    }

    fn has_column_names(&self) -> bool {
        false
    }

    fn can_be_sampled(&self) -> bool {
        true
    }
}

/// What is read of a file until its first record is there.
struct FirstRecord {
    bytes: Vec<u8>,
    ends: ValueEnds,
    /// Nothing follows the bytes.
    is_last: bool,
}

impl FirstRecord {
    /// Reads twice as much each time, so that what has no record is not looked through again and again.
    fn read(stream: &mut Stream, label: &str, ends: ValueEnds, reading: &Reading<'_>) -> Result<Self> {
        let (limits, mut amount) = (&reading.limits, FIRST_BYTES);
        let mut first = Self { bytes: Vec::new(), ends, is_last: false };
        let mut held = limits.budget().hold(0)?;
        loop {
            held.reach(first.bytes.len() + amount)?;
            let read = stream.by_ref().take(amount as u64).read_to_end(&mut first.bytes);
            first.is_last = read.map_err(|error| unreadable(label, &error))? < amount;
            if first.is_last || first.line().is_some() {
                return Ok(first);
            }
            if first.bytes.len() > limits.record_bytes() {
                return Err(limits.overlong(label, "the record", 0));
            }
            amount = first.bytes.len().min(limits.record_bytes() + 1 - first.bytes.len()).max(1);
        }
    }

    /// The record, if all of it is there.
    fn line(&self) -> Option<&[u8]> {
        let whole = if self.is_last { self.bytes.len() } else { memrchr(b'\n', &self.bytes).map_or(0, |at| at + 1) };
        self.ends.records(&self.bytes[..whole]).next().map(|(_, line)| line)
    }
}

fn decode(
    block: &Block,
    ends: ValueEnds,
    places: &[usize],
    wanted: &WantedColumns,
) -> std::result::Result<ReadBatches, Fault> {
    let fault = |lines_before: usize, what: String, is_no_text: bool| Fault {
        lines_before: lines_before as u64,
        column: None,
        what,
        is_no_text,
    };
    if let Err(error) = std::str::from_utf8(&block.bytes) {
        let what = format!("not valid UTF-8 at byte {} of the file", block.offset + error.valid_up_to() as u64);
        return Err(fault(count_lines(&block.bytes[..error.valid_up_to()]), what, true));
    }
    let needed = places.iter().max().map_or(0, |place| place + 1);
    let (mut batches, mut lines) = (Vec::new(), ends.records(&block.bytes).peekable());
    while lines.peek().is_some() {
        let mut columns: Vec<StringBuilder> =
            places.iter().map(|_| StringBuilder::with_capacity(1 << 10, TYPICAL_VALUE << 10)).collect();
        let (mut rows, mut of_line) = (0, Vec::new());
        for (at, line) in lines.by_ref().take(MAX_BATCH_ROWS) {
            ends.values(line, needed, &mut of_line);
            if of_line.len() < needed {
                let what = format!("the line has {} of the {needed} values that are needed", of_line.len());
                return Err(fault(at, what, false));
            }
            for (column, place) in columns.iter_mut().zip(places) {
                column.append_value(std::str::from_utf8(of_line[*place]).unwrap_or_default());
            }
            rows += 1;
        }
        let columns = columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef).collect();
        batches.push(wanted.batch(rows, columns).map_err(|error| fault(0, error.to_string(), false))?);
    }
    Ok(batches)
}

/// The line (from 1) on which row `row` (from 0) is.
pub(super) fn plain_line(lines: impl BufRead, ends: ValueEnds, row: usize) -> Option<u64> {
    let lines = lines.split(b'\n').map_while(std::result::Result::ok).enumerate();
    lines.filter(|(_, line)| ends.is_record(without_mark(line))).nth(row).map(|(at, _)| at as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryBudget;
    use crate::records::Input;
    use arrow_array::cast::AsArray;

    fn read(text: &str, columns: &[usize]) -> Result<Vec<Vec<String>>> {
        read_as(text, columns, Input::as_plain_text)
    }

    fn read_as(text: &str, columns: &[usize], how: impl Fn(Input) -> Input) -> Result<Vec<Vec<String>>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edges.txt");
        std::fs::write(&path, text).unwrap();
        let table = how(Input::files([&path])).open()?.read(columns, &|_| {})?;
        let mut rows = Vec::new();
        for batch in &table.batches {
            for row in 0..batch.num_rows() {
                rows.push(batch.columns().iter().map(|c| c.as_string::<i32>().value(row).to_owned()).collect());
            }
        }
        Ok(rows)
    }

    #[test]
    fn comments_and_empty_lines_are_no_records() {
        let text = "\u{feff}# Nodes: 3\n% more\n1\t2\r\n\n  3   4 0.5\n# end\n5,6";
        assert_eq!(read(text, &[0, 1]).unwrap(), [["1", "2"], ["3", "4"], ["5", "6"]]);
        assert_eq!(read("a b c\nd e f\n", &[2, 0]).unwrap(), [["c", "a"], ["f", "d"]]);
    }

    #[test]
    fn a_short_line_has_its_place_in_the_message() {
        let error = read("# x\n1 2\n3\n", &[0, 1]).unwrap_err();
        assert!(error.message().ends_with("edges.txt:3: the line has 1 of the 2 values that are needed"), "{error}");
        let error = read("# nothing\n", &[]).unwrap_err();
        assert!(error.message().ends_with("edges.txt: the file is empty"), "{error}");
    }

    #[test]
    fn rows_know_their_lines() {
        let line = |ends, row| plain_line("# x\n1 2\n\n3 4\n".as_bytes(), ends, row);
        assert_eq!([0, 1, 2].map(|row| line(ValueEnds::White, row)), [Some(2), Some(4), None]);
        assert_eq!([0, 1, 2].map(|row| line(ValueEnds::Delimiter(b' '), row)), [Some(1), Some(2), Some(4)]);
    }

    #[test]
    fn a_delimiter_alone_is_between_values() {
        let tabs = |input: Input| input.as_plain_text().with_delimiter(b'\t');
        let text = "#a b\t c,d\r\n\n\"e\t\"\n";
        assert_eq!(read_as(text, &[0, 1], tabs).unwrap(), [["#a b", " c,d"], ["\"e", "\""]]);
        let error = read_as("a b\tc\nd e\n", &[0, 1], tabs).unwrap_err();
        assert!(error.message().ends_with("edges.txt:2: the line has 1 of the 2 values that are needed"), "{error}");
    }

    #[test]
    fn texts_of_tuples_may_have_blanks_between_tabs() {
        let of = |are_numbers: [bool; 2]| move |input: Input| input.into_tuples(TupleShape::new(are_numbers));
        let text = "# names\na b\t c, d \ne\tf\n";
        assert_eq!(read_as(text, &[0, 1], of([false, false])).unwrap(), [["a b", "c, d"], ["e", "f"]]);
        let error = read_as("a b\tc\nd e\n", &[0, 1], of([false, true])).unwrap_err();
        assert!(error.message().ends_with("edges.txt:2: the line has 1 of the 2 values that are needed"), "{error}");
        // Numbers have no blanks: graphs are published with both between them.
        assert_eq!(read_as("1 2\t0.5\n3\t4 7\n", &[0, 1], of([true, true])).unwrap(), [["1", "2"], ["3", "4"]]);
        assert_eq!(read_as("a b c\n", &[0, 1], of([false, false])).unwrap(), [["a", "b"]]);
    }

    #[test]
    fn a_file_without_records_does_not_fill_the_memory() {
        let budget = MemoryBudget::new(200 << 20);
        let reading = Reading::new(1, 1 << 20, &budget, &|_| {});
        let mut zeros: Stream = Box::new(std::io::repeat(0));
        let error = FirstRecord::read(&mut zeros, "/dev/zero", ValueEnds::White, &reading).err().unwrap();
        assert_eq!(error.message(), "/dev/zero: the record at byte 0 is longer than 25 MiB");
        let comments = "# x\n".repeat(1 << 20);
        let mut stream: Stream = Box::new(std::io::Cursor::new(format!("{comments}1 2\n3 4\n")));
        let first = FirstRecord::read(&mut stream, "x.txt", ValueEnds::White, &reading).unwrap();
        assert_eq!(first.line(), Some(&b"1 2"[..]));
    }
}
