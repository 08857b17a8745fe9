//! What the join will cost, from the lengths of the texts alone.

use super::entries::ENTRY_BYTES;
use super::lengths::{Histogram, Lengths};
use super::texts::Texts;
use crate::measure::Unit;
use crate::records::encode::Strings;

/// The size of the index, and the pairs that a comparison of all texts of fitting lengths would see instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Variants to make, at most: repeated characters make fewer.
    pub entries: f64,
    /// The bytes they take if all are kept at once; beyond the budget the join works in slices.
    pub bytes: f64,
    /// Pairs whose lengths differ by no more than the edits they are allowed.
    pub pairs: f64,
}

/// Estimates the join of texts, with the arguments of [`EditJoin::new`](super::EditJoin::new).
pub fn estimate<U: Unit>(
    strings: Strings<'_, U>,
    (left, right): (&[u32], Option<&[u32]>),
    most_edits: impl Fn(usize) -> Option<usize>,
) -> Estimate {
    let histogram = Texts::new(strings, left, right).histogram();
    let lengths = Lengths::new(&histogram, most_edits);
    let entries = entries(&histogram, &lengths);
    Estimate { entries, bytes: entries * ENTRY_BYTES as f64, pairs: pairs(&histogram, &lengths) }
}

/// How many entries all texts have together, at most.
pub(super) fn entries(texts: &Histogram, lengths: &Lengths) -> f64 {
    (1..=texts.longest()).map(|length| texts.texts(length) as f64 * lengths.variants(length)).sum()
}

/// How many pairs lie in the bands of lengths.
fn pairs(texts: &Histogram, lengths: &Lengths) -> f64 {
    let band = |length: usize| {
        let most = lengths.most(length, length)?;
        Some((length.saturating_sub(most).max(1)..=length).map(|other| texts.pairs(length, other)).sum::<f64>())
    };
    (1..=texts.longest()).filter_map(band).sum()
}
