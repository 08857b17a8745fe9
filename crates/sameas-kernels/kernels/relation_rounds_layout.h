// Rounds of rules over relations; the Rust side is in src/layout/relation_rounds.rs.
//
// A tuple is one number: its columns lie side by side in it, each in as many bits as its domain needs. So are the
// values that some atoms of a rule have bound (a row).
#pragma once

#include "platform.h"

// Where a value is taken from: a row, a tuple that the first or the second probe has found, or nowhere: it is a
// constant.
constexpr u32 FIELD_ROW = 0;
constexpr u32 FIELD_FIRST = 1;
constexpr u32 FIELD_SECOND = 2;
constexpr u32 FIELD_CONSTANT = 3;

// How two values compare.
constexpr u32 RELATION_EQUAL = 0;
constexpr u32 RELATION_DIFFERENT = 1;
constexpr u32 RELATION_LESS = 2;
constexpr u32 RELATION_AT_MOST = 3;

// A value, and its place in the number that it becomes a part of.
struct RelationField {
    u64 mask;    // its bits after the shift; or the constant
    u32 from;
    u32 shift;
    u32 to;      // how far it is shifted in what is made of it
    u32 unused;
};

// The tuples that share a key, in an order of tuples where the key comes first.
struct RelationProbe {
    const u64* tuples;
    const u32* offsets;    // by key: where its tuples begin; null where they are looked for
    u64 len;
    RelationField key[4];
    u32 key_len;           // fields of the key
    u32 shift;             // a tuple's key is what remains after this shift
};

struct RelationFilter {
    RelationField left;
    RelationField right;
    u32 comparison;
    u32 unused;
};

// The tuples that are there: a bit for each that there can be, or a table of slots.
struct RelationSet {
    u32* bits;
    u64* slots;  // 0, or a tuple plus one
    u64 mask;    // the number of slots, less one
};

// By row: the range of each probe, and the number of results.
struct RelationCount {
    const u64* rows;
    RelationProbe first;
    RelationProbe second;
    u32* first_begin;
    u32* second_begin;
    u32* second_count;
    u64* results;  // and 0 behind the last
    u64 len;
    u32 probes;
    u32 unused;
};

// Makes the results of rows, and adds those that fulfil all conditions to a list; where there is a set, those that were
// not in it.
struct RelationExpand {
    const u64* rows;
    RelationProbe first;
    RelationProbe second;
    const u32* first_begin;
    const u32* second_begin;
    const u32* second_count;
    const u64* before;      // by row: the results before it; and of all
    RelationFilter filters[6];
    RelationProbe absent;   // keys of which there must be no tuple
    RelationProbe also_absent;
    RelationField output[6];
    RelationSet set;
    u64* list;
    u64* list_len;
    u64 capacity;           // of the list; what is beyond is counted only
    u64 len;                // rows
    u64 begin;              // the first result that is made
    u64 end;
    u32 probes;
    u32 filters_len;
    u32 absent_len;
    u32 output_len;
    u32 is_head;
    u32 unused;
};

// Puts the columns of tuples into another order.
struct RelationPermute {
    const u64* tuples;
    u64* permuted;
    RelationField output[4];
    u64 len;
    u32 output_len;
    u32 unused;
};

// Finds where the tuples of each key begin in an order where keys come first.
struct RelationOffsets {
    const u64* tuples;
    u32* offsets;  // by key, and the end
    u64 len;
    u64 keys;
    u32 shift;
    u32 unused;
};

// Enters tuples into a set that has none of them.
struct RelationEnter {
    const u64* tuples;
    RelationSet set;
    u64 len;
};

// Copies tuples.
struct RelationCopy {
    const u64* from;
    u64* to;
    u64 len;
};

// Tuples of two columns as pairs of ids.
struct RelationPairs {
    const u64* tuples;
    const u32* ids;  // null where values are ids
    uint2* pairs;
    RelationField left;
    RelationField right;
    u64 len;
};

// A column of tuples.
struct RelationColumn {
    const u64* tuples;
    u32* values;
    RelationField field;
    u64 len;
};
