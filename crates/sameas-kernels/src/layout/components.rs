//! Arguments of the union-find; the C++ side is in `kernels/components_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// `components_join_pairs`: joins the clusters of pairs of rows, as `Components::join` does on the host.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ComponentsJoin {
    /// By row: a row of its cluster that comes before it, or itself. Each row's own number at the start.
    pub parent: DevicePtr<u32>,
    /// By pair.
    pub left: DevicePtr<u32>,
    /// By pair.
    pub right: DevicePtr<u32>,
    /// The number of pairs.
    pub pairs: u64,
}

/// `components_flatten`: replaces each parent by its root, the first row of the cluster.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ComponentsFlatten {
    /// By row.
    pub parent: DevicePtr<u32>,
    /// The number of rows.
    pub rows: u64,
}
