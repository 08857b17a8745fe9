// From pairs of distinct values to tiles of the rows that hold them.
#include "by_value_layout.h"

KERNEL(by_value_tiles, ByValueTiles) {
    for (u64 at = thread_in_grid(); at < args.pairs; at += threads_in_grid()) {
        u32 a = args.left[at], b = args.right[at];
        u32 left = args.left_starts[a], right = args.right_starts[b];
        Tile tile = {left, args.left_starts[a + 1] - left, right, args.right_starts[b + 1] - right}, none = {0, 0, 0, 0};
        bool is_same = args.same && a == b;
        args.tiles[at] = is_same ? none : tile;
        if (args.same) args.same[at] = is_same ? tile : none;
    }
}
