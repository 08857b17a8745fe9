//! The files of term frequencies.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Case, Compare, FrequencyTable, list_name};

impl FrequencyTable {
    /// The file of it, for a column.
    pub fn csv(&self, column: &str) -> String {
        let (value, number) = match (self.are_counts, self.is_of_splink) {
            (true, _) => ("value".to_owned(), "count".to_owned()),
            (false, false) => ("value".to_owned(), "frequency".to_owned()),
            (false, true) => (column.to_owned(), format!("tf_{column}")),
        };
        let mut text = format!("{number},{value}\n");
        for (value, number) in &self.rows {
            let value = value.replace('"', "\"\"");
            let _ = match self.are_counts {
                true => writeln!(text, "{},\"{value}\"", *number as u64),
                false => writeln!(text, "{number:?},\"{value}\""),
            };
        }
        text
    }
}

impl Compare {
    /// The file with the frequencies of its values: the name, and what is in it.
    pub fn frequency_file(&self) -> Option<(String, String)> {
        let of = self.term_frequency.as_ref()?;
        let content = of.given.as_ref()?.csv(&of.column);
        Some((format!("tf_{}", list_name(&content)), content))
    }
}

impl Case {
    /// The files with term frequencies that its rules name, with their contents.
    pub fn frequency_files(&self) -> BTreeMap<String, String> {
        let comparisons = self.job.scoring.iter().flat_map(|scoring| &scoring.comparisons);
        comparisons.filter_map(Compare::frequency_file).collect()
    }
}
