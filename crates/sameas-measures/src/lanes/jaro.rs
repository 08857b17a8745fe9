//! Jaro matches and transpositions of a text with all patterns of a tile.
//!
//! First pass: each character of the text takes the lowest free equal place of each pattern within the window, as in
//! the scalar form. The windows depend on the lengths alone, so they are rows of their own, made again only when the
//! length of the text changes. Second pass, again along the text: where a lane matched, its next matched place, in
//! order, should hold the same character; the table says whether it does.

use super::tile::PatternTile;
use super::vector::{LaneVector, Row, Word};
use super::{Isa, Kernel, MAX_LANES, launch};
use crate::measure::jaro::window;
use crate::measure::jaro_winkler::MAX_PREFIX;

/// The longest text.
pub const MAX_TEXT: usize = 64;

/// What decides a similarity, besides the lengths: a byte per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneCounts {
    /// Matched characters.
    pub matches: [u8; MAX_LANES],
    /// Places at which the matched characters differ: twice the transpositions, perhaps one more.
    pub differing: [u8; MAX_LANES],
    /// Common prefix, up to 4.
    pub prefix: [u8; MAX_LANES],
}

impl LaneCounts {
    /// All zero.
    pub const ZERO: Self = LaneCounts { matches: [0; MAX_LANES], differing: [0; MAX_LANES], prefix: [0; MAX_LANES] };
}

/// The counts of each text with each pattern. Texts have 1 to 64 characters; order them by length.
pub fn counts<W: Word>(isa: Isa, tile: &PatternTile<W>, texts: &[&[u8]], out: &mut [LaneCounts]) {
    assert_eq!(texts.len(), out.len(), "room for each text");
    launch(isa, Jaro { tile, texts, out });
}

/// The counts of each text with each pattern as one number per lane, the [`entry`] of a table; otherwise as [`counts`].
pub fn entries<W: Word>(isa: Isa, tile: &PatternTile<W>, texts: &[&[u8]], out: &mut [Row<W>]) {
    assert_eq!(texts.len(), out.len(), "room for each text");
    launch(isa, Jaro { tile, texts, out });
}

/// The place of some counts in a table of all: no more places differ than match.
#[inline]
pub fn entry(matches: usize, differing: usize, prefix: usize) -> usize {
    (matches * (matches + 1) / 2 + differing) * PREFIXES + prefix
}

/// The prefixes that count: 0 to 4 characters.
pub const PREFIXES: usize = MAX_PREFIX + 1;

/// Where the counts of a text go.
trait Out<W: Word> {
    fn put<V: LaneVector<Word = W>>(&mut self, matches: V, differing: V, prefix: V);
}

impl<W: Word> Out<W> for LaneCounts {
    #[inline(always)]
    fn put<V: LaneVector<Word = W>>(&mut self, matches: V, differing: V, prefix: V) {
        matches.store_bytes(&mut self.matches);
        differing.store_bytes(&mut self.differing);
        prefix.store_bytes(&mut self.prefix);
    }
}

impl<W: Word> Out<W> for Row<W> {
    #[inline(always)]
    fn put<V: LaneVector<Word = W>>(&mut self, matches: V, differing: V, prefix: V) {
        let one = V::splat(W::low(1));
        let place = matches.mul(matches.add(one)).half().add(differing);
        // PREFIXES times that.
        place.up().up().add(place).add(prefix).store(self);
    }
}

struct Jaro<'a, W: Word, O> {
    tile: &'a PatternTile<W>,
    texts: &'a [&'a [u8]],
    out: &'a mut [O],
}

impl<W: Word, O: Out<W>> Kernel<W> for Jaro<'_, W, O> {
    type Output = ();

    #[inline(always)]
    fn run<V: LaneVector<Word = W>>(self) {
        let mut windows = [Row::ZERO; MAX_TEXT];
        let mut matched = [V::none(); MAX_TEXT];
        let mut length = 0;
        for (text, out) in self.texts.iter().zip(self.out) {
            if text.len() != length {
                length = text.len();
                fill_windows::<V>(self.tile, &mut windows[..length]);
            }
            let (matches, differing) = scan::<V>(self.tile, text, &windows[..length], &mut matched[..length]);
            out.put(matches, differing, prefix::<V>(self.tile, text));
        }
    }
}

/// For each place of a text, the places of each pattern within the window.
#[inline(always)]
fn fill_windows<V: LaneVector>(tile: &PatternTile<V::Word>, windows: &mut [Row<V::Word>]) {
    let widths = Row::from_fn(|lane| V::Word::low(window(tile.length(lane), windows.len()) as u64));
    // Two shifts, because a window may span the whole word.
    let first = Row::from_fn(|lane| V::Word::low(!(!0 << widths.lanes()[lane].wide() << 1)));
    let (widths, mut within, minus_one) = (V::load(&widths), V::load(&first), V::splat(V::Word::low(!0)));
    for (j, row) in windows.iter_mut().enumerate() {
        within.store(row);
        // The next window still begins at place 0 where `j` is less than its width.
        let grows = widths.at_least(V::splat(V::Word::low(j as u64 + 1)));
        within = within.up().sub_where(grows, minus_one);
    }
}

#[inline(always)]
fn scan<V: LaneVector>(
    tile: &PatternTile<V::Word>,
    text: &[u8],
    windows: &[Row<V::Word>],
    matched: &mut [V::Flags],
) -> (V, V) {
    let (none, minus_one) = (V::splat(V::Word::low(0)), V::splat(V::Word::low(!0)));
    let mut free = minus_one;
    for ((&code, window), matched) in text.iter().zip(windows).zip(matched.iter_mut()) {
        let candidates = V::load(tile.mask(code)).and(V::load(window)).and(free);
        *matched = candidates.meets(candidates);
        // Without its lowest bit; 0 - 1 keeps all places free.
        free = free.without(candidates.without(candidates.add(minus_one)));
    }
    let taken = free.xor(minus_one);
    let (mut rest, mut differing) = (taken, none);
    for (&code, &matched) in text.iter().zip(matched.iter()) {
        let next = rest.without(rest.add(minus_one));
        rest = rest.sub_where(matched, next);
        let differs = V::both(matched, next.misses(V::load(tile.mask(code))));
        differing = differing.sub_where(differs, minus_one);
    }
    (taken.count_ones(), differing)
}

/// The common prefix, up to 4 characters: the number of trailing ones of the places that hold the text's characters.
#[inline(always)]
fn prefix<V: LaneVector>(tile: &PatternTile<V::Word>, text: &[u8]) -> V {
    let mut equal = V::splat(V::Word::low(0));
    for (place, &code) in text.iter().take(MAX_PREFIX).enumerate() {
        equal = equal.or(V::load(tile.mask(code)).and(V::splat(V::Word::low(1 << place))));
    }
    let one = V::splat(V::Word::low(1));
    equal.without(equal.add(one)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{each_tile, near_strings};
    use super::*;
    use crate::measure::{jaro, jaro_winkler};
    use proptest::prelude::*;

    fn check<W: Word>(isa: Isa, patterns: &[&[u8]], texts: &[&[u8]]) {
        let mut tile = PatternTile::<W>::default();
        for patterns in patterns.chunks(W::LANES) {
            tile.set(patterns.iter().copied());
            let mut found = vec![LaneCounts::ZERO; texts.len()];
            counts(isa, &tile, texts, &mut found);
            let mut numbers = vec![Row::ZERO; texts.len()];
            entries(isa, &tile, texts, &mut numbers);
            for ((text, found), numbers) in texts.iter().zip(&found).zip(&numbers) {
                for (lane, pattern) in patterns.iter().enumerate() {
                    let expected = jaro::reference_counts(pattern, text);
                    let got = (usize::from(found.matches[lane]), usize::from(found.differing[lane]) / 2);
                    assert_eq!(got, (expected.matches, expected.transpositions), "{isa:?} {pattern:?} {text:?}");
                    let (differing, prefix) = (usize::from(found.differing[lane]), usize::from(found.prefix[lane]));
                    assert_eq!(prefix, jaro_winkler::prefix(pattern, text));
                    assert_eq!(numbers.lanes()[lane].wide() as usize, entry(got.0, differing, prefix));
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn equal_the_definition(strings in near_strings(64)) {
            let texts: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            each_tile!(strings, |W, isa, patterns| check::<W>(isa, patterns, &texts));
        }
    }
}
