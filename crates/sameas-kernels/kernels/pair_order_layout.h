// Arguments of the kernels that bring pairs in order; the Rust side is in src/layout/pair_order.rs.
#pragma once

#include "platform.h"

// Makes one key of each pair, or pairs of keys.
struct PairOrder {
    u32* left;
    u32* right;
    u64* keys;     // the left record, and the right one in the lowest bits
    u32* places;   // the place of each pair, to be carried with its key, or null where rules are carried
    u64 pairs;
    u32 right_bits;  // bits of a right record
    u32 unused;
};

// Brings what pairs have in the order of their places.
struct PairGather {
    const u32* places;
    const u32* rules;
    const i64* scores;
    u32* ordered_rules;
    i64* ordered_scores;
    u64 pairs;
};
