//! The first record of a CSV file: which delimiter it uses and what the columns are called. A file of tuples may begin
//! with a tuple instead: with tabs it is read so, and columns are called by their numbers, from 1.

use std::io::Read;

use memchr::memchr_iter;

use super::super::blocks::{BlockLimits, count_lines};
use super::super::byte_source::{BOM, Stream, unreadable};
use super::super::transcode::not_in_encoding;
use super::careful::CarefulReader;
use super::columns::has_name;
use crate::error::{Error, Result};
use crate::memory::Held;
use crate::records::read_options::TextOptions;
use crate::records::tuples::{FirstLine, no_names};

const CANDIDATES: [u8; 4] = [b',', b'\t', b';', b'|'];
const FIRST_READ: u64 = 64 << 10;
/// Bytes of a header that need not be counted.
const MANY: usize = 1 << 20;
/// What a column takes before its values are read: its name, in several places, and its type.
pub(in crate::records::read) const COLUMN_BYTES: usize = 600;

/// A header, and what was read beyond it.
pub(in crate::records::read) struct Header {
    /// As they are: some may be empty, and some repeated.
    pub(in crate::records::read) names: Vec<String>,
    pub(in crate::records::read) delimiter: u8,
    /// Bytes that follow the header and are already read.
    pub(in crate::records::read) rest: Vec<u8>,
    /// Bytes of the header, that is where `rest` begins.
    pub(in crate::records::read) bytes: u64,
    /// Physical lines of the header.
    pub(in crate::records::read) lines: u64,
    /// The memory of the columns.
    pub(in crate::records::read) held: Held,
}

impl Header {
    /// Reads the header of `stream`, which is called `label` in errors.
    pub(in crate::records::read) fn read(
        stream: &mut Stream,
        label: &str,
        text: TextOptions,
        limits: &BlockLimits,
    ) -> Result<Self> {
        let mut bytes = Vec::new();
        let mut amount = FIRST_READ;
        let mut held = limits.budget().hold(0)?;
        loop {
            held.reach(bytes.len() + amount as usize)?;
            let read = stream.by_ref().take(amount).read_to_end(&mut bytes);
            let last = read.map_err(|error| unreadable(label, &error))? < amount as usize;
            if let Some(header) = Self::find(&mut bytes, label, text, last, limits)? {
                return Ok(header);
            }
            if bytes.len() > limits.record_bytes() {
                return Err(limits.overlong(label, "the header", 0));
            }
            amount = (bytes.len() as u64).min((limits.record_bytes() + 1 - bytes.len()) as u64).max(1);
        }
    }

    /// The header, if `bytes` hold all of it.
    fn find(
        bytes: &mut Vec<u8>,
        label: &str,
        options: TextOptions,
        last: bool,
        limits: &BlockLimits,
    ) -> Result<Option<Self>> {
        let mark = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let text = &bytes[mark..];
        if text.is_empty() {
            return Err(Error::data(format!("{label}: the file is empty")));
        }
        let delimiter = options.delimiter.unwrap_or_else(|| detect(text));
        // A long header may be nothing but delimiters, and each field takes some memory while it is read.
        if text.len() > MANY {
            limits.budget().check_room(memchr_iter(delimiter, text).count() * size_of::<[usize; 4]>())?;
        }
        let record = CarefulReader::new(text, delimiter).next();
        if matches!(text[0], b'\n' | b'\r') || record.is_none() {
            return Err(no_header(label, "the first line is empty"));
        }
        // A CR at the end of what is read may be half of a line break.
        let Some(record) = record.filter(|record| last || (record.ended && record.end < text.len())) else {
            return Ok(None);
        };
        check_is_text(&text[..record.end], label)?;
        let held = limits.budget().hold(record.fields.len() * COLUMN_BYTES)?;
        let mut names = names(&record.fields, label)?;
        let (mut lines, mut end) = (count_lines(&text[..record.end]) as u64, mark + record.end);
        if is_tuple(&names, label, delimiter, options)? {
            names = (1..=names.len()).map(|number| number.to_string()).collect();
            (lines, end) = (0, mark);
        }
        Ok(Some(Self { names, delimiter, rest: bytes.split_off(end), bytes: end as u64, lines, held }))
    }
}

/// Whether the first line is a tuple. With other delimiters than tabs that is an error: a table that has lost its names
/// looks like this, too.
fn is_tuple(fields: &[String], label: &str, delimiter: u8, options: TextOptions) -> Result<bool> {
    match options.tuples.map_or(FirstLine::Names, |shape| shape.first_line(fields)) {
        FirstLine::Names => Ok(false),
        FirstLine::Tuple(_) if delimiter == b'\t' => Ok(true),
        FirstLine::Tuple(numbers) | FirstLine::Unclear(numbers) => Err(no_names(label, &numbers)),
    }
}

fn no_header(label: &str, why: &str) -> Error {
    Error::data(format!("{label}:1: no header: {why}")).with_help("the first line must name the columns")
}

/// UTF-16 without a mark is valid UTF-8 as long as it is ASCII: every other byte is zero.
fn check_is_text(header: &[u8], label: &str) -> Result<()> {
    let zeros = memchr_iter(0, header).count();
    if zeros > 0 && zeros >= header.len() / 3 {
        return Err(not_in_encoding(Error::data(format!(
            "{label}:1: the header is not text in UTF-8: it holds zero bytes"
        ))));
    }
    Ok(())
}

/// The candidate that occurs most in the first line outside of quotes; a comma if none does.
fn detect(text: &[u8]) -> u8 {
    let mut counts = [0usize; CANDIDATES.len()];
    let (mut quoted, mut field_start) = (false, true);
    for &byte in text {
        let candidate = CANDIDATES.iter().position(|&c| c == byte);
        match byte {
            b'"' if quoted || field_start => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            _ => {}
        }
        match candidate {
            Some(index) if !quoted => counts[index] += 1,
            _ => {}
        }
        field_start = candidate.is_some();
    }
    let most = counts.into_iter().max().unwrap_or(0);
    CANDIDATES[counts.iter().position(|&count| count == most).unwrap_or(0)]
}

fn names(fields: &[Vec<u8>], label: &str) -> Result<Vec<String>> {
    let text = |(index, field): (usize, &Vec<u8>)| {
        let what = format!("{label}:1: the name of column {} is not valid UTF-8", index + 1);
        let wrong = |_| not_in_encoding(Error::data(what));
        String::from_utf8(field.clone()).map_err(wrong)
    };
    let names = fields.iter().enumerate().map(text).collect::<Result<Vec<_>>>()?;
    if !names.iter().any(|name| has_name(name)) {
        return Err(no_header(label, "no column has a name"));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;
    use crate::memory::MemoryBudget;
    use crate::records::TupleShape;
    use crate::records::read::blocks::BLOCK_BYTES;

    #[test]
    fn a_header_without_end_is_refused() {
        let mut zeros: Stream = Box::new(std::io::repeat(0));
        let limits = BlockLimits::new(BLOCK_BYTES, &MemoryBudget::new(200 << 20));
        let error = Header::read(&mut zeros, "/dev/zero", TextOptions::default(), &limits).err().unwrap();
        assert_eq!(error.message(), "/dev/zero: the header at byte 0 is longer than 25 MiB");
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        let mut commas: Stream = Box::new(std::io::repeat(b','));
        let error = Header::read(&mut commas, "x.csv", TextOptions::default(), &limits).err().unwrap();
        assert_eq!(error.code(), ErrorCode::MemoryLimit, "{error}");
    }

    fn read(text: &[u8], delimiter: Option<u8>) -> Result<Header> {
        read_with(text, TextOptions { delimiter, ..TextOptions::default() })
    }

    fn read_with(text: &[u8], options: TextOptions) -> Result<Header> {
        let mut stream: Stream = Box::new(std::io::Cursor::new(text.to_vec()));
        Header::read(&mut stream, "x.csv", options, &BlockLimits::new(BLOCK_BYTES, &MemoryBudget::new(0)))
    }

    fn of_tuples(text: &str, are_numbers: [bool; 2]) -> Result<Header> {
        let tuples = Some(TupleShape::new(are_numbers));
        read_with(text.as_bytes(), TextOptions { tuples, ..TextOptions::default() })
    }

    fn names_of(text: &str) -> Vec<String> {
        read(text.as_bytes(), None).unwrap().names
    }

    #[test]
    fn the_delimiter_is_the_candidate_that_occurs_most() {
        assert_eq!(names_of("a,b,c;d\n"), ["a", "b", "c;d"]);
        assert_eq!(names_of("a\tb,c\td"), ["a", "b,c", "d"]);
        assert_eq!(names_of("a;\"b,c,d\";e\r\n1"), ["a", "b,c,d", "e"]);
        assert_eq!(names_of("a|b\rc"), ["a", "b"]);
        assert_eq!(names_of("alone\n1,2,3\n"), ["alone"]);
        assert_eq!(read(b"a,b;c", Some(b';')).unwrap().names, ["a,b", "c"]);
    }

    #[test]
    fn what_follows_the_header_is_kept() {
        let header = read(b"\xEF\xBB\xBFa,\"b\nc\"\r\n1,2\n", None).unwrap();
        assert_eq!(header.names, ["a", "b\nc"]);
        assert_eq!((header.bytes, header.lines, header.rest.as_slice()), (12, 2, &b"1,2\n"[..]));
    }

    #[test]
    fn a_tuple_in_the_place_of_names_is_kept_or_refused() {
        let header = of_tuples("\u{feff}1\t2\n3\t4\n", [true, true]).unwrap();
        assert_eq!(header.names, ["1", "2"]);
        assert_eq!((header.bytes, header.lines, header.rest.as_slice()), (3, 0, &b"1\t2\n3\t4\n"[..]));
        assert_eq!(of_tuples("1\tann\n", [true, false]).unwrap().names, ["1", "2"]);
        assert_eq!(of_tuples("x\ty\n1\t2\n", [true, true]).unwrap().names, ["x", "y"]);
        assert_eq!(of_tuples("ann\tbob\n", [false, false]).unwrap().names, ["ann", "bob"]);
        let refused = |text: &str, are_numbers| of_tuples(text, are_numbers).err().unwrap();
        let error = refused("1,2\n3,4\n", [true, true]);
        assert_eq!(
            error.to_string(),
            "`x.csv` begins with the numbers 1 and 2, where names of columns are expected\n  \
             help: give it a first line with names, or read it as plain text, which has none"
        );
        assert_eq!(error.code(), ErrorCode::NoColumnNames);
        let message = "`x.csv` begins with the number 7, where the name of a column is expected";
        assert_eq!(refused("ann;7\n", [false, true]).message(), message);
        assert_eq!(refused("1\t2\n", [false, false]).code(), ErrorCode::NoColumnNames, "texts may be called so");
    }

    #[test]
    fn a_header_may_be_longer_than_the_first_read() {
        let names: Vec<_> = (0..50_000).map(|i| format!("column {i}")).collect();
        assert_eq!(names_of(&format!("{}\n1", names.join(","))), names);
    }

    #[test]
    fn names_may_be_empty_or_repeated() {
        assert_eq!(names_of("a;;a; ;\n1"), ["a", "", "a", " ", ""]);
    }

    #[test]
    fn headers_that_name_no_columns_are_errors() {
        let text = |bytes: &[u8]| read(bytes, None).err().unwrap().to_string();
        assert_eq!(text(b""), "x.csv: the file is empty");
        assert_eq!(text(b"\xEF\xBB\xBF"), "x.csv: the file is empty");
        let help = "\n  help: the first line must name the columns";
        assert_eq!(text(b"\na,b\n"), format!("x.csv:1: no header: the first line is empty{help}"));
        assert_eq!(text(b"\r\n"), format!("x.csv:1: no header: the first line is empty{help}"));
        assert_eq!(text(b",,\n1,2,3\n"), format!("x.csv:1: no header: no column has a name{help}"));
        let help = "\n  help: say in which encoding the file is";
        assert_eq!(text(b"a,\xFF\n"), format!("x.csv:1: the name of column 2 is not valid UTF-8{help}"));
        let zeros = "the header is not text in UTF-8: it holds zero bytes";
        assert_eq!(text(b"i\0d\0,\0x\0\n\x001\0"), format!("x.csv:1: {zeros}{help}"));
        assert_eq!(text(b"\0i\0d\0,\0x\0\n\x001"), format!("x.csv:1: {zeros}{help}"));
    }
}
