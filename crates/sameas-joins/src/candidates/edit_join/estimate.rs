//! What the join will cost, from the lengths of the texts alone.

use super::by_length::ByLength;
use super::entries::Cut;
use super::lengths::{Allowed, DeletionLengths, LengthHistogram};
use crate::measure::Unit;
use crate::records::encode::Strings;

/// Variants of up to this many characters are shared by texts that have nothing else in common.
const TINY: usize = 3;

/// The share of the texts that may meet at tiny variants.
const MOST_TINY: f64 = 0.01;

/// The work with the index, and the pairs that a comparison of all texts of fitting lengths would see instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EditEstimate {
    /// Variants to make, at most: repeated characters make fewer. Where the index of all would outgrow the budget, they
    /// are made again for each slice of it and counted as often. Infinite where the join must not be used: some length
    /// needs more than [`MOST_DELETIONS`](super::MOST_DELETIONS), or more than a few texts have so few characters left
    /// after their deletions that they meet all others like them. The meetings of a few such texts are counted in.
    pub entries: f64,
    /// Pairs whose lengths differ by no more than the edits they are allowed.
    pub pairs: f64,
}

/// Estimates the join of texts, with the arguments of [`EditJoin::new`](super::EditJoin::new). The time is linear in
/// the number of texts.
pub fn estimate<U: Unit + Sync>(
    strings: Strings<'_, U>,
    (left, right): (&[u32], Option<&[u32]>),
    most_edits: impl Fn(usize) -> Option<usize>,
    budget: usize,
) -> EditEstimate {
    of_lengths(&LengthHistogram::new(strings, left, right), most_edits, budget)
}

/// The same for texts of some lengths.
pub(super) fn of_lengths(
    histogram: &LengthHistogram,
    most_edits: impl Fn(usize) -> Option<usize>,
    budget: usize,
) -> EditEstimate {
    let allowed = Allowed::new(histogram, most_edits);
    let of_tiny: u64 = tiny(&allowed).map(|(length, _)| histogram.texts(length)).sum();
    let (all, at_tiny) = (pairs(histogram, allowed.meetings()), pairs(histogram, tiny(&allowed)));
    let made = |lengths: DeletionLengths| {
        let entries = entries(histogram, &lengths);
        entries * Cut::within(entries, budget).slices as f64 + at_tiny
    };
    let usable = of_tiny as f64 <= MOST_TINY * histogram.all() as f64;
    let lengths = usable.then(|| DeletionLengths::new(histogram, allowed, |_, _| None)).flatten();
    EditEstimate { entries: lengths.map_or(f64::INFINITY, made), pairs: all }
}

/// How many entries all texts have together, at most.
pub(super) fn entries(texts: &LengthHistogram, lengths: &DeletionLengths) -> f64 {
    texts.lengths().map(|length| texts.texts(length) as f64 * lengths.variants(length)).sum()
}

/// The lengths of texts that meet at tiny variants, of which some characters were deleted.
fn tiny(allowed: &Allowed) -> impl Iterator<Item = (usize, usize)> {
    allowed.meetings().filter(|&(length, meet)| meet <= TINY && meet < length)
}

/// How many pairs the bands of some lengths hold: pairs of the length and one from where they meet.
fn pairs(texts: &LengthHistogram, meetings: impl Iterator<Item = (usize, usize)>) -> f64 {
    let (left, right) = (Sums::new(&texts.left), texts.right.as_ref().map(Sums::new));
    let within = |sums: &Sums, from: usize, to: usize| sums.shorter_than(to) - sums.shorter_than(from);
    let band = |(length, meet): (usize, usize)| {
        let shorter = |sums: &Sums| within(sums, meet.max(1), length);
        let of_length = |sums: &Sums| within(sums, length, length + 1);
        let unequal = match &right {
            None => of_length(&left) * shorter(&left),
            Some(right) => of_length(&left) * shorter(right) + of_length(right) * shorter(&left),
        };
        unequal + texts.pairs(length, length)
    };
    meetings.map(band).sum()
}

/// How many texts are shorter than a length: for each length that occurs, the texts up to it.
struct Sums(Vec<(usize, f64)>);

impl Sums {
    fn new(counts: &ByLength<u64>) -> Self {
        let up_to = |sum: &mut u64, (length, count): (usize, &u64)| {
            *sum += count;
            Some((length, *sum as f64))
        };
        Self(counts.iter().filter(|(_, count)| **count > 0).scan(0, up_to).collect())
    }

    fn shorter_than(&self, length: usize) -> f64 {
        let shorter = self.0.partition_point(|(of, _)| *of < length);
        shorter.checked_sub(1).map_or(0.0, |last| self.0[last].1)
    }
}
