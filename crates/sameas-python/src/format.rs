//! Formats of files as Python names them: by a word, or by the ending of a path.

use std::path::Path;

use sameas::{Error, Format, Result};

/// A format by its name.
pub fn format_named(name: &str) -> Result<Format> {
    Format::named(name)
        .ok_or_else(|| Error::usage(format!("there is no format `{name}`")).with_help("parquet, csv or jsonl"))
}

/// The format whose name is the ending of a file.
pub fn format_of(path: &Path) -> Result<Format> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    Format::named(&ending).ok_or_else(|| Format::cannot_write(path))
}
