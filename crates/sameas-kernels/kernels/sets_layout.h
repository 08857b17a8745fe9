// Token sets on the device; the Rust side is in src/layout/set_join.rs.
#pragma once

#include "platform.h"

// Sets by code: where each ends among the ids, and the ids, ascending within a set.
struct Sets {
    const u64* ends;
    const u32* ids;
};

// A set at a glance: token `id` sets bit `id mod 96`, and how many tokens there are.
struct SetSummary {
    u64 low;
    u32 high;
    u32 size;
};
