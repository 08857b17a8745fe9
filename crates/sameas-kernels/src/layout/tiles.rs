//! Tiles: ranges of two lists of rows that meet; the C++ side is in `kernels/tiles_layout.h`.

use bytemuck::{NoUninit, Pod, Zeroable};

use super::consume::Consume;
use crate::DevicePtr;

/// Every left row with every right row.
pub const PAIRING_ALL: u32 = 0;
/// Both ranges are one, ascending: each row with those after it.
pub const PAIRING_ASCENDING: u32 = 1;
/// The ranges share no row: every pair once, the smaller row on the left.
pub const PAIRING_SORTED: u32 = 2;
/// Every left row with the right rows that are greater.
pub const PAIRING_BEFORE: u32 = 3;

/// Threads of a block of the kernels that enumerate tiles.
pub const TILE_THREADS: u32 = 256;
/// Rows of the shorter side of a dense unit at most.
pub const TILE_SIDE: u32 = 256;
/// Pairs of a unit of light tiles at most.
pub const TILE_LIGHT_UNIT: u64 = 1024;

/// Two ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Tile {
    /// Where the left rows begin.
    pub left_begin: u32,
    /// How many left rows there are.
    pub left_len: u32,
    /// Where the right rows begin.
    pub right_begin: u32,
    /// How many right rows there are.
    pub right_len: u32,
}

/// Which warp does which unit of a launch.
pub mod schedule {
    /// All take the next one from a counter.
    pub const QUEUE: u32 = 0;
    /// Each has as many consecutive ones.
    pub const CONTINUOUS: u32 = 1;
    /// Each has one of every window, which is as wide as there are warps.
    pub const WINDOWS: u32 = 2;
    /// The same, and then any that nobody has taken.
    pub const WINDOW_STEALING: u32 = 3;
    /// Each has consecutive ones, and then half of another's.
    pub const RANGE_STEALING: u32 = 4;
}

/// `tiles_measure`: units of dense tiles and pairs of light ones.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct TilesMeasure {
    /// [`Tile`]s.
    pub tiles: DevicePtr<Tile>,
    /// One per tile, and one more: units of a dense tile.
    pub dense: DevicePtr<u64>,
    /// One per tile, and one more: pairs of a light tile.
    pub light: DevicePtr<u64>,
    /// Number of tiles.
    pub count: u32,
    /// How rows are paired.
    pub pairing: u32,
    /// Rows of the shorter side of a dense unit at most.
    pub side: u32,
    /// Zero.
    pub unused: u32,
}

/// `tiles_dense_*` and `tiles_light_*`: enumerate some units.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct TilesRun {
    /// [`Tile`]s.
    pub tiles: DevicePtr<Tile>,
    /// One per tile, and one more: the units, or pairs, before each.
    pub before: DevicePtr<u64>,
    /// The rows that the left ranges are of.
    pub left_rows: DevicePtr<u32>,
    /// The rows that the right ranges are of.
    pub right_rows: DevicePtr<u32>,
    /// The first unit.
    pub first: u64,
    /// How many units.
    pub units: u64,
    /// What has been taken so far: their number, a bit for each, or what is left of each warp's range.
    pub taken: DevicePtr<u64>,
    /// Number of tiles.
    pub count: u32,
    /// How rows are paired.
    pub pairing: u32,
    /// Rows of the shorter side of a dense unit at most: 32, 64, 128 or 256.
    pub side: u32,
    /// Pairs of a unit of light tiles.
    pub light_pairs: u32,
    /// Which warp does which unit.
    pub schedule: u32,
    /// Zero.
    pub unused: u32,
    /// What becomes of the pairs.
    pub consume: Consume,
}
