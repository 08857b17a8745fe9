// From pairs of values to tiles of rows; the Rust side is in src/layout/by_value.rs.
#pragma once

#include "tiles_layout.h"

// Turns pairs of values into tiles of the rows that hold them.
struct ByValueTiles {
    // Codes of the pairs.
    const u32* left;
    const u32* right;
    // Where the rows of each code start, and one entry more.
    const u32* left_starts;
    const u32* right_starts;
    // Tiles of two different values, and those of a value with itself, which pair rows in another way; 0 where lists are
    // two and there is no such difference. Each pair has its place in both, empty in one.
    Tile* tiles;
    Tile* same;
    u64 pairs;
};
