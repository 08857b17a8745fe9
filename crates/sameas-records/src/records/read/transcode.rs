//! Text in another encoding becomes UTF-8 while it is read, some kilobytes at a time.
//!
//! What cannot be decoded is an error that says where: a character in its place would be a value that nobody has written.

use std::fmt;
use std::io::{self, Cursor, Read};

use encoding_rs::{Decoder, DecoderResult};

use super::byte_source::{Stream, peek};
use crate::error::{Error, ErrorCode};
use crate::records::encoding::TextEncoding;

/// Bytes that are decoded at a time.
const RAW_BYTES: usize = 64 << 10;
/// Room for what they can become.
const TEXT_BYTES: usize = 3 * RAW_BYTES + 16;
/// Bytes that the longest mark has.
const MARK_BYTES: usize = 4;

/// The text of a stream as UTF-8. A mark at its beginning says more than the name that was given; that of UTF-8 stays.
pub(super) fn as_utf8(mut stream: Stream, given: Option<TextEncoding>) -> io::Result<Stream> {
    let first = peek(&mut stream, MARK_BYTES)?;
    if is_utf32(&first) {
        return Err(TextFault::Utf32.into());
    }
    let (encoding, mark) = encoding_of(&first, given);
    match encoding.filter(|encoding| !encoding.is_utf8()) {
        None => Ok(Box::new(Cursor::new(first).chain(stream))),
        Some(encoding) => {
            let rest = Cursor::new(first[mark..].to_vec()).chain(stream);
            Ok(Box::new(Transcoder::new(Box::new(rest), encoding, mark as u64)))
        }
    }
}

/// The first bytes of a stream as UTF-8, to find out what it holds.
pub(super) fn sniffable(first: &[u8], given: Option<TextEncoding>) -> Vec<u8> {
    match encoding_of(first, given) {
        (Some(encoding), mark) if !encoding.is_utf8() => encoding.lossy(&first[mark..]),
        _ => first.to_vec(),
    }
}

fn encoding_of(first: &[u8], given: Option<TextEncoding>) -> (Option<TextEncoding>, usize) {
    TextEncoding::of_mark(first).map_or((given, 0), |(encoding, mark)| (Some(encoding), mark))
}

/// The mark of UTF-32; half of one of them is that of UTF-16.
fn is_utf32(first: &[u8]) -> bool {
    matches!(first, [0xFF, 0xFE, 0, 0] | [0, 0, 0xFE, 0xFF])
}

/// A stream that is decoded while it is read.
struct Transcoder {
    stream: Stream,
    encoding: TextEncoding,
    decoder: Decoder,
    raw: Vec<u8>,
    /// The part of `raw` that is not decoded yet.
    left: std::ops::Range<usize>,
    /// Where that part begins in the file.
    offset: u64,
    text: Vec<u8>,
    /// The part of `text` that is not handed out yet.
    ready: std::ops::Range<usize>,
    /// Nothing follows `left`.
    is_last: bool,
    is_done: bool,
}

impl Transcoder {
    fn new(stream: Stream, encoding: TextEncoding, offset: u64) -> Self {
        Self {
            stream,
            encoding,
            decoder: encoding.decoder(),
            raw: vec![0; RAW_BYTES],
            left: 0..0,
            offset,
            text: vec![0; TEXT_BYTES],
            ready: 0..0,
            is_last: false,
            is_done: false,
        }
    }

    /// Decodes what is left, or what comes next.
    fn decode(&mut self) -> io::Result<()> {
        if self.left.is_empty() && !self.is_last {
            let read = self.stream.read(&mut self.raw)?;
            (self.left, self.is_last) = (0..read, read == 0);
        }
        let raw = &self.raw[self.left.clone()];
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(raw, &mut self.text, self.is_last);
        self.left.start += read;
        self.offset += read as u64;
        self.ready = 0..written;
        match result {
            DecoderResult::InputEmpty => self.is_done = self.is_last,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(bytes, after) => {
                let at = self.offset - u64::from(bytes) - u64::from(after);
                return Err(TextFault::Malformed { encoding: self.encoding.name(), at }.into());
            }
        }
        Ok(())
    }
}

impl Read for Transcoder {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() && !self.is_done {
            self.decode()?;
        }
        let count = out.len().min(self.ready.len());
        out[..count].copy_from_slice(&self.text[self.ready.start..self.ready.start + count]);
        self.ready.start += count;
        Ok(count)
    }
}

/// Why bytes are no text.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextFault {
    Malformed { encoding: &'static str, at: u64 },
    Utf32,
}

impl TextFault {
    /// The error for a file.
    pub(super) fn error(self, label: &str) -> Error {
        let error = Error::data(format!("{label}: {self}"));
        match self {
            Self::Malformed { .. } => not_in_encoding(error),
            Self::Utf32 => error.with_help("save it as UTF-8"),
        }
    }
}

/// Says what helps against text that is in another encoding than the one it was read in.
pub(super) fn not_in_encoding(error: Error) -> Error {
    error.with_help("say in which encoding the file is").with_code(ErrorCode::WrongEncoding)
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { encoding, at } => write!(f, "not valid {encoding} at byte {at} of the file"),
            Self::Utf32 => f.write_str("the file is in UTF-32, which cannot be read"),
        }
    }
}

impl std::error::Error for TextFault {}

impl From<TextFault> for io::Error {
    fn from(fault: TextFault) -> Self {
        Self::new(io::ErrorKind::InvalidData, fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives a few bytes at a time.
    struct SlowStream(Cursor<Vec<u8>>, usize);

    impl Read for SlowStream {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = out.len().min(self.1);
            self.0.read(&mut out[..most])
        }
    }

    fn utf8(bytes: &[u8], encoding: Option<&str>) -> Result<String, String> {
        let encoding = encoding.map(|name| TextEncoding::named(name).unwrap());
        let decoded = |at_a_time: usize| {
            let slow = Box::new(SlowStream(Cursor::new(bytes.to_vec()), at_a_time));
            let mut text = String::new();
            as_utf8(slow, encoding)
                .and_then(|mut stream| stream.read_to_string(&mut text))
                .map_err(|e| e.to_string())?;
            Ok(text)
        };
        let whole = decoded(usize::MAX);
        for at_a_time in [1, 2, 3, 5] {
            assert_eq!(decoded(at_a_time), whole, "{at_a_time} bytes at a time");
        }
        whole
    }

    fn utf16(text: &str, of_unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(of_unit).collect()
    }

    #[test]
    fn text_is_decoded_however_it_arrives() {
        let text = "Zoë;東京;𝄞\r\n";
        let little = utf16(text, u16::to_le_bytes);
        let big = utf16(text, u16::to_be_bytes);
        assert_eq!(utf8(&[&b"\xFF\xFE"[..], &little].concat(), None).unwrap(), text);
        assert_eq!(utf8(&[&b"\xFE\xFF"[..], &big].concat(), None).unwrap(), text);
        // A mark says more than a name.
        assert_eq!(utf8(&[&b"\xFE\xFF"[..], &big].concat(), Some("latin1")).unwrap(), text);
        assert_eq!(
            (utf8(&little, Some("utf-16le")).unwrap(), utf8(&big, Some("utf-16be")).unwrap()),
            (text.into(), text.into())
        );
        assert_eq!(utf8(text.as_bytes(), None).unwrap(), text);
        assert_eq!(utf8(b"Zo\xEB \x80\x93", Some("windows-1252")).unwrap(), "Zoë €\u{201c}");
        assert_eq!(utf8(b"\x93\x8C\x8B\x9E", Some("shift_jis")).unwrap(), "東京");
        assert_eq!(utf8(b"", Some("utf-16le")).unwrap(), "");
    }

    #[test]
    fn long_texts_are_decoded_in_parts() {
        let text = "aé東𝄞".repeat(50_000);
        let bytes = [&b"\xFF\xFE"[..], &utf16(&text, u16::to_le_bytes)].concat();
        let mut decoded = String::new();
        as_utf8(Box::new(Cursor::new(bytes)), None).unwrap().read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, text);
    }

    #[test]
    fn what_is_no_text_is_an_error_that_says_where() {
        let text = |bytes: &[u8], encoding| utf8(bytes, encoding).unwrap_err();
        // Half a unit at the end, a first half without a second, and a second half alone.
        assert_eq!(text(b"\xFF\xFEa\0b", None), "not valid UTF-16 at byte 4 of the file");
        assert_eq!(text(b"\xFF\xFEa\0\x34\xD8b\0", None), "not valid UTF-16 at byte 4 of the file");
        assert_eq!(text(b"a\0\x1E\xDDb\0", Some("utf-16le")), "not valid UTF-16 at byte 2 of the file");
        assert_eq!(text(b"ab\x34\xD8", Some("utf-16le")), "not valid UTF-16 at byte 2 of the file");
        assert_eq!(text(b"\x93\x8C,\xFF", Some("shift_jis")), "not valid Shift_JIS at byte 3 of the file");
        assert_eq!(text(b"\xFF\xFE\0\0a\0\0\0", None), "the file is in UTF-32, which cannot be read");
    }
}
