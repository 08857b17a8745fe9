// Connected components on the device: pairs join clusters, then every row learns its cluster's first row.
#include "components.h"
#include "components_layout.h"

KERNEL(components_join_pairs, ComponentsJoin) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        components_join(args.parent, args.left[at], args.right[at]);
    }
}

// Rows are flattened concurrently: what a thread reads is an ancestor of the row, whether another has replaced it or not.
KERNEL(components_flatten, ComponentsFlatten) {
    for (u64 at = thread_in_grid(); at < args.rows; at += threads_in_grid()) {
        u32 row = static_cast<u32>(at);
        args.parent[row] = components_root(args.parent, row);
    }
}
