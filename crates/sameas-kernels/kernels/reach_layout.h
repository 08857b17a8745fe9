// What the components of a graph without cycles reach, as bits; the Rust side is in src/layout/reach.rs.
//
// Components are numbered so that each reaches only itself and smaller ones. Bits are made by slices of targets: a
// slice holds, for each component from its first target on, REACH_WORDS words.
#pragma once

#include "platform.h"

constexpr u32 REACH_WORDS = 16;
constexpr u32 REACH_SLICE = 32 * REACH_WORDS;

// The condensed graph.
struct ReachGraph {
    const u32* order;    // components by level: those that reach only earlier levels
    const u32* levels;   // where each level begins in the order; and the end
    const u32* offsets;  // by component: where its successors begin; and the end
    const u32* targets;
    const u32* sizes;    // by component: its vertices
    const u32* loops;    // a bit for each component that reaches itself
    const u32* large;    // a bit for each component of several vertices
    u32 components;
    u32 levels_len;
};

// Makes slices, a block each.
struct ReachSweep {
    ReachGraph graph;
    u32* rows;     // by slice
    u64* weights;  // by component: the vertices it reaches in these slices are added; or null
    u64* pairs;    // the number of pairs of vertices is added
    u32 first;     // the first slice
    u32 slices;
};

// By vertex: the pairs that it begins, in these slices; and 0 behind the last.
struct ReachWeights {
    const u32* component;  // by vertex
    const u64* weights;    // by component
    u64* by_vertex;
    u64 vertices;
};

// Writes the pairs of some vertices, a warp each.
struct ReachPairs {
    const u32* rows;
    const u32* component;       // by vertex
    const u32* member_offsets;  // by component: where its vertices begin; and the end
    const u32* member_ids;      // what they are called
    const u32* first_ids;       // by component: what its first vertex is called
    const u32* ids;             // by vertex: what it is called
    const u32* large;
    const u64* places;          // by vertex: where its pairs begin
    uint2* pairs;
    u64 from;                   // the place of the first pair that is written
    u32 components;
    u32 first;                  // the first slice
    u32 slices;
    u32 begin;                  // the first vertex
    u32 end;
    u32 unused;
};
