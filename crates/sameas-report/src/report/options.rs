//! What a report may hold, and why it may hold less.

use serde::Serialize;

use crate::engine::AskedRecords;
use crate::evaluate::SweepTable;
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
    /// Thresholds and ways to make clusters of the pairs of the run, if they were compared.
    pub sweep: Option<SweepTable>,
    /// The records of the run, if another report has read them.
    pub(super) records: Option<AskedRecords>,
}

impl Default for ReportOptions {
    fn default() -> Self {
        let (mask, folder) = (Vec::new(), String::new());
        Self { size: 10_000_000, bytes: 10_000_000, mask, truth: None, folder, sweep: None, records: None }
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

    /// With thresholds and ways to make clusters of the pairs of the run, compared.
    #[must_use]
    pub fn with_sweep(mut self, sweep: SweepTable) -> Self {
        self.sweep = Some(sweep);
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum WithoutValues {
    /// It is not known what the job was.
    UnknownJob,
    /// A file of an input is gone.
    MissingFile {
        /// Its path.
        path: String,
    },
    /// An input was a stream, and what has come of it is not there any more.
    Stream {
        /// The name of the input.
        input: String,
    },
    /// Records are in no file: somebody gave them to the run, and has to give them again.
    GivenRecords {
        /// What they are called.
        input: String,
    },
}
