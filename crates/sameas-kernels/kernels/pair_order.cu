// Pairs as keys that sort by left and then by right record, and back.
#include "pair_order_layout.h"

KERNEL(pair_order_keys, PairOrder) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        args.keys[at] = static_cast<u64>(args.left[at]) << args.right_bits | args.right[at];
    }
}

KERNEL(pair_order_split, PairOrder) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        const u64 key = args.keys[at];
        args.left[at] = static_cast<u32>(key >> args.right_bits);
        args.right[at] = static_cast<u32>(key & ((1ull << args.right_bits) - 1));
    }
}
