//! Edit distances of a text to all patterns of a tile, after Myers (1999) and Hyyrö (2003).
//!
//! The steps are those of the scalar form. No running distance is kept: the cells of the last column start at the
//! number of columns and change from row to row as its bits say, so their sum over the places of a pattern is the
//! distance. Bits above a pattern's length never reach those below, as carries and shifts only move up.
//!
//! What a longest common subsequence leaves out is counted by the steps of its own scalar form: the zeros of the last column
//! over the places of a pattern are the length of that subsequence.

#![deny(clippy::wildcard_enum_match_arm)]

use super::tile::PatternTile;
use super::vector::{LaneVector, Row, Word};
use super::{Isa, Kernel, launch};
use crate::measure::EditCount;

/// What is counted in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneCount {
    /// Insertions, deletions, substitutions.
    Levenshtein,
    /// With swaps of neighbours, no substring edited twice.
    Osa,
    /// Characters of the longer text besides a longest common subsequence.
    Lcs,
}

impl LaneCount {
    /// The form in lanes of a number of edits, if it has one.
    pub fn from_count(count: EditCount) -> Option<Self> {
        match count {
            EditCount::Levenshtein => Some(Self::Levenshtein),
            EditCount::Osa => Some(Self::Osa),
            EditCount::Lcs => Some(Self::Lcs),
            EditCount::Damerau => None,
        }
    }

    /// The edits of each text to each pattern, where only up to `max` are of interest: see [`distances_within`].
    pub fn within<W: Word>(
        self,
        isa: Isa,
        tile: &PatternTile<W>,
        texts: &[&[u8]],
        max: u8,
        out: &mut [u8],
        stride: usize,
    ) {
        match self {
            Self::Levenshtein => distances_within::<W, false>(isa, tile, texts, max, out, stride),
            Self::Osa => distances_within::<W, true>(isa, tile, texts, max, out, stride),
            Self::Lcs => launch(isa, LeftOut { tile, texts, max, out, stride }),
        }
    }
}

/// The longest text: a distance then fits a byte.
pub const MAX_TEXT: usize = 255;

/// What the lanes of an abandoned text hold: more than any limit.
pub const FAR: u8 = u8::MAX;

/// The distances of each text to each pattern: text `i` has its `tile.count()` bytes at `out[i * stride]`.
///
/// Adjacent swaps count as one edit if `SWAPS`. Texts have 1 to [`MAX_TEXT`] characters.
pub fn distances<W: Word, const SWAPS: bool>(
    isa: Isa,
    tile: &PatternTile<W>,
    texts: &[&[u8]],
    out: &mut [u8],
    stride: usize,
) {
    launch(isa, Edits::<W, SWAPS> { tile, texts, max: None, out, stride });
}

/// The same where only distances of at most `max` are of interest: others hold some number above `max`.
pub fn distances_within<W: Word, const SWAPS: bool>(
    isa: Isa,
    tile: &PatternTile<W>,
    texts: &[&[u8]],
    max: u8,
    out: &mut [u8],
    stride: usize,
) {
    launch(isa, Edits::<W, SWAPS> { tile, texts, max: Some(max), out, stride });
}

struct Edits<'a, W: Word, const SWAPS: bool> {
    tile: &'a PatternTile<W>,
    texts: &'a [&'a [u8]],
    max: Option<u8>,
    out: &'a mut [u8],
    stride: usize,
}

impl<W: Word, const SWAPS: bool> Kernel<W> for Edits<'_, W, SWAPS> {
    type Output = ();

    #[inline(always)]
    fn run<V: LaneVector<Word = W>>(self) {
        for (i, text) in self.texts.iter().enumerate() {
            assert!(text.len() <= MAX_TEXT, "a distance fits a byte");
            let distance = match self.max {
                None => scan::<V, SWAPS>(self.tile, text),
                Some(max) => scan_within::<V, SWAPS>(self.tile, text, max),
            };
            put::<V>(distance, self.tile.count(), &mut self.out[i * self.stride..]);
        }
    }
}

/// Writes the bytes of the lanes that have a pattern.
#[inline(always)]
fn put<V: LaneVector>(distance: V, count: usize, out: &mut [u8]) {
    if count == V::Word::LANES {
        distance.store_bytes(&mut out[..V::Word::LANES]);
    } else {
        let mut bytes = [0; super::MAX_LANES];
        distance.store_bytes(&mut bytes);
        out[..count].copy_from_slice(&bytes[..count]);
    }
}

#[inline(always)]
fn scan<V: LaneVector, const SWAPS: bool>(tile: &PatternTile<V::Word>, text: &[u8]) -> V {
    let mut column = LaneColumn::<V>::first();
    for &code in text {
        column.advance::<SWAPS>(V::load(tile.mask(code)));
    }
    column.distance(tile, text.len())
}

/// The columns between two checks of the limit.
const STRIDE: usize = 4;

/// Stops as soon as no pattern can come within `max`: each remaining column takes back at most one. Lanes without a
/// pattern are ignored.
#[inline(always)]
fn scan_within<V: LaneVector, const SWAPS: bool>(tile: &PatternTile<V::Word>, text: &[u8], max: u8) -> V {
    let mut column = LaneColumn::<V>::first();
    let mut done = 0;
    let patterns = (1 << tile.count()) - 1;
    for piece in text.chunks(STRIDE) {
        for &code in piece {
            column.advance::<SWAPS>(V::load(tile.mask(code)));
        }
        done += piece.len();
        let limit = usize::from(max) + text.len() - done;
        let least = V::splat(V::Word::low(limit as u64 + 1));
        if V::bits(column.distance(tile, done).at_least(least)) & patterns == patterns {
            return V::splat(V::Word::low(u64::from(FAR)));
        }
    }
    column.distance(tile, text.len())
}

/// What longest common subsequences leave out, where only up to `max` is of interest.
struct LeftOut<'a, W: Word> {
    tile: &'a PatternTile<W>,
    texts: &'a [&'a [u8]],
    max: u8,
    out: &'a mut [u8],
    stride: usize,
}

impl<W: Word> Kernel<W> for LeftOut<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<V: LaneVector<Word = W>>(self) {
        let lengths = V::load(&Row::from_fn(|lane| W::low(self.tile.length(lane) as u64)));
        for (i, text) in self.texts.iter().enumerate() {
            assert!(text.len() <= MAX_TEXT, "a distance fits a byte");
            let distance = scan_left_out::<V>(self.tile, lengths, text, self.max);
            put::<V>(distance, self.tile.count(), &mut self.out[i * self.stride..]);
        }
    }
}

/// Stops as soon as no pattern can come within `max`: each remaining column adds at most one to a common subsequence.
#[inline(always)]
fn scan_left_out<V: LaneVector>(tile: &PatternTile<V::Word>, lengths: V, text: &[u8], max: u8) -> V {
    let places = V::load(tile.places());
    let columns = V::splat(V::Word::low(text.len() as u64));
    // The text's length where it is no less, and else the pattern's.
    let longer = lengths.sub_where(columns.at_least(lengths), lengths.sub(columns));
    let patterns = (1 << tile.count()) - 1;
    let (mut column, mut left_out, mut done) = (V::splat(V::Word::low(!0)), longer, 0);
    for piece in text.chunks(STRIDE) {
        for &code in piece {
            let equal = column.and(V::load(tile.mask(code)));
            column = column.add(equal).or(column.without(equal));
        }
        done += piece.len();
        left_out = longer.sub(places.without(column).count_ones());
        let limit = usize::from(max) + text.len() - done;
        let least = V::splat(V::Word::low(limit as u64 + 1));
        if V::bits(left_out.at_least(least)) & patterns == patterns {
            return V::splat(V::Word::low(u64::from(FAR)));
        }
    }
    left_out
}

/// One column of all lanes: see the scalar form.
struct LaneColumn<V> {
    rises: V,
    falls: V,
    level: V,
    mask: V,
}

impl<V: LaneVector> LaneColumn<V> {
    #[inline(always)]
    fn first() -> Self {
        let (none, all) = (V::splat(V::Word::low(0)), V::splat(V::Word::low(!0)));
        LaneColumn { rises: all, falls: none, level: all, mask: none }
    }

    #[inline(always)]
    fn advance<const SWAPS: bool>(&mut self, mask: V) {
        let mut equal = mask.or(self.falls);
        if SWAPS {
            equal = equal.or(mask.without(self.level).up().and(self.mask));
        }
        let level = mask.and(self.rises).add(self.rises).xor(self.rises).or(equal);
        let no_rise = level.or(self.rises).without(self.falls).up();
        let fall = level.and(self.rises).up();
        self.rises = fall.or(no_rise.without(level));
        self.falls = level.without(no_rise);
        (self.level, self.mask) = (level, mask);
    }

    /// The lowest cell of each lane's column, `columns` columns into the text.
    #[inline(always)]
    fn distance(&self, tile: &PatternTile<V::Word>, columns: usize) -> V {
        let places = V::load(tile.places());
        let (up, down) = (self.rises.and(places).count_ones(), self.falls.and(places).count_ones());
        V::splat(V::Word::low(columns as u64)).add(up).sub(down)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{each_tile, near_strings};
    use super::*;
    use crate::measure::text::lcs_similarity;
    use crate::measure::{levenshtein, osa};
    use proptest::prelude::*;

    fn check<W: Word>(isa: Isa, patterns: &[&[u8]], texts: &[&[u8]], max: u8) {
        let mut tile = PatternTile::<W>::default();
        for patterns in patterns.chunks(W::LANES) {
            tile.set(patterns.iter().copied());
            let stride = patterns.len() + 1;
            let room = || vec![77; texts.len() * stride];
            let mut found = [room(), room(), room(), room(), room()];
            distances::<W, false>(isa, &tile, texts, &mut found[0], stride);
            distances::<W, true>(isa, &tile, texts, &mut found[1], stride);
            distances_within::<W, false>(isa, &tile, texts, max, &mut found[2], stride);
            distances_within::<W, true>(isa, &tile, texts, max, &mut found[3], stride);
            LaneCount::Lcs.within(isa, &tile, texts, max, &mut found[4], stride);
            for (i, text) in texts.iter().enumerate() {
                assert!(found.iter().all(|out| out[i * stride + patterns.len()] == 77), "only lanes are written");
                for (lane, pattern) in patterns.iter().enumerate() {
                    let (edits, swaps) = (levenshtein::reference(pattern, text), osa::reference(pattern, text));
                    let expected = [edits, swaps, edits, swaps, lcs_similarity::reference(pattern, text)];
                    for (k, out) in found.iter().enumerate() {
                        let (got, want) = (usize::from(out[i * stride + lane]), expected[k]);
                        let beyond = k >= 2 && want > usize::from(max) && got > usize::from(max);
                        assert!(got == want || beyond, "{isa:?} {k} {pattern:?} {text:?} {got} {want}");
                    }
                }
            }
        }
    }

    /// An empty lane is as far as the text is long: within a limit beyond that, but of no interest.
    #[test]
    fn empty_lanes_are_ignored() {
        for isa in Isa::available() {
            let mut tile = PatternTile::<u32>::default();
            tile.set([&[1; 30][..], &[2; 31]].into_iter());
            let mut out = [0; 2];
            distances_within::<u32, false>(isa, &tile, &[&[3; 8]], 9, &mut out, 2);
            assert_eq!(out, [FAR; 2], "{isa:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn equal_the_definition(strings in near_strings(64), long in near_strings(200), max in 0u8..9) {
            let texts: Vec<&[u8]> = strings.iter().chain(&long).map(Vec::as_slice).collect();
            each_tile!(strings, |W, isa, patterns| check::<W>(isa, patterns, &texts, max));
        }
    }
}
