//! Jaro and Jaro-Winkler similarities by table: the formula's few integer arguments, evaluated once for all pairs.

use super::jaro::{MAX_TEXT, PREFIXES, entry};
use crate::measure::{jaro, jaro_winkler};

/// For each pair of lengths that occurs, the similarity by matches, differing places and prefix.
pub(super) struct Similarities<const WINKLER: bool> {
    tables: Vec<Box<[f32]>>,
}

impl<const WINKLER: bool> Similarities<WINKLER> {
    pub(super) fn new(texts: &[&[u8]], patterns: &[&[u8]]) -> Self {
        let (of_texts, of_patterns) = (lengths(texts), lengths(patterns));
        let mut tables = vec![Box::from([]); (MAX_TEXT + 1) * (MAX_TEXT + 1)];
        for &pattern in &of_patterns {
            of_texts.iter().for_each(|&text| tables[place(pattern, text)] = table::<WINKLER>(pattern, text));
        }
        Similarities { tables }
    }

    /// The table of two lengths.
    pub(super) fn for_lengths(&self, pattern: usize, text: usize) -> &[f32] {
        &self.tables[place(pattern, text)]
    }

    /// The similarity of one pair.
    pub(super) fn pair(a: &[u8], b: &[u8]) -> f32 {
        let similarity = if WINKLER { jaro_winkler::similarity(a, b) } else { jaro::similarity(a, b) };
        similarity as f32
    }
}

/// The lengths that fit a lane.
#[inline]
fn lengths(strings: &[&[u8]]) -> Vec<usize> {
    let mut occurs = [false; MAX_TEXT + 1];
    strings.iter().filter(|s| s.len() <= MAX_TEXT).for_each(|s| occurs[s.len()] = true);
    (1..=MAX_TEXT).filter(|&length| occurs[length]).collect()
}

#[inline]
fn place(pattern: usize, text: usize) -> usize {
    pattern * (MAX_TEXT + 1) + text
}

fn table<const WINKLER: bool>(pattern: usize, text: usize) -> Box<[f32]> {
    let most = pattern.min(text);
    let mut table = Vec::with_capacity(entry(most + 1, 0, 0));
    for (matches, differing) in (0..=most).flat_map(|m| (0..=m).map(move |d| (m, d))) {
        let jaro = jaro::from_counts(pattern, text, matches, differing / 2);
        table.extend((0..PREFIXES).map(|prefix| {
            let similarity = if WINKLER { jaro_winkler::from_jaro(jaro, prefix) } else { jaro };
            similarity as f32
        }));
    }
    table.into_boxed_slice()
}
