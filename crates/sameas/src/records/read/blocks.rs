//! Cuts a stream of text into blocks of whole records and works on them in parallel, in order.

use std::io::{self, Read};

use memchr::memchr_iter;

use super::byte_source::{Stream, unreadable};
use super::in_order::in_order;
use crate::error::{Error, Result};

/// Bytes of a block: large enough that a block's overhead vanishes, small enough that all threads have work.
pub(super) const BLOCK_BYTES: usize = 4 << 20;
/// A record beyond this is taken for a quote that was never closed. Columns address their text with 31 bits.
const RECORD_BYTES: usize = 1 << 30;

/// Knows where records end.
pub(super) trait RecordEnds {
    /// The end of the last whole record in `bytes`. All bytes are new, except those after the end returned last.
    /// `last` says that nothing follows.
    fn last_end(&mut self, bytes: &[u8], last: bool) -> Option<usize>;

    /// Whether the bytes seen so far end where a record cannot end.
    fn inside_record(&self) -> bool;

    /// Is called when the first `count` bytes have been removed.
    fn taken(&mut self, count: usize);
}

/// Whole records.
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// Where it begins in the unpacked stream.
    pub(super) offset: u64,
    /// It ends inside a record without an end: a quote stays open, or the record is longer than the limit.
    pub(super) unfinished: bool,
}

/// What was made of a block.
pub(super) struct Worked<T> {
    /// Physical lines of the block.
    pub(super) lines: u64,
    pub(super) result: std::result::Result<T, Fault>,
}

/// What is wrong with a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Lines of the block before the one at fault.
    pub(super) lines_before: u64,
    /// Character in that line, from 1, where it helps.
    pub(super) column: Option<usize>,
    pub(super) what: String,
}

/// A stream being cut.
pub(super) struct Blocks<E> {
    stream: Stream,
    ends: E,
    block_bytes: usize,
    record_bytes: usize,
    rest: Vec<u8>,
    offset: u64,
    finished: bool,
}

impl<E: RecordEnds> Blocks<E> {
    /// Cuts `first` followed by `stream`, which together begin at `offset` of the file.
    pub(super) fn new(stream: Stream, ends: E, first: Vec<u8>, offset: u64, block_bytes: usize) -> Self {
        Self { stream, ends, block_bytes, record_bytes: RECORD_BYTES, rest: first, offset, finished: false }
    }

    fn next(&mut self) -> io::Result<Option<Block>> {
        let mut wanted = self.block_bytes;
        while !self.finished {
            self.fill(wanted)?;
            match self.ends.last_end(&self.rest, self.finished) {
                _ if self.finished => break,
                Some(end) => return Ok(Some(self.take(end))),
                None if self.rest.len() > self.record_bytes => {
                    self.finished = true;
                    let end = self.rest.len();
                    return Ok(Some(Block { unfinished: true, ..self.take(end) }));
                }
                None => wanted = self.rest.len() * 2,
            }
        }
        let end = self.rest.len();
        let unfinished = self.ends.inside_record();
        Ok((end > 0).then(|| Block { unfinished, ..self.take(end) }))
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.rest.len()).max(1);
        self.rest.reserve_exact(missing);
        let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut self.rest)?;
        self.finished = read < missing;
        Ok(())
    }

    fn take(&mut self, end: usize) -> Block {
        let mut rest = Vec::with_capacity(if self.finished { 0 } else { self.block_bytes });
        rest.extend_from_slice(&self.rest[end..]);
        self.rest.truncate(end);
        self.ends.taken(end);
        let offset = self.offset;
        self.offset += end as u64;
        Block { bytes: std::mem::replace(&mut self.rest, rest), offset, unfinished: false }
    }
}

/// Works on every block in parallel and hands the results on in order; faults get their place in the file.
pub(super) fn work_through<E: RecordEnds + Send, T: Send>(
    mut blocks: Blocks<E>,
    start: &Start<'_>,
    work: impl Fn(Block) -> Worked<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut lines = start.lines;
    let label = start.label;
    in_order(
        start.wave,
        || blocks.next().map_err(|error| unreadable(label, &error)),
        work,
        |worked| {
            let value = worked.result.map_err(|fault| fault.at(label, lines))?;
            lines += worked.lines;
            take(value)
        },
    )
}

/// Where a walk through blocks begins.
pub(super) struct Start<'a> {
    pub(super) label: &'a str,
    /// Lines before the first block.
    pub(super) lines: u64,
    /// Blocks worked on at a time.
    pub(super) wave: usize,
}

impl Fault {
    fn at(self, label: &str, lines: u64) -> Error {
        let line = lines + self.lines_before + 1;
        let what = self.what;
        Error::data(match self.column {
            Some(column) => format!("{label}:{line}:{column}: {what}"),
            None => format!("{label}:{line}: {what}"),
        })
    }
}

/// Physical lines that end in `bytes`: by LF, CR LF, or CR alone.
pub(super) fn count_lines(bytes: &[u8]) -> usize {
    let lone = memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) != Some(&b'\n')).count();
    memchr_iter(b'\n', bytes).count() + lone
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records that end at semicolons.
    struct Semicolons;

    impl RecordEnds for Semicolons {
        fn last_end(&mut self, bytes: &[u8], _last: bool) -> Option<usize> {
            memchr::memrchr(b';', bytes).map(|at| at + 1)
        }

        fn inside_record(&self) -> bool {
            false
        }

        fn taken(&mut self, _count: usize) {}
    }

    fn cut(text: &str, block_bytes: usize) -> Vec<(String, u64, bool)> {
        let stream = Box::new(io::Cursor::new(text[1..].to_owned()));
        let mut blocks = Blocks::new(stream, Semicolons, text[..1].into(), 100, block_bytes);
        blocks.record_bytes = 10;
        let next = || blocks.next().unwrap().map(|b| (String::from_utf8(b.bytes).unwrap(), b.offset, b.unfinished));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn blocks_hold_whole_records_and_know_their_place() {
        for block_bytes in 1..20 {
            let blocks = cut("a;bcd;;efghi;j", block_bytes);
            let whole: String = blocks.iter().map(|(bytes, ..)| bytes.as_str()).collect();
            assert_eq!(whole, "a;bcd;;efghi;j");
            let mut offset = 100;
            for (index, (bytes, start, unfinished)) in blocks.iter().enumerate() {
                assert!(bytes.ends_with(';') || index + 1 == blocks.len());
                assert_eq!((*start, *unfinished), (offset, false));
                offset += bytes.len() as u64;
            }
        }
    }

    #[test]
    fn a_record_without_end_does_not_fill_the_memory() {
        let blocks = cut(&format!("a;{}", "b".repeat(1000)), 4);
        assert_eq!(blocks[0], ("a;".to_owned(), 100, false));
        assert!(blocks[1].0.len() <= 20 && blocks[1].2);
        assert_eq!(blocks.len(), 2);
    }

    #[test]
    fn lines_end_with_any_line_break() {
        assert_eq!(count_lines(b"a\nb\r\nc\rd"), 3);
        assert_eq!(count_lines(b"\r"), 1);
    }
}
