// Probes of a list against its indexed sets: signatures first, then the sets themselves.
//
// A warp takes a unit: a chunk of probes, whose signatures its lanes hold in registers, and some places of the index
// list, which pass by 32 at a time. Signatures are compared 16 x 8 at a time (common_bits.h). What they leave is looked at
// once more, pair by pair, and waits in a queue of the warp until 32 pairs can be decided together.
//
// No pair is lost. The host gives a chunk all places of the list that its probes can match
// (sameas-joins/src/candidates/set_join/gpu). Within, for sets x and y with e(s) tokens that found their bit taken:
// 1. they share at most popcount(x and y) + min(e(x), e(y)) tokens
//    (sameas-joins/src/candidates/set_join/signature.rs), so a match has
//    popcount(x and y) >= need(x, y) - min(e(x), e(y)) >= need(x, y) - e(x);
// 2. indexed sets pass by in order of size, and what x needs of them rises with it: what it needs of the first of 32 is
//    no more than what it needs of any of them. So popcount(x and y) >= need(x, first) - e(x), which is what tiles are
//    tested for;
// 3. a pair that passes is tested with its own need and both excesses, then by its tokens.
//
// Each pair comes once: places of two lists lie in one unit, and within it meet once. A pair is taken in one direction
// only (`in_order`), and of several lists in that of its first common token (`matches`).
#pragma once

#include "common_bits.h"
#include "set_join_lists.h"
#include "text_join_units.h"

namespace sets {

constexpr u32 COLUMNS = 32;
// Needs that no set has.
constexpr i32 NEVER = 0x7fffffff;

// What a warp keeps in shared memory: its probes, and its queue, which has room for what may wait, less than 32 pairs, and
// for one more of each lane.
template <u32 ROWS> struct JoinRoom {
    u32 rank[ROWS];
    u32 row[ROWS]; // of the table of needs
    u32 excess[ROWS];
    u32 probe[64];
    u32 other[64];
    u32 need[64];
};

// Whether a pair of ranks belongs to this direction: the indexed set is no larger, and at equal sizes as the direction says.
DEVICE bool in_order(const SetJoin& args, u32 probe, u32 other, u32 class_of_probe, u32 class_of_other) {
    if (args.equal == SET_BY_RANK) return other <= probe;
    return class_of_other < class_of_probe + (args.equal == SET_HERE);
}

// Whether a pair of ranks has what it needs and belongs to the list of a token, if there is one.
DEVICE bool matches(const SetJoin& args, u32 probe, u32 other, u32 need, u32 token) {
    const Tokens x = tokens_of(args.probes.sets, args.probes.codes[probe]);
    const Tokens y = tokens_of(args.index.sets, args.index.codes[other]);
    return share_at_least(x, y, need, args.flags & SET_JOIN_LISTS ? token : ANY_TOKEN);
}

// The most tokens that two sets share, by their signatures.
template <u32 WORDS> DEVICE u32 most_common(const SetJoin& args, u32 probe, u32 other) {
    const uint4* x = reinterpret_cast<const uint4*>(args.probes.signatures + static_cast<u64>(probe) * WORDS);
    const uint4* y = reinterpret_cast<const uint4*>(args.index.signatures + static_cast<u64>(other) * WORDS);
    u32 both = min(args.probes.excess[probe], args.index.excess[other]);
    UNROLL
    for (u32 v = 0; v < WORDS / 4; ++v) {
        const uint4 a = x[v], b = y[v];
        both += static_cast<u32>(__popc(a.x & b.x) + __popc(a.y & b.y) + __popc(a.z & b.z) + __popc(a.w & b.w));
    }
    return both;
}

// The words of a signature that a lane holds, two for each step of 256 bits: one of four equal parts, so that the lanes of a
// row read it in one piece.
template <u32 STEPS> DEVICE void load_words(const u32* signatures, u64 rank, u32 (&words)[2 * STEPS]) {
    const u32* from = signatures + (rank * 4 + lane() % 4) * (2 * STEPS);
    if constexpr (STEPS == 1) {
        const uint2 two = *reinterpret_cast<const uint2*>(from);
        words[0] = two.x, words[1] = two.y;
    } else {
        UNROLL
        for (u32 v = 0; v < STEPS / 2; ++v) {
            const uint4 four = reinterpret_cast<const uint4*>(from)[v];
            words[4 * v] = four.x, words[4 * v + 1] = four.y, words[4 * v + 2] = four.z, words[4 * v + 3] = four.w;
        }
    }
}

// The pairs of a unit that signatures leave. What is called here is kept apart from what lanes hold in registers.
template <u32 WORDS, u32 ROWS> struct JoinQueue {
    const SetJoin& args;
    JoinRoom<ROWS>& room;
    SetChunk unit;
    u32 waiting;
    u64 verified, found;

    // Puts the pairs of `hits` that their own needs leave into the queue: bit 4 m + i is that of sum i of tile m, and
    // `rank` that of the place `begin` and the lane.
    DEVICE_CALL void keep(u32 hits, u32 rank, u32 begin, u32 column, u32 count) {
        while (__any_sync(FULL, hits != 0)) {
            const u32 bit = hits == 0 ? 0 : static_cast<u32>(__ffs(static_cast<i32>(hits)) - 1);
            const u32 row = bit / 4 * 16 + bit % 4 / 2 * 8 + lane() / 4, at = column + lane() % 4 * 2 + bit % 2;
            const u32 other = __shfl_sync(FULL, rank, static_cast<i32>(at));
            bool mine = hits != 0 && at < count;
            hits &= hits - 1;
            u32 least = 0;
            if (mine) mine = may_match(row, begin + at, other, least);
            const u32 lanes = __ballot_sync(FULL, mine);
            if (mine) {
                const u32 place = waiting + static_cast<u32>(__popc(lanes & lanes_below()));
                room.probe[place] = room.rank[row], room.other[place] = other, room.need[place] = least;
            }
            waiting += static_cast<u32>(__popc(lanes));
            __syncwarp(FULL);
            if (waiting >= 32) drain(32);
        }
    }

    // Whether a pair is of this direction and may share what it needs: after the places of the token in both sets, where
    // it is in the list of one, and by both signatures.
    DEVICE bool may_match(u32 row, u32 place, u32 other, u32& least) const {
        const u32 probe = room.rank[row], of = args.index.classes[other];
        if (!in_order(args, probe, other, args.probes.classes[probe], of)) return false;
        least = args.needs[room.row[row] + of];
        if ((args.flags & SET_JOIN_LISTS) && !leaves_enough(unit.probe + row, place, probe, other, least)) return false;
        return most_common<WORDS>(args, probe, other) >= least;
    }

    // The positional filter: with a first common token at some place, no more than it and what follows is common.
    DEVICE bool leaves_enough(u32 place, u32 other_place, u32 probe, u32 other, u32 least) const {
        const u32 x = tokens_of(args.probes.sets, args.probes.codes[probe]).size;
        const u32 y = tokens_of(args.index.sets, args.index.codes[other]).size;
        const u32 before_x = static_cast<u32>(args.probe_lists.keys[place]);
        const u32 before_y = static_cast<u32>(args.index_lists.keys[other_place]);
        return x - before_x >= least && y - before_y >= least;
    }

    // Decides the last `count` pairs of the queue.
    DEVICE_CALL void drain(u32 count) {
        const bool mine = lane() < count;
        const u32 place = waiting - count + lane();
        const u32 probe = mine ? room.probe[place] : 0, other = mine ? room.other[place] : 0;
        const bool holds = mine && matches(args, probe, other, room.need[place], unit.token);
        __syncwarp(FULL);
        waiting -= count;
        verified += count;
        u32 a = 0, b = 0;
        if (holds) a = args.probes.codes[probe], b = args.index.codes[other];
        const bool swapped = args.flags & SET_JOIN_SWAPPED;
        const TextOut& out = args.out;
        text::append(holds, swapped ? b : a, swapped ? a : b, out.left, out.right, out.capacity, out.cursor);
        found += static_cast<u32>(__popc(__ballot_sync(FULL, holds)));
        __syncwarp(FULL);
    }
};

// One warp's part of a join.
template <u32 WORDS> struct JoinWarp {
    static constexpr u32 STEPS = WORDS / 8;
    static constexpr u32 TILES = 8 / STEPS;
    static constexpr u32 ROWS = 16 * TILES;

    const SetJoin& args;
    JoinRoom<ROWS>& room;
    JoinQueue<WORDS, ROWS>& queue;
    BitRows rows[TILES][STEPS];
    // The least bits in common that rows g and g + 8 of each tile need.
    i32 need[TILES][2];
    u32 probes;

    DEVICE JoinWarp(const SetJoin& args, JoinRoom<ROWS>& room, JoinQueue<WORDS, ROWS>& queue)
        : args(args), room(room), queue(queue) {}

    DEVICE void run() {
        u64 tested = 0;
        for (SetChunk unit; take(unit);) {
            queue.unit = unit;
            probes = unit.probes;
            tested += static_cast<u64>(probes) * (unit.end - unit.begin);
            enter(unit.probe);
            u32 now = FULL;
            for (u32 at = unit.begin; at < unit.end; at += COLUMNS) {
                const u32 count = min(unit.end - at, COLUMNS);
                // Most lists are short, and of their chunks one tile is enough.
                if (probes <= 16) pass_by<1>(at, count, now); else pass_by<TILES>(at, count, now);
            }
            // Pairs that wait belong to the list of this unit.
            if (queue.waiting > 0) queue.drain(queue.waiting);
        }
        if (lane() != 0) return;
        atomicAdd(args.counters, tested);
        atomicAdd(args.counters + 1, queue.verified);
        atomicAdd(args.counters + 2, queue.found);
    }

    // Takes the next unit for the warp; false if there is none.
    DEVICE bool take(SetChunk& unit) {
        u32 taken = 0;
        if (lane() == 0) taken = atomicAdd(args.next, 1u);
        taken = __shfl_sync(FULL, taken, 0);
        if (taken >= args.units) return false;
        const u64 at = args.first + taken;
        u32 chunk = 0, end = args.chunk_count;
        while (end - chunk > 1) {
            const u32 middle = chunk + (end - chunk) / 2;
            if (args.starts[middle] <= at) chunk = middle; else end = middle;
        }
        unit = args.chunks[chunk];
        unit.begin += static_cast<u32>(at - args.starts[chunk]) * args.piece;
        unit.end = min(unit.end, unit.begin + args.piece);
        return true;
    }

    // Loads the probes of a unit.
    DEVICE void enter(u32 first) {
        __syncwarp(FULL);
        for (u32 i = lane(); i < probes; i += 32) {
            const u32 rank = args.probe_lists.ranks ? args.probe_lists.ranks[first + i] : first + i;
            room.rank[i] = rank;
            room.row[i] = args.probes.classes[rank] * args.class_count;
            room.excess[i] = args.probes.excess[rank];
        }
        __syncwarp(FULL);
        UNROLL
        for (u32 m = 0; m < TILES; ++m) {
            u32 upper[2 * STEPS] = {}, lower[2 * STEPS] = {};
            const u32 row = 16 * m + lane() / 4;
            if (row < probes) load_words<STEPS>(args.probes.signatures, room.rank[row], upper);
            if (row + 8 < probes) load_words<STEPS>(args.probes.signatures, room.rank[row + 8], lower);
            UNROLL
            for (u32 s = 0; s < STEPS; ++s) {
                rows[m][s] = {{upper[2 * s], upper[2 * s + 1]}, {lower[2 * s], lower[2 * s + 1]}};
            }
        }
    }

    // Tests the `count` indexed sets from place `begin` on. `now` is the class for which the needs are there.
    template <u32 USED> DEVICE void pass_by(u32 begin, u32 count, u32& now) {
        u32 rank = 0;
        if (lane() < count) rank = args.index_lists.ranks ? args.index_lists.ranks[begin + lane()] : begin + lane();
        u32 words[4][2 * STEPS] = {};
        UNROLL
        for (u32 n = 0; n < 4; ++n) {
            const u32 column = 8 * n + lane() / 4;
            const u32 other = __shfl_sync(FULL, rank, static_cast<i32>(column));
            if (column < count) load_words<STEPS>(args.index.signatures, other, words[n]);
        }
        const u32 smallest = args.index.classes[__shfl_sync(FULL, rank, 0)];
        if (smallest != now) load_needs<USED>(now = smallest);
        UNROLL
        for (u32 n = 0; n < 4; ++n) {
            if (8 * n < count) {
                const u32 hits = compare<USED>(words[n]);
                if (__any_sync(FULL, hits != 0)) queue.keep(hits, rank, begin, 8 * n, count);
            }
        }
    }

    template <u32 USED> DEVICE void load_needs(u32 smallest) {
        UNROLL
        for (u32 m = 0; m < USED; ++m) {
            UNROLL
            for (u32 half = 0; half < 2; ++half) {
                const u32 row = 16 * m + 8 * half + lane() / 4;
                need[m][half] = NEVER;
                if (row < probes) need[m][half] = static_cast<i32>(args.needs[room.row[row] + smallest] - room.excess[row]);
            }
        }
    }

    // Compares the probes of the first tiles with 8 indexed sets: a bit for each sum that reaches what its row needs. Bits are made only where
    // there is one.
    template <u32 USED> DEVICE u32 compare(const u32 (&words)[2 * STEPS]) const {
        BitSums sums[USED];
        UNROLL
        for (u32 m = 0; m < USED; ++m) {
            sums[m] = {};
            UNROLL
            for (u32 s = 0; s < STEPS; ++s) {
                add_common_bits(sums[m], rows[m][s], {{words[2 * s], words[2 * s + 1]}});
            }
        }
        bool any = false;
        UNROLL
        for (u32 m = 0; m < USED; ++m) {
            UNROLL
            for (u32 i = 0; i < 4; ++i) any |= sums[m].of[i] >= need[m][i / 2];
        }
        u32 hits = 0;
        if (!any) return hits;
        UNROLL
        for (u32 m = 0; m < USED; ++m) {
            UNROLL
            for (u32 i = 0; i < 4; ++i) hits |= static_cast<u32>(sums[m].of[i] >= need[m][i / 2]) << (4 * m + i);
        }
        return hits;
    }
};

template <u32 WORDS> DEVICE void join(const SetJoin& args) {
    constexpr u32 ROWS = JoinWarp<WORDS>::ROWS;
    __shared__ JoinRoom<ROWS> rooms[WARPS];
    JoinRoom<ROWS>& room = rooms[warp_in_block()];
    JoinQueue<WORDS, ROWS> queue = {args, room, {}, 0, 0, 0};
    JoinWarp<WORDS>(args, room, queue).run();
}

}  // namespace sets
