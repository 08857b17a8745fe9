//! Finds where CSV records end without decoding them: only quotes and line breaks matter, and both are searched by
//! whole words.
//!
//! A quote opens a quoted field only as the first byte of a field; inside, two quotes are one and a single quote
//! closes. A quote anywhere else is an ordinary character. A line break outside quotes (LF, CR LF or CR alone) ends a
//! record. This is what the decoder does, so a block that ends here is decoded as if it stood alone.

use memchr::{memchr, memrchr2};

use crate::records::read::blocks::RecordEnds;

/// The state of a scan over a stream whose first bytes may be taken away at record ends.
pub(super) struct CsvRecordEnds {
    delimiter: u8,
    quoted: bool,
    /// Bytes seen; inside quotes or not, everything before has been accounted for.
    seen: usize,
}

impl CsvRecordEnds {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, quoted: false, seen: 0 }
    }

    /// Whether a quote at `at`, outside of quotes, opens a field. Streams are cut at records, so the first byte begins
    /// one.
    fn opens(&self, bytes: &[u8], at: usize) -> bool {
        at == 0 || matches!(bytes[at - 1], b'\n' | b'\r') || bytes[at - 1] == self.delimiter
    }

    /// The next opening quote, or the end of the bytes.
    fn next_open(&self, bytes: &[u8]) -> usize {
        let mut from = self.seen;
        while let Some(found) = memchr(b'"', &bytes[from..]) {
            if self.opens(bytes, from + found) {
                return from + found;
            }
            from += found + 1;
        }
        bytes.len()
    }

    /// Walks over the quoted text to just after its closing quote, if that is known to be one.
    fn close(&mut self, bytes: &[u8], last: bool) {
        while let Some(found) = memchr(b'"', &bytes[self.seen..]) {
            let at = self.seen + found;
            match bytes.get(at + 1) {
                Some(b'"') => self.seen = at + 2,
                // Whether this quote closes or is the first of two depends on a byte that is not here yet.
                None if !last => {
                    self.seen = at;
                    return;
                }
                _ => {
                    self.seen = at + 1;
                    self.quoted = false;
                    return;
                }
            }
        }
        self.seen = bytes.len();
    }
}

impl RecordEnds for CsvRecordEnds {
    /// The fields are copied, and their places are noted.
    const DECODING: usize = 4;

    fn last_end(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        let mut end = None;
        while self.seen < bytes.len() {
            if self.quoted {
                let before = self.seen;
                self.close(bytes, last);
                if self.quoted && self.seen == before {
                    break;
                }
                continue;
            }
            let open = self.next_open(bytes);
            // A CR at the end of what is known may be half of a line break.
            let half = open == bytes.len() && !last && bytes[open - 1] == b'\r';
            let known = open - usize::from(half);
            end = memrchr2(b'\n', b'\r', &bytes[self.seen..known]).map(|at| self.seen + at + 1).or(end);
            self.quoted = open < bytes.len();
            self.seen = if self.quoted { open + 1 } else { known };
            if half {
                break;
            }
        }
        end
    }

    fn inside_record(&self) -> bool {
        self.quoted
    }

    fn taken(&mut self, count: usize) {
        self.seen -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends found when the bytes arrive in two parts, cut at every place.
    fn ends(text: &str) -> Vec<Option<usize>> {
        let bytes = text.as_bytes();
        (0..=bytes.len())
            .map(|cut| {
                let mut scan = CsvRecordEnds::new(b',');
                let first = scan.last_end(&bytes[..cut], false);
                scan.last_end(bytes, true).or(first)
            })
            .collect()
    }

    fn all(text: &str, end: Option<usize>) {
        assert!(ends(text).iter().all(|&found| found == end), "{text:?}: {:?}", ends(text));
    }

    #[test]
    fn the_last_line_break_outside_quotes_is_found_however_the_bytes_arrive() {
        all("a,b\nc", Some(4));
        all("a,\"b\nc", None);
        all("a,\"b\n\"\n\"c\"\"\n", Some(7));
        all("a,b\"c\nd\"\ne", Some(9));
        all("a\r\"b\nc\"\r\nd", Some(9));
        all("\"a\"b\"\nc", Some(6));
        all("\"\"\"\"\nc", Some(5));
        all("a\r\r\nb", Some(4));
    }
}
