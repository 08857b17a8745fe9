//! From pairs of values to tiles of rows; the twins are in `kernels/by_value_layout.h`.

use crate::Plain;

/// `by_value_tiles`: the tiles of the rows that hold the values of some pairs.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ByValueTiles {
    /// `u32` a pair: its left code.
    pub left: u64,
    /// `u32` a pair: its right code.
    pub right: u64,
    /// `u32` a code and one more: where its left rows start.
    pub left_starts: u64,
    /// `u32` a code and one more: where its right rows start.
    pub right_starts: u64,
    /// [`Tile`](super::tiles::Tile) a pair; empty where it is one of `same`.
    pub tiles: u64,
    /// The tiles of values with themselves, or 0 where they are like the others.
    pub same: u64,
    /// Number of pairs.
    pub pairs: u64,
}

const _: () = assert!(size_of::<ByValueTiles>() == 56);

// SAFETY: seven numbers of eight bytes.
unsafe impl Plain for ByValueTiles {}
