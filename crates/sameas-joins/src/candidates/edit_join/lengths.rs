//! What depends on the lengths of two texts alone: how many edits are allowed, and where the texts meet.
//!
//! Let `longest` be the length of the longer of two texts and `most(longest)` the edits they are allowed. They meet at
//! a common subsequence of exactly `longest - most(longest)` characters. No pair is lost (Bocek, Hunt and Stiller 2007,
//! FastSS; Garbe 2012, SymSpell):
//! 1. Take an alignment with s substitutions, x deletions from the longer text, y insertions and w swaps of adjacent
//!    characters, s + x + y + w <= most. The characters that it leaves alone, and one of the two of each swap, stand in
//!    both texts in the same order. (In an optimal string alignment no character takes part in two operations.)
//! 2. Of the longer text these are all but s + x + w <= most characters: the texts have a common subsequence of at least
//!    `longest - most` characters, and its first `longest - most` characters are one of exactly that length.
//! 3. So the longer text shows it with `most` deletions and the other, shorter by `longest - length`, with that many
//!    fewer. A text therefore needs, for each length of a partner, one number of deletions. Two partners that ask for
//!    the same number share the same variants.
//! 4. Where `most` exceeds `longest`, all such texts meet at the empty one.
//! 5. Where both lengths decide how many edits are allowed, `most(longest)` is the most that any shorter length allows: more
//!    texts meet, and each pair is decided by what its own lengths allow.

use rayon::prelude::*;

use super::by_length::ByLength;
use crate::measure::Unit;
use crate::records::encode::Strings;

/// The most characters that are deleted from a text: the variants of one with more deletions outnumber all texts it
/// could be compared with instead.
pub const MOST_DELETIONS: usize = 8;

/// How many edits two texts are allowed; `None` for never.
pub struct EditLimits<'a> {
    /// The most, by the longer length, whatever the other one is.
    pub of_longer: &'a dyn Fn(usize) -> Option<usize>,
    /// By the longer length and the other one.
    pub of_pair: &'a dyn Fn(usize, usize) -> Option<usize>,
}

/// The edits that are allowed with a text that has this many characters fewer.
type PairLimits = [Option<usize>; MOST_DELETIONS + 1];

/// Most edits and numbers of deletions, by length.
pub(super) struct DeletionLengths {
    most: ByLength<Option<usize>>,
    of_pairs: ByLength<PairLimits>,
    deletions: ByLength<Vec<usize>>,
}

/// How many edits the longer of two texts allows, by its length; `None` for never, and for lengths that do not occur.
pub(super) struct Allowed(ByLength<Option<usize>>);

impl Allowed {
    /// Asks once for each length that occurs.
    pub(super) fn new(texts: &LengthHistogram, most_edits: impl Fn(usize) -> Option<usize>) -> Self {
        let mut allowed = ByLength::default();
        for length in texts.lengths() {
            *allowed.get_mut(length) = most_edits(length);
        }
        Allowed(allowed)
    }

    /// The lengths that allow a pair, each with the length of the variants at which such a pair meets.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (usize, usize)> {
        let meet = |(length, most): (usize, &Option<usize>)| Some((length, length.saturating_sub((*most)?)));
        self.0.iter().filter_map(meet)
    }
}

/// How many texts of each length there are: on the left, and on the right of a join of two lists.
pub(super) struct LengthHistogram {
    pub(super) left: ByLength<u64>,
    pub(super) right: Option<ByLength<u64>>,
}

impl LengthHistogram {
    /// Those of the texts of one list or two that are not empty.
    pub(super) fn new<U: Unit + Sync>(strings: Strings<'_, U>, left: &[u32], right: Option<&[u32]>) -> Self {
        let add = |mut counts: ByLength<u64>, length: usize, more: u64| {
            *counts.get_mut(length) += more;
            counts
        };
        let add_all = |all, part: ByLength<u64>| part.iter().fold(all, |all, (length, more)| add(all, length, *more));
        let count = |codes: &[u32]| {
            let lengths = codes.par_iter().map(|code| strings.length(*code)).filter(|length| *length > 0);
            lengths.fold(ByLength::default, |counts, length| add(counts, length, 1)).reduce(ByLength::default, add_all)
        };
        Self { left: count(left), right: right.map(count) }
    }

    pub(super) fn longest(&self) -> usize {
        self.left.longest().max(self.right.as_ref().map_or(0, ByLength::longest))
    }

    /// The lengths that texts have, ascending; of two lists, those of the left one first.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        let is_new = |length: &usize| *self.left.get(*length) == 0;
        let of_right = self.right.iter().flat_map(some).filter(is_new);
        some(&self.left).chain(of_right)
    }

    /// How many texts of a length there are, on both sides.
    pub(super) fn texts(&self, length: usize) -> u64 {
        self.left.get(length) + self.right.as_ref().map_or(0, |right| *right.get(length))
    }

    /// How many texts there are, on both sides.
    pub(super) fn all(&self) -> u64 {
        self.left.iter().chain(self.right.iter().flat_map(ByLength::iter)).map(|(_, texts)| texts).sum()
    }

    /// How many pairs have these two lengths.
    pub(super) fn pairs(&self, a: usize, b: usize) -> f64 {
        let (left_a, left_b) = (*self.left.get(a) as f64, *self.left.get(b) as f64);
        match &self.right {
            None if a == b => left_a * (left_a + 1.0) / 2.0,
            None => left_a * left_b,
            Some(right) if a == b => left_a * *right.get(a) as f64,
            Some(right) => left_a * *right.get(b) as f64 + left_b * *right.get(a) as f64,
        }
    }
}

/// The lengths that some texts have.
fn some(counts: &ByLength<u64>) -> impl Iterator<Item = usize> {
    counts.iter().filter(|(_, texts)| **texts > 0).map(|(length, _)| length)
}

impl DeletionLengths {
    /// What each length needs, `None` if one needs more than [`MOST_DELETIONS`]; a length without possible partners
    /// needs nothing. `of_pair` decides pairs, as in [`EditLimits`].
    pub(super) fn new(
        texts: &LengthHistogram,
        allowed: Allowed,
        of_pair: impl Fn(usize, usize) -> Option<usize>,
    ) -> Option<Self> {
        if allowed.meetings().any(|(length, meet)| length - meet > MOST_DELETIONS) {
            return None;
        }
        let (mut deletions, mut of_pairs) = (ByLength::default(), ByLength::<PairLimits>::default());
        // A length has at most MOST_DELETIONS + 1 lengths of partners and numbers of deletions.
        for (length, meet) in allowed.meetings() {
            for other in (meet.max(1)..=length).filter(|&other| texts.pairs(length, other) > 0.0) {
                need(deletions.get_mut(length), length - meet);
                need(deletions.get_mut(other), other - meet);
                of_pairs.get_mut(length)[length - other] = of_pair(length, other);
            }
        }
        Some(DeletionLengths { most: allowed.0, of_pairs, deletions })
    }

    /// The most edits allowed to any texts whose longer one has as many characters, by which they meet.
    #[inline]
    pub(super) fn most(&self, a: usize, b: usize) -> Option<usize> {
        *self.most.get(a.max(b))
    }

    /// The edits allowed to two texts that have met, if they are allowed to be a pair at all.
    #[inline]
    pub(super) fn of_pair(&self, a: usize, b: usize) -> Option<usize> {
        // Others have met because two variants have one hash.
        self.of_pairs.get(a.max(b)).get(a.abs_diff(b)).copied().flatten()
    }

    /// The numbers of deletions of which a text of this length shows all variants.
    pub(super) fn deletions(&self, length: usize) -> &[usize] {
        self.deletions.get(length)
    }

    /// How many variants a text of this length has at most.
    pub(super) fn variants(&self, length: usize) -> f64 {
        self.deletions(length).iter().map(|&deletions| choose(length, deletions)).sum()
    }
}

fn need(numbers: &mut Vec<usize>, deletions: usize) {
    if !numbers.contains(&deletions) {
        numbers.push(deletions);
    }
}

/// The binomial coefficient.
fn choose(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}
