//! What a report may hold, and why it may hold less.

use crate::records::Input;

/// What a report may hold.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportOptions {
    /// The size of the whole report, as its header says it.
    pub size: u64,
    /// The bytes that facts and tables may take, packed and written as text.
    pub bytes: u64,
    /// Columns whose values are masked.
    pub mask: Vec<String>,
    /// The truth, if it is known: pairs or clusters.
    pub truth: Option<Input>,
    /// The folder of the results, as the report names it.
    pub folder: String,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { size: 10_000_000, bytes: 10_000_000, mask: Vec::new(), truth: None, folder: String::new() }
    }
}

impl ReportOptions {
    /// For a report of this size, of which facts and tables may take this many bytes.
    #[must_use]
    pub fn with_size(mut self, size: u64, bytes: u64) -> Self {
        (self.size, self.bytes) = (size, bytes);
        self
    }

    /// With the values of a column masked.
    #[must_use]
    pub fn with_mask(mut self, column: &str) -> Self {
        self.mask.push(column.to_owned());
        self
    }

    /// With the truth, which the result is compared with.
    #[must_use]
    pub fn with_truth(mut self, truth: Input) -> Self {
        self.truth = Some(truth);
        self
    }

    /// With the name of the folder that the results are in.
    #[must_use]
    pub fn with_folder(mut self, folder: &str) -> Self {
        self.folder = folder.to_owned();
        self
    }
}

/// Why a report has no values of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithoutValues {
    /// It is not known what the job was.
    UnknownJob,
    /// A file of an input is gone.
    MissingFile {
        /// Its path.
        path: String,
    },
    /// An input was a stream, which can be read only once.
    Stream {
        /// The name of the input.
        input: String,
    },
}
