//! Cuts a stream of text into blocks of whole records and works on them in parallel, in order.

use std::io::{self, Read};
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use memchr::memchr_iter;

use super::byte_source::{Stream, unreadable};
use super::in_order::in_order;
use super::transcode::not_in_encoding;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{Held, MemoryBudget};

/// Bytes of a block: large enough that a block's overhead vanishes, small enough that all threads have work.
pub(super) const BLOCK_BYTES: usize = 4 << 20;
/// A record beyond this is taken for a quote that was never closed. Columns address their text with 31 bits.
const RECORD_BYTES: usize = 1 << 30;
/// A record may take this part of the memory limit: it is held as text, decoded, and as part of the table.
const RECORD_SHARE: usize = 8;

/// How large blocks and records may be, and what counts their memory.
#[derive(Clone, Debug)]
pub(super) struct BlockLimits {
    block_bytes: usize,
    record_bytes: usize,
    budget: MemoryBudget,
}

impl BlockLimits {
    /// Blocks of `block_bytes` at most. All threads have two blocks in work and two in wait, each as text and decoded,
    /// which together take a quarter of the memory.
    pub(super) fn new(block_bytes: usize, budget: &MemoryBudget) -> Self {
        let share = budget.most() / 4 / (8 * rayon::current_num_threads());
        let record_bytes = (budget.most() / RECORD_SHARE).min(RECORD_BYTES);
        Self { block_bytes: block_bytes.min(share.max(LEAST_BLOCK)), record_bytes, budget: budget.clone() }
    }

    /// Bytes of a record, or of a header, at most.
    pub(super) fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    /// What counts the memory of blocks.
    pub(super) fn budget(&self) -> &MemoryBudget {
        &self.budget
    }

    /// The error for a record that begins at `offset` and is too long.
    pub(super) fn overlong(&self, label: &str, what: &str, offset: u64) -> Error {
        let error =
            Error::data(format!("{label}: {what} at byte {offset} is longer than {} MiB", self.record_bytes >> 20));
        if self.record_bytes == RECORD_BYTES {
            return error.with_help("a quote that is never closed and a file without line breaks look like this");
        }
        let help = "a quote that is never closed and a file without line breaks look like this; a record may take an eighth \
                    of the memory limit";
        error.with_help(help).with_code(ErrorCode::MemoryLimit)
    }
}

/// Blocks are not made smaller than this, however little memory there is.
const LEAST_BLOCK: usize = 64 << 10;

/// Knows where records end.
pub(super) trait RecordEnds {
    /// What decoding takes for each byte of a block at most, about. Usual blocks are small, and what they take is part of
    /// what is not counted.
    const DECODING: usize;

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
    pub(super) bytes: BlockBuffer,
    /// Where it begins in the unpacked stream.
    pub(super) offset: u64,
    /// It ends inside a record without an end: a quote stays open.
    pub(super) unfinished: bool,
    /// Its memory, and that of what is made of it.
    _held: Held,
}

/// The bytes of a block. Their memory goes back to the reader: memory that is new to the process costs about as
/// much time as filling it, and all others wait for the reader.
pub(super) struct BlockBuffer {
    bytes: Vec<u8>,
    /// The largest that is used again; what a long record has taken is freed.
    most: usize,
    unused: UnusedBuffers,
}

/// Buffers of blocks that were worked on.
type UnusedBuffers = Arc<Mutex<Vec<Vec<u8>>>>;

impl Deref for BlockBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for BlockBuffer {
    fn drop(&mut self) {
        if self.bytes.capacity() <= self.most
            && let Ok(mut unused) = self.unused.lock()
        {
            unused.push(std::mem::take(&mut self.bytes));
        }
    }
}

/// What was made of a block.
pub(super) struct ProcessedBlock<T> {
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
    /// It is not in the encoding in which it is read.
    pub(super) is_no_text: bool,
}

/// A stream being cut.
pub(super) struct Blocks<'a, E> {
    stream: Stream,
    label: &'a str,
    ends: E,
    limits: BlockLimits,
    rest: Vec<u8>,
    unused: UnusedBuffers,
    offset: u64,
    finished: bool,
}

impl<'a, E: RecordEnds> Blocks<'a, E> {
    /// Cuts `first` followed by `stream`, which together begin at `offset` of the file called `label`.
    pub(super) fn new(
        stream: Stream,
        label: &'a str,
        ends: E,
        first: Vec<u8>,
        offset: u64,
        limits: &BlockLimits,
    ) -> Self {
        let unused = UnusedBuffers::default();
        Self { stream, label, ends, limits: limits.clone(), rest: first, unused, offset, finished: false }
    }

    fn next(&mut self) -> Result<Option<Block>> {
        let mut wanted = self.limits.block_bytes;
        while !self.finished {
            // What a long record takes while it is read, beyond the blocks that are counted anyway.
            let _held = self.limits.budget.hold(wanted.saturating_sub(self.limits.block_bytes))?;
            self.fill(wanted).map_err(|error| unreadable(self.label, &error))?;
            match self.ends.last_end(&self.rest, self.finished) {
                _ if self.finished => break,
                Some(end) => return Ok(Some(self.take(end, false)?)),
                None if self.rest.len() > self.limits.record_bytes => {
                    self.finished = true;
                    return Err(self.limits.overlong(self.label, "the record", self.offset));
                }
                None => wanted = (self.rest.len() * 2).min(self.limits.record_bytes + 1).max(self.rest.len() + 1),
            }
        }
        let end = self.rest.len();
        let unfinished = self.ends.inside_record();
        if end > 0 { self.take(end, unfinished).map(Some) } else { Ok(None) }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.rest.len()).max(1);
        self.rest.reserve_exact(missing);
        let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut self.rest)?;
        self.finished = read < missing;
        Ok(())
    }

    fn take(&mut self, end: usize, unfinished: bool) -> Result<Block> {
        let decoding = if end > self.limits.block_bytes { end.saturating_mul(E::DECODING) } else { 0 };
        let _held = self.limits.budget.hold((2 * end).saturating_add(decoding))?;
        let mut rest = if self.finished { Vec::new() } else { self.buffer() };
        rest.extend_from_slice(&self.rest[end..]);
        self.rest.truncate(end);
        self.ends.taken(end);
        let offset = self.offset;
        self.offset += end as u64;
        let (bytes, most) = (std::mem::replace(&mut self.rest, rest), 2 * self.limits.block_bytes);
        let bytes = BlockBuffer { bytes, most, unused: Arc::clone(&self.unused) };
        Ok(Block { bytes, offset, unfinished, _held })
    }

    /// An empty buffer.
    fn buffer(&self) -> Vec<u8> {
        let unused = self.unused.lock().ok().and_then(|mut unused| unused.pop());
        let mut buffer = unused.unwrap_or_else(|| Vec::with_capacity(self.limits.block_bytes));
        buffer.clear();
        buffer
    }
}

/// Works on every block in parallel and hands the results on in order; faults get their place in the file.
pub(super) fn work_through<E: RecordEnds + Send, T: Send>(
    mut blocks: Blocks<'_, E>,
    start: &Start<'_>,
    work: impl Fn(Block) -> ProcessedBlock<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut lines = start.lines;
    let label = start.label;
    in_order(
        start.wave,
        || blocks.next(),
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
        let error = Error::data(match self.column {
            Some(column) => format!("{label}:{line}:{column}: {what}"),
            None => format!("{label}:{line}: {what}"),
        });
        if self.is_no_text { not_in_encoding(error) } else { error }
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
        const DECODING: usize = 0;

        fn last_end(&mut self, bytes: &[u8], _last: bool) -> Option<usize> {
            memchr::memrchr(b';', bytes).map(|at| at + 1)
        }

        fn inside_record(&self) -> bool {
            false
        }

        fn taken(&mut self, _count: usize) {}
    }

    fn cut(text: &str, block_bytes: usize, record_bytes: usize) -> Result<Vec<(String, u64, bool)>> {
        let stream = Box::new(io::Cursor::new(text[1..].to_owned()));
        let limits = BlockLimits { block_bytes, record_bytes, budget: MemoryBudget::unlimited() };
        let mut blocks = Blocks::new(stream, "x.csv", Semicolons, text[..1].into(), 100, &limits);
        let shown = |b: Block| (String::from_utf8(b.bytes.to_vec()).unwrap(), b.offset, b.unfinished);
        std::iter::from_fn(|| blocks.next().transpose()).map(|block| block.map(shown)).collect()
    }

    #[test]
    fn blocks_hold_whole_records_and_know_their_place() {
        for block_bytes in 1..20 {
            let blocks = cut("a;bcd;;efghi;j", block_bytes, 10).unwrap();
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
        let error = cut(&format!("a;{}", "b".repeat(3 << 20)), 4, 2 << 20).unwrap_err();
        assert_eq!(error.message(), "x.csv: the record at byte 102 is longer than 2 MiB");
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        let help = "a quote that is never closed and a file without line breaks look like this; a record may take an \
                    eighth of the memory limit";
        assert_eq!(error.help(), Some(help));
        assert!(cut(&format!("a;{}", "b".repeat(1 << 20)), 4, 2 << 20).is_ok());
    }

    #[test]
    fn lines_end_with_any_line_break() {
        assert_eq!(count_lines(b"a\nb\r\nc\rd"), 3);
        assert_eq!(count_lines(b"\r"), 1);
    }
}
