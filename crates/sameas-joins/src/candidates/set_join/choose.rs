//! Lists of prefix tokens or one list of everything: whichever costs less.

use super::bounds::Bounds;
use super::side::SetSide;

/// How pairs are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enumeration {
    /// Sets that share a token of their prefixes.
    Prefixes,
    /// All sets of compatible sizes.
    Everything,
}

/// Nanoseconds to compare a word of two signatures, sixteen pairs at a time, in the list of everything.
const WORD: f64 = 0.065;

/// The same in the list of a token: such lists are shorter, their last block is rarely full, and their signatures are
/// gathered for fewer probes.
const WORD_IN_LIST: f64 = 0.12;

/// Nanoseconds for a probing entry of a list: it is written, ordered, and its partners are looked up.
const PROBING_ENTRY: f64 = 150.0;

/// The number of pairs of a probing and an indexed side whose sizes are compatible, the indexed set no larger.
pub fn compatible(bounds: &Bounds, probes: &SetSide<'_>, index: &SetSide<'_>) -> f64 {
    let of_class = |class: u32| {
        let partners = index.ranks(bounds.lowest(class)..class + 1).len();
        probes.ranks(class..class + 1).len() as f64 * partners as f64
    };
    (0..bounds.classes() as u32).map(of_class).sum()
}

/// Lengths of the lists of all tokens on the probing and on the indexed side.
pub struct ListLengths<'a> {
    /// Probing.
    pub probes: &'a [u32],
    /// Indexed.
    pub index: &'a [u32],
}

/// Nanoseconds for comparing `pairs` pairs in the list of everything, with signatures of `words` words.
pub fn cost_of_everything(pairs: f64, words: usize) -> f64 {
    WORD * words as f64 * pairs
}

/// Nanoseconds for the lists of prefixes. The share of compatible sizes in a list is taken to be that of all pairs.
pub fn cost_of_lists(lengths: &ListLengths<'_>, compatible_share: f64, words: usize) -> f64 {
    let pair = WORD_IN_LIST * words as f64 * compatible_share;
    let of_token = |(probes, index): (&u32, &u32)| {
        let (probes, index) = (f64::from(*probes), f64::from(*index));
        pair * probes * index + PROBING_ENTRY * probes
    };
    lengths.probes.iter().zip(lengths.index).map(of_token).sum()
}
