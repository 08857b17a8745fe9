//! The line of a row, found by reading its file once more: only messages need it.

use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

use super::blocks::{BLOCK_BYTES, BlockLimits};
use super::byte_source::{ByteSource, KnownStreams};
use super::csv::Header;
use super::plain_text::{ValueEnds, plain_line};
use crate::memory::MemoryBudget;
use crate::records::formats::FileFormat;
use crate::records::location::Location;
use crate::records::read_options::TextOptions;

/// The line (from 1) on which row `row` (from 0) of a file begins; `None` where a file has no lines or is gone.
pub(in crate::records) fn line_of_row(file: &Path, row: usize, text: TextOptions) -> Option<u64> {
    let location = Location::of_file(file);
    let text = text.of_file(&location);
    let found = || ByteSource::find(&location, text.encoding, &KnownStreams::default());
    let (place, format) = file.is_file().then(found)?.ok()?;
    let mut stream = place.stream().ok()?;
    let limits = BlockLimits::new(BLOCK_BYTES, &MemoryBudget::unlimited());
    match format {
        FileFormat::Parquet => None,
        FileFormat::Json => json_line(BufReader::new(stream), row),
        FileFormat::Csv if text.is_plain => plain_line(BufReader::new(stream), ValueEnds::from_options(text), row),
        FileFormat::Csv => {
            let header = Header::read(&mut stream, &place.label, text, &limits).ok()?;
            let rows = BufReader::new(Cursor::new(header.rest).chain(stream));
            csv_line(rows, header.delimiter, row).map(|line| header.lines + line)
        }
    }
}

fn json_line(lines: impl BufRead, row: usize) -> Option<u64> {
    let is_row = |line: &Vec<u8>| !line.trim_ascii().is_empty();
    let mut rows = lines.split(b'\n').map_while(Result::ok).enumerate().filter(|(_, line)| is_row(line));
    rows.nth(row).map(|(at, _)| at as u64 + 1)
}

/// Walks over the records as the decoder does: see `csv::record_ends` for what quotes mean.
fn csv_line(bytes: impl BufRead, delimiter: u8, row: usize) -> Option<u64> {
    let (mut line, mut record, mut begun) = (1, 0, false);
    let (mut quoted, mut field_start, mut before) = (false, true, 0);
    for byte in bytes.bytes().map_while(Result::ok) {
        let breaks = byte == b'\n' || byte == b'\r';
        if !quoted && breaks {
            record += usize::from(begun);
            begun = false;
        } else if !begun && !quoted {
            begun = true;
            if record == row {
                return Some(line);
            }
        }
        if byte == b'"' && (quoted || field_start || before == b'"') {
            quoted = !quoted;
        }
        field_start = !quoted && (breaks || byte == delimiter);
        line += u64::from(byte == b'\n' || before == b'\r');
        before = byte;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_after_empty_lines_and_quoted_line_breaks() {
        let text = "1,a\n\n2,\"b\nb \"\"x\"\"\nb\"\r\n3,c\n";
        let lines: Vec<_> = (0..4).map(|row| csv_line(text.as_bytes(), b',', row)).collect();
        assert_eq!(lines, [Some(1), Some(3), Some(6), None]);
        assert_eq!(json_line("{}\n\n{}\n".as_bytes(), 1), Some(3));
    }
}
