//! Records that line feeds end, and nothing else.

use memchr::memrchr;

use super::blocks::RecordEnds;

/// Line feeds end records. Decoding takes at most this many bytes for each byte of a block.
#[derive(Default)]
pub(super) struct LineEnds<const DECODING: usize> {
    seen: usize,
}

impl<const DECODING: usize> RecordEnds for LineEnds<DECODING> {
    const DECODING: usize = DECODING;

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
