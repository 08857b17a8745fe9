//! Opens the bytes that rows are read from: finds out how they are packed and what they hold, and unpacks and decodes
//! them while they are read.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

pub(super) use super::input_file::InputFile;
use super::spreadsheet;
use super::transcode::{TextFault, as_utf8, sniffable};
use crate::error::{Error, Result};
use crate::records::encoding::TextEncoding;
use crate::records::input::Location;

/// Unpacked bytes.
pub(super) type Stream = Box<dyn Read + Send + Sync>;

const READ_BUFFER: usize = 256 << 10;
/// Bytes read to find out what an unnamed stream holds.
const SNIFFED: usize = 4 << 10;
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileFormat {
    Csv,
    Json,
    Parquet,
}

/// A file or stream that rows are read from.
pub(super) struct ByteSource {
    /// What error messages call it.
    pub(super) label: String,
    backing: Backing,
    /// The encoding that the user has named.
    encoding: Option<TextEncoding>,
}

enum Backing {
    /// A regular file: can be opened as often as needed.
    File(InputFile),
    /// Can be read once.
    Stream(Stream),
}

impl ByteSource {
    /// Opens a location and finds what it holds: by its ending if that is known, else by its first bytes.
    pub(super) fn find(location: &Location, encoding: Option<TextEncoding>) -> Result<(Self, FileFormat)> {
        let label = location.label();
        let by_ending = location.format_ending().and_then(|ending| format_of(&ending));
        match location {
            Location::File(path) if path.is_file() => {
                let file = InputFile::find(path).map_err(|error| unreadable(&label, &error))?;
                let place = Self { label, backing: Backing::File(file), encoding };
                place.refuse_spreadsheet()?;
                let format = by_ending.map_or_else(|| place.sniffed(), Ok)?;
                Ok((place, format))
            }
            Location::File(path) => {
                let file = File::open(path).map_err(|error| unreadable(&label, &error))?;
                Self::streamed(label, Box::new(file), by_ending, encoding)
            }
            Location::Stdin => Self::streamed(label, Box::new(io::stdin()), by_ending, encoding),
        }
    }

    /// Refuses a spreadsheet, whatever its name ends in.
    fn refuse_spreadsheet(&self) -> Result<()> {
        let Backing::File(file) = &self.backing else { return Ok(()) };
        let first = peek(&mut file.open(&self.label)?, spreadsheet::FIRST);
        spreadsheet::refuse(&self.label, &first.map_err(|error| unreadable(&self.label, &error))?)
    }

    fn sniffed(&self) -> Result<FileFormat> {
        let Backing::File(file) = &self.backing else { return Ok(FileFormat::Csv) };
        let opened = file.open(&self.label)?;
        let sniff = || Ok(format_by_content(&peek(&mut unpacked(opened)?, SNIFFED)?, self.encoding));
        sniff().map_err(|error| unreadable(&self.label, &error))
    }

    /// JSON is read twice and Parquet from its end, so these streams are kept in a temporary file first.
    pub(super) fn streamed(
        label: String,
        raw: Stream,
        by_ending: Option<FileFormat>,
        encoding: Option<TextEncoding>,
    ) -> Result<(Self, FileFormat)> {
        let failed = |error: io::Error| unreadable(&label, &error);
        let mut stream = unpacked(raw).map_err(failed)?;
        let first = peek(&mut stream, SNIFFED).map_err(failed)?;
        spreadsheet::refuse(&label, &first)?;
        let format = by_ending.unwrap_or_else(|| format_by_content(&first, encoding));
        let mut whole: Stream = Box::new(Cursor::new(first).chain(stream));
        let backing = match format {
            FileFormat::Csv => Backing::Stream(whole),
            _ => Backing::File(InputFile::spooled(&mut whole).map_err(failed)?),
        };
        Ok((Self { label, backing, encoding }, format))
    }

    /// Whether [`Self::stream`] starts at the beginning each time.
    pub(super) fn reopens(&self) -> bool {
        !matches!(self.backing, Backing::Stream(_))
    }

    /// The unpacked text from the beginning, as UTF-8 if it is what it claims to be.
    pub(super) fn stream(&mut self) -> Result<Stream> {
        let stream = match &mut self.backing {
            Backing::File(file) => unpacked(file.open(&self.label)?),
            Backing::Stream(stream) => Ok(std::mem::replace(stream, Box::new(io::empty()))),
        };
        let stream = stream.and_then(|stream| as_utf8(stream, self.encoding));
        stream.map_err(|error| unreadable(&self.label, &error))
    }

    /// An error if the file is not what it was when it was found.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        match &self.backing {
            Backing::File(file) => file.check_unchanged(&self.label),
            Backing::Stream(_) => Ok(()),
        }
    }

    /// The file to read at will.
    pub(super) fn into_file(self) -> Result<InputFile> {
        match self.backing {
            Backing::File(file) => Ok(file),
            Backing::Stream(_) => Err(Error::internal(format!("{}: a stream is not a file", self.label))),
        }
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

fn format_of(ending: &str) -> Option<FileFormat> {
    match ending {
        "csv" | "tsv" | "txt" | "facts" => Some(FileFormat::Csv),
        "json" | "jsonl" | "ndjson" => Some(FileFormat::Json),
        "parquet" | "pq" => Some(FileFormat::Parquet),
        _ => None,
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
fn unpacked(mut raw: impl Read + Send + Sync + 'static) -> io::Result<Stream> {
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
