//! All pairs of two lists, without a cutoff: distances as bytes, similarities as `f32`.
//!
//! Patterns are taken in the given order, as many as fit a tile; lists sorted by length make the fullest tiles and the
//! fewest windows. Strings that no lane can hold take the scalar measure.

use super::edits;
use super::jaro;
use super::similarity::Similarities;
use super::tile::PatternTile;
use super::vector::{Row, Word};
use super::{Isa, MAX_LANES};
use crate::measure::{levenshtein, osa};
use rayon::prelude::*;

/// Texts per task: enough to pay for entering a tile, few enough to stay in cache.
const TEXTS: usize = 512;

/// The Levenshtein distances of all pairs of non-empty strings, with adjacent swaps if `SWAPS`: a row for each text, a
/// column for each pattern. Distances above 255 are reported as 255.
///
/// # Panics
/// If `out` is not as large as the matrix.
pub fn all_distances<const SWAPS: bool>(isa: Isa, texts: &[&[u8]], patterns: &[&[u8]], out: &mut [u8]) {
    fill(texts, patterns, out, &Distances::<SWAPS> { isa });
}

/// The Jaro similarities of all pairs of non-empty strings, Jaro-Winkler if `WINKLER`, each the nearest `f32` to the
/// value in `f64`: a row for each text, a column for each pattern.
///
/// # Panics
/// If `out` is not as large as the matrix.
pub fn all_similarities<const WINKLER: bool>(isa: Isa, texts: &[&[u8]], patterns: &[&[u8]], out: &mut [f32]) {
    let table = Similarities::<WINKLER>::new(texts, patterns);
    fill(texts, patterns, out, &JaroSimilarities { isa, table });
}

/// A measure that fills a matrix.
trait Measure: Sync {
    type Value: Send + Copy;

    /// The longest text for lanes.
    const MAX_TEXT: usize;

    /// The values of a tile's columns, which begin at `out[0]`.
    fn tile<W: Word>(&self, tile: &PatternTile<W>, texts: &[&[u8]], out: &mut [Self::Value], stride: usize);

    fn pair(&self, text: &[u8], pattern: &[u8]) -> Self::Value;
}

fn fill<M: Measure>(texts: &[&[u8]], patterns: &[&[u8]], out: &mut [M::Value], measure: &M) {
    assert_eq!(out.len(), texts.len() * patterns.len(), "room for every pair");
    if out.is_empty() {
        return;
    }
    let chunks = texts.par_chunks(TEXTS).zip(out.par_chunks_mut(TEXTS * patterns.len()));
    chunks.for_each_init(PatternTiles::default, |tiles, (texts, out)| {
        let mut row = 0;
        for texts in texts.chunk_by(|a, b| (a.len() <= M::MAX_TEXT) == (b.len() <= M::MAX_TEXT)) {
            fill_rows(tiles, texts, patterns, &mut out[row * patterns.len()..], measure);
            row += texts.len();
        }
    });
}

/// Fills the rows of texts that all fit the lanes, or all do not.
fn fill_rows<M: Measure>(
    tiles: &mut PatternTiles,
    texts: &[&[u8]],
    patterns: &[&[u8]],
    out: &mut [M::Value],
    measure: &M,
) {
    let fits = texts[0].len() <= M::MAX_TEXT;
    let stride = patterns.len();
    let mut column = 0;
    while column < stride {
        let (count, width) = next_tile(&patterns[column..]);
        let (some, out) = (&patterns[column..column + count], &mut out[column..]);
        match width {
            Width::W16 if fits => measure.tile(tiles.w16.with(some), texts, out, stride),
            Width::W32 if fits => measure.tile(tiles.w32.with(some), texts, out, stride),
            Width::W64 if fits => measure.tile(tiles.w64.with(some), texts, out, stride),
            _ => fill_pairs(texts, some, out, stride, measure),
        }
        column += count;
    }
}

fn fill_pairs<M: Measure>(texts: &[&[u8]], patterns: &[&[u8]], out: &mut [M::Value], stride: usize, measure: &M) {
    for (row, text) in texts.iter().enumerate() {
        for (column, pattern) in patterns.iter().enumerate() {
            out[row * stride + column] = measure.pair(text, pattern);
        }
    }
}

#[derive(Default)]
struct PatternTiles {
    w16: PatternTile<u16>,
    w32: PatternTile<u32>,
    w64: PatternTile<u64>,
}

enum Width {
    W16,
    W32,
    W64,
    Long,
}

/// The number of patterns in the next tile and the lanes they fit: the width that holds the most.
fn next_tile(patterns: &[&[u8]]) -> (usize, Width) {
    let fitting = |bits, lanes| patterns.iter().take(lanes).take_while(|p| p.len() <= bits).count();
    let (narrow, middle, wide) = (fitting(16, u16::LANES), fitting(32, u32::LANES), fitting(64, u64::LANES));
    if narrow > 0 && narrow >= middle {
        (narrow, Width::W16)
    } else if middle > 0 && middle >= wide {
        (middle, Width::W32)
    } else if wide > 0 {
        (wide, Width::W64)
    } else {
        (1, Width::Long)
    }
}

struct Distances<const SWAPS: bool> {
    isa: Isa,
}

impl<const SWAPS: bool> Measure for Distances<SWAPS> {
    type Value = u8;
    const MAX_TEXT: usize = edits::MAX_TEXT;

    fn tile<W: Word>(&self, tile: &PatternTile<W>, texts: &[&[u8]], out: &mut [u8], stride: usize) {
        edits::distances::<W, SWAPS>(self.isa, tile, texts, out, stride);
    }

    fn pair(&self, text: &[u8], pattern: &[u8]) -> u8 {
        let distance = if SWAPS { osa::distance(pattern, text) } else { levenshtein::distance(pattern, text) };
        distance.min(usize::from(u8::MAX)) as u8
    }
}

struct JaroSimilarities<const WINKLER: bool> {
    isa: Isa,
    table: Similarities<WINKLER>,
}

/// Texts whose counts are kept between the kernel and the table.
const BATCH: usize = 64;

impl<const WINKLER: bool> Measure for JaroSimilarities<WINKLER> {
    type Value = f32;
    const MAX_TEXT: usize = jaro::MAX_TEXT;

    fn tile<W: Word>(&self, tile: &PatternTile<W>, texts: &[&[u8]], out: &mut [f32], stride: usize) {
        let mut entries = [Row::ZERO; BATCH];
        let (mut length, mut tables) = (0, [&[][..]; MAX_LANES]);
        for (batch, texts) in texts.chunks(BATCH).enumerate() {
            jaro::entries(self.isa, tile, texts, &mut entries[..texts.len()]);
            for (i, (text, entries)) in texts.iter().zip(&entries).enumerate() {
                if text.len() != length {
                    length = text.len();
                    (0..tile.count()).for_each(|lane| tables[lane] = self.table.for_lengths(tile.length(lane), length));
                }
                let out = &mut out[(batch * BATCH + i) * stride..][..tile.count()];
                look_up(&tables[..tile.count()], entries.lanes(), out);
            }
        }
    }

    fn pair(&self, text: &[u8], pattern: &[u8]) -> f32 {
        Similarities::<WINKLER>::pair(text, pattern)
    }
}

/// The entries of all lanes, each of its own table; lists sorted by length mostly have one table for all.
#[inline]
fn look_up<W: Word>(tables: &[&[f32]], entries: &[W], out: &mut [f32]) {
    let table = tables[0];
    if std::ptr::eq(table, tables[tables.len() - 1]) && tables.iter().all(|other| std::ptr::eq(*other, table)) {
        out.iter_mut().zip(entries).for_each(|(out, entry)| *out = table[entry.wide() as usize]);
    } else {
        let lanes = out.iter_mut().zip(entries).zip(tables);
        lanes.for_each(|((out, entry), table)| *out = table[entry.wide() as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::near_strings;
    use super::*;
    use crate::measure::{jaro, jaro_winkler};
    use proptest::prelude::*;

    fn check(texts: &[&[u8]], patterns: &[&[u8]]) {
        let pairs: Vec<(&[u8], &[u8])> = texts.iter().flat_map(|t| patterns.iter().map(move |p| (*t, *p))).collect();
        for isa in Isa::available() {
            let (mut bytes, mut floats) = (vec![1; pairs.len()], vec![7.0; pairs.len()]);
            all_distances::<false>(isa, texts, patterns, &mut bytes);
            assert!(pairs.iter().zip(&bytes).all(|((a, b), &d)| levenshtein::reference(a, b) == usize::from(d)));
            all_distances::<true>(isa, texts, patterns, &mut bytes);
            assert!(pairs.iter().zip(&bytes).all(|((a, b), &d)| osa::reference(a, b) == usize::from(d)));
            all_similarities::<false>(isa, texts, patterns, &mut floats);
            assert!(pairs.iter().zip(&floats).all(|((a, b), &s)| jaro::reference(a, b) as f32 == s));
            all_similarities::<true>(isa, texts, patterns, &mut floats);
            assert!(pairs.iter().zip(&floats).all(|((a, b), &s)| jaro_winkler::reference(a, b) as f32 == s));
        }
    }

    #[test]
    fn nothing_to_measure() {
        check(&[], &[b"ab"]);
        check(&[b"ab"], &[]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn equal_the_definitions(mut a in near_strings(130), mut b in near_strings(130), sorted in any::<bool>()) {
            if sorted {
                a.sort_by_key(Vec::len);
                b.sort_by_key(Vec::len);
            }
            let texts: Vec<&[u8]> = a.iter().map(Vec::as_slice).collect();
            let patterns: Vec<&[u8]> = b.iter().map(Vec::as_slice).collect();
            check(&texts, &patterns);
        }
    }
}
