// The join of sets: its sides by rank, its lists, and the arguments of its kernels; the Rust side is in
// src/layout/set_join.rs.
#pragma once

#include "sets_layout.h"
#include "text_layout.h"

// The sizes of the sets of some codes; `largest` is raised to the greatest.
struct SetSizes {
    Sets sets;
    const u32* codes;
    u32* sizes;
    u32* largest;
    u64 count;
};

// How many sets have each size.
struct SetHistogram {
    const u32* sizes;
    u32* counts;
    u64 count;
};

// One side of a join. A rank is a set's place in the order of rising size, a class the number of a size among those that
// occur on either side.
struct SetSide {
    Sets sets;
    const u32* codes;
    const u32* signatures;
    const u32* excess;
    const u32* classes;
    u32 count;
    u32 unused;
};

// Makes the signatures of a side, `words` words each, the number of tokens that found their bit taken, and the classes.
struct SetSign {
    SetSide side;
    const u32* class_of_size;
    u32* signatures;
    u32* excess;
    u32* classes;
    u32* largest_token;
    u32 words;
    u32 unused;
};

// What a class is.
struct SetClass {
    u32 size;
    u32 lowest;     // the smallest class that can match it
    u32 first;      // its first rank on this side
    u32 prefix;     // tokens of a set that are listed
    u64 entries;    // entries of the classes before it
};

// Draws pairs of compatible sizes evenly and counts those that signatures of 256, 512 and 1024 bits leave, and all.
struct SetSample {
    Sets probe_sets;
    Sets index_sets;
    const u32* probe_codes; // by rank
    const u32* index_codes;
    const SetClass* classes; // of the probes
    const u32* class_of_size;
    const u32* index_firsts;
    const u32* needs;
    u64* counts;
    u32 probe_count;
    u32 class_count;
    u32 draws;
    u32 unused;
};

// Adds the entries that a side has in the list of each token.
struct SetTokenCounts {
    SetSide side;
    const SetClass* classes;
    u32* counts;
};

// How many tokens of each set are listed, of those from `first` to `end`.
struct SetListed {
    SetSide side;
    const SetClass* classes;
    u32* counts;
    u32 first;
    u32 end;
};

// Lists the first tokens of all sets: keys of token and place, and the rank. With `places`, the entries before those of
// each rank, only the tokens from `first` to `end`.
struct SetEntries {
    SetSide side;
    const SetClass* classes;
    const u64* places;
    u64* keys;
    u32* ranks;
    u32 first;
    u32 end;
};

// Where the list of each token starts among keys in order, and the number of them at the end.
struct SetStarts {
    const u64* keys;
    u32* starts;
    u32 entries;
    u32 tokens;
};

// Lists by token: keys and ranks in order. Without them there is one list of all sets.
struct SetLists {
    const u64* keys;
    const u32* ranks;
    const u32* starts;
};

// Which pairs of two sets of equal size belong to a direction.
enum SetEqualSizes : u32 { SET_BY_RANK = 0, SET_HERE = 1, SET_THERE = 2 };

// How many chunks of `rows` probes the list of each token has.
struct SetCount {
    SetLists probes;
    SetLists index;
    u32* chunks;
    u32 tokens;
    u32 rows;
};

// Some probes of a list and the places of the index list that they meet.
struct SetChunk {
    u32 probe;
    u32 probes;
    u32 begin;
    u32 end;
    u32 token;
    u32 unused;
};

// Makes the chunks of all lists, and the number of units of each.
struct SetChunks {
    SetLists probes;
    SetLists index;
    const u32* probe_classes;
    const SetClass* classes; // of the probes
    const u32* index_firsts; // the first indexed rank of each class, and their number
    const u32* needs;        // by class of the probe, then by class of the indexed set
    const u64* before;       // chunks before those of each token
    SetChunk* chunks;
    u32* units;
    u64* work;               // pairs of rows and columns, whole tiles
    u64 count;
    u32 tokens;
    u32 class_count;
    u32 rows;
    u32 piece;
    u32 equal;               // SetEqualSizes
    u32 unused;
};

enum SetJoinFlags : u32 {
    SET_JOIN_LISTS = 1,    // pairs belong to the list of their first common token
    SET_JOIN_SWAPPED = 2,  // the probes are the right side
};

// Some units of a join. Chunk c is cut into units of `piece` indexed sets; its first unit is starts[c].
struct SetJoin {
    SetSide probes;
    SetSide index;
    SetLists probe_lists;
    SetLists index_lists;
    const u32* needs;
    const SetChunk* chunks;
    const u64* starts;
    u64 first;
    u32 units;
    u32 chunk_count;
    u32 class_count;
    u32 piece;
    u32 equal;
    u32 flags;
    // Units taken, zero at the start.
    u32* next;
    // Pairs whose signatures were compared, pairs whose sets were, pairs found.
    u64* counters;
    TextOut out;
};
