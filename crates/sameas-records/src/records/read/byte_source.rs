//! Opens the bytes that rows are read from: finds out how they are packed and what they hold, and unpacks and decodes
//! them while they are read.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};

use super::input_file::InputFile;
use super::spooled_bytes::SpooledBytes;
use super::spreadsheet;
use super::transcode::{TextFault, as_utf8, sniffable};
use crate::error::{Error, Result};
use crate::records::encoding::TextEncoding;
use crate::records::formats::{FileFormat, read_as};
use crate::records::location::Location;

/// Unpacked bytes.
pub(super) type Stream = Box<dyn Read + Send + Sync>;

const READ_BUFFER: usize = 256 << 10;
/// Bytes read to find out what an unnamed stream holds.
const SNIFFED: usize = 4 << 10;
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes that can be read from their beginning as often as needed.
pub(super) trait StoredBytes: std::fmt::Debug + Send + Sync {
    /// The unpacked bytes from the beginning; `label` is what messages call them.
    fn unpacked(&self, label: &str) -> Result<Stream>;

    /// All of them, to be read at will.
    fn file(&self, label: &str) -> Result<File>;

    /// An error if they are not what they were when they were found.
    fn check_unchanged(&self, label: &str) -> Result<()>;
}

/// The streams among the files of an input, which come once: what has come of each is kept for whoever opens it again.
#[derive(Debug, Default)]
pub(in crate::records) struct KnownStreams(Mutex<Vec<(Location, KnownStream)>>);

/// What a place gives, once it was opened.
type KnownStream = Arc<Mutex<Option<SpooledBytes>>>;

impl KnownStreams {
    /// What a place gives, which is opened only once. Others may be opened meanwhile: pipes wait for each other.
    fn at(&self, location: &Location) -> io::Result<SpooledBytes> {
        let known = self.place_of(location);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(bytes) => Ok(bytes.clone()),
            None => {
                let raw: Stream = match location.path() {
                    Some(path) => Box::new(File::open(path)?),
                    None => Box::new(io::stdin()),
                };
                Ok(known.insert(SpooledBytes::new(unpacked(raw)?)?).clone())
            }
        }
    }

    fn place_of(&self, location: &Location) -> KnownStream {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(place, _)| place == location) {
            return Arc::clone(known);
        }
        let new = KnownStream::default();
        all.push((location.clone(), Arc::clone(&new)));
        new
    }

    /// Whether this place was read, and can be read again.
    pub(in crate::records) fn has(&self, location: &Location) -> bool {
        let known = self.place_of(location);
        let known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(SpooledBytes::is_kept)
    }
}

/// A file or stream that rows are read from.
pub(super) struct ByteSource {
    /// What error messages call it.
    pub(super) label: String,
    bytes: Box<dyn StoredBytes>,
    /// The encoding that the user has named.
    encoding: Option<TextEncoding>,
}

impl ByteSource {
    /// Opens a location and finds what it holds: by its ending if that is known, else by its first bytes.
    pub(super) fn find(
        location: &Location,
        encoding: Option<TextEncoding>,
        streams: &KnownStreams,
    ) -> Result<(Self, FileFormat)> {
        let label = location.label();
        let failed = |error: io::Error| unreadable(&label, &error);
        let by_ending = location.format_ending().and_then(|ending| read_as(&ending));
        if let Some(path) = location.path().filter(|path| path.is_file()) {
            let file = InputFile::find(path).map_err(failed)?;
            // Whatever its name ends in, and before anything is unpacked.
            let first = peek(&mut file.file(&label)?, spreadsheet::FIRST).map_err(failed)?;
            spreadsheet::refuse(&label, &first)?;
            return Self::of_bytes(label, Box::new(file), by_ending, encoding);
        }
        let stream = streams.at(location).map_err(failed)?;
        Self::of_stream(label, stream, by_ending, encoding)
    }

    /// What a stream holds.
    pub(super) fn of_stream(
        label: String,
        stream: SpooledBytes,
        by_ending: Option<FileFormat>,
        encoding: Option<TextEncoding>,
    ) -> Result<(Self, FileFormat)> {
        let first = peek(&mut stream.read_from_start(), SNIFFED).map_err(|error| unreadable(&label, &error))?;
        spreadsheet::refuse(&label, &first)?;
        Self::of_bytes(label, Box::new(stream), by_ending, encoding)
    }

    fn of_bytes(
        label: String,
        bytes: Box<dyn StoredBytes>,
        by_ending: Option<FileFormat>,
        encoding: Option<TextEncoding>,
    ) -> Result<(Self, FileFormat)> {
        let sniffed = || -> Result<FileFormat> {
            let first = peek(&mut bytes.unpacked(&label)?, SNIFFED).map_err(|error| unreadable(&label, &error))?;
            Ok(format_by_content(&first, encoding))
        };
        let format = by_ending.map_or_else(sniffed, Ok)?;
        Ok((Self { label, bytes, encoding }, format))
    }

    /// The unpacked text from the beginning, as UTF-8 if it is what it claims to be.
    pub(super) fn stream(&self) -> Result<Stream> {
        let stream = as_utf8(self.bytes.unpacked(&self.label)?, self.encoding);
        stream.map_err(|error| unreadable(&self.label, &error))
    }

    /// All bytes, to be read at will.
    pub(super) fn file(&self) -> Result<File> {
        self.bytes.file(&self.label)
    }

    /// An error if the file is not what it was when it was found.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        self.bytes.check_unchanged(&self.label)
    }
}

/// Says that `label` could not be read: broken content is the data's fault, all else the system's.
pub(super) fn unreadable(label: &str, error: &io::Error) -> Error {
    use io::ErrorKind::{InvalidData, InvalidInput, NotFound, Other, UnexpectedEof};
    if let Some(fault) = error.get_ref().and_then(|cause| cause.downcast_ref::<TextFault>()) {
        return fault.error(label);
    }
    match error.kind() {
        NotFound => Error::data(format!("{label}: no such file")),
        InvalidData | InvalidInput | Other | UnexpectedEof => {
            Error::data(format!("{label}: cannot be decompressed: {error}"))
        }
        _ => Error::resource(format!("{label}: cannot be read: {error}")),
    }
}

fn format_by_content(first: &[u8], encoding: Option<TextEncoding>) -> FileFormat {
    if first.starts_with(b"PAR1") {
        return FileFormat::Parquet;
    }
    let first = sniffable(first, encoding);
    let text = first.strip_prefix(BOM).unwrap_or(&first).trim_ascii_start();
    // An array of objects is not JSON lines, but the JSON reader can say so; the CSV reader could not.
    let array = text.strip_prefix(b"[").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{"));
    if array || text.starts_with(b"{") { FileFormat::Json } else { FileFormat::Csv }
}

/// Unpacks gzip (of any number of members) and zstd (of any number of frames), recognised by their first bytes.
pub(super) fn unpacked(mut raw: impl Read + Send + Sync + 'static) -> io::Result<Stream> {
    let magic = peek(&mut raw, 4)?;
    let packing = packing_of(&magic);
    let whole = Cursor::new(magic).chain(raw);
    Ok(match packing {
        Packing::None => Box::new(whole),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(READ_BUFFER, whole))),
        Packing::Zstd => {
            Box::new(zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(READ_BUFFER, whole))?)
        }
    })
}

enum Packing {
    None,
    Gzip,
    Zstd,
}

fn packing_of(magic: &[u8]) -> Packing {
    match magic {
        [0x1F, 0x8B, ..] => Packing::Gzip,
        // The second is a skippable frame, with which parallel compressors begin.
        [0x28, 0xB5, 0x2F, 0xFD] | [0x50..=0x5F, 0x2A, 0x4D, 0x18] => Packing::Zstd,
        _ => Packing::None,
    }
}

pub(super) fn peek(stream: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count);
    stream.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_found_from_the_content() {
        let format_by_content = |first: &[u8]| format_by_content(first, None);
        assert_eq!(format_by_content(b"PAR1\x15\x04"), FileFormat::Parquet);
        assert_eq!(format_by_content(b"\xFF\xFE{\0\"\0i\0"), FileFormat::Json);
        assert_eq!(format_by_content(b"\xEF\xBB\xBF \n{\"id\": 1}"), FileFormat::Json);
        assert_eq!(format_by_content(b"[ {\"id\": 1}]"), FileFormat::Json);
        assert_eq!(format_by_content(b"[id],name"), FileFormat::Csv);
        assert_eq!(format_by_content(b""), FileFormat::Csv);
    }
}
