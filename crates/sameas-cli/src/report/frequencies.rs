//! Where term frequencies are from, and those that were counted, in words.

use std::path::PathBuf;

use sameas::score::{ColumnFrequencies, TermFrequencyRecord};

use crate::text::{count, counted, one_line, table};

/// Where the term frequencies of a comparison are from.
pub(super) fn frequency_source(of: &TermFrequencyRecord) -> String {
    let column = one_line(&of.column);
    let Some(given) = &of.given else { return format!("{column}: counted over all records") };
    let (given, values) = (one_line(given), counted(of.values, "value"));
    let lacking = match of.lacking {
        0 => String::new(),
        lacking => format!("; {} of the records are not among them, and are not adjusted", counted(lacking, "value")),
    };
    format!("{column}: given by {given}, {values}{lacking}")
}

/// The same in a few words, for those that are given.
pub(super) fn given_frequencies(all: &[TermFrequencyRecord]) -> Option<String> {
    let words = |of: &TermFrequencyRecord| {
        let lacking = if of.lacking == 0 { String::new() } else { format!(" ({} lacking)", count(of.lacking)) };
        Some(format!("{} by {}{lacking}", one_line(&of.column), one_line(of.given.as_deref()?)))
    };
    let given: Vec<String> = all.iter().filter_map(words).collect();
    (!given.is_empty()).then(|| given.join("; "))
}

/// What was counted, and where it was written.
pub fn counted_frequencies(all: &[(ColumnFrequencies, PathBuf)]) -> String {
    let mut rows = vec![["Column", "values", "file"].map(str::to_owned).to_vec()];
    for (of, path) in all {
        rows.push(vec![one_line(of.column()), count(of.len() as u64), one_line(&path.display().to_string())]);
    }
    table(&rows)
}
