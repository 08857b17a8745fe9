//! What components reach, as bits; the C++ side is in `kernels/reach_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// Words of a row of a slice.
pub const REACH_WORDS: u32 = 16;
/// Targets of a slice.
pub const REACH_SLICE: u32 = 32 * REACH_WORDS;
/// Warps of a block that writes pairs.
pub const REACH_WARPS: u32 = 8;

/// A graph without cycles, but for single components: each reaches itself or smaller ones.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ReachGraph {
    /// Components by level: those that reach only earlier levels.
    pub order: DevicePtr<u32>,
    /// Where each level begins in the order; and the end.
    pub levels: DevicePtr<u32>,
    /// By component: where its successors begin; and the end.
    pub offsets: DevicePtr<u32>,
    /// The successors of all.
    pub targets: DevicePtr<u32>,
    /// By component: its vertices.
    pub sizes: DevicePtr<u32>,
    /// A bit for each component that reaches itself.
    pub loops: DevicePtr<u32>,
    /// A bit for each component of several vertices.
    pub large: DevicePtr<u32>,
    /// The number of components.
    pub components: u32,
    /// The number of levels.
    pub levels_len: u32,
}

/// `reach_sweep`: makes slices of the bits, a block each.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ReachSweep {
    /// The graph.
    pub graph: ReachGraph,
    /// By slice: the rows of all components from its first target on.
    pub rows: DevicePtr<u32>,
    /// By component: the vertices that it reaches in these slices are added; or null.
    pub weights: DevicePtr<u64>,
    /// The number of pairs of vertices is added.
    pub pairs: DevicePtr<u64>,
    /// The first slice.
    pub first: u32,
    /// How many of them.
    pub slices: u32,
}

/// `reach_weights`: by vertex the pairs that it begins.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ReachWeights {
    /// By vertex: its component.
    pub component: DevicePtr<u32>,
    /// By component: the vertices that it reaches.
    pub weights: DevicePtr<u64>,
    /// By vertex; and 0 behind the last.
    pub by_vertex: DevicePtr<u64>,
    /// The number of vertices.
    pub vertices: u64,
}

/// `reach_pairs`: writes the pairs of some vertices.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ReachPairs {
    /// By slice: the rows of all components from its first target on.
    pub rows: DevicePtr<u32>,
    /// By vertex: its component.
    pub component: DevicePtr<u32>,
    /// By component: where its vertices begin; and the end.
    pub member_offsets: DevicePtr<u32>,
    /// What the vertices of all components are called.
    pub member_ids: DevicePtr<u32>,
    /// By component: what its first vertex is called.
    pub first_ids: DevicePtr<u32>,
    /// By vertex: what it is called.
    pub ids: DevicePtr<u32>,
    /// A bit for each component of several vertices.
    pub large: DevicePtr<u32>,
    /// By vertex: where its pairs begin.
    pub places: DevicePtr<u64>,
    /// The pairs.
    pub pairs: DevicePtr<[u32; 2]>,
    /// The place of the first pair that is written.
    pub from: u64,
    /// The number of components.
    pub components: u32,
    /// The first slice.
    pub first: u32,
    /// How many of them.
    pub slices: u32,
    /// The first vertex.
    pub begin: u32,
    /// The end of the vertices.
    pub end: u32,
    /// Zero.
    pub unused: u32,
}
