// Token sets on the device; the Rust side is in src/layout/set_join.rs.
#pragma once

#include "platform.h"

// Sets by code: where each ends among the ids, and the ids, ascending within a set.
struct Sets {
    const u64* ends;
    const u32* ids;
};
