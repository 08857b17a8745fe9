//! Arguments of the equality join; the C++ side is in `kernels/equi_join_layout.h`.

use bytemuck::{NoUninit, Pod, Zeroable};

use super::consume::Consume;
use super::tiles::Tile;
use crate::{DevicePtr, Untyped};

/// Tuples that fit the shared memory of a block.
pub const EQUI_JOIN_BUILD: u32 = 1024;
/// Threads of a block.
pub const EQUI_JOIN_THREADS: u32 = 256;
/// Rows of a block that makes keys.
pub const EQUI_JOIN_KEYS_BLOCK: u32 = 2048;
/// Binary logarithm of the bins of a histogram at most.
pub const EQUI_JOIN_BIN_BITS: u32 = 12;

/// One column of a composite key.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinPart {
    /// By row; the greatest number is null.
    pub codes: DevicePtr<u32>,
    /// Where its bits lie in the key.
    pub shift: u32,
    /// Whether a null takes part.
    pub null_safe: u32,
    /// What then stands for null.
    pub null_code: u32,
    /// Zero.
    pub unused: u32,
}

/// One side of a join: the keys of `len` rows.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinSide {
    /// [`EquiJoinPart`]s.
    pub parts: DevicePtr<EquiJoinPart>,
    /// The rows, or null where they are the first `len`.
    pub rows: DevicePtr<u32>,
    /// Number of parts.
    pub part_count: u32,
    /// Number of tuples.
    pub len: u32,
    /// Bits of a key and of its hash.
    pub bits: u32,
    /// Zero.
    pub unused: u32,
}

/// `equi_join_histogram`: counts keys by the top bits of their hash.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinHistogram {
    /// The side.
    pub side: EquiJoinSide,
    /// By bin.
    pub bins: DevicePtr<u32>,
    /// Binary logarithm of the number of bins.
    pub bin_bits: u32,
    /// Zero.
    pub unused: u32,
}

/// `equi_join_keys_count` and `equi_join_keys_write_*`: the tuples whose hash lies in a range.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinKeys {
    /// The side.
    pub side: EquiJoinSide,
    /// The smallest hash.
    pub low: u64,
    /// The greatest hash.
    pub high: u64,
    /// By block: its tuples, written when counting.
    pub counts: DevicePtr<u32>,
    /// The tuples before each.
    pub before: DevicePtr<u64>,
    /// Hashes, of 4 or 8 bytes, when writing.
    pub hashes: DevicePtr<Untyped>,
    /// By tuple: its row.
    pub rows: DevicePtr<u32>,
}

/// Tuples sorted by the high bits of their hash.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinTuples {
    /// Hashes, of 4 or 8 bytes.
    pub hashes: DevicePtr<Untyped>,
    /// By tuple: its row.
    pub rows: DevicePtr<u32>,
    /// One per partition, and one more.
    pub starts: DevicePtr<u32>,
}

/// `equi_join_starts_*`: where partitions start.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinStarts {
    /// Hashes, of 4 or 8 bytes.
    pub hashes: DevicePtr<Untyped>,
    /// One per partition, and one more.
    pub starts: DevicePtr<u32>,
    /// The partition of the smallest hash.
    pub first_partition: u64,
    /// Number of tuples.
    pub len: u32,
    /// Number of partitions.
    pub partitions: u32,
    /// Bits of a hash below those that number its partition.
    pub low_bits: u32,
    /// Zero.
    pub unused: u32,
}

/// What makes a partition large: it is then no work for one block.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct EquiJoinLimits {
    /// Tuples of the smaller side at most.
    pub build: u32,
    /// Tuples of the larger side at most.
    pub probe: u32,
    /// Product of both sides at most.
    pub pairs: u64,
}

/// `equi_join_probe_*`: joins the light ones among some partitions.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinProbe {
    /// The left tuples.
    pub left: EquiJoinTuples,
    /// The right tuples; the left ones in a self-join.
    pub right: EquiJoinTuples,
    /// What is light.
    pub limits: EquiJoinLimits,
    /// The first partition.
    pub first: u64,
    /// How many partitions.
    pub units: u64,
    /// 0 at the start.
    pub taken: DevicePtr<u64>,
    /// Bits of a hash below those that number its partition.
    pub low_bits: u32,
    /// Whether both sides are one.
    pub self_join: u32,
    /// `PAIRING_ALL` or `PAIRING_BEFORE`.
    pub pairing: u32,
    /// Zero.
    pub unused: u32,
    /// What becomes of the pairs.
    pub consume: Consume,
}

/// `equi_join_classify`: the sizes of large partitions.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinClassify {
    /// One per partition, and one more.
    pub left_starts: DevicePtr<u32>,
    /// One per partition, and one more.
    pub right_starts: DevicePtr<u32>,
    /// One per partition, and one more.
    pub left_sizes: DevicePtr<u32>,
    /// One per partition, and one more; unused in a self-join.
    pub right_sizes: DevicePtr<u32>,
    /// What is light.
    pub limits: EquiJoinLimits,
    /// Number of partitions.
    pub partitions: u32,
    /// Whether both sides are one.
    pub self_join: u32,
}

/// `equi_join_collect_*`: copies the tuples of large partitions.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinCollect {
    /// What is copied from.
    pub tuples: EquiJoinTuples,
    /// By partition: 0 where it is not large.
    pub sizes: DevicePtr<u32>,
    /// The tuples before each.
    pub before: DevicePtr<u64>,
    /// Hashes, of 4 or 8 bytes.
    pub hashes: DevicePtr<Untyped>,
    /// By tuple: its row.
    pub rows: DevicePtr<u32>,
    /// The partition of the smallest hash.
    pub first_partition: u64,
    /// Number of tuples.
    pub len: u32,
    /// Bits of a hash below those that number its partition.
    pub low_bits: u32,
}

/// `equi_join_tiles_*`: a tile for each key of the left side.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct EquiJoinTiles {
    /// Hashes, of 4 or 8 bytes, by key.
    pub left_hashes: DevicePtr<Untyped>,
    /// Hashes, of 4 or 8 bytes, by key.
    pub right_hashes: DevicePtr<Untyped>,
    /// By key: its first left tuple.
    pub heads: DevicePtr<u32>,
    /// [`Tile`]s.
    pub tiles: DevicePtr<Tile>,
    /// Number of left tuples.
    pub left_len: u32,
    /// Number of right tuples.
    pub right_len: u32,
    /// Number of keys.
    pub keys: u32,
    /// Bits of a key and of its hash.
    pub bits: u32,
    /// Bits of a hash below those that number its partition.
    pub low_bits: u32,
    /// Whether both sides are one.
    pub self_join: u32,
}
