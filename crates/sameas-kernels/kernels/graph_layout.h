// Graphs on a device: their vertices numbered, their edges listed by vertex; the Rust side is in src/layout/graph.rs.
#pragma once

#include "platform.h"

// Marks the ids that occur among some.
struct GraphMarks {
    const u32* ids;
    u64* marks;  // a bit for each id
    u64 len;
};

// Replaces ids by their places among those that occur.
struct GraphCodes {
    const u32* ids;
    const u64* marks;
    const u64* before;  // by word of the marks: the marks before it
    u32* codes;
    u64 len;
};

// Finds where the edges of each vertex begin, which are sorted by their sources.
struct GraphOffsets {
    const u32* sources;
    u32* offsets;  // by vertex, and the end
    u32 edges;
    u32 vertices;
};
