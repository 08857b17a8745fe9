// How pairs are scored; the Rust side is in src/layout/score.rs.
#pragma once
#include "platform.h"

// In place of a predicate: the outcome is known.
constexpr u32 SCORE_REACHED = 0xffffffffu;

// Comparisons at most.
constexpr u32 SCORE_COMPARISONS = 32;

// Places of a table that a pattern may have, one after the other.
constexpr u32 PATTERN_PLACES = 16;

// What a predicate takes to evaluate: a look at codes, a measure, or the host.
enum ScoreEffort : u32 { EFFORT_CODES = 0, EFFORT_MEASURE = 1, EFFORT_EXPRESSION = 2 };

// A node of an outcome tree; every node comes before those it leads to.
struct ScoreNode {
    i64 most;      // the largest weight of an outcome that can be reached from it
    u64 part;      // what the outcome adds to a pattern
    u32 predicate; // or SCORE_REACHED
    u32 effort;    // ScoreEffort
    u32 next[3];   // where a predicate is false, true and null
    u32 adjusted;  // whether the frequency of the value changes the weight of the outcome
};

// A comparison.
struct ScoreComparison {
    const u32* codes;       // by left row: the value whose frequency counts, or null
    const i64* adjustments; // by value
    i64 most_adjustment;    // the largest of them, which the weights of adjusted outcomes contain
    u32 root;               // its first node
    u32 unused;
};

// All that a score is made of.
struct ScoreTables {
    const ScoreNode* nodes;
    const ScoreComparison* comparisons;
    const u8* certain; // by rule: whether its pairs are kept whatever their score
    i64 first;         // the most that any score can be
    i64 threshold;     // the least score of a pair that is kept
    u32 count;         // of comparisons
    u32 copies;        // of the table in which pairs are counted by pattern, or 0 where pairs are kept
    u64 places;        // of one such table, a power of two; a place has a pattern plus one, or 0, and a number of pairs
    u64 shift;         // of the hash of a pattern to its first place, or 0 where patterns are places themselves
};
