// Union-find over rows, for every kernel that finds pairs. A parent always comes before its children, so a root is its
// cluster's first row, whatever the order in which pairs arrive.
#pragma once

#include "platform.h"

// The parent as others have left it: a plain load might be served from a cache that does not see their writes.
DEVICE u32 components_parent(const u32* parent, u32 row) { return *const_cast<const volatile u32*>(parent + row); }

// The first row of a row's cluster. Halves the path on the way; a parent is only ever replaced by one of its own
// ancestors, so a race loses an improvement and nothing else.
DEVICE u32 components_root(u32* parent, u32 row) {
    for (;;) {
        u32 above = components_parent(parent, row);
        if (above == row) return row;
        u32 next = components_parent(parent, above);
        if (next != above) atomicCAS(parent + row, above, next);
        row = above;
    }
}

// Joins the clusters of two rows: the greater root is hung below the smaller by one compare-and-swap, which fails if
// another thread was quicker, and is then tried again from the new roots.
DEVICE void components_join(u32* parent, u32 a, u32 b) {
    // Most pairs of a large cluster join what is joined already.
    if (components_parent(parent, a) == components_parent(parent, b)) return;
    a = components_root(parent, a);
    b = components_root(parent, b);
    while (a != b) {
        u32 low = min(a, b), high = max(a, b);
        if (atomicCAS(parent + high, high, low) == high) return;
        a = components_root(parent, low);
        b = components_root(parent, high);
    }
}
