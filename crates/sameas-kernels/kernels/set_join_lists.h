// What a join of sets reads: sides in order of size with their signatures, lists of prefix tokens, and the chunks of these.
#pragma once

#include "set_join_layout.h"
#include "sets.h"

namespace sets {

constexpr u32 THREADS = 256;
constexpr u32 WARPS = THREADS / 32;

// The warp's place among all warps of the launch, and their number.
DEVICE u64 warp_in_grid() { return thread_in_grid() / 32; }
DEVICE u64 warps_in_grid() { return threads_in_grid() / 32; }

DEVICE u32 warp_max(u32 value) {
    for (i32 step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(FULL, value, step));
    return value;
}

DEVICE u32 warp_min(u32 value) {
    for (i32 step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(FULL, value, step));
    return value;
}

DEVICE void sizes(const SetSizes& args) {
    u32 largest = 0;
    for (u64 at = thread_in_grid(); at < args.count; at += threads_in_grid()) {
        const u32 size = tokens_of(args.sets, args.codes[at]).size;
        args.sizes[at] = size;
        largest = max(largest, size);
    }
    __syncwarp(FULL);
    largest = warp_max(largest);
    if (lane() == 0) atomicMax(args.largest, largest);
}

DEVICE void histogram(const SetHistogram& args) {
    for (u64 at = thread_in_grid(); at < args.count; at += threads_in_grid()) atomicAdd(args.counts + args.sizes[at], 1u);
}

// A warp signs a set: token `id` sets bit `id mod bits`, see
// sameas-joins/src/candidates/set_join/signature.rs. Each lane gets a word; those after the
// last are zero. `bits` has 32 words of shared memory.
DEVICE u32 signature(Tokens set, u32 words, u32* bits) {
    bits[lane()] = 0;
    __syncwarp(FULL);
    for (u32 at = lane(); at < set.size; at += 32) atomicOr(bits + set.ids[at] / 32 % words, 1u << set.ids[at] % 32);
    __syncwarp(FULL);
    const u32 word = bits[lane()];
    __syncwarp(FULL);
    return word;
}

// Bits of a signature.
DEVICE u32 bits_of(u32 word) { return static_cast<u32>(warp_sum(static_cast<u64>(__popc(word)))); }

DEVICE void sign(const SetSign& args) {
    __shared__ u32 rooms[WARPS][32];
    u32 largest = 0;
    for (u64 rank = warp_in_grid(); rank < args.side.count; rank += warps_in_grid()) {
        const Tokens set = tokens_of(args.side.sets, args.side.codes[rank]);
        const u32 word = signature(set, args.words, rooms[warp_in_block()]), taken = bits_of(word);
        if (lane() < args.words) args.signatures[rank * args.words + lane()] = word;
        if (lane() == 0) {
            args.excess[rank] = set.size - taken;
            args.classes[rank] = args.class_of_size[set.size];
            largest = max(largest, set.ids[set.size - 1]);
        }
    }
    if (lane() == 0) atomicMax(args.largest_token, largest);
}

// Of `count` things one by the number of a draw: multiples of an irrational part of 2^64 fall evenly.
DEVICE u32 drawn(u64 draw, u64 step, u32 count) {
    return static_cast<u32>(((draw + 1) * step >> 32) * count >> 32);
}

// A warp draws a pair and tests its signatures of every width: that of half the width is the wide one folded.
DEVICE void sample(const SetSample& args) {
    __shared__ u32 rooms[WARPS][32];
    for (u64 draw = warp_in_grid(); draw < args.draws; draw += warps_in_grid()) {
        const u32 probe = drawn(draw, 0x9E3779B97F4A7C15ull, args.probe_count);
        const Tokens x = tokens_of(args.probe_sets, args.probe_codes[probe]);
        const u32 of = args.class_of_size[x.size], first = args.index_firsts[args.classes[of].lowest];
        const u32 partners = args.index_firsts[of + 1] - min(first, args.index_firsts[of + 1]);
        if (partners == 0) continue;
        const u32 other = first + drawn(draw, 0xC2B2AE3D27D4EB4Full, partners);
        const Tokens y = tokens_of(args.index_sets, args.index_codes[other]);
        const u32 need = args.needs[static_cast<u64>(of) * args.class_count + args.class_of_size[y.size]];
        u32 a = signature(x, 32, rooms[warp_in_block()]), b = signature(y, 32, rooms[warp_in_block()]);
        for (u32 at = 3; at-- > 0;) {
            const u32 excess = min(x.size - bits_of(a), y.size - bits_of(b));
            if (bits_of(a & b) + excess >= need && lane() == 0) atomicAdd(args.counts + at, 1ull);
            const u32 half = 4u << at;
            a |= __shfl_down_sync(FULL, a, half), b |= __shfl_down_sync(FULL, b, half);
            if (lane() >= half) a = b = 0;
        }
        if (lane() == 0) atomicAdd(args.counts + 3, 1ull);
    }
}

DEVICE void token_counts(const SetTokenCounts& args) {
    for (u64 rank = warp_in_grid(); rank < args.side.count; rank += warps_in_grid()) {
        const u32 prefix = args.classes[args.side.classes[rank]].prefix;
        const u32* ids = tokens_of(args.side.sets, args.side.codes[rank]).ids;
        for (u32 place = lane(); place < prefix; place += 32) atomicAdd(args.counts + ids[place], 1u);
    }
}

// The first place of a prefix, whose tokens rise, with a token that is not below this one.
DEVICE u32 place_of_token(const u32* ids, u32 prefix, u32 token) {
    u32 low = 0, high = prefix;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (ids[middle] < token) low = middle + 1; else high = middle;
    }
    return low;
}

DEVICE void listed(const SetListed& args) {
    for (u64 rank = thread_in_grid(); rank < args.side.count; rank += threads_in_grid()) {
        const u32 prefix = args.classes[args.side.classes[rank]].prefix;
        const u32* ids = tokens_of(args.side.sets, args.side.codes[rank]).ids;
        args.counts[rank] = place_of_token(ids, prefix, args.end) - place_of_token(ids, prefix, args.first);
    }
}

// A warp lists the prefix of a set. Entries lie in order of rank, so that a stable sort by token keeps that order.
DEVICE void entries(const SetEntries& args) {
    for (u64 rank = warp_in_grid(); rank < args.side.count; rank += warps_in_grid()) {
        const SetClass& of = args.classes[args.side.classes[rank]];
        const u32* ids = tokens_of(args.side.sets, args.side.codes[rank]).ids;
        u32 begin = 0, end = of.prefix;
        u64 at = of.entries + (rank - of.first) * of.prefix;
        if (args.places) {
            begin = place_of_token(ids, of.prefix, args.first), end = place_of_token(ids, of.prefix, args.end);
            at = args.places[rank];
        }
        for (u32 place = begin + lane(); place < end; place += 32) {
            args.keys[at + place - begin] = static_cast<u64>(ids[place]) << 32 | place;
            args.ranks[at + place - begin] = static_cast<u32>(rank);
        }
    }
}

DEVICE void starts(const SetStarts& args) {
    for (u64 token = thread_in_grid(); token <= args.tokens; token += threads_in_grid()) {
        u32 low = 0, high = args.entries;
        while (low < high) {
            const u32 middle = low + (high - low) / 2;
            if (args.keys[middle] >> 32 < token) low = middle + 1; else high = middle;
        }
        args.starts[token] = low;
    }
}

DEVICE void count_chunks(const SetCount& args) {
    for (u64 token = thread_in_grid(); token <= args.tokens; token += threads_in_grid()) {
        u32 probes = 0;
        if (token < args.tokens && args.index.starts[token] < args.index.starts[token + 1]) {
            probes = args.probes.starts[token + 1] - args.probes.starts[token];
        }
        args.chunks[token] = probes / args.rows + (probes % args.rows != 0);
    }
}

// The first place of an index list, from `low` to `high`, whose rank is not below `rank`.
DEVICE u32 place_of_rank(const u32* ranks, u32 low, u32 high, u32 rank) {
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (ranks[middle] < rank) low = middle + 1; else high = middle;
    }
    return low;
}

// The class above the largest that a probe of class `of` reaches with a token at `place`: the positional filter on the
// side of the larger set, see sameas-joins/src/candidates/set_join/postings.rs. What partners need rises with their class.
DEVICE u32 reach(const SetChunks& args, u32 of, u32 place) {
    const u32* needs = args.needs + static_cast<u64>(of) * args.class_count;
    const u32 left = args.classes[of].size - place;
    u32 low = args.classes[of].lowest, high = args.equal == SET_THERE ? of : of + 1;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (needs[middle] <= left) low = middle + 1; else high = middle;
    }
    return low;
}

// A warp makes a chunk: it meets the index list from the first to the last set that one of its probes reaches.
DEVICE void chunks(const SetChunks& args) {
    u64 work = 0;
    for (u64 at = warp_in_grid(); at < args.count; at += warps_in_grid()) {
        u32 token = 0, end_token = args.tokens;
        while (end_token - token > 1) {
            const u32 middle = token + (end_token - token) / 2;
            if (args.before[middle] <= at) token = middle; else end_token = middle;
        }
        const u32 list = args.index.starts[token], list_end = args.index.starts[token + 1];
        const u32 probe = args.probes.starts[token] + static_cast<u32>(at - args.before[token]) * args.rows;
        const u32 probes = min(args.probes.starts[token + 1] - probe, args.rows);
        u32 begin = list_end, end = list;
        for (u32 i = lane(); i < probes; i += 32) {
            const u32 rank = args.probes.ranks[probe + i], of = args.probe_classes[rank];
            const u32 above = reach(args, of, static_cast<u32>(args.probes.keys[probe + i]));
            const u32 lowest = args.classes[of].lowest;
            if (lowest >= above) continue;
            u32 beyond = args.index_firsts[above];
            if (args.equal == SET_BY_RANK) beyond = min(beyond, rank + 1);
            begin = min(begin, place_of_rank(args.index.ranks, list, list_end, args.index_firsts[lowest]));
            end = max(end, place_of_rank(args.index.ranks, list, list_end, beyond));
        }
        __syncwarp(FULL);
        begin = warp_min(begin), end = warp_max(end);
        if (end < begin) end = begin;
        if (lane() == 0) {
            args.chunks[at] = {probe, probes, begin, end, token, 0};
            args.units[at] = (end - begin) / args.piece + ((end - begin) % args.piece != 0);
        }
        work += static_cast<u64>((probes + 15) / 16 * 16) * (end - begin);
    }
    if (lane() == 0 && work) atomicAdd(args.work, work);
}

}  // namespace sets
