//! Tiles: how candidates travel. A tile names rows of two lists; pairs are enumerated where they are consumed.

/// Which pairs of its two lists a tile stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Every left entry with every right entry, as they stand.
    All,
    /// Both lists are one, ascending: each entry with those after it.
    Ascending,
    /// The lists share no entry: every pair once, the smaller row on the left.
    Sorted,
    /// Every left entry with the right entries that are greater.
    Before,
}

/// Which of the pairs with equal keys are candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualKeyPairs {
    /// All that the join yields.
    All,
    /// Those with the smaller row on the left: two lists of rows of one frame are joined.
    Before,
}

/// Some left rows and some right rows that meet.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// Left rows.
    pub left: &'a [u32],
    /// Right rows.
    pub right: &'a [u32],
    /// Which of their pairs are meant.
    pub pairing: Pairing,
}

/// What becomes of the candidates.
pub trait Sink {
    /// Takes the pairs of a tile.
    fn tile(&mut self, tile: Tile<'_>);
}
