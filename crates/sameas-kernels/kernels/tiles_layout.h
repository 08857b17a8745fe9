// Tiles: ranges of two lists of rows that meet; the Rust side is in src/layout/tiles.rs.
#pragma once

#include "consume_layout.h"

// Which pairs of its rows a tile stands for.
constexpr u32 PAIRING_ALL = 0;        // every left row with every right row
constexpr u32 PAIRING_ASCENDING = 1;  // both ranges are one, ascending: each row with those after it
constexpr u32 PAIRING_SORTED = 2;     // the ranges share no row: every pair once, the smaller row on the left
constexpr u32 PAIRING_BEFORE = 3;     // every left row with the right rows that are greater

struct Tile {
    u32 left_begin;
    u32 left_len;
    u32 right_begin;
    u32 right_len;
};

// Fills `dense` and `light`, each one entry longer than the tiles: units of the tiles that are enumerated densely, and
// pairs of those that are not; 0 for the others and in the last entry.
struct TilesMeasure {
    const Tile* tiles;
    u64* dense;
    u64* light;
    u32 count;
    u32 pairing;
    u32 side;
    u32 unused;
};

// Which warp does which unit.
constexpr u32 SCHEDULE_QUEUE = 0;            // all take the next one from a counter
constexpr u32 SCHEDULE_CONTINUOUS = 1;       // each has as many consecutive ones
constexpr u32 SCHEDULE_WINDOWS = 2;          // each has one of every window, which is as wide as there are warps
constexpr u32 SCHEDULE_WINDOW_STEALING = 3;  // the same, and then any that nobody has taken
constexpr u32 SCHEDULE_RANGE_STEALING = 4;   // each has consecutive ones, and then half of another's

// Enumerates the units [first, first + units) of some tiles.
struct TilesRun {
    const Tile* tiles;
    // What is before each tile, and in the last entry all: units where tiles are dense, pairs where they are light.
    const u64* before;
    const u32* left_rows;
    const u32* right_rows;
    u64 first;
    u64 units;
    // What has been taken so far by this launch: their number, a bit for each, or what is left of each warp's range.
    u64* taken;
    u32 count;
    u32 pairing;
    // Rows of the shorter side of a dense unit at most: 32, 64, 128 or 256. Its square is what a unit's pairs are bounded by.
    u32 side;
    u32 light_pairs; // of a unit of light tiles
    u32 schedule;
    u32 unused;
    Consume consume;
};
