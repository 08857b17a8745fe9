// The join of light partitions: a block lays out the smaller side in shared memory, grouped by key, and the other
// streams by. What a key finds is enumerated by the whole warp, so that a frequent key leaves no lane idle.
//
// Hashes stand for keys throughout: the mix can be undone, so hashes are equal exactly where keys are.
#pragma once

#include "equi_join_layout.h"
#include "tiles.h"

// Tuples that fit the shared memory of a block.
constexpr u32 EQUI_JOIN_BUILD = 1024;
constexpr u32 EQUI_JOIN_THREADS = 256;
// Tuples that each thread lays out.
constexpr u32 EQUI_JOIN_EACH = EQUI_JOIN_BUILD / EQUI_JOIN_THREADS;
// Quads of words that a warp's consumer may use.
constexpr u32 EQUI_JOIN_ROOM = 96;

enum class EquiJoinKind { Empty, Light, Large };

// What a partition with these numbers of left and right tuples is.
DEVICE EquiJoinKind equi_join_kind(u32 left, u32 right, const EquiJoinLimits& limits, bool self_join) {
    if (self_join ? left < 2 : left == 0 || right == 0) return EquiJoinKind::Empty;
    u32 build = min(left, right), probe = max(left, right);
    bool fits = build <= limits.build && probe <= limits.probe && static_cast<u64>(build) * probe <= limits.pairs;
    return fits ? EquiJoinKind::Light : EquiJoinKind::Large;
}

// The bits of a number from `from` on.
template <class Hash> DEVICE u64 equi_join_above(Hash hash, u32 from) {
    return from >= 64 ? 0 : static_cast<u64>(hash) >> from;
}

// What a block shares.
template <class Hash> struct EquiJoinShared {
    union {
        // While keys are found.
        struct {
            // Place of a key's first tuple and one more; 0 is free.
            u32 slots[2 * EQUI_JOIN_BUILD];
            Hash hashes[EQUI_JOIN_BUILD];
        } keys;
        // When none is looked for any more: room for the consumers of the warps.
        uint4 room[EQUI_JOIN_THREADS / 32][EQUI_JOIN_ROOM];
    };
    // By first tuple of a key: how many it has; then, in the low half, where its rows start, and in the high half how many.
    u32 groups[EQUI_JOIN_BUILD];
    u32 rows[EQUI_JOIN_BUILD];
    // By place of a row: where the rows of its key start.
    u16 starts[EQUI_JOIN_BUILD];
    u32 sums[EQUI_JOIN_THREADS / 32];
    u64 unit;
};

// A table of keys in shared memory. Slots are chosen by the bits right below those that all of a partition share;
// at most half the slots are taken, so a search ends.
template <class Hash> struct EquiJoinTable {
    EquiJoinShared<Hash>& shared;
    u32 mask, shift;

    DEVICE EquiJoinTable(EquiJoinShared<Hash>& shared, u32 tuples, u32 low_bits) : shared(shared) {
        u32 slot_bits = 33 - __clz(tuples - (tuples > 1));
        mask = (1u << slot_bits) - 1;
        shift = low_bits > slot_bits ? low_bits - slot_bits : 0;
    }

    DEVICE u32 slot(Hash hash) const { return static_cast<u32>(hash >> shift) & mask; }

    // The place of the key's first tuple, which may become this one.
    DEVICE u32 insert(u32 place) {
        Hash hash = shared.keys.hashes[place];
        for (u32 at = slot(hash);; at = (at + 1) & mask) {
            u32 found = atomicCAS(&shared.keys.slots[at], 0u, place + 1);
            if (found == 0) return place;
            if (shared.keys.hashes[found - 1] == hash) return found - 1;
        }
    }

    // The group of a key: 0 where it has none.
    DEVICE u32 find(Hash hash) const {
        for (u32 at = slot(hash);; at = (at + 1) & mask) {
            u32 found = shared.keys.slots[at];
            if (found == 0) return 0;
            if (shared.keys.hashes[found - 1] == hash) return shared.groups[found - 1];
        }
    }
};

// Where a thread's tuple belongs: its key's first tuple, and how many of the key came before it.
struct EquiJoinPlaces {
    u32 first[EQUI_JOIN_EACH], rank[EQUI_JOIN_EACH];
};

// Turns the counts of groups into starts and counts: a sum over the block, in which each thread has as many neighbouring
// entries as it lays out tuples.
template <class Hash> DEVICE void equi_join_place(EquiJoinShared<Hash>& shared, u32 tuples) {
    u32 begin = threadIdx.x * EQUI_JOIN_EACH, counts[EQUI_JOIN_EACH], own = 0;
#pragma unroll
    for (u32 k = 0; k < EQUI_JOIN_EACH; ++k) own += counts[k] = begin + k < tuples ? shared.groups[begin + k] : 0;
    u32 upto = own;
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = __shfl_up_sync(FULL, upto, step);
        if (lane() >= step) upto += other;
    }
    if (lane() == 31) shared.sums[warp_in_block()] = upto;
    __syncthreads();
    u32 start = upto - own;
    for (u32 warp = 0; warp < warp_in_block(); ++warp) start += shared.sums[warp];
#pragma unroll
    for (u32 k = 0; k < EQUI_JOIN_EACH; start += counts[k], ++k) {
        if (begin + k < tuples) shared.groups[begin + k] = counts[k] << 16 | start;
    }
}

// Lays out the tuples [begin, begin + tuples) of a side, at most EQUI_JOIN_BUILD, grouped by key. All threads are
// together before and after.
template <class Hash>
DEVICE void equi_join_build(EquiJoinTable<Hash>& table, const EquiJoinTuples& side, u32 begin, u32 tuples) {
    EquiJoinShared<Hash>& shared = table.shared;
    const Hash* hashes = static_cast<const Hash*>(side.hashes) + begin;
    for (u32 at = threadIdx.x; at <= table.mask; at += EQUI_JOIN_THREADS) shared.keys.slots[at] = 0;
    for (u32 at = threadIdx.x; at < tuples; at += EQUI_JOIN_THREADS) {
        shared.keys.hashes[at] = hashes[at];
        shared.groups[at] = 0;
    }
    __syncthreads();
    EquiJoinPlaces places;
#pragma unroll
    for (u32 k = 0; k < EQUI_JOIN_EACH; ++k) {
        u32 at = k * EQUI_JOIN_THREADS + threadIdx.x;
        places.first[k] = at < tuples ? table.insert(at) : 0;
        places.rank[k] = at < tuples ? atomicAdd(&shared.groups[places.first[k]], 1u) : 0;
    }
    __syncthreads();
    equi_join_place(shared, tuples);
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < EQUI_JOIN_EACH; ++k) {
        u32 at = k * EQUI_JOIN_THREADS + threadIdx.x;
        if (at < tuples) {
            const u32 start = shared.groups[places.first[k]] & 0xffff, place = start + places.rank[k];
            shared.rows[place] = side.rows[begin + at];
            shared.starts[place] = static_cast<u16>(start);
        }
    }
    __syncthreads();
}

// Pairs each lane's row with `count` rows of shared memory from `start` on: pairs are numbered over the warp, and a lane
// finds the owner of its pair among the sums of counts. `swapped`: the lanes' rows are right rows.
template <class Consumer>
DEVICE void equi_join_expand(Consumer& consumer, const u32* rows, u32 row, u32 start, u32 count, bool swapped,
                             u32 pairing) {
    u32 upto = count;
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = __shfl_up_sync(FULL, upto, step);
        if (lane() >= step) upto += other;
    }
    u32 all = __shfl_sync(FULL, upto, 31), shift = start - (upto - count);
    for (u32 first = 0; first < all; first += 32) {
        u32 pair = first + lane(), owner = 0;
        for (u32 step = 16; step > 0; step /= 2) {
            if (__shfl_sync(FULL, upto, owner + step - 1) <= pair) owner += step;
        }
        u32 own = __shfl_sync(FULL, row, owner), at = __shfl_sync(FULL, shift, owner) + pair;
        u32 other = pair < all ? rows[at] : 0;
        tile_take(consumer, pair < all, swapped ? other : own, swapped ? own : other, pairing);
    }
}

// The rows of 32 places, each with those of its key before it. Where all are of one key, those before all of them are a
// rectangle.
template <class Consumer>
DEVICE void equi_join_self_places(Consumer& consumer, const u32* rows, const u16* starts, u32 first, u32 tuples,
                                  [[maybe_unused]] uint4* room) {
    static_assert(Consumer::ROOM <= EQUI_JOIN_ROOM, "there is no more");
    const u32 place = first + lane();
    const bool valid = place < tuples;
    u32 start = valid ? starts[place] : place;
    const u32 row = valid ? rows[place] : 0;
    if constexpr (Consumer::SORTS_RECTANGLES) {
        const u32 key = __shfl_sync(FULL, start, 0);
        const bool of_one_key = __all_sync(FULL, !valid || start == key);
        if (of_one_key && first >= key + 32 && consumer.takes_rectangles()) {
            consumer.sorted_rectangle(rows + key, first - key, row, min(tuples - first, 32u), room);
            start = first;
        }
    }
    equi_join_expand(consumer, rows, row, start, valid ? place - start : 0, false, PAIRING_SORTED);
}

// One partition with itself: each tuple with those of its key that were laid out before it, so that every pair comes
// once; the smaller row is the left one.
template <class Hash, class Consumer>
DEVICE void equi_join_self(Consumer& consumer, EquiJoinTable<Hash>& table, const EquiJoinTuples& side, u32 begin,
                           u32 tuples) {
    equi_join_build(table, side, begin, tuples);
    for (u32 first = warp_in_block() * 32; first < tuples; first += EQUI_JOIN_THREADS) {
        uint4* room = table.shared.room[warp_in_block()];
        equi_join_self_places(consumer, table.shared.rows, table.shared.starts, first, tuples, room);
    }
}

// Two partitions of one range of hashes: the smaller is laid out, each tuple of the other finds its key.
template <class Hash, class Consumer>
DEVICE void equi_join_two(Consumer& consumer, EquiJoinTable<Hash>& table, const EquiJoinTuples& build, u32 begin,
                          u32 tuples, const EquiJoinTuples& probe, u32 from, u32 to, bool swapped, u32 pairing) {
    equi_join_build(table, build, begin, tuples);
    const Hash* hashes = static_cast<const Hash*>(probe.hashes);
    for (u32 first = from + warp_in_block() * 32; first < to; first += EQUI_JOIN_THREADS) {
        bool valid = to - first > lane();
        u32 group = valid ? table.find(hashes[first + lane()]) : 0;
        u32 row = valid ? probe.rows[first + lane()] : 0;
        equi_join_expand(consumer, table.shared.rows, row, group & 0xffff, group >> 16, swapped, pairing);
    }
}

// Joins one partition, if it is light.
template <class Hash, class Consumer>
DEVICE void equi_join_partition(Consumer& consumer, EquiJoinShared<Hash>& shared, const EquiJoinProbe& args, u64 at) {
    u32 left = args.left.starts[at], left_end = args.left.starts[at + 1];
    u32 right = args.right.starts[at], right_end = args.right.starts[at + 1];
    u32 lefts = left_end - left, rights = right_end - right;
    if (equi_join_kind(lefts, rights, args.limits, args.self_join) != EquiJoinKind::Light) return;
    EquiJoinTable<Hash> table(shared, min(lefts, rights), args.low_bits);
    if (args.self_join) {
        equi_join_self(consumer, table, args.left, left, lefts);
    } else {
        // One call for both orders, so that there is one copy of the consumer's code.
        bool swapped = lefts <= rights;
        const EquiJoinTuples& build = swapped ? args.left : args.right;
        const EquiJoinTuples& probe = swapped ? args.right : args.left;
        equi_join_two(consumer, table, build, swapped ? left : right, min(lefts, rights), probe, swapped ? right : left,
                      swapped ? right_end : left_end, swapped, args.pairing);
    }
}

// The part of a block in joining partitions.
template <class Hash, class Consumer> DEVICE void equi_join_probe(const EquiJoinProbe& args) {
    __shared__ EquiJoinShared<Hash> shared;
    Consumer consumer(args.consume, shared_bytes() + warp_in_block() * Consumer::SHARED);
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) shared.unit = atomicAdd(args.taken, 1ull);
        __syncthreads();
        u64 unit = shared.unit;
        if (unit >= args.units) break;
        equi_join_partition(consumer, shared, args, args.first + unit);
    }
    consumer.finish();
}
