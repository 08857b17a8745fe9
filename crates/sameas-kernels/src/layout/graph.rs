//! Graphs on a device; the C++ side is in `kernels/graph_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// `graph_marks`: marks the ids that occur.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct GraphMarks {
    /// Some ids.
    pub ids: DevicePtr<u32>,
    /// A bit for each id there can be.
    pub marks: DevicePtr<u64>,
    /// The number of ids.
    pub len: u64,
}

/// `graph_codes`: replaces ids by their places among those that occur.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct GraphCodes {
    /// Some ids.
    pub ids: DevicePtr<u32>,
    /// A bit for each id that occurs.
    pub marks: DevicePtr<u64>,
    /// By word of the marks: the marks before it.
    pub before: DevicePtr<u64>,
    /// By id: its place.
    pub codes: DevicePtr<u32>,
    /// The number of ids.
    pub len: u64,
}

/// `graph_offsets`: where the edges of each vertex begin.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct GraphOffsets {
    /// By edge, sorted.
    pub sources: DevicePtr<u32>,
    /// By vertex, and the end.
    pub offsets: DevicePtr<u32>,
    /// The number of edges.
    pub edges: u32,
    /// The number of vertices.
    pub vertices: u32,
}
