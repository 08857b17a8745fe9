//! Arguments of the union-find; the twins are in `kernels/components_layout.h`.

use crate::Plain;

/// `components_join_pairs`: joins the clusters of pairs of rows, as `Components::join` does on the host.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ComponentsJoin {
    /// `u32` a row: a row of its cluster that comes before it, or itself. Each row's own number at the start.
    pub parent: u64,
    /// `u32` a pair.
    pub left: u64,
    /// `u32` a pair.
    pub right: u64,
    /// The number of pairs.
    pub pairs: u64,
}

/// `components_flatten`: replaces each parent by its root, the first row of the cluster.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ComponentsFlatten {
    /// `u32` a row.
    pub parent: u64,
    /// The number of rows.
    pub rows: u64,
}

const _: () = assert!(size_of::<ComponentsJoin>() == 32 && size_of::<ComponentsFlatten>() == 16);

// SAFETY: four numbers of eight bytes.
unsafe impl Plain for ComponentsJoin {}
// SAFETY: two numbers of eight bytes.
unsafe impl Plain for ComponentsFlatten {}
