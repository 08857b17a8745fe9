// What consumers of candidates are given; the Rust side is in src/layout/consume.rs.
#pragma once

#include "platform.h"

struct EditJoinRun;
struct VerifyRun;

// What the consumers need; each leaves alone what is another's.
struct Consume {
    // What the verifier reads and writes.
    const VerifyRun* verify;
    // Pairs seen, and those that satisfied the consumer's predicate.
    u64* pairs;
    u64* matched;
    // The next free place of the buffer, counted on past its end.
    u64* cursor;
    // Pairs, the left row in the low half; places are taken modulo the capacity, a power of two of at least 1024.
    u64* buffer;
    u64 mask;
    // What the join of texts by their variants reads and writes.
    const EditJoinRun* edit_join;
};
