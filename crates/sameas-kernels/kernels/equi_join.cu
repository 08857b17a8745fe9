// The equality join: keys become hashes, tuples are partitioned by sorting on the high bits, light partitions are joined
// in shared memory, and the tuples of large ones are sorted on, key by key, into tiles.
#include "bound.h"
#include "consume.h"
#include "equi_join.h"

// Rows of a block that makes keys: each warp has neighbouring rows, so that tuples keep their order.
constexpr u32 KEYS_EACH = 8;
constexpr u32 KEYS_BLOCK = EQUI_JOIN_THREADS * KEYS_EACH;
// Bits of a histogram at most.
constexpr u32 BIN_BITS = 12;

// Spreads a key of `bits` bits over as many. Every step can be undone within those bits, so different keys have
// different hashes.
DEVICE u64 equi_join_mix(u64 key, u32 bits) {
    u64 mask = bits == 0 ? 0 : ~0ull >> (64 - bits);
    u32 half = (bits + 1) / 2;
    key = (key ^ key >> half) * 0x9E3779B97F4A7C15ull & mask;
    return (key ^ key >> half) * 0xD6E8FEB86659FD93ull & mask;
}

// The row at a place of a side, and the hash of its key; false where it has no key.
DEVICE bool equi_join_key(const EquiJoinSide& side, u64 place, u32& row, u64& hash) {
    if (place >= side.len) return false;
    row = side.rows != nullptr ? side.rows[place] : static_cast<u32>(place);
    u64 key = 0;
    for (u32 part = 0; part < side.part_count; ++part) {
        const EquiJoinPart& from = side.parts[part];
        u32 code = from.codes[row];
        if (code == 0xffffffffu) {
            if (!from.null_safe) return false;
            code = from.null_code;
        }
        key |= static_cast<u64>(code) << from.shift;
    }
    hash = equi_join_mix(key, side.bits);
    return true;
}

KERNEL(equi_join_histogram, EquiJoinHistogram, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    __shared__ u32 bins[1 << BIN_BITS];
    for (u32 bin = threadIdx.x; bin < 1u << args.bin_bits; bin += blockDim.x) bins[bin] = 0;
    __syncthreads();
    for (u64 place = thread_in_grid(); place < args.side.len; place += threads_in_grid()) {
        u32 row;
        u64 hash;
        if (equi_join_key(args.side, place, row, hash)) {
            atomicAdd(&bins[equi_join_above(hash, args.side.bits - args.bin_bits)], 1u);
        }
    }
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < 1u << args.bin_bits; bin += blockDim.x) {
        if (bins[bin] != 0) atomicAdd(&args.bins[bin], bins[bin]);
    }
}

// A warp's tuples of a block: each lane's hashes and rows, and by ballot which lanes have one.
struct EquiJoinOwn {
    u64 hashes[KEYS_EACH];
    u32 rows[KEYS_EACH], have[KEYS_EACH], count;

    DEVICE explicit EquiJoinOwn(const EquiJoinKeys& args) : count(0) {
        u64 first = static_cast<u64>(blockIdx.x) * KEYS_BLOCK + warp_in_block() * (32 * KEYS_EACH) + lane();
#pragma unroll
        for (u32 k = 0; k < KEYS_EACH; ++k) {
            bool valid = equi_join_key(args.side, first + k * 32, rows[k], hashes[k]);
            have[k] = __ballot_sync(FULL, valid && args.low <= hashes[k] && hashes[k] <= args.high);
            count += __popc(have[k]);
        }
    }
};

// The tuples of the warps before this one, and of all.
DEVICE u32 equi_join_warps(u32 count, u32& all) {
    __shared__ u32 counts[EQUI_JOIN_THREADS / 32];
    if (lane() == 0) counts[warp_in_block()] = count;
    __syncthreads();
    u32 before = 0;
    all = 0;
    for (u32 warp = 0; warp < EQUI_JOIN_THREADS / 32; ++warp) {
        if (warp == warp_in_block()) before = all;
        all += counts[warp];
    }
    return before;
}

KERNEL(equi_join_keys_count, EquiJoinKeys, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    EquiJoinOwn own(args);
    u32 all;
    equi_join_warps(own.count, all);
    if (threadIdx.x == 0) args.counts[blockIdx.x] = all;
}

template <class Hash> DEVICE void equi_join_keys_write(const EquiJoinKeys& args) {
    EquiJoinOwn own(args);
    u32 all;
    u64 place = args.before[blockIdx.x] + equi_join_warps(own.count, all);
    Hash* hashes = static_cast<Hash*>(args.hashes);
#pragma unroll
    for (u32 k = 0; k < KEYS_EACH; ++k) {
        if (own.have[k] >> lane() & 1) {
            u64 at = place + __popc(own.have[k] & lanes_below());
            hashes[at] = static_cast<Hash>(own.hashes[k]);
            args.rows[at] = own.rows[k];
        }
        place += __popc(own.have[k]);
    }
}

KERNEL(equi_join_keys_write_u32, EquiJoinKeys, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) { equi_join_keys_write<u32>(args); }
KERNEL(equi_join_keys_write_u64, EquiJoinKeys, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) { equi_join_keys_write<u64>(args); }

template <class Hash> DEVICE void equi_join_starts(const EquiJoinStarts& args) {
    const Hash* hashes = static_cast<const Hash*>(args.hashes);
    for (u64 at = thread_in_grid(); at <= args.partitions; at += threads_in_grid()) {
        u64 partition = args.first_partition + at;
        args.starts[at] = first_not(
            args.len, [&](u32 place) { return equi_join_above(hashes[place], args.low_bits) < partition; });
    }
}

KERNEL(equi_join_starts_u32, EquiJoinStarts) { equi_join_starts<u32>(args); }
KERNEL(equi_join_starts_u64, EquiJoinStarts) { equi_join_starts<u64>(args); }

KERNEL(equi_join_classify, EquiJoinClassify) {
    for (u64 at = thread_in_grid(); at <= args.partitions; at += threads_in_grid()) {
        u32 left = 0, right = 0;
        if (at < args.partitions) {
            left = args.left_starts[at + 1] - args.left_starts[at];
            right = args.right_starts[at + 1] - args.right_starts[at];
        }
        bool large = equi_join_kind(left, right, args.limits, args.self_join) == EquiJoinKind::Large;
        args.left_sizes[at] = large ? left : 0;
        if (!args.self_join) args.right_sizes[at] = large ? right : 0;
    }
}

// Tuples are distributed evenly, whatever their partitions are: a large one may hold nearly all.
template <class Hash> DEVICE void equi_join_collect(const EquiJoinCollect& args) {
    const Hash* hashes = static_cast<const Hash*>(args.tuples.hashes);
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        Hash hash = hashes[at];
        u64 partition = equi_join_above(hash, args.low_bits) - args.first_partition;
        if (args.sizes[partition] == 0) continue;
        u64 to = args.before[partition] + (at - args.tuples.starts[partition]);
        static_cast<Hash*>(args.hashes)[to] = hash;
        args.rows[to] = args.tuples.rows[at];
    }
}

KERNEL(equi_join_collect_u32, EquiJoinCollect) { equi_join_collect<u32>(args); }
KERNEL(equi_join_collect_u64, EquiJoinCollect) { equi_join_collect<u64>(args); }

// The order of the collected tuples: they were in the order of the high bits and have then been sorted by the low ones,
// which keeps the former among equals.
template <class Hash> DEVICE u64 equi_join_order(Hash hash, u32 bits, u32 low_bits) {
    u64 high = equi_join_above(hash, low_bits);
    return low_bits == 0 || bits == low_bits ? hash : static_cast<u64>(hash) << (64 - low_bits) >> (64 - bits) | high;
}

template <class Hash> DEVICE void equi_join_tiles(const EquiJoinTiles& args) {
    const Hash* left = static_cast<const Hash*>(args.left_hashes);
    const Hash* right = static_cast<const Hash*>(args.right_hashes);
    auto order = [&](Hash hash) { return equi_join_order(hash, args.bits, args.low_bits); };
    for (u64 at = thread_in_grid(); at < args.keys; at += threads_in_grid()) {
        u32 begin = args.heads[at], end = at + 1 < args.keys ? args.heads[at + 1] : args.left_len;
        Tile tile = {begin, end - begin, begin, end - begin};
        if (!args.self_join) {
            u64 key = order(left[begin]);
            tile.right_begin = first_not(args.right_len, [&](u32 place) { return order(right[place]) < key; });
            u32 rest = args.right_len - tile.right_begin;
            const Hash* from = right + tile.right_begin;
            tile.right_len = first_not(rest, [&](u32 place) { return order(from[place]) == key; });
        }
        args.tiles[at] = tile;
    }
}

KERNEL(equi_join_tiles_u32, EquiJoinTiles) { equi_join_tiles<u32>(args); }
KERNEL(equi_join_tiles_u64, EquiJoinTiles) { equi_join_tiles<u64>(args); }

KERNEL(equi_join_probe_count_u32, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u32, CountPairs>(args);
}
KERNEL(equi_join_probe_count_u64, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u64, CountPairs>(args);
}
KERNEL(equi_join_probe_write_u32, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u32, WritePairs>(args);
}
KERNEL(equi_join_probe_write_u64, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u64, WritePairs>(args);
}
