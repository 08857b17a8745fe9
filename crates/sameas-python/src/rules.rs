//! Rules: of files, or written in Python as the text of a file.

use std::path::PathBuf;

use pyo3::prelude::*;
use sameas_cli::report;

use crate::errors::OrException;

/// What the rules of a job are.
#[pyclass(frozen, from_py_object, module = "sameas._sameas")]
#[derive(Clone)]
pub struct RuleFile {
    pub rules: sameas::RuleFile,
}

#[pymethods]
impl RuleFile {
    /// Reads files as if they were one.
    #[staticmethod]
    fn read(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        let rules = sameas::RuleFile::read_all(&paths).or_exception(py)?;
        Ok(Self { rules })
    }

    /// Parses the text of a file; `name` is what messages call it.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let rules = sameas::RuleFile::parse(text, name).or_exception(py)?;
        Ok(Self { rules })
    }

    /// Checks the language of the rules, without any table: conditions that are likely mistakes, and whether each is certainly one.
    fn check_syntax(&self, py: Python<'_>) -> PyResult<Vec<(bool, String)>> {
        let doubts = self.rules.check_syntax().or_exception(py)?;
        Ok(doubts.iter().map(sameas::Doubt::is_mistake).zip(report::doubts(&doubts)).collect())
    }

    /// The names of the rules.
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.rules.rule_names().or_exception(py)
    }

    /// The number of `never` rules.
    fn never_count(&self) -> usize {
        self.rules.never_count()
    }

    /// Whether pairs have scores.
    fn has_comparisons(&self) -> bool {
        self.rules.has_comparisons()
    }

    /// The text of the files, with their names.
    fn files(&self) -> Vec<(String, String)> {
        self.rules.files().map(|file| (file.path.clone(), file.text.clone())).collect()
    }

    /// `dedupe_only`, `link_only` or `link_and_dedupe`, if the rules say so.
    fn link_type(&self) -> Option<&'static str> {
        self.rules.link_type.map(sameas::LinkType::name)
    }

    /// The same rules without comparisons and scores, and with these columns of pairs besides.
    fn candidates(&self, columns: Vec<(String, String)>) -> Self {
        let mut rules = self.rules.clone().without_scores();
        for (name, expression) in &columns {
            rules.add_column_from(name, expression, "columns=");
        }
        Self { rules }
    }
}
