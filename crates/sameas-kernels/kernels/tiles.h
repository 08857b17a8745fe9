// How the pairs of tiles are enumerated, each once: large tiles densely, a rectangle per warp; light ones, of few pairs,
// by the number of the pair, so that no lane idles where tiles are 1 x 1.
#pragma once

#include "tiles_layout.h"
#include "units.h"

// Rows of the shorter side of a dense unit, at most, and lane rows between two readings of them.
constexpr u32 TILE_SIDE = 256;
// Tiles of at most this many pairs are light.
constexpr u32 TILE_LIGHT = 1024;
// Threads of a block.
constexpr u32 TILE_THREADS = 256;

// Pairs of a tile, before its pairing leaves out any by comparing rows.
DEVICE u64 tile_pairs(const Tile& tile, u32 pairing) {
    u64 left = tile.left_len;
    return pairing == PAIRING_ASCENDING ? left * (left - (left != 0)) / 2 : left * tile.right_len;
}

// How a tile is cut into a grid of units: rows of the shorter side in bands of equal height, and lanes along the longer
// side, further where bands are low. Triangles are cut into squares, those on and above the diagonal.
struct TileCut {
    u32 high, wide;
    u64 across, units;
    bool swapped;

    DEVICE TileCut(const Tile& tile, u32 pairing, u32 side) {
        u32 shorter = min(tile.left_len, tile.right_len), longer = max(tile.left_len, tile.right_len);
        swapped = tile.left_len > tile.right_len;
        if (pairing == PAIRING_ASCENDING) {
            high = wide = side;
            across = (static_cast<u64>(tile.left_len) + side - 1) / side;
            units = across * (across + 1) / 2;
            return;
        }
        u32 bands = shorter / side + (shorter % side != 0);
        high = shorter == 0 ? 1 : (shorter - 1) / bands + 1;
        wide = side * side / high / side * side;
        across = longer / wide + (longer % wide != 0);
        units = across * bands;
    }
};

// The place of the last entry that is not above `value`; the first entry never is. Empty tiles have the place of what
// follows them and are passed over.
DEVICE u32 tiles_find(const u64* before, u32 count, u64 value) {
    u32 low = 0, high = count;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (before[middle] <= value) low = middle;
        else high = middle;
    }
    return low;
}

// The column of a triangle's unit when they are numbered column by column. The root is rounded, so the column may be
// off by one.
DEVICE u64 tile_column(u64 unit) {
    u64 column = static_cast<u64>((__dsqrt_rn(8.0 * static_cast<double>(unit) + 1.0) - 1.0) / 2.0);
    while (column * (column + 1) / 2 > unit) --column;
    while ((column + 1) * (column + 2) / 2 <= unit) ++column;
    return column;
}

// One candidate per lane, as the pairing wants it.
template <class Consumer> DEVICE void tile_take(Consumer& consumer, bool valid, u32 l, u32 r, u32 pairing) {
    if (pairing == PAIRING_BEFORE) valid = valid && l < r;
    bool turned = pairing == PAIRING_SORTED && r < l;
    consumer.take(valid, turned ? r : l, turned ? l : r);
}

// Each of `count` staged rows with each of `width` lane rows, at most 32 K of them.
template <int K, class Consumer>
DEVICE void tile_block(Consumer& consumer, const u32* rows, u32 count, const u32* lane_rows, u32 width, bool swapped,
                       uint4* room) {
    u32 lanes[K];
#pragma unroll
    for (int j = 0; j < K; ++j) lanes[j] = 32 * j + lane() < width ? lane_rows[32 * j + lane()] : 0;
    consumer.template rectangle<K>(rows, count, lanes, width, swapped, room);
}

// The same for any number of lane rows.
template <class Consumer>
DEVICE void tile_rectangle(Consumer& consumer, const u32* rows, u32 count, const u32* lane_rows, u32 width, bool swapped,
                           u32 pairing, [[maybe_unused]] uint4* room) {
    if constexpr (Consumer::COLUMNS != 0) {
        if ((pairing == PAIRING_ALL || pairing == PAIRING_ASCENDING) && consumer.takes_rectangles()) {
            constexpr u32 WIDEST = 32 * Consumer::COLUMNS;
            for (; width > WIDEST / 2; lane_rows += WIDEST, width -= min(width, WIDEST)) {
                tile_block<Consumer::COLUMNS>(consumer, rows, count, lane_rows, min(width, WIDEST), swapped, room);
            }
            if constexpr (Consumer::COLUMNS > 4) {
                if (width > 64) return tile_block<4>(consumer, rows, count, lane_rows, width, swapped, room);
            }
            if (width > 32) tile_block<2>(consumer, rows, count, lane_rows, width, swapped, room);
            else if (width > 0) tile_block<1>(consumer, rows, count, lane_rows, width, swapped, room);
            return;
        }
    }
    for (u32 column = lane(); column - lane() < width; column += 32) {
        u32 mine = column < width ? lane_rows[column] : 0;
        for (u32 i = 0; i < count; ++i) {
            tile_take(consumer, column < width, swapped ? mine : rows[i], swapped ? rows[i] : mine, pairing);
        }
    }
}

// Each of `count` staged rows, which are the lane rows too, with those after it: 32 columns at a time, a rectangle
// above the diagonal and the triangle on it.
template <class Consumer>
DEVICE void tile_triangle(Consumer& consumer, const u32* rows, u32 count, uint4* room) {
    for (u32 begin = 0; begin < count; begin += 32) {
        u32 width = min(count - begin, 32u);
        tile_rectangle(consumer, rows, begin, rows + begin, width, false, PAIRING_ASCENDING, room);
        u32 mine = lane() < width ? rows[begin + lane()] : 0;
        for (u32 i = 0; i + 1 < width; ++i) consumer.take(i < lane() && lane() < width, rows[begin + i], mine);
    }
}

// Enumerates one unit of a dense tile; `staged` has room for TILE_SIDE rows.
template <class Consumer>
DEVICE void tile_unit(Consumer& consumer, const TilesRun& args, const Tile& tile, u64 unit, u32* staged, uint4* room) {
    TileCut cut(tile, args.pairing, args.side);
    bool triangle = args.pairing == PAIRING_ASCENDING;
    u64 column = triangle ? tile_column(unit) : unit % cut.across;
    u64 band = triangle ? unit - column * (column + 1) / 2 : unit / cut.across;
    u32 top = static_cast<u32>(band) * cut.high, from = static_cast<u32>(column) * cut.wide;
    u32 high_len = cut.swapped ? tile.right_len : tile.left_len, wide_len = cut.swapped ? tile.left_len : tile.right_len;
    u32 count = min(high_len - top, cut.high), width = min(wide_len - from, cut.wide);
    const u32* rows = cut.swapped ? args.right_rows + tile.right_begin : args.left_rows + tile.left_begin;
    const u32* lane_rows = cut.swapped ? args.left_rows + tile.left_begin : args.right_rows + tile.right_begin;
    __syncwarp(FULL);
    for (u32 i = lane(); i < count; i += 32) staged[i] = rows[top + i];
    __syncwarp(FULL);
    if (triangle && band == column) tile_triangle(consumer, staged, count, room);
    else tile_rectangle(consumer, staged, count, lane_rows + from, width, cut.swapped, args.pairing, room);
}

// The part of a warp in enumerating dense tiles.
template <class Consumer> DEVICE void tiles_dense(const TilesRun& args) {
    __shared__ uint4 staged[TILE_THREADS / 32][TILE_SIDE / 4];
    __shared__ uint4 room[TILE_THREADS / 32][Consumer::ROOM];
    Consumer consumer(args.consume, shared_bytes() + warp_in_block() * Consumer::SHARED);
    UnitSource source(args);
    for (u64 at; (at = source.take()) < args.units;) {
        u64 unit = args.first + at;
        u32 tile = tiles_find(args.before, args.count, unit);
        u32* rows = reinterpret_cast<u32*>(staged[warp_in_block()]);
        tile_unit(consumer, args, args.tiles[tile], unit - args.before[tile], rows, room[warp_in_block()]);
    }
    consumer.finish();
}

// The two places of a pair by its number in its tile. In a triangle of n rows, row i and row n - 2 - i have n pairs
// together: folded into one line, all lines are equally long, and the second row's pairs stand at their own columns.
DEVICE void tile_places(const Tile& tile, u32 pairing, u32 number, u32& i, u32& j) {
    u32 line = pairing == PAIRING_ASCENDING ? tile.left_len : tile.right_len;
    i = number / line;
    j = number % line;
    if (pairing != PAIRING_ASCENDING) return;
    u32 first = line - 1 - i;
    bool folded = j >= first;
    i = folded ? line - 2 - i : i;
    j = folded ? j : i + 1 + j;
}

// The tile of each lane's pair, given one that is not after any of them. The next 32 ends are read together; a pair
// after all of these, because tiles without pairs lie between, is searched for alone.
DEVICE u32 tiles_of_lanes(const TilesRun& args, u32 tile, u64 first) {
    u32 end = static_cast<u32>(args.before[min(tile + 1 + lane(), args.count)] - first), mine = 0;
    for (u32 step = 16; step > 0; step /= 2) {
        if (__shfl_sync(FULL, end, mine + step - 1) <= lane()) mine += step;
    }
    bool beyond = __shfl_sync(FULL, end, mine) <= lane();
    u64 last = args.before[args.count] - 1;
    return beyond ? tiles_find(args.before, args.count, min(first + lane(), last)) : tile + mine;
}

// The part of a warp in enumerating light tiles.
template <class Consumer> DEVICE void tiles_light(const TilesRun& args) {
    Consumer consumer(args.consume, shared_bytes() + warp_in_block() * Consumer::SHARED);
    u64 all = args.before[args.count];
    UnitSource source(args);
    for (u64 at; (at = source.take()) < args.units;) {
        u64 begin = (args.first + at) * args.light_pairs, end = min(begin + args.light_pairs, all);
        u32 from = tiles_find(args.before, args.count, begin);
        for (u64 first = begin; first < end; first += 32) {
            u32 mine = tiles_of_lanes(args, from, first);
            bool valid = first + lane() < end;
            u32 l = 0, r = 0;
            if (valid) {
                Tile tile = args.tiles[mine];
                u32 i, j;
                tile_places(tile, args.pairing, static_cast<u32>(first + lane() - args.before[mine]), i, j);
                l = args.left_rows[tile.left_begin + i];
                r = args.right_rows[tile.right_begin + j];
            }
            tile_take(consumer, valid, l, r, args.pairing);
            from = __shfl_sync(FULL, mine, 31);
        }
    }
    consumer.finish();
}
