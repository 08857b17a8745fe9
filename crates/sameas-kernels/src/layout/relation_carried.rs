//! Rows that each have a fixpoint of their own; the C++ side is in `kernels/relation_carried_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// Values of a narrow row that lie in shared memory, for each warp.
pub const CARRIED_RING: u32 = 128;

/// The counters of a launch: the place of the next row.
pub const CARRIED_NEXT: usize = 0;
/// Tuples so far, whether there was room for them or not.
pub const CARRIED_TUPLES: usize = 1;
/// Where the first row begins that there was no room for.
pub const CARRIED_FILLED: usize = 2;
/// Rows that there was no room for.
pub const CARRIED_UNDONE: usize = 3;

/// `relation_carried_warp`, `relation_carried_block`, `relation_carried_wide`: for each of some x the values that follow
/// from those it begins with.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct RelationCarried {
    /// By value: where the values of its next step begin; and the end.
    pub offsets: DevicePtr<u32>,
    /// The values of all steps.
    pub targets: DevicePtr<u32>,
    /// By x: where the values begin that it begins with; and the end.
    pub first_offsets: DevicePtr<u32>,
    /// The values that all begin with.
    pub first_targets: DevicePtr<u32>,
    /// By value: what it is in tuples; null where it is itself.
    pub ids: DevicePtr<u32>,
    /// The same by x.
    pub x_ids: DevicePtr<u32>,
    /// Those x that come first.
    pub again: DevicePtr<u32>,
    /// By group: room for all values.
    pub reached: DevicePtr<u32>,
    /// By group: a bit for each value, all zero; null where they lie in shared memory.
    pub bits: DevicePtr<u32>,
    /// Each x and value, shifted; null where they are only counted.
    pub tuples: DevicePtr<u64>,
    /// Four counters.
    pub counters: DevicePtr<u64>,
    /// The x that there was no room for: one for each group suffices.
    pub undone: DevicePtr<u32>,
    /// Tuples that there is room for.
    pub capacity: u64,
    /// The number of x that come first.
    pub again_len: u32,
    /// Then all from this one on.
    pub first: u32,
    /// To this one.
    pub end: u32,
    /// The number of values.
    pub values: u32,
    /// How far x is shifted in a tuple.
    pub x_shift: u32,
    /// How far the value is.
    pub value_shift: u32,
}
