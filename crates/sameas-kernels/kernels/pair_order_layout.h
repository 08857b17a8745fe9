// Arguments of the kernels that bring pairs in order; the Rust side is in src/layout/pair_order.rs.
#pragma once

#include "platform.h"

// Makes one key of each pair, or pairs of keys.
struct PairOrder {
    u32* left;
    u32* right;
    u64* keys;     // the left record, and the right one in the lowest bits
    u64 pairs;
    u32 right_bits;  // bits of a right record
    u32 unused;
};
