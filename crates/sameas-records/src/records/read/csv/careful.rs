//! Reads CSV byte by byte: for the header, and to say exactly where a block that could not be decoded goes wrong.

use super::super::blocks::Fault;
use super::columns::has_name;

/// One record, read with care.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CsvRecord {
    /// The fields without quotes.
    pub(super) fields: Vec<Vec<u8>>,
    /// Where each field ends in the bytes.
    field_ends: Vec<usize>,
    /// Line breaks before it.
    lines_before: u64,
    /// The first byte after its line break.
    pub(super) end: usize,
    /// Whether a line break, not the end of the bytes, ended it.
    pub(super) ended: bool,
    /// Line breaks before its quote that is still open at the end of the bytes.
    open_quote: Option<u64>,
}

/// Reads record after record; empty lines are not records.
pub(super) struct CarefulReader<'a> {
    bytes: &'a [u8],
    delimiter: u8,
    at: usize,
    lines: u64,
}

impl<'a> CarefulReader<'a> {
    pub(super) fn new(bytes: &'a [u8], delimiter: u8) -> Self {
        Self { bytes, delimiter, at: 0, lines: 0 }
    }

    /// Steps over one byte, or a CR LF, counting lines.
    fn step(&mut self) {
        let pair = self.bytes[self.at..].starts_with(b"\r\n");
        self.lines += u64::from(self.at_break());
        self.at += 1 + usize::from(pair);
    }

    fn at_break(&self) -> bool {
        matches!(self.bytes.get(self.at), Some(b'\n' | b'\r'))
    }

    /// A quoted text from its opening quote to after its closing one, appended without quotes. Returns the line of an
    /// unclosed quote.
    fn quoted(&mut self, text: &mut Vec<u8>) -> Option<u64> {
        let opened = self.lines;
        self.at += 1;
        while self.at < self.bytes.len() {
            match &self.bytes[self.at..] {
                [b'"', b'"', ..] => {
                    text.push(b'"');
                    self.at += 2;
                }
                [b'"', ..] => {
                    self.at += 1;
                    return None;
                }
                _ => {
                    let from = self.at;
                    self.step();
                    text.extend_from_slice(&self.bytes[from..self.at]);
                }
            }
        }
        Some(opened)
    }

    fn field(&mut self, record: &mut CsvRecord) {
        let mut text = Vec::new();
        if self.bytes.get(self.at) == Some(&b'"') {
            record.open_quote = self.quoted(&mut text);
        }
        while self.at < self.bytes.len() && !self.at_break() && self.bytes[self.at] != self.delimiter {
            text.push(self.bytes[self.at]);
            self.at += 1;
        }
        record.fields.push(text);
        record.field_ends.push(self.at);
    }
}

impl Iterator for CarefulReader<'_> {
    type Item = CsvRecord;

    fn next(&mut self) -> Option<CsvRecord> {
        while self.at_break() {
            self.step();
        }
        if self.at == self.bytes.len() {
            return None;
        }
        let mut record = CsvRecord { lines_before: self.lines, ..CsvRecord::default() };
        self.field(&mut record);
        while self.bytes.get(self.at) == Some(&self.delimiter) {
            self.at += 1;
            self.field(&mut record);
        }
        record.ended = self.at_break();
        if record.ended {
            self.step();
        }
        record.end = self.at;
        Some(record)
    }
}

/// The first thing wrong with the records of a block that begins at `offset` of its file.
pub(super) fn first_fault(bytes: &[u8], delimiter: u8, columns: &[String], offset: u64) -> Option<Fault> {
    let broken = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
    CarefulReader::new(bytes, delimiter).find_map(|record| {
        let broken = broken.filter(|at| *at < record.end);
        let (line, what) = match broken {
            Some(at) => invalid_text(&record, bytes, at, columns, offset),
            None => record_fault(&record, columns.len())?,
        };
        Some(Fault { lines_before: line, column: None, what, is_no_text: broken.is_some() })
    })
}

fn record_fault(record: &CsvRecord, expected: usize) -> Option<(u64, String)> {
    let found = record.fields.len();
    if let Some(line) = record.open_quote {
        return Some((line, "the quoted field that begins here is never closed".to_owned()));
    }
    let noun = if found == 1 { "field" } else { "fields" };
    (found != expected).then(|| (record.lines_before, format!("{found} {noun}, but the header has {expected}")))
}

/// The line and the column that hold the byte at `at`, which begins something that is not UTF-8.
fn invalid_text(record: &CsvRecord, bytes: &[u8], at: usize, columns: &[String], offset: u64) -> (u64, String) {
    let lines = super::super::blocks::count_lines(&bytes[..at]) as u64;
    let field = record.field_ends.iter().position(|&end| at < end).unwrap_or(0);
    let name = columns.get(field).filter(|name| has_name(name));
    let column = name.map_or_else(|| format!("column {}", field + 1), |name| format!("column `{name}`"));
    (lines, format!("{column} is not valid UTF-8 at byte {} of the file", offset + at as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Vec<String>> {
        let text_of = |field: &Vec<u8>| String::from_utf8(field.clone()).unwrap();
        CarefulReader::new(text.as_bytes(), b',').map(|record| record.fields.iter().map(text_of).collect()).collect()
    }

    #[test]
    fn quotes_count_only_at_the_start_of_a_field() {
        assert_eq!(
            fields("a,\"b\"\"c\nd\",e\"f\"\n\n\r\n\"x\"y\"z,"),
            [vec!["a", "b\"c\nd", "e\"f\""], vec!["xy\"z", ""]]
        );
        assert_eq!(fields("\"\"\r1\r\n2"), [[""], ["1"], ["2"]]);
    }
}
