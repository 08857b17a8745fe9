//! Files as parts of a source: each is opened by what it holds.

use super::byte_source::{ByteSource, KnownStreams};
use super::csv::CsvPart;
use super::in_groups::in_groups;
use super::json::JsonPart;
use super::open_source::OpenSource;
use super::opening::Opening;
use super::parquet::ParquetPart;
use super::part::SourcePart;
use super::plain_text::PlainTextPart;
use super::reading::Reading;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::formats::FileFormat;
use crate::records::location::Location;
use crate::records::read_options::TextOptions;

/// Finds the columns of some files, of which there is one at least: reads their headers and footers, and JSON lines as a whole.
pub(in crate::records) fn open_files(
    locations: Vec<Location>,
    streams: &KnownStreams,
    opening: &Opening<'_>,
) -> Result<OpenSource> {
    let text = opening.options().text(opening.tuples)?;
    let (name, first) = (locations[0].name(), locations[0].label());
    let cancel = opening.cancel;
    let budget = cancel.budget().cloned().unwrap_or_else(MemoryBudget::unlimited);
    let check = |_| cancel.check();
    let reading = Reading::new(locations.len(), opening.block_bytes, &budget, &check);
    let open = |location: Location| {
        let (place, format) = ByteSource::find(&location, text.encoding, streams)?;
        part_of(place, format, text.of_file(&location), &reading)
    };
    let opened = OpenSource::of_parts(&name, in_groups(locations, open)?)?;
    if opened.schema().fields().is_empty() {
        return Err(Error::data(format!("{first}: the file is empty")));
    }
    Ok(opened.with_text(text))
}

/// A file with what it holds.
pub(super) fn part_of(
    place: ByteSource,
    format: FileFormat,
    text: TextOptions,
    reading: &Reading<'_>,
) -> Result<Box<dyn SourcePart>> {
    Ok(match format {
        FileFormat::Csv if text.is_plain => Box::new(PlainTextPart::open(place, text, reading)?),
        FileFormat::Csv => Box::new(CsvPart::open(place, text, reading)?),
        FileFormat::Json => Box::new(JsonPart::open(place, reading)?),
        FileFormat::Parquet => Box::new(ParquetPart::open(place, reading)?),
    })
}
