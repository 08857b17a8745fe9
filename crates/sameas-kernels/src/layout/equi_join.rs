//! Arguments of the equality join; the twins are in `kernels/equi_join_layout.h`.

use super::consume::Consume;
use crate::Plain;

/// Tuples that fit the shared memory of a block.
pub const EQUI_JOIN_BUILD: u32 = 1024;
/// Threads of a block.
pub const EQUI_JOIN_THREADS: u32 = 256;
/// Rows of a block that makes keys.
pub const EQUI_JOIN_KEYS_BLOCK: u32 = 2048;
/// Binary logarithm of the bins of a histogram at most.
pub const EQUI_JOIN_BIN_BITS: u32 = 12;

/// One column of a composite key.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinPart {
    /// `u32` a row; the greatest number is null.
    pub codes: u64,
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
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinSide {
    /// [`EquiJoinPart`]s.
    pub parts: u64,
    /// `u32`: the rows, or zero where they are the first `len`.
    pub rows: u64,
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
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinHistogram {
    /// The side.
    pub side: EquiJoinSide,
    /// `u32` a bin.
    pub bins: u64,
    /// Binary logarithm of the number of bins.
    pub bin_bits: u32,
    /// Zero.
    pub unused: u32,
}

/// `equi_join_keys_count` and `equi_join_keys_write_*`: the tuples whose hash lies in a range.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinKeys {
    /// The side.
    pub side: EquiJoinSide,
    /// The smallest hash.
    pub low: u64,
    /// The greatest hash.
    pub high: u64,
    /// `u32` a block: its tuples, written when counting.
    pub counts: u64,
    /// `u64`: the tuples before each.
    pub before: u64,
    /// Hashes, of 4 or 8 bytes, when writing.
    pub hashes: u64,
    /// `u32` a tuple: its row.
    pub rows: u64,
}

/// Tuples sorted by the high bits of their hash.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinTuples {
    /// Hashes, of 4 or 8 bytes.
    pub hashes: u64,
    /// `u32` a tuple: its row.
    pub rows: u64,
    /// `u32` a partition and one more.
    pub starts: u64,
}

/// `equi_join_starts_*`: where partitions start.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinStarts {
    /// Hashes, of 4 or 8 bytes.
    pub hashes: u64,
    /// `u32` a partition and one more.
    pub starts: u64,
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
#[derive(Debug, Clone, Copy)]
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
#[derive(Debug, Clone, Copy)]
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
    /// `u64`: 0 at the start.
    pub taken: u64,
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
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinClassify {
    /// `u32` a partition and one more.
    pub left_starts: u64,
    /// `u32` a partition and one more.
    pub right_starts: u64,
    /// `u32` a partition and one more.
    pub left_sizes: u64,
    /// `u32` a partition and one more; unused in a self-join.
    pub right_sizes: u64,
    /// What is light.
    pub limits: EquiJoinLimits,
    /// Number of partitions.
    pub partitions: u32,
    /// Whether both sides are one.
    pub self_join: u32,
}

/// `equi_join_collect_*`: copies the tuples of large partitions.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinCollect {
    /// What is copied from.
    pub tuples: EquiJoinTuples,
    /// `u32` a partition: 0 where it is not large.
    pub sizes: u64,
    /// `u64`: the tuples before each.
    pub before: u64,
    /// Hashes, of 4 or 8 bytes.
    pub hashes: u64,
    /// `u32` a tuple: its row.
    pub rows: u64,
    /// The partition of the smallest hash.
    pub first_partition: u64,
    /// Number of tuples.
    pub len: u32,
    /// Bits of a hash below those that number its partition.
    pub low_bits: u32,
}

/// `equi_join_heads_*`: marks the first tuple of each key.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinHeads {
    /// Hashes, of 4 or 8 bytes.
    pub hashes: u64,
    /// `u32` a tuple: its number.
    pub numbers: u64,
    /// `u8` a tuple: 1 where its key begins.
    pub flags: u64,
    /// Number of tuples.
    pub len: u32,
    /// Zero.
    pub unused: u32,
}

/// `equi_join_tiles_*`: a tile for each key of the left side.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EquiJoinTiles {
    /// Hashes, of 4 or 8 bytes, by key.
    pub left_hashes: u64,
    /// Hashes, of 4 or 8 bytes, by key.
    pub right_hashes: u64,
    /// `u32` a key: its first left tuple.
    pub heads: u64,
    /// [`Tile`](super::tiles::Tile)s.
    pub tiles: u64,
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

const _: () = {
    assert!(size_of::<EquiJoinPart>() == 24);
    assert!(size_of::<EquiJoinSide>() == 32);
    assert!(size_of::<EquiJoinHistogram>() == 48);
    assert!(size_of::<EquiJoinKeys>() == 80);
    assert!(size_of::<EquiJoinTuples>() == 24);
    assert!(size_of::<EquiJoinStarts>() == 40);
    assert!(size_of::<EquiJoinLimits>() == 16);
    assert!(size_of::<EquiJoinProbe>() == 152);
    assert!(size_of::<EquiJoinClassify>() == 56);
    assert!(size_of::<EquiJoinCollect>() == 72);
    assert!(size_of::<EquiJoinHeads>() == 32);
    assert!(size_of::<EquiJoinTiles>() == 56);
};

macro_rules! plain {
    ($($layout:ty),*) => {
        // SAFETY: their fields are plain, and their sizes, asserted above, are the sums of those of the fields.
        $(unsafe impl Plain for $layout {})*
    };
}
plain!(
    EquiJoinPart,
    EquiJoinSide,
    EquiJoinHistogram,
    EquiJoinKeys,
    EquiJoinTuples,
    EquiJoinStarts,
    EquiJoinLimits,
    EquiJoinProbe,
    EquiJoinClassify,
    EquiJoinCollect,
    EquiJoinHeads,
    EquiJoinTiles
);
