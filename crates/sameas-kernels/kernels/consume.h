// Consumers of candidates for benchmarks and tests.
//
// A consumer is made by every thread of a warp and called by all 32 lanes together:
//   SHARED     bytes of dynamic shared memory it wants for the warp, a multiple of 16
//   take       one candidate per lane, where `valid`
//   rectangle  dense candidates, where `takes_rectangles`: each of `count` rows in shared memory (aligned to 16 bytes) with
//              each lane's K rows, of which row j of a lane is column 32 j + lane and columns from `width` on are none.
//              `swapped`: the lanes hold left rows, else right rows. K is at most COLUMNS, 2 or 8; 0 where it has none.
//              `room` in shared memory, ROOM quads of words, is the warp's to use.
//   sorted_rectangle  the same for one row of each lane, where SORTS_RECTANGLES: of every pair the smaller row is the left
//   finish     no more candidates
#pragma once

#include "consume_layout.h"

// Counts candidates, and those whose rows agree in their low 16 bits, each compared for itself.
struct CountPairs {
    static constexpr u32 SHARED = 0;
    static constexpr u32 COLUMNS = 8;
    static constexpr u32 ROOM = 1;
    static constexpr bool SORTS_RECTANGLES = false;
    const Consume& consume;
    u64 pairs = 0, matched = 0;

    DEVICE CountPairs(const Consume& consume, unsigned char*) : consume(consume) {}

    DEVICE bool takes_rectangles() const { return true; }

    DEVICE void take(bool valid, u32 l, u32 r) {
        pairs += valid;
        matched += valid && ((l ^ r) & 0xffffu) == 0;
    }

    // The low halves are shifted up once per row, so that a pair takes one comparison and one addition. A column that is
    // none becomes a 1, which no shifted row equals.
    template <int K>
    DEVICE void rectangle(const u32* rows, u32 count, const u32 (&lanes)[K], u32 width, bool, uint4*) {
        u32 mine[K], found[K];
#pragma unroll
        for (int j = 0; j < K; ++j) {
            mine[j] = 32 * j + lane() < width ? lanes[j] << 16 : 1;
            found[j] = 0;
        }
        u32 i = 0;
        for (; i + 4 <= count; i += 4) {
            uint4 four = *reinterpret_cast<const uint4*>(rows + i);
            compare<K>(four.x, mine, found);
            compare<K>(four.y, mine, found);
            compare<K>(four.z, mine, found);
            compare<K>(four.w, mine, found);
        }
        for (; i < count; ++i) compare<K>(rows[i], mine, found);
#pragma unroll
        for (int j = 0; j < K; ++j) matched += found[j];
        if (lane() == 0) pairs += static_cast<u64>(count) * width;
    }

    template <int K> static DEVICE void compare(u32 row, const u32 (&mine)[K], u32 (&found)[K]) {
        row <<= 16;
#pragma unroll
        for (int j = 0; j < K; ++j) found[j] += row == mine[j];
    }

    DEVICE void finish() {
        pairs = warp_sum(pairs);
        matched = warp_sum(matched);
        if (lane() == 0 && pairs != 0) {
            atomicAdd(consume.pairs, pairs);
            atomicAdd(consume.matched, matched);
        }
    }
};

// Writes every candidate, 8 bytes, to a buffer that is used again when it is full. Places are reserved by the chunk,
// one atomic for many candidates, and chunks start at lines of 128 bytes: the rest of a chunk that a warp does not fill
// stays as it was.
struct WritePairs {
    static constexpr u32 SHARED = 0;
    static constexpr u32 COLUMNS = 8;
    static constexpr u32 ROOM = 1;
    static constexpr bool SORTS_RECTANGLES = false;
    static constexpr u32 CHUNK = 1024, LINE = 16;
    const Consume& consume;
    u64 pairs = 0;
    u32 begin = 0, used = CHUNK;

    DEVICE WritePairs(const Consume& consume, unsigned char*) : consume(consume) {}

    DEVICE bool takes_rectangles() const { return true; }

    // Reserves places; the first one, modulo the capacity.
    DEVICE u32 reserve(u32 places) {
        u64 first = 0;
        if (lane() == 0) first = atomicAdd(consume.cursor, static_cast<u64>((places + LINE - 1) / LINE * LINE));
        return static_cast<u32>(__shfl_sync(FULL, first, 0) & consume.mask);
    }

    DEVICE void put(u32 place, u32 l, u32 r) {
        consume.buffer[place & static_cast<u32>(consume.mask)] = static_cast<u64>(r) << 32 | l;
    }

    DEVICE void take(bool valid, u32 l, u32 r) {
        u32 takers = __ballot_sync(FULL, valid), count = __popc(takers);
        if (used + count > CHUNK) {
            begin = reserve(CHUNK);
            used = 0;
        }
        if (valid) put(begin + used + __popc(takers & lanes_below()), l, r);
        used += count;
        pairs += valid;
    }

    template <int K>
    DEVICE void rectangle(const u32* rows, u32 count, const u32 (&lanes)[K], u32 width, bool swapped, uint4*) {
        u32 place = reserve(count * width) + lane();
        // No column is missing in most rectangles of a large tile: no test is then made at every store.
        if (width == 32 * K) put_rows<K, true>(rows, count, lanes, width, swapped, place);
        else put_rows<K, false>(rows, count, lanes, width, swapped, place);
        if (lane() == 0) pairs += static_cast<u64>(count) * width;
    }

    template <int K, bool WHOLE>
    DEVICE void put_rows(const u32* rows, u32 count, const u32 (&lanes)[K], u32 width, bool swapped, u32 place) {
        for (u32 i = 0; i < count; ++i, place += width) {
            u32 row = rows[i];
#pragma unroll
            for (int j = 0; j < K; ++j) {
                if (WHOLE || 32 * j + lane() < width) {
                    put(place + 32 * j, swapped ? lanes[j] : row, swapped ? row : lanes[j]);
                }
            }
        }
    }

    DEVICE void finish() {
        pairs = warp_sum(pairs);
        if (lane() == 0 && pairs != 0) {
            atomicAdd(consume.pairs, pairs);
            atomicAdd(consume.matched, pairs);
        }
    }
};
