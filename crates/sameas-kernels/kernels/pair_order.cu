// Pairs as keys that sort by left and then by right record, and back; and what else pairs have, in that order.
#include "pair_order_layout.h"

KERNEL(pair_order_keys, PairOrder) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        args.keys[at] = static_cast<u64>(args.left[at]) << args.right_bits | args.right[at];
        if (args.places) args.places[at] = static_cast<u32>(at);
    }
}

KERNEL(pair_order_split, PairOrder) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        const u64 key = args.keys[at];
        args.left[at] = static_cast<u32>(key >> args.right_bits);
        args.right[at] = static_cast<u32>(key & ((1ull << args.right_bits) - 1));
    }
}

KERNEL(pair_order_gather, PairGather) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        const u32 place = args.places[at];
        args.ordered_rules[at] = args.rules[place];
        args.ordered_scores[at] = args.scores[place];
    }
}
