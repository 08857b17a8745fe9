// What the joins of texts share: the units that warps take, and where pairs go.
#pragma once

#include "text.h"

namespace text {

constexpr u32 JOIN_WARPS = 8;
constexpr u32 NO_NEED = 0xffffffffu;

// Writes the pairs of some lanes after those that are there. The cursor counts what had no room as well.
DEVICE void append(bool mine, u32 a, u32 b, u32* left, u32* right, u64 capacity, u64* cursor) {
    const u32 lanes = __ballot_sync(FULL, mine);
    if (lanes == 0) return;
    u64 place = 0;
    if (lane() == 0) place = atomicAdd(cursor, static_cast<u64>(__popc(lanes)));
    place = __shfl_sync(FULL, place, 0) + static_cast<u64>(__popc(lanes & lanes_below()));
    if (mine && place < capacity) left[place] = a, right[place] = b;
}

DEVICE void set_verdict(const TextOut& out, u32 a, u32 b) {
    atomicOr(out.bits + a * out.row_words + b / 64, 1ull << (b % 64));
}

// Passes on the pairs of codes that hold; returns how many do.
DEVICE u32 pass_on(const TextJoin& args, bool holds, u32 a, u32 b) {
    const TextOut& out = args.out;
    if (out.bits == nullptr) {
        append(holds, a, b, out.left, out.right, out.capacity, out.cursor);
    } else if (holds) {
        set_verdict(out, a, b);
        if (args.flags & TEXT_JOIN_TRIANGLE) set_verdict(out, b, a);
    }
    __syncwarp(FULL);
    return static_cast<u32>(__popc(__ballot_sync(FULL, holds)));
}

// Verifies one pair of places per lane and passes on what holds; returns how many do.
DEVICE_CALL u32 join_verify(const TextJoin& args, bool mine, u32 left, u32 right) {
    const u32 a = mine ? args.left.codes[left] : 0, b = mine ? args.right.codes[right] : 0;
    const u32 verdict = mine ? text_holds(args.test, args.texts, a, b) : TEXT_FALSE;
    __syncwarp(FULL);
    const u32 found = pass_on(args, verdict == TEXT_TRUE, a, b);
    const TextOut& out = args.out;
    append(verdict == TEXT_NEEDS_HOST, a, b, out.open_left, out.open_right, out.open_capacity, out.open_cursor);
    return found;
}

// Whether a pair of places is one of the join: a list joined with itself drops right places before the left one.
DEVICE bool in_order(const TextJoin& args, u32 left, u32 right) {
    return !(args.flags & TEXT_JOIN_TRIANGLE) || right >= left;
}

// A unit of the join: left places from `left` to `left_end`, right ones from `right` on.
struct JoinUnit {
    u32 left, left_end, right;

    // Takes the next unit for the warp; false if there is none.
    DEVICE bool take(const TextJoin& args, u32 chunk_places) {
        u32 taken = 0;
        if (lane() == 0) taken = atomicAdd(args.next, 1u);
        taken = __shfl_sync(FULL, taken, 0);
        if (taken >= args.units) return false;
        const u64 unit = args.first + taken;
        u32 chunk = 0, end = args.chunks;
        while (end - chunk > 1) {
            const u32 middle = (chunk + end) / 2;
            if (args.starts[middle] <= unit) chunk = middle; else end = middle;
        }
        const uint2 places = args.lefts[chunk];
        left = places.x + static_cast<u32>(unit - args.starts[chunk]) * args.piece;
        left_end = min(places.y, left + args.piece);
        right = chunk * chunk_places;
        return true;
    }
};

DEVICE void count_work(const TextJoin& args, u64 tested, u64 verified, u64 found) {
    if (lane() != 0) return;
    atomicAdd(args.counters, tested);
    atomicAdd(args.counters + 1, verified);
    atomicAdd(args.counters + 2, found);
}

}  // namespace text
