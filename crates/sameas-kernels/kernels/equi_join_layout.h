// Arguments of the equality join; the Rust side is in src/layout/equi_join.rs.
#pragma once

#include "tiles_layout.h"

// One column of a composite key.
struct EquiJoinPart {
    // Codes by row; the greatest number is null.
    const u32* codes;
    u32 shift;
    // Whether a null takes part, and the code that then stands for it.
    u32 null_safe;
    u32 null_code;
    u32 unused;
};

// One side of a join: the keys of `len` rows, those listed or, without a list, the first ones.
struct EquiJoinSide {
    const EquiJoinPart* parts;
    const u32* rows;
    u32 part_count;
    u32 len;
    // Bits of a key, at most 64.
    u32 bits;
    u32 unused;
};

// Counts the keys of a side by the top `bin_bits` bits of their hash.
struct EquiJoinHistogram {
    EquiJoinSide side;
    u32* bins;
    u32 bin_bits;
    u32 unused;
};

// Makes the tuples whose hash lies in [low, high], in the order of the rows.
struct EquiJoinKeys {
    EquiJoinSide side;
    u64 low;
    u64 high;
    // Tuples of each block, written when counting; what is before each block, read when writing.
    u32* counts;
    const u64* before;
    void* hashes;
    u32* rows;
};

// Tuples sorted by the high bits of their hash.
struct EquiJoinTuples {
    const void* hashes;
    const u32* rows;
    // Where each partition starts, and in the last entry where the last one ends.
    const u32* starts;
};

// Finds where each of `partitions` partitions starts; the first one is that of the round's smallest hash.
struct EquiJoinStarts {
    const void* hashes;
    u32* starts;
    u64 first_partition;
    u32 len;
    u32 partitions;
    // Bits of a hash below those that number its partition.
    u32 low_bits;
    u32 unused;
};

// What makes a partition large: it is then no work for one block.
struct EquiJoinLimits {
    // Tuples that are built in shared memory, and those that stream by.
    u32 build;
    u32 probe;
    u64 pairs;
};

// Joins the light ones among the partitions [first, first + units).
struct EquiJoinProbe {
    EquiJoinTuples left;
    EquiJoinTuples right;
    EquiJoinLimits limits;
    u64 first;
    u64 units;
    // Partitions taken so far by this launch: 0 when it starts.
    u64* taken;
    u32 low_bits;
    // Both sides are one.
    u32 self_join;
    // PAIRING_ALL or PAIRING_BEFORE.
    u32 pairing;
    u32 unused;
    Consume consume;
};

// Sizes of the large partitions, 0 for the others and in the last entry.
struct EquiJoinClassify {
    const u32* left_starts;
    const u32* right_starts;
    u32* left_sizes;
    u32* right_sizes;
    EquiJoinLimits limits;
    u32 partitions;
    u32 self_join;
};

// Copies the tuples of large partitions.
struct EquiJoinCollect {
    EquiJoinTuples tuples;
    const u32* sizes;
    const u64* before;
    void* hashes;
    u32* rows;
    u64 first_partition;
    u32 len;
    u32 low_bits;
};

// Makes a tile of each key of the left side: its left tuples and those of the right side.
struct EquiJoinTiles {
    const void* left_hashes;
    const void* right_hashes;
    const u32* heads;
    Tile* tiles;
    u32 left_len;
    u32 right_len;
    u32 keys;
    u32 bits;
    u32 low_bits;
    u32 self_join;
};
