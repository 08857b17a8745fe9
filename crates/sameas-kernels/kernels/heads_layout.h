// The first of each run of equal keys; the Rust side is in src/layout/heads.rs.
#pragma once

#include "platform.h"

// Marks the first entry of each key of a sorted list, and numbers the entries.
struct Heads {
    // Of 4 or 8 bytes.
    const void* keys;
    u32* numbers;
    u8* flags;
    u32 len;
    u32 unused;
};
