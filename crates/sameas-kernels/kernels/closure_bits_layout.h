// The closure of a graph as a matrix of bits, by tiles; the Rust side is in src/layout/closure_bits.rs.
#pragma once

#include "platform.h"

constexpr u32 TILE_ROWS = 256;
constexpr u32 TILE_WORDS = TILE_ROWS / 32;

// A square matrix of whole tiles: bit y of row x says that x reaches y.
struct ClosureBits {
    u32* rows;
    u64* pairs;          // the number of bits is added
    const u32* offsets;  // by vertex: where its edges begin; and the end
    const u32* targets;
    u32 vertices;
    u32 tiles;           // of a row
    u32 pivot;           // the tile that paths lead through
    u32 unused;
};
