// Numbers near each other; the Rust side is in src/layout/neighbourhood.rs.
#pragma once

#include "tiles_layout.h"
#include "verify_layout.h"

// Lists the rows of a side, and marks those whose number is of one kind.
struct NeighbourhoodRows {
    const u32* rows;  // those that take part, or null where all do
    const u32* codes; // by row
    const u8* kinds;  // by code (NumberKind)
    u32* list;
    u8* flags;
    u32 len;
    u32 kind;
};

// Makes keys of the numbers of some rows: their unsigned order is that of the numbers, which are of one kind.
struct NeighbourhoodKeys {
    const u32* rows;
    const u32* codes;   // by row
    const u64* numbers; // by code
    u64* keys;
    u32 len;
    u32 kind;
};

// Makes a tile for each of `count` distinct left numbers from `first` on: its rows and those of its window.
struct NeighbourhoodWindows {
    DifferenceCheck check; // numbers are read from the keys
    const u64* left_keys;
    const u64* right_keys;
    const u32* heads; // by distinct left number: the place of its first row
    Tile* tiles;
    Tile* same; // of the rows of one number with each other; null where two orders meet
    u32 first;
    u32 count;
    u32 distinct;
    u32 left_len;
    u32 right_len;
    u32 left_kind;
    u32 right_kind;
    u32 unused;
};
