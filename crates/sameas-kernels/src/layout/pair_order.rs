//! Arguments of the kernels that bring pairs in order; the C++ side is in `kernels/pair_order_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// `pair_order_keys` makes one key of each pair, `pair_order_split` pairs of keys.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PairOrder {
    /// Left records.
    pub left: DevicePtr<u32>,
    /// Right records.
    pub right: DevicePtr<u32>,
    /// The left record, and the right one in the lowest bits.
    pub keys: DevicePtr<u64>,
    /// The place of each pair, to be carried with its key, or null where rules are carried.
    pub places: DevicePtr<u32>,
    /// The number of pairs.
    pub pairs: u64,
    /// Bits of a right record.
    pub right_bits: u32,
    /// Nothing.
    pub unused: u32,
}

/// `pair_order_gather` brings what pairs have in the order of their places.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct PairGather {
    /// Where each pair was.
    pub places: DevicePtr<u32>,
    /// Owning rules.
    pub rules: DevicePtr<u32>,
    /// Scores.
    pub scores: DevicePtr<i64>,
    /// The rules in order.
    pub ordered_rules: DevicePtr<u32>,
    /// The scores in order.
    pub ordered_scores: DevicePtr<i64>,
    /// The number of pairs.
    pub pairs: u64,
}
