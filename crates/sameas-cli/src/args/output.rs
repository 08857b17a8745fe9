//! Where results go: a folder, one file, or standard output. And how a plan is printed.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sameas::entities::{ResultTables, WithColumns};
use sameas::{Error, Format, Result};

/// Where results go, and in which format.
#[derive(Debug, Args)]
pub struct Output {
    /// Folder for the results; or one file, by its ending .csv, .parquet or .jsonl; or - for standard output
    #[arg(short, long, value_name = "DIR|FILE", default_value = "sameas-out")]
    output: PathBuf,
    /// Replace earlier results in the folder, or the file
    #[arg(long)]
    pub overwrite: bool,
    /// Keep what is found in the folder while the run goes on, and go on from there if an earlier run was interrupted
    #[arg(long)]
    pub resume: bool,
    /// Format of the results [default: parquet in a folder, csv on standard output, a file's by its ending]
    #[arg(long)]
    format: Option<TableFormat>,
    /// What one file or standard output gets [default: pairs]; a folder gets pairs and clusters, and these tables besides
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    what: Vec<ResultTable>,
    /// Entities say of each value which record it came from, and how many other values there are
    #[arg(long)]
    provenance: bool,
    /// Columns of both records beside each pair, such as name,city: name_l, name_r and so on; `all` for all columns
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    with: Vec<String>,
    /// The best record of each entity, in place of all records
    #[arg(long, value_name = "RECORDS")]
    keep: Option<KeptRecords>,
    #[command(flatten)]
    escape: EscapeFormulas,
}

/// Whether CSV is safe to open in a spreadsheet.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct EscapeFormulas {
    /// In CSV, put an apostrophe before texts that a spreadsheet would take for a formula, such as ids that begin with =
    #[arg(long)]
    escape_formulas: bool,
}

impl EscapeFormulas {
    /// The format with formulas escaped, where that is wanted.
    pub fn apply(self, format: Format) -> Result<Format> {
        match (self.escape_formulas, format) {
            (false, _) => Ok(format),
            (true, Format::Csv | Format::EscapedCsv) => Ok(Format::EscapedCsv),
            (true, Format::Parquet | Format::Json) => Err(Error::usage("--escape-formulas is for CSV")
                .with_help("leave it out, or write CSV, as in --format csv or -o pairs.csv")),
        }
    }
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    Parquet,
    Csv,
    /// One object per line
    Json,
}

/// How a plan is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    Text,
    Json,
}

/// A table of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultTable {
    Pairs,
    Clusters,
    /// One row for each cluster, as [entity] of the rules says
    Entities,
    /// The input with the id of each record's entity
    Records,
}

/// Which records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KeptRecords {
    /// One of each entity: as an entry for `*` in [entity] says, else the most complete one
    Best,
}

/// Where results go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputTarget {
    /// Files in a folder.
    Folder(PathBuf, Format),
    /// One table in a file.
    File(PathBuf, Format, ResultTable),
    /// One table to standard output.
    Stdout(Format, ResultTable),
}

impl From<TableFormat> for Format {
    fn from(format: TableFormat) -> Self {
        match format {
            TableFormat::Parquet => Self::Parquet,
            TableFormat::Csv => Self::Csv,
            TableFormat::Json => Self::Json,
        }
    }
}

/// The format of a file of pairs, by its ending; CSV where it has none.
pub fn format_of(path: &Path) -> Result<Format> {
    match Format::of_file(path) {
        Some(format) => Ok(format),
        None if path.extension().is_none() => Ok(Format::Csv),
        None => Err(Format::cannot_write(path)),
    }
}

impl Output {
    /// Where the results go.
    pub fn target(&self) -> Result<OutputTarget> {
        let table = self.one_table();
        if self.output == Path::new("-") {
            return self.to_standard_output(table?);
        }
        match Format::of_file(&self.output) {
            _ if self.output.is_dir() => self.to_folder(),
            Some(format) => self.to_file(format, table?),
            None if Format::is_refused(&self.output) => Err(Format::cannot_write(&self.output)),
            None => self.to_folder(),
        }
    }

    fn to_folder(&self) -> Result<OutputTarget> {
        if self.what.iter().any(|table| matches!(table, ResultTable::Pairs | ResultTable::Clusters)) {
            return Err(Error::usage(
                "--what chooses what one file or standard output gets, and a folder gets both tables",
            )
            .with_help("leave it out, or name a file, as in -o clusters.csv"));
        }
        self.check_kept(self.what.contains(&ResultTable::Records))?;
        let format = self.escape.apply(self.format.map_or(Format::Parquet, Format::from))?;
        Ok(OutputTarget::Folder(self.output.clone(), format))
    }

    /// The table that one file or standard output gets.
    fn one_table(&self) -> Result<ResultTable> {
        let table = match self.what[..] {
            [] => ResultTable::Pairs,
            [table] => table,
            _ => {
                return Err(Error::usage("one file or standard output gets one table, and --what names several")
                    .with_help("name one of them, or an output folder"));
            }
        };
        if self.provenance && table != ResultTable::Entities {
            return Err(Error::usage("--provenance is of entities").with_help("use --what entities for that"));
        }
        self.check_kept(table == ResultTable::Records)?;
        if !self.with.is_empty() && table != ResultTable::Pairs {
            return Err(Error::usage("--with gives columns to pairs").with_help("use --what pairs for that"));
        }
        Ok(table)
    }

    fn check_kept(&self, has_records: bool) -> Result<()> {
        if self.keep.is_none() || has_records {
            return Ok(());
        }
        Err(Error::usage("--keep says which records are written").with_help("use --what records for that"))
    }

    /// The tables of entities and records that results have.
    pub fn tables(&self) -> ResultTables {
        let mut tables = ResultTables::default();
        tables.entities = self.what.contains(&ResultTable::Entities);
        tables.records = self.what.contains(&ResultTable::Records);
        tables.provenance = self.provenance;
        tables.with = match &self.with[..] {
            [] => None,
            [all] if all == "all" => Some(WithColumns::All),
            names => Some(WithColumns::Named(names.to_vec())),
        };
        tables.best = self.keep == Some(KeptRecords::Best);
        tables
    }

    fn to_file(&self, format: Format, table: ResultTable) -> Result<OutputTarget> {
        self.refuse_resume("one file")?;
        match self.format.map(Format::from) {
            Some(other) if other != format => {
                let message = format!("`{}` ends like another format than the one of --format", self.output.display());
                Err(Error::usage(message).with_help("leave --format out: the ending of a file says it"))
            }
            _ => Ok(OutputTarget::File(self.output.clone(), self.escape.apply(format)?, table)),
        }
    }

    fn to_standard_output(&self, table: ResultTable) -> Result<OutputTarget> {
        self.refuse_resume("standard output")?;
        let format = self.format.map_or(Format::Csv, Format::from);
        if format == Format::Parquet && io::stdout().is_terminal() {
            return Err(Error::usage("Parquet is not for a terminal")
                .with_help("send it to a file, as in -o pairs.parquet, or use --format csv"));
        }
        Ok(OutputTarget::Stdout(self.escape.apply(format)?, table))
    }

    fn refuse_resume(&self, place: &str) -> Result<()> {
        if !self.resume {
            return Ok(());
        }
        Err(Error::usage("--resume needs an output folder")
            .with_help(format!("name one with --output, in place of {place}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: &str) -> Output {
        let escape = EscapeFormulas::default();
        Output {
            output: path.into(),
            overwrite: false,
            resume: false,
            format: None,
            what: Vec::new(),
            provenance: false,
            with: Vec::new(),
            keep: None,
            escape,
        }
    }

    #[test]
    fn an_ending_means_a_file_and_anything_else_a_folder() {
        let target = |path: &str| output(path).target().unwrap();
        let file = |path: &str, format| OutputTarget::File(path.into(), format, ResultTable::Pairs);
        assert_eq!(target("a/res.csv"), file("a/res.csv", Format::Csv));
        assert_eq!(target("RES.PARQUET"), file("RES.PARQUET", Format::Parquet));
        assert_eq!(target("res.v2.jsonl"), file("res.v2.jsonl", Format::Json));
        assert_eq!(target("res.v2"), OutputTarget::Folder("res.v2".into(), Format::Parquet));
        assert_eq!(target("-"), OutputTarget::Stdout(Format::Csv, ResultTable::Pairs));
        for wrong in ["res.json", "res.tsv", "res.xlsx", "res.csv.gz"] {
            let error = output(wrong).target().unwrap_err();
            assert_eq!(error.message(), format!("a file like `{wrong}` cannot be written"));
        }
        let folder = tempfile::tempdir().unwrap();
        let named = folder.path().join("old.csv");
        std::fs::create_dir(&named).unwrap();
        assert_eq!(target(named.to_str().unwrap()), OutputTarget::Folder(named, Format::Parquet));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let refused = |output: Output| output.target().unwrap_err().to_string();
        let resumed = |path: &str| refused(Output { resume: true, ..output(path) });
        assert!(
            resumed("a.csv")
                .contains("--resume needs an output folder\n  help: name one with --output, in place of one")
        );
        assert!(resumed("-").contains("in place of standard output"));
        let other = refused(Output { format: Some(TableFormat::Parquet), ..output("a.csv") });
        assert!(other.starts_with("`a.csv` ends like another format than the one of --format"), "{other}");
        let escape = EscapeFormulas { escape_formulas: true };
        let parquet = refused(Output { escape, ..output("out") });
        assert!(parquet.starts_with("--escape-formulas is for CSV\n  help: leave it out, or write CSV"), "{parquet}");
        let csv = Output { escape, ..output("a.csv") }.target().unwrap();
        assert_eq!(csv, OutputTarget::File("a.csv".into(), Format::EscapedCsv, ResultTable::Pairs));
        let both = refused(Output { what: vec![ResultTable::Clusters], ..output("out") });
        assert!(both.starts_with("--what chooses what one file or standard output gets"), "{both}");
    }
}
