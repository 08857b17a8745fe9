//! A report as a file.

use std::io::Write;
use std::path::PathBuf;

use sameas::report::{ReportOptions, RunReport};
use sameas::{Error, Observer, Result, ResultFile};
use sameas_cli::html_report;

use crate::input::Input;
use crate::sweep::SweepTable;

/// Where a report goes, and what it may hold.
pub struct Page {
    pub path: PathBuf,
    pub overwrite: bool,
    pub size: u64,
    /// Columns whose values are masked.
    pub mask: Vec<String>,
    pub truth: Option<Input>,
    /// Thresholds and ways to make clusters, compared.
    pub sweep: Option<SweepTable>,
    /// The folder of the results, as the report names it.
    pub folder: String,
}

impl Page {
    /// Writes the report that `make` makes; `reads` is what it is made of, but for the truth. It appears complete or not at all.
    pub fn write(
        self,
        mut reads: Vec<sameas::Input>,
        observer: &dyn Observer,
        make: impl Fn(&ReportOptions, &dyn Observer) -> Result<RunReport>,
    ) -> Result<()> {
        let options = ReportOptions::default().with_folder(&self.folder);
        let mut options = self.mask.iter().fold(options, |options, column| options.with_mask(column));
        options.truth = self.truth.map(|truth| truth.input);
        options.sweep = self.sweep.map(|sweep| sweep.table);
        let mut file = ResultFile::create(&self.path, self.overwrite)?;
        reads.extend(options.truth.clone());
        file.protect_inputs(&reads)?;
        let html = html_report(self.size, &options, observer, make)?;
        file.write_all(html.as_bytes()).map_err(|error| Error::io("cannot write", &self.path, error))?;
        file.finish()
    }
}
