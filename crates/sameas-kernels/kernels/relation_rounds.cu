// One round of a rule: rows are probed, their results counted and summed, and the results shared out evenly between
// threads, whatever a row has: a value that is everywhere stalls nobody.
#include "relation_rounds_layout.h"

// The first of `len` places that `before` does not hold for, given that it holds for none after it.
template <class Before> DEVICE u64 relation_first_not(u64 len, Before before) {
    u64 low = 0, high = len;
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (before(middle)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// What fields are taken from.
struct RelationSources {
    u64 row;
    u64 first;
    u64 second;

    DEVICE u64 value(const RelationField& field) const {
        if (field.from == FIELD_CONSTANT) return field.mask;
        const u64 tuple = field.from == FIELD_ROW ? row : field.from == FIELD_FIRST ? first : second;
        return tuple >> field.shift & field.mask;
    }

    DEVICE u64 packed(const RelationField* fields, u32 len) const {
        u64 all = 0;
        for (u32 i = 0; i < len; ++i) all |= value(fields[i]) << fields[i].to;
        return all;
    }

    DEVICE bool holds(const RelationFilter& filter) const {
        const u64 left = value(filter.left), right = value(filter.right);
        switch (filter.comparison) {
            case RELATION_EQUAL: return left == right;
            case RELATION_DIFFERENT: return left != right;
            case RELATION_LESS: return left < right;
            default: return left <= right;
        }
    }
};

// Where the tuples of a key begin, and their number.
DEVICE u64 relation_range(const RelationProbe& probe, u64 key, u32& count) {
    if (probe.offsets != nullptr) {
        const u32 begin = probe.offsets[key];
        count = probe.offsets[key + 1] - begin;
        return begin;
    }
    // A key of no bits has all tuples.
    if (probe.key_len == 0) {
        count = static_cast<u32>(probe.len);
        return 0;
    }
    const u64 begin = relation_first_not(probe.len, [&](u64 at) { return probe.tuples[at] >> probe.shift < key; });
    const u64 rest = probe.len - begin;
    auto is_key = [&](u64 at) { return probe.tuples[begin + at] >> probe.shift <= key; };
    count = static_cast<u32>(relation_first_not(rest, is_key));
    return begin;
}

KERNEL(relation_count, RelationCount) {
    for (u64 at = thread_in_grid(); at <= args.len; at += threads_in_grid()) {
        if (at == args.len) {
            args.results[at] = 0;
            continue;
        }
        const RelationSources sources = {args.rows[at], 0, 0};
        u32 count = 0;
        args.first_begin[at] = static_cast<u32>(
            relation_range(args.first, sources.packed(args.first.key, args.first.key_len), count));
        u64 results = count;
        if (args.probes == 2 && count > 0) {
            args.second_begin[at] = static_cast<u32>(
                relation_range(args.second, sources.packed(args.second.key, args.second.key_len), count));
            args.second_count[at] = count;
            results *= count;
        }
        args.results[at] = results;
    }
}

// All bits depend on all bits of the tuple.
DEVICE u64 relation_mixed(u64 tuple) {
    tuple = (tuple ^ tuple >> 30) * 0xbf58476d1ce4e5b9ull;
    tuple = (tuple ^ tuple >> 27) * 0x94d049bb133111ebull;
    return tuple ^ tuple >> 31;
}

// Enters a tuple, and says whether it was new. A table of slots always has an empty one.
DEVICE bool relation_enter(const RelationSet& set, u64 tuple) {
    if (set.bits != nullptr) {
        u32* word = set.bits + (tuple >> 5);
        const u32 bit = 1u << (tuple & 31);
        // Most candidates have been seen, and a look costs less than an atomic.
        if ((*static_cast<volatile u32*>(word) & bit) != 0) return false;
        return (atomicOr(word, bit) & bit) == 0;
    }
    for (u64 slot = relation_mixed(tuple) & set.mask;; slot = (slot + 1) & set.mask) {
        u64 found = *static_cast<volatile u64*>(set.slots + slot);
        if (found == 0) found = atomicCAS(set.slots + slot, 0ull, tuple + 1);
        if (found == 0) return true;
        if (found == tuple + 1) return false;
    }
}

// Results of a block at a time, each thread some of them.
constexpr u32 RELATION_THREADS = 256;
constexpr u32 RELATION_EACH = 4;
constexpr u32 RELATION_TILE = RELATION_THREADS * RELATION_EACH;

// What a block gathers of a tile.
struct RelationGathered {
    u64 tuples[RELATION_TILE];
    u64 place;
    u64 low;   // the row of the tile's first result
    u64 high;  // and of its last
    u32 len;
};

// The row of a result, between two rows.
DEVICE u64 relation_row(const u64* before, u64 low, u64 high, u64 result) {
    return low + relation_first_not(high - low, [&](u64 at) { return before[low + at + 1] <= result; });
}

// Whether there is a tuple with a key.
DEVICE bool relation_has(const RelationProbe& probe, const RelationSources& sources) {
    u32 count = 0;
    relation_range(probe, sources.packed(probe.key, probe.key_len), count);
    return count > 0;
}

// The result of a row, if it fulfils all conditions.
DEVICE bool relation_result(const RelationExpand& args, u64 row, u64 result, u64& tuple) {
    RelationSources sources = {args.rows[row], 0, 0};
    if (args.probes > 0) {
        u64 place = result - args.before[row];
        if (args.probes == 2) {
            const u32 count = args.second_count[row];
            const u64 first = place < FULL ? static_cast<u32>(place) / count : place / count;
            sources.second = args.second.tuples[args.second_begin[row] + (place - first * count)];
            place = first;
        }
        sources.first = args.first.tuples[args.first_begin[row] + place];
    }
    for (u32 i = 0; i < args.filters_len; ++i) {
        if (!sources.holds(args.filters[i])) return false;
    }
    if (args.absent_len > 0 && relation_has(args.absent, sources)) return false;
    if (args.absent_len > 1 && relation_has(args.also_absent, sources)) return false;
    tuple = sources.packed(args.output, args.output_len);
    return !args.is_head || relation_enter(args.set, tuple);
}

// Adds the tuples of some lanes to what the block has gathered. All lanes of a warp call it.
DEVICE void relation_gather(RelationGathered& gathered, u64 tuple, bool is_there) {
    const u32 lanes = __ballot_sync(FULL, is_there);
    if (lanes == 0) return;
    u32 begin = 0;
    if (lane() == 0) begin = atomicAdd(&gathered.len, static_cast<u32>(__popc(lanes)));
    begin = __shfl_sync(FULL, begin, 0);
    if (is_there) gathered.tuples[begin + static_cast<u32>(__popc(lanes & lanes_below()))] = tuple;
}

KERNEL(relation_expand, RelationExpand, KERNEL_BOUNDS(RELATION_THREADS, 4)) {
    __shared__ RelationGathered gathered;
    const u64 stride = static_cast<u64>(gridDim.x) * RELATION_TILE;
    for (u64 begin = args.begin + static_cast<u64>(blockIdx.x) * RELATION_TILE; begin < args.end; begin += stride) {
        if (threadIdx.x == 0) gathered.len = 0;
        if (threadIdx.x < 2 && args.probes > 0) {
            const u64 result = threadIdx.x == 0 ? begin : min(begin + RELATION_TILE, args.end) - 1;
            const u64 row = relation_row(args.before, 0, args.len - 1, result);
            *(threadIdx.x == 0 ? &gathered.low : &gathered.high) = row;
        }
        __syncthreads();
        for (u32 i = 0; i < RELATION_EACH; ++i) {
            const u64 result = begin + i * RELATION_THREADS + threadIdx.x;
            u64 tuple = 0;
            bool is_there = result < args.end;
            if (is_there) {
                u64 row = result;
                if (args.probes > 0) row = relation_row(args.before, gathered.low, gathered.high, result);
                is_there = relation_result(args, row, result, tuple);
            }
            relation_gather(gathered, tuple, is_there);
        }
        __syncthreads();
        if (threadIdx.x == 0 && gathered.len > 0) {
            gathered.place = atomicAdd(args.list_len, static_cast<u64>(gathered.len));
        }
        __syncthreads();
        for (u32 i = threadIdx.x; i < gathered.len; i += blockDim.x) {
            if (gathered.place + i < args.capacity) args.list[gathered.place + i] = gathered.tuples[i];
        }
        __syncthreads();
    }
}

KERNEL(relation_permute, RelationPermute) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const RelationSources sources = {args.tuples[at], 0, 0};
        args.permuted[at] = sources.packed(args.output, args.output_len);
    }
}

// The first tuple of a key is also where those of all keys without tuples before it begin.
KERNEL(relation_offsets, RelationOffsets) {
    for (u64 at = thread_in_grid(); at <= args.len; at += threads_in_grid()) {
        const u64 from = at == 0 ? 0 : (args.tuples[at - 1] >> args.shift) + 1;
        const u64 upto = at == args.len ? args.keys : args.tuples[at] >> args.shift;
        for (u64 key = from; key <= upto; ++key) args.offsets[key] = static_cast<u32>(at);
    }
}

KERNEL(relation_enter_all, RelationEnter) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) relation_enter(args.set, args.tuples[at]);
}

KERNEL(relation_copy, RelationCopy) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) args.to[at] = args.from[at];
}

KERNEL(relation_pairs, RelationPairs) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const RelationSources sources = {args.tuples[at], 0, 0};
        u32 left = static_cast<u32>(sources.value(args.left)), right = static_cast<u32>(sources.value(args.right));
        if (args.ids != nullptr) {
            left = args.ids[left];
            right = args.ids[right];
        }
        args.pairs[at] = make_uint2(left, right);
    }
}

KERNEL(relation_column, RelationColumn) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const RelationSources sources = {args.tuples[at], 0, 0};
        args.values[at] = static_cast<u32>(sources.value(args.field));
    }
}
