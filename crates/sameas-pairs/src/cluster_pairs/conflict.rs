//! Decisions that cannot all hold, as an error that shows them.

use sameas_clusters::{ClusterConflict, held_beyond_limit, held_together, limit_words};

use super::cut::CutWords;
use crate::error::Error;

/// The error; `place` says where a pair was decided to be different.
pub(super) fn contradiction(
    conflict: &ClusterConflict,
    words: &CutWords<'_>,
    place: impl FnOnce([u32; 2]) -> String,
) -> Error {
    let name = |row: u32| words.rows.name(row);
    match conflict {
        ClusterConflict::HeldTogether { chain } => {
            let (first, last) = (chain[0], chain[chain.len() - 1]);
            held_together(chain, &place([first.min(last), first.max(last)]), &name)
        }
        ClusterConflict::TooMany { limit, rows } => {
            let because = || words.because(*limit);
            held_beyond_limit(rows, &limit_words(*limit, words.spec.max_size, &words.rows.sources, because), &name)
        }
    }
}
