//! The closure of a graph as a matrix of bits, by tiles; the C++ side is in `kernels/closure_bits_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// Rows of a tile, and its columns.
pub const TILE_ROWS: u32 = 256;
/// Words of a tile's row.
pub const TILE_WORDS: u32 = TILE_ROWS / 32;

/// `closure_bits_edges`, `closure_bits_pivot`, `closure_bits_cross`, `closure_bits_rest`, `closure_bits_count`.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ClosureBits {
    /// A square matrix of whole tiles: bit y of row x says that x reaches y.
    pub rows: DevicePtr<u32>,
    /// The number of bits is added.
    pub pairs: DevicePtr<u64>,
    /// By vertex: where its edges begin; and the end.
    pub offsets: DevicePtr<u32>,
    /// By edge: where it leads.
    pub targets: DevicePtr<u32>,
    /// The number of vertices.
    pub vertices: u32,
    /// Tiles of a row.
    pub tiles: u32,
    /// The tile that paths lead through.
    pub pivot: u32,
    /// Zero.
    pub unused: u32,
}
