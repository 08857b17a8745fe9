//! Spreadsheets and archives, which are often given where a table is needed: recognised by their first bytes, with what to do.

use std::path::Path;

use crate::error::{Error, Result};
use crate::records::formats;

/// The first bytes that are looked at.
pub(super) const FIRST: usize = 64;

/// How a zip archive begins. Spreadsheets are such archives, but for those of old versions of Excel.
const ZIP: &[u8] = b"PK\x03\x04";
const OLD_EXCEL: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Where the name of the first file of an archive begins, and how it begins in spreadsheets.
const NAME: usize = 30;
const NAMES: [&[u8]; 5] = [b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/", b"mimetype"];

const SAVE_AS_CSV: &str =
    "save the sheet as CSV in UTF-8, or read it in Python, where `read_excel` of pandas or polars gives a frame to use";

/// Refuses a file that begins like a spreadsheet or an archive: as text it would be in some encoding that nobody knows.
pub(super) fn refuse(label: &str, first: &[u8]) -> Result<()> {
    let (what, help) = match (is_spreadsheet(label, first), first.starts_with(ZIP)) {
        (true, _) => ("a spreadsheet", SAVE_AS_CSV),
        (false, true) => ("a zip archive", "unpack it; files that gzip or zstd has packed are read as they are"),
        (false, false) => return Ok(()),
    };
    Err(Error::data(format!("{label}: the file is {what}, and CSV, JSON lines or Parquet is needed")).with_help(help))
}

fn is_spreadsheet(label: &str, first: &[u8]) -> bool {
    let ending = Path::new(label).extension();
    let is_named = ending.is_some_and(|ending| formats::is_spreadsheet(&ending.to_string_lossy()));
    let name = first.get(NAME..).unwrap_or_default();
    let has_name = NAMES.iter().any(|start| name.starts_with(start));
    first.starts_with(OLD_EXCEL) || first.starts_with(ZIP) && (is_named || has_name)
}
