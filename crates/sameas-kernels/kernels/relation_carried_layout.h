// Rows that each have a fixpoint of their own; the Rust side is in src/layout/relation_carried.rs.
#pragma once

#include "platform.h"

// Counters of a launch.
constexpr u32 CARRIED_NEXT = 0;    // the place of the next row to be taken
constexpr u32 CARRIED_TUPLES = 1;  // tuples so far, whether there was room for them or not
constexpr u32 CARRIED_FILLED = 2;  // where the first row begins that there was no room for
constexpr u32 CARRIED_UNDONE = 3;  // rows that there was no room for

// For each of some x the values that follow, through any number of steps, from those it begins with.
struct RelationCarried {
    const u32* offsets;        // by value: where the values of its next step begin; and the end
    const u32* targets;
    const u32* first_offsets;  // by x: where the values begin that it begins with; and the end
    const u32* first_targets;
    const u32* ids;            // by value: what it is in tuples; null where it is itself
    const u32* x_ids;          // the same by x
    const u32* again;          // x that come first
    u32* reached;              // by group: room for all values
    u32* bits;                 // by group: a bit for each value, all zero; null where they lie in shared memory
    u64* tuples;               // x and value, each shifted; null where they are only counted
    u64* counters;
    u32* undone;               // the x that there was no room for; one by group suffices
    u64 capacity;              // of the tuples
    u32 again_len;
    u32 first;                 // then all from this one on
    u32 end;                   // to this one
    u32 values;
    u32 x_shift;
    u32 value_shift;
};
