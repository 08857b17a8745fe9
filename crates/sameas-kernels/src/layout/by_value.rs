//! From pairs of values to tiles of rows; the C++ side is in `kernels/by_value_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use super::tiles::Tile;
use crate::DevicePtr;

/// `by_value_tiles`: the tiles of the rows that hold the values of some pairs.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ByValueTiles {
    /// By pair: its left code.
    pub left: DevicePtr<u32>,
    /// By pair: its right code.
    pub right: DevicePtr<u32>,
    /// One per code, and one more: where its left rows start.
    pub left_starts: DevicePtr<u32>,
    /// One per code, and one more: where its right rows start.
    pub right_starts: DevicePtr<u32>,
    /// By pair; empty where it is one of `same`.
    pub tiles: DevicePtr<Tile>,
    /// The tiles of values with themselves, or null where they are treated as the others.
    pub same: DevicePtr<Tile>,
    /// Number of pairs.
    pub pairs: u64,
}
