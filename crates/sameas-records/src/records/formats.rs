//! The formats of files, by the endings of their names: the one list of what is read, what is written and what is
//! neither.
//!
//! Readers, the names of inputs, results, the program and the Python package all look here.

/// How a table lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Apache Parquet.
    Parquet,
    /// Values with delimiters between them, and names before them.
    Csv,
    /// One JSON object per line.
    Json,
}

impl FileFormat {
    /// All of them, in the order in which results are looked for.
    pub const ALL: [Self; 3] = [Self::Parquet, Self::Csv, Self::Json];

    /// The ending of files that are written, without the dot.
    pub fn ending(self) -> &'static str {
        self.names()[0]
    }

    /// The format that people call by this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.names().contains(&name))
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Parquet => &["parquet"],
            Self::Csv => &["csv"],
            Self::Json => &["jsonl", "json"],
        }
    }
}

/// What the ending of a result's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultEnding {
    /// A file in this format.
    Written(FileFormat),
    /// A file that people may expect to get and cannot.
    Refused,
    /// Nothing: it may be the name of a folder.
    Unknown,
}

/// Tuples as plain text, without names and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlainTuples {
    /// What is between two values, if the ending says it.
    pub(super) delimiter: Option<u8>,
}

/// What is known of files whose names have one of some endings.
struct FileKind {
    /// Without the dot, in lower case.
    endings: &'static [&'static str],
    /// What they hold.
    content: FileContent,
    /// How they are read where they hold tuples and nothing else is said of them, if not as records are.
    tuples: Option<PlainTuples>,
    /// What they are as results.
    result: ResultEnding,
}

/// What a file holds, as far as its ending says it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileContent {
    /// A table, which is read.
    Table(FileFormat),
    /// Another file, packed by gzip or zstd: the ending before this one says which.
    Packed,
    /// A spreadsheet, which is not read.
    Spreadsheet,
    /// Its first bytes say it.
    Unknown,
}

/// Of an ending that says nothing.
const UNKNOWN: FileKind =
    FileKind { endings: &[], content: FileContent::Unknown, tuples: None, result: ResultEnding::Unknown };

/// Of a table that is read, and never written.
const fn read_only(endings: &'static [&'static str], format: FileFormat) -> FileKind {
    FileKind { endings, content: FileContent::Table(format), result: ResultEnding::Refused, ..UNKNOWN }
}

/// Of a table that is read and written.
const fn read_and_written(endings: &'static [&'static str], format: FileFormat) -> FileKind {
    FileKind { result: ResultEnding::Written(format), ..read_only(endings, format) }
}

const PLAIN: Option<PlainTuples> = Some(PlainTuples { delimiter: None });
const WITH_TABS: Option<PlainTuples> = Some(PlainTuples { delimiter: Some(b'\t') });

/// The list.
const KINDS: [FileKind; 12] = [
    read_and_written(&["parquet", "pq"], FileFormat::Parquet),
    read_and_written(&["csv"], FileFormat::Csv),
    read_and_written(&["jsonl", "ndjson"], FileFormat::Json),
    // Whoever wants this as a result wants one document, and not lines.
    read_only(&["json"], FileFormat::Json),
    read_only(&["tsv"], FileFormat::Csv),
    FileKind { tuples: PLAIN, ..read_only(&["txt"], FileFormat::Csv) },
    // As Soufflé reads and writes them.
    FileKind { tuples: WITH_TABS, result: ResultEnding::Unknown, ..read_only(&["facts"], FileFormat::Csv) },
    FileKind { endings: &["edges", "edgelist", "el", "dat"], tuples: PLAIN, ..UNKNOWN },
    FileKind { endings: &["gz", "zst"], content: FileContent::Packed, result: ResultEnding::Refused, ..UNKNOWN },
    FileKind {
        endings: &["xlsx", "xls", "ods"],
        content: FileContent::Spreadsheet,
        result: ResultEnding::Refused,
        ..UNKNOWN
    },
    FileKind { endings: &["xlsm", "xlsb"], content: FileContent::Spreadsheet, ..UNKNOWN },
    FileKind { endings: &["zip", "arrow", "feather"], result: ResultEnding::Refused, ..UNKNOWN },
];

/// What is known of an ending, in upper or lower case.
fn kind_of(ending: &str) -> FileKind {
    let has_it = |kind: &FileKind| kind.endings.iter().any(|own| own.eq_ignore_ascii_case(ending));
    KINDS.into_iter().find(has_it).unwrap_or(UNKNOWN)
}

/// What a file with this ending is read as; none where its first bytes say it.
pub(super) fn read_as(ending: &str) -> Option<FileFormat> {
    match kind_of(ending).content {
        FileContent::Table(format) => Some(format),
        FileContent::Packed | FileContent::Spreadsheet | FileContent::Unknown => None,
    }
}

/// Whether this ending says that a file is packed.
pub(super) fn is_packing(ending: &str) -> bool {
    kind_of(ending).content == FileContent::Packed
}

/// Whether this is the ending of a spreadsheet.
pub(super) fn is_spreadsheet(ending: &str) -> bool {
    kind_of(ending).content == FileContent::Spreadsheet
}

/// How tuples lie in a file with this ending, if not as records do.
pub(super) fn plain_tuples(ending: &str) -> Option<PlainTuples> {
    kind_of(ending).tuples
}

/// What this ending of a result's name says.
pub fn result_ending(ending: &str) -> ResultEnding {
    kind_of(ending).result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_in_the_list_once() {
        let mut endings: Vec<&str> = KINDS.iter().flat_map(|kind| kind.endings).copied().collect();
        let all = endings.len();
        endings.sort_unstable();
        endings.dedup();
        assert_eq!(endings.len(), all);
    }

    #[test]
    fn what_is_written_can_be_read_again() {
        for format in FileFormat::ALL {
            assert_eq!(read_as(format.ending()), Some(format));
            assert_eq!(result_ending(format.ending()), ResultEnding::Written(format));
            assert_eq!(FileFormat::named(format.ending()), Some(format));
        }
        for kind in &KINDS {
            if let ResultEnding::Written(format) = kind.result {
                assert!(kind.content == FileContent::Table(format), "{:?}", kind.endings);
            }
        }
    }

    #[test]
    fn each_ending_means_what_it_always_did() {
        let endings = |of: &dyn Fn(&FileKind) -> bool| -> Vec<&'static str> {
            KINDS.iter().filter(|kind| of(kind)).flat_map(|kind| kind.endings).copied().collect()
        };
        let read = |format: FileFormat| endings(&|kind: &FileKind| kind.content == FileContent::Table(format));
        assert_eq!(read(FileFormat::Parquet), ["parquet", "pq"]);
        assert_eq!(read(FileFormat::Csv), ["csv", "tsv", "txt", "facts"]);
        assert_eq!(read(FileFormat::Json), ["jsonl", "ndjson", "json"]);
        assert_eq!(
            endings(&|kind: &FileKind| kind.result == ResultEnding::Refused),
            ["json", "tsv", "txt", "gz", "zst", "xlsx", "xls", "ods", "zip", "arrow", "feather"]
        );
        let of_tuples = endings(&|kind: &FileKind| kind.tuples.is_some());
        assert_eq!(of_tuples, ["txt", "facts", "edges", "edgelist", "el", "dat"]);
        assert!(is_packing("GZ") && is_packing("zst") && !is_packing("csv"));
        assert!(is_spreadsheet("XLSM") && is_spreadsheet("ods") && !is_spreadsheet("zip"));
        assert_eq!((read_as("CSV"), read_as("dat"), read_as("")), (Some(FileFormat::Csv), None, None));
        assert_eq!((FileFormat::named("json"), FileFormat::named("pq")), (Some(FileFormat::Json), None));
    }
}
