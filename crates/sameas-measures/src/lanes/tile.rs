//! The patterns of the lanes and their character table.

use super::vector::{Row, Word};

/// The lanes of the narrowest words.
pub const MAX_LANES: usize = 32;

/// Character codes of one byte.
const ALPHABET: usize = 256;

/// Up to `W::LANES` patterns of up to `W::BITS` characters, entered in a character table.
pub struct PatternTile<W: Word> {
    /// For each character, the places of each pattern that hold it.
    masks: Box<[Row<W>]>,
    /// Characters that occur.
    used: Vec<u8>,
    /// The places that each pattern has.
    places: Row<W>,
    /// The number of these places.
    lengths: Row<W>,
    count: usize,
}

impl<W: Word> Default for PatternTile<W> {
    fn default() -> Self {
        PatternTile {
            masks: vec![Row::ZERO; ALPHABET].into_boxed_slice(),
            used: Vec::new(),
            places: Row::ZERO,
            lengths: Row::ZERO,
            count: 0,
        }
    }
}

impl<W: Word> PatternTile<W> {
    /// Replaces the patterns: at most `W::LANES`, none empty, none longer than `W::BITS`.
    pub fn set<'p>(&mut self, patterns: impl ExactSizeIterator<Item = &'p [u8]>) {
        assert!(patterns.len() <= W::LANES, "a tile has a lane for each pattern");
        for &code in &self.used {
            self.masks[usize::from(code)] = Row::ZERO;
        }
        self.used.clear();
        self.count = patterns.len();
        (self.places, self.lengths) = (Row::ZERO, Row::ZERO);
        patterns.enumerate().for_each(|(lane, pattern)| self.enter(lane, pattern));
    }

    /// The same, for use in an expression.
    pub(super) fn with(&mut self, patterns: &[&[u8]]) -> &Self {
        self.set(patterns.iter().copied());
        self
    }

    fn enter(&mut self, lane: usize, pattern: &[u8]) {
        assert!(!pattern.is_empty() && pattern.len() <= W::BITS, "a pattern fits its lane");
        for (place, &code) in pattern.iter().enumerate() {
            let mask = &mut self.masks[usize::from(code)].lanes_mut()[lane];
            if mask.wide() == 0 {
                // Perhaps already there for another lane; clearing twice does no harm.
                self.used.push(code);
            }
            *mask = W::low(mask.wide() | 1 << place);
        }
        self.places.lanes_mut()[lane] = W::low(!0 >> (64 - pattern.len()));
        self.lengths.lanes_mut()[lane] = W::low(pattern.len() as u64);
    }

    /// The number of patterns.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of characters of a pattern.
    pub fn length(&self, lane: usize) -> usize {
        self.lengths.lanes()[lane].wide() as usize
    }

    /// Where the patterns hold a character.
    #[inline(always)]
    pub(super) fn mask(&self, code: u8) -> &Row<W> {
        &self.masks[usize::from(code)]
    }

    #[inline(always)]
    pub(super) fn places(&self) -> &Row<W> {
        &self.places
    }
}
