//! Plain text: values with white space or commas between them, one record a line, without names and without quotes.
//! Lines that begin with `#` or `%` are comments. Columns are called by their numbers, from 1.

use std::io::{BufRead, Read};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field, Fields};
use memchr::memrchr;

use super::blocks::{Block, Blocks, Fault, RecordEnds, Start, Worked, count_lines, work_through};
use super::byte_source::{BOM, ByteSource, Stream, unreadable};
use super::wanted::WantedColumns;
use super::{MAX_BATCH_ROWS, ReadBatches, Reading};
use crate::error::Result;

/// Bytes that are read at a time until the first record is there.
const FIRST_BYTES: u64 = 64 << 10;

/// Bytes of a value that are expected.
const TYPICAL_VALUE: usize = 8;

/// A file of plain text, whose first record has been read.
pub(super) struct PlainTextPart {
    place: ByteSource,
    columns: usize,
    /// What was opened and what of it was read, where it cannot be opened again.
    opened: Option<(Stream, Vec<u8>)>,
}

impl PlainTextPart {
    pub(super) fn open(mut place: ByteSource, reading: &Reading<'_>) -> Result<Self> {
        let mut stream = place.stream()?;
        let mut first = Vec::new();
        let columns = loop {
            let read = stream.by_ref().take(FIRST_BYTES).read_to_end(&mut first);
            let is_last = read.map_err(|error| unreadable(&place.label, &error))? == 0;
            let complete = if is_last { first.len() } else { memrchr(b'\n', &first).map_or(0, |at| at + 1) };
            let found = records(&first[..complete]).next().map(|(_, line)| values(line).count());
            match found {
                Some(columns) => break columns,
                None if is_last => break 0,
                None if first.len() > reading.limits.record_bytes() => {
                    return Err(reading.limits.overlong(&place.label, "the record", 0));
                }
                None => {}
            }
        };
        let opened = (!place.reopens()).then_some((stream, first));
        Ok(Self { place, columns, opened })
    }

    pub(super) fn fields(&self) -> Fields {
        (1..=self.columns).map(|number| Field::new(number.to_string(), DataType::Utf8, true)).collect()
    }

    pub(super) fn read(mut self, wanted: &WantedColumns, reading: &Reading<'_>) -> Result<ReadBatches> {
        let (stream, first) = match self.opened.take() {
            Some(opened) => opened,
            None => (self.place.stream()?, Vec::new()),
        };
        let label = self.place.label.as_str();
        let blocks = Blocks::new((stream, label), PlainLineEnds::default(), first, 0, &reading.limits);
        let start = Start { label, lines: 0, wave: reading.wave };
        let places = wanted.local();
        let mut batches = Vec::new();
        let work = |block: Block| {
            let result = decode(&block, &places, wanted);
            if let Ok(batches) = &result {
                reading.tell(batches);
            }
            Worked { lines: count_lines(&block.bytes) as u64, result }
        };
        work_through(blocks, &start, work, |block: ReadBatches| reading.keep(block, &mut batches))?;
        self.place.check_unchanged()?;
        Ok(batches)
    }
}

/// Line feeds end records.
#[derive(Default)]
struct PlainLineEnds {
    seen: usize,
}

impl RecordEnds for PlainLineEnds {
    /// A value of one character, and its place.
    const DECODING: usize = 4;

    fn last_end(&mut self, bytes: &[u8], _last: bool) -> Option<usize> {
        let from = std::mem::replace(&mut self.seen, bytes.len());
        memrchr(b'\n', &bytes[from..]).map(|at| from + at + 1)
    }

    fn inside_record(&self) -> bool {
        false
    }

    fn taken(&mut self, count: usize) {
        self.seen -= count;
    }
}

/// The lines with records, and their numbers from 0.
fn records(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    lines.map(|(at, line)| (at, line.strip_prefix(BOM).unwrap_or(line))).filter(|(_, line)| is_record(line))
}

fn is_record(line: &[u8]) -> bool {
    let line = line.strip_prefix(BOM).unwrap_or(line);
    !matches!(line.trim_ascii_start().first(), None | Some(b'#' | b'%'))
}

/// The values of a line. Of commas each ends a value, of white space all that stands together.
fn values(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace() || *byte == b',').filter(|value| !value.is_empty())
}

fn decode(block: &Block, places: &[usize], wanted: &WantedColumns) -> std::result::Result<ReadBatches, Fault> {
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
    let (mut batches, mut lines) = (Vec::new(), records(&block.bytes).peekable());
    while lines.peek().is_some() {
        let mut columns: Vec<StringBuilder> =
            places.iter().map(|_| StringBuilder::with_capacity(1 << 10, TYPICAL_VALUE << 10)).collect();
        let (mut rows, mut of_line) = (0, Vec::new());
        for (at, line) in lines.by_ref().take(MAX_BATCH_ROWS) {
            of_line.clear();
            of_line.extend(values(line).take(needed).map(|value| std::str::from_utf8(value).unwrap_or_default()));
            if of_line.len() < needed {
                let what = format!("the line has {} of the {needed} values that are needed", of_line.len());
                return Err(fault(at, what, false));
            }
            columns.iter_mut().zip(places).for_each(|(column, place)| column.append_value(of_line[*place]));
            rows += 1;
        }
        let columns = columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef).collect();
        batches.push(wanted.batch(rows, columns).map_err(|error| fault(0, error.to_string(), false))?);
    }
    Ok(batches)
}

/// The line (from 1) on which row `row` (from 0) is.
pub(super) fn plain_line(lines: impl BufRead, row: usize) -> Option<u64> {
    let lines = lines.split(b'\n').map_while(std::result::Result::ok).enumerate();
    lines.filter(|(_, line)| is_record(line)).nth(row).map(|(at, _)| at as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Input, Source};
    use arrow_array::cast::AsArray;

    fn read(text: &str, columns: &[usize]) -> Result<Vec<Vec<String>>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edges.txt");
        std::fs::write(&path, text).unwrap();
        let table = Source::open(&Input::files([&path]).as_plain_text())?.read(columns, &|_| {})?;
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
        let lines: Vec<_> = (0..3).map(|row| plain_line("# x\n1 2\n\n3 4\n".as_bytes(), row)).collect();
        assert_eq!(lines, [Some(2), Some(4), None]);
    }
}
