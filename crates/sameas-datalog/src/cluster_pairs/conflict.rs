//! Decisions that cannot all hold, as an error that shows them.

use sameas_clusters::{ClusterConflict, CutCause};

use super::cut::CutWords;
use crate::error::Error;

/// The most records that a message names.
const MOST_NAMES: usize = 20;

/// The error; `place` says where a pair was decided to be different.
pub(super) fn contradiction(
    conflict: &ClusterConflict,
    words: &CutWords<'_>,
    place: impl FnOnce([u32; 2]) -> String,
) -> Error {
    match conflict {
        ClusterConflict::HeldTogether { chain } => {
            let (first, last) = (chain[0], chain[chain.len() - 1]);
            let [a, b] = [first, last].map(|row| words.rows.name(row));
            let message = format!(
                "{}: `{a}` and `{b}` are decided to be different, and decisions hold them together: {}",
                place([first.min(last), first.max(last)]),
                names(chain, words, " = ")
            );
            Error::data(message).with_help("of these decisions at least one is wrong: correct it, or leave it out")
        }
        ClusterConflict::TooMany { limit, rows } => {
            let limit = match limit {
                CutCause::MaxSize => {
                    format!("a cluster has at most {} records", words.spec.max_size.unwrap_or_default())
                }
                CutCause::OneTo { source } => {
                    format!("a cluster has at most one record of `{}`", words.rows.sources[*source as usize])
                }
                other => format!("it breaks the limit `{}`", words.because(*other).unwrap_or_default()),
            };
            let message =
                format!("decisions hold {} records together, and {limit}: {}", rows.len(), names(rows, words, ", "));
            Error::data(message).with_help("of these decisions at least one is wrong, or the limit is too strict")
        }
    }
}

/// The names of these rows, or of the first of them where there are many.
fn names(rows: &[u32], words: &CutWords<'_>, between: &str) -> String {
    let shown: Vec<String> = rows.iter().take(MOST_NAMES).map(|row| format!("`{}`", words.rows.name(*row))).collect();
    let more = rows.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(between) + &more
}
