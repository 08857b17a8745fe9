//! The formats of results, by their names and by the endings of files.

use std::path::Path;

use crate::error::Error;
use crate::records::{FileFormat, ResultEnding, result_ending};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, one row group per chunk.
    Parquet,
    /// Comma-separated values with a header, lines ended by a line feed.
    Csv,
    /// The same for spreadsheets: texts that one of them would take for formulas have an apostrophe before them.
    EscapedCsv,
    /// One JSON object per line.
    Json,
}

impl Format {
    /// The formats that readers can tell apart, in the order in which results are looked for: escaped CSV is CSV to
    /// them.
    #[doc(hidden)]
    pub fn of_files() -> [Self; 3] {
        FileFormat::ALL.map(Self::for_readers_of)
    }

    fn for_readers_of(format: FileFormat) -> Self {
        match format {
            FileFormat::Parquet => Self::Parquet,
            FileFormat::Csv => Self::Csv,
            FileFormat::Json => Self::Json,
        }
    }

    /// The ending of a file's name.
    pub fn extension(self) -> &'static str {
        let format = match self {
            Self::Parquet => FileFormat::Parquet,
            Self::Csv | Self::EscapedCsv => FileFormat::Csv,
            Self::Json => FileFormat::Json,
        };
        format.ending()
    }

    /// The format with this name: `parquet`, `csv`, `jsonl` or `json`.
    pub fn named(name: &str) -> Option<Self> {
        FileFormat::named(name).map(Self::for_readers_of)
    }

    /// The format that the ending of a file's name says, if it is one that can be written.
    pub fn of_file(path: &Path) -> Option<Self> {
        match ending_of(path) {
            ResultEnding::Written(format) => Some(Self::for_readers_of(format)),
            ResultEnding::Refused | ResultEnding::Unknown => None,
        }
    }

    /// Whether the ending of a file's name says that people expect a file that cannot be written.
    #[doc(hidden)]
    pub fn is_refused(path: &Path) -> bool {
        ending_of(path) == ResultEnding::Refused
    }

    /// That a file with this name cannot be written.
    #[doc(hidden)]
    pub fn cannot_write(path: &Path) -> Error {
        Error::usage(format!("a file like `{}` cannot be written", path.display()))
            .with_help("end its name with .csv, .parquet or .jsonl (JSON, one object per line)")
    }
}

fn ending_of(path: &Path) -> ResultEnding {
    path.extension().map_or(ResultEnding::Unknown, |ending| result_ending(&ending.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_and_names_say_formats() {
        let of = |path: &str| Format::of_file(Path::new(path));
        let known = [of("a/p.csv"), of("P.PQ"), of("p.ndjson")].map(Option::unwrap);
        assert_eq!(known, [Format::Csv, Format::Parquet, Format::Json]);
        assert_eq!([of("p"), of("p.json"), of("p.facts"), of("p.csv.gz")], [None; 4]);
        let refused = |path: &str| Format::is_refused(Path::new(path));
        assert!(refused("p.json") && refused("p.csv.GZ") && refused("p.xlsx"));
        assert!(!refused("p") && !refused("p.v2") && !refused("p.facts") && !refused("p.csv"));
        let named = ["json", "jsonl", "csv"].map(Format::named).map(Option::unwrap);
        assert_eq!(named, [Format::Json, Format::Json, Format::Csv]);
        assert_eq!(["pq", "CSV", ""].map(Format::named), [None; 3]);
        assert_eq!(Format::of_files().map(Format::extension), ["parquet", "csv", "jsonl"]);
    }
}
