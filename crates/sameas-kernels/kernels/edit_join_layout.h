// The join of texts by common deletion variants; the Rust side is in src/layout/edit_join.rs.
#pragma once

#include "text_layout.h"
#include "tiles_layout.h"

// Threads of a block that makes variants.
constexpr u32 EDIT_JOIN_THREADS = 256;
// Texts of more characters are not entered.
constexpr u32 EDIT_JOIN_LONGEST = 256;
// The most characters that are deleted from a text.
constexpr u32 EDIT_JOIN_DELETIONS = 2;
// Slices that the space of hashes is cut into at most.
constexpr u32 EDIT_JOIN_SLICES = 1024;

// Makes the variants of texts whose hashes lie in one slice, or counts those of every slice.
struct EditJoinVariants {
    Texts texts;
    const u32* codes;    // by slot: the code of a text
    const u8* deletions; // by length up to EDIT_JOIN_LONGEST: bit d where variants with d deletions are wanted
    u32* counts;         // by slot: entries in the slice
    const u64* before;   // by slot: entries before its own
    u32* keys;           // by entry
    u32* slots;          // by entry
    u32* bins;           // by slice: entries of all texts, zero at the start
    u32 count;
    u32 slices;
    u32 slice;
    u32 tag_mask; // the bits of a hash that a key has: all, except where a test wants keys to be shared
};

// Marks the first entry of each key that several have, and numbers the entries.
struct EditJoinHeads {
    const u32* keys;
    u32* numbers;
    u8* flags;
    u32 len;
    u32 unused;
};

// Makes a tile of the entries of each key: of all of them, or of those of the left list and those of the right one.
struct EditJoinTiles {
    const u32* keys;
    const u32* slots;
    const u32* heads;
    Tile* tiles;
    u32 len;
    u32 count;
    u32 first_right; // the first slot of the right list; 0 where a list is joined with itself
    u32 unused;
};

// What the consumer of meetings reads and writes; rows are numbers of entries.
struct EditJoinRun {
    Texts texts;
    TextTest test;
    const u32* codes; // by slot
    const u32* keys;  // by entry
    const u32* slots; // by entry
    const u8* most;   // by length up to EDIT_JOIN_LONGEST: the most edits of a text and any that is no longer
    u64* counters;    // meetings, pairs whose distance was computed, pairs found
    u32 slices;
    u32 slice;
    u32 tag_mask;
    u32 unused;
    TextOut out;
};

// Writes texts with themselves.
struct EditJoinItself {
    Texts texts;
    const u32* codes;
    u32 first;
    u32 count;
    TextOut out;
};
