// Tiles of rows: their measures, and their pairs counted or written.
#include "consume.h"
#include "tiles.h"

KERNEL(tiles_measure, TilesMeasure) {
    for (u64 at = thread_in_grid(); at <= args.count; at += threads_in_grid()) {
        u64 dense = 0, light = 0;
        if (at < args.count) {
            Tile tile = args.tiles[at];
            u64 pairs = tile_pairs(tile, args.pairing);
            if (pairs <= TILE_LIGHT) light = pairs;
            else dense = TileCut(tile, args.pairing, args.side).units;
        }
        args.dense[at] = dense;
        args.light[at] = light;
    }
}

KERNEL(tiles_dense_count, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_dense<CountPairs>(args); }
KERNEL(tiles_dense_write, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_dense<WritePairs>(args); }
KERNEL(tiles_light_count, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_light<CountPairs>(args); }
KERNEL(tiles_light_write, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_light<WritePairs>(args); }
