// Arguments of the kernels that gather a part of the records; the Rust side is in src/layout/part.rs.
//
// What is gathered from may lie in the memory of the host: a device reads it over the bus.
#pragma once

#include "text_layout.h"

// The codes of some records: copied, and the values they hold marked.
struct PartCodes {
    const u32* all;   // by record
    const u32* rows;  // the records of the part
    u32* codes;       // by record of the part
    u64* marks;       // a bit for each value of the domain
    u64 len;
};

// The values that are marked.
struct PartValues {
    const u64* marks;
    u32* counts;        // by word: its marks
    const u64* before;  // by word: the marks before it
    u32* kept;          // the marked values, ascending
    u64 words;
};

// Codes, numbered by the marks before them.
struct PartNumbers {
    u32* codes;
    const u64* marks;
    const u64* before;
    u64 len;
};

// Where the lists of some values lie among those of all, which lie one after the other, each up to its end. They are
// looked up once: over the bus, eight bytes cost as much as 32.
struct PartSpans {
    const u32* kept;
    const u64* ends;  // by value
    u64* begins;      // by list of the part
    u32* lengths;     // the same, and 0 behind the last
    u64 len;
};

// The lists of some values.
struct PartLists {
    const u32* items;    // of all values
    const u64* begins;   // by list of the part
    const u32* lengths;
    const u64* places;   // where each begins among the items of the part
    u32* gathered;
    u64 len;
};

// Some of the records of several times 8 bytes.
struct PartRecords {
    const u32* kept;
    const void* all;
    void* records;
    u64 len;
    u32 units;  // times 8 bytes of a record
    u32 unused;
};

// Where the planes of some texts lie.
struct PartHeads {
    const u32* lengths;
    u32* groups;         // by text of the part: a quarter of its words
    const u64* offsets;  // the sums of these before it
    TextHead* heads;
    u64 len;
    u32 stride;
    u32 unused;
};
