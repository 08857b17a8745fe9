// What components reach, as bits. A block makes a slice of the targets, level by level, so that no block waits for
// another and any number of slices fits any memory.
#include "reach_layout.h"

// Where the rows of a slice begin, of which `first` is the first in memory: earlier ones have more rows.
DEVICE u64 reach_slice(u32 first, u32 slice, u32 components) {
    const u64 before = slice - first;
    const u64 rows = before * components - REACH_SLICE * (first * before + before * (before - 1) / 2 * (before > 0));
    return rows * REACH_WORDS;
}

// The sum over the lanes that share a row.
DEVICE u64 reach_sum(u64 value) {
    UNROLL
    for (i32 by = REACH_WORDS / 2; by > 0; by /= 2) value += __shfl_xor_sync(FULL, value, by, REACH_WORDS);
    return value;
}

// The vertices of the components in a word whose first is `target`.
DEVICE u64 reach_weight(const ReachGraph& graph, u32 word, u32 large, u32 target) {
    u64 sum = static_cast<u64>(__popc(word & ~large));
    for (u32 rest = word & large; rest != 0; rest &= rest - 1) {
        sum += graph.sizes[target + static_cast<u32>(__ffs(static_cast<i32>(rest)) - 1)];
    }
    return sum;
}

// Half a warp a component: each lane has a word of its row. All lanes of a warp stay together; those without a
// component have one that has no successors.
KERNEL(reach_sweep, ReachSweep, KERNEL_BOUNDS(1024, 2)) {
    const ReachGraph& graph = args.graph;
    const u32 slice = args.first + blockIdx.x, first = slice * REACH_SLICE, own = lane() % REACH_WORDS;
    const u32 base = first + own * 32, rows_at_once = blockDim.x / REACH_WORDS;
    u32* rows = args.rows + reach_slice(args.first, slice, graph.components);
    const u32 large = base < graph.components ? graph.large[base / 32] : 0;
    u64 pairs = 0;
    for (u32 level = 0; level < graph.levels_len; ++level) {
        const u32 end = graph.levels[level + 1];
        for (u32 begin = graph.levels[level] + threadIdx.x / 32 * 2; begin < end; begin += rows_at_once) {
            const u32 at = begin + lane() / REACH_WORDS;
            u32 component = at < end ? graph.order[at] : 0;
            const bool is_there = at < end && component >= first;
            if (!is_there) component = first;
            u32 from = is_there ? graph.offsets[component] : 0, upto = is_there ? graph.offsets[component + 1] : 0;
            u32 word = 0;
            if (is_there && component / 32 == base / 32) word = graph.loops[base / 32] & 1u << (component % 32);
            for (; __any_sync(FULL, from < upto); from += REACH_WORDS) {
                const u32 mine = from + own < upto ? graph.targets[from + own] : 0;
                const u32 count = min(upto - from, REACH_WORDS);
                UNROLL
                for (u32 i = 0; i < REACH_WORDS; i += 4) {
                    u32 found[4];
                    UNROLL
                    for (u32 j = 0; j < 4; ++j) {
                        const u32 target = __shfl_sync(FULL, mine, static_cast<i32>(i + j), REACH_WORDS);
                        const bool counts = from < upto && i + j < count && target >= first;
                        found[j] = counts ? rows[static_cast<u64>(target - first) * REACH_WORDS + own] : 0;
                        if (counts && target / 32 == base / 32) found[j] |= 1u << (target % 32);
                    }
                    word |= found[0] | found[1] | found[2] | found[3];
                    if (!__any_sync(FULL, from < upto && i + 4 < count)) break;
                }
            }
            u64 weight = reach_weight(graph, word, large, base);
            if (is_there) {
                rows[static_cast<u64>(component - first) * REACH_WORDS + own] = word;
                pairs += weight * graph.sizes[component];
            }
            if (args.weights != nullptr) {
                weight = reach_sum(weight);
                if (is_there && own == 0 && weight > 0) atomicAdd(args.weights + component, weight);
            }
        }
        __syncthreads();
    }
    pairs = warp_sum(pairs);
    if (lane() == 0 && pairs > 0) atomicAdd(args.pairs, pairs);
}

KERNEL(reach_weights, ReachWeights) {
    for (u64 at = thread_in_grid(); at <= args.vertices; at += threads_in_grid()) {
        args.by_vertex[at] = at < args.vertices ? args.weights[args.component[at]] : 0;
    }
}

// Warps of a block of `reach_pairs`, and the targets of 32 words that each gathers before it writes them.
constexpr u32 REACH_WARPS = 8;
constexpr u32 REACH_GATHERED = 32 * 32;

// A warp at work on the pairs of a vertex.
struct ReachWriter {
    const ReachPairs& args;
    u32* gathered;
    u32 id;      // of the vertex
    uint2* next;

    // Targets that are one vertex each: gathered by the lanes that have their bits, written by all in order.
    DEVICE void single(u32 word, u32 base) {
        const u32 own = static_cast<u32>(__popc(word));
        u32 upto = own;
        UNROLL
        for (u32 by = 1; by < 32; by *= 2) {
            const u32 before = __shfl_up_sync(FULL, upto, by);
            if (lane() >= by) upto += before;
        }
        const u32 all = __shfl_sync(FULL, upto, 31);
        u32* to = gathered + (upto - own);
        for (; word != 0; word &= word - 1) *to++ = base + static_cast<u32>(__ffs(static_cast<i32>(word)) - 1);
        __syncwarp();
        for (u32 i = lane(); i < all; i += 32) next[i] = make_uint2(id, args.first_ids[gathered[i]]);
        next += all;
        __syncwarp();
    }

    // Targets of several vertices, one after the other.
    DEVICE void several(u32 word, u32 base) {
        for (u32 lanes = __ballot_sync(FULL, word != 0); lanes != 0; lanes &= lanes - 1) {
            const i32 from = __ffs(static_cast<i32>(lanes)) - 1;
            const u32 first = __shfl_sync(FULL, base, from);
            for (u32 rest = __shfl_sync(FULL, word, from); rest != 0; rest &= rest - 1) {
                const u32 target = first + static_cast<u32>(__ffs(static_cast<i32>(rest)) - 1);
                const u32 begin = args.member_offsets[target], count = args.member_offsets[target + 1] - begin;
                for (u32 i = lane(); i < count; i += 32) next[i] = make_uint2(id, args.member_ids[begin + i]);
                next += count;
            }
        }
    }
};

// The lanes of a warp have the words of two slices.
KERNEL(reach_pairs, ReachPairs, KERNEL_BOUNDS(32 * REACH_WARPS, 4)) {
    __shared__ u32 gathered[REACH_WARPS][REACH_GATHERED];
    for (u64 at = args.begin + thread_in_grid() / 32; at < args.end; at += threads_in_grid() / 32) {
        const u32 component = args.component[at];
        uint2* to = args.pairs + (args.places[at] - args.from);
        ReachWriter writer = {args, gathered[warp_in_block()], args.ids[at], to};
        for (u32 slice = args.first; slice < args.first + args.slices && slice * REACH_SLICE <= component; slice += 2) {
            const u32 mine = slice + lane() / REACH_WORDS, first = mine * REACH_SLICE;
            const u32 base = first + lane() % REACH_WORDS * 32;
            u32 word = 0, large = 0;
            if (mine < args.first + args.slices && base <= component) {
                const u32* rows = args.rows + reach_slice(args.first, mine, args.components);
                word = rows[static_cast<u64>(component - first) * REACH_WORDS + lane() % REACH_WORDS];
                large = args.large[base / 32];
            }
            if (__any_sync(FULL, (word & ~large) != 0)) writer.single(word & ~large, base);
            writer.several(word & large, base);
        }
    }
}
