// Arguments of the union-find; the Rust side is in src/layout/components.rs.
#pragma once

#include "platform.h"

// Joins the clusters of `pairs` pairs of rows.
struct ComponentsJoin {
    u32* parent;
    const u32* left;
    const u32* right;
    u64 pairs;
};

// Replaces the parent of each of `rows` rows by its root.
struct ComponentsFlatten {
    u32* parent;
    u64 rows;
};
