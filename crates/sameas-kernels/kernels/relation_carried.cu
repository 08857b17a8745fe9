// Fixpoints of rows: `path(x, z) :- path(x, y), edge(y, z)` hands x on untouched, so that the row of each x grows by
// itself. A group of threads (a warp, or a block where there is room for few groups) takes an x, and keeps what it has
// reached as a list, which is also what is still to be followed, and as bits, which say whether a value is on the list.
// Rows never meet: nothing is sorted, nothing is removed, and there are no rounds that all wait for.
#include "relation_carried_layout.h"

// Values at the end of the list that also lie in shared memory: what a narrow row follows next.
constexpr u32 CARRIED_RING = 128;

// What the warps of a block share about its row.
struct CarriedShared {
    u32 len;
    u32 x;
    u64 place;
};

// One group at work: the warps of a block (BLOCK), or one warp. Bits are in shared memory, or not (WIDE).
template <bool BLOCK> struct CarriedRow {
    const RelationCarried& args;
    u32* bits;
    u32* ring;  // of a warp alone
    u32* list;
    CarriedShared* shared;
    u32 words;
    u32 len;  // of a warp alone

    DEVICE static u32 threads() { return BLOCK ? blockDim.x : 32; }
    DEVICE static u32 thread() { return BLOCK ? threadIdx.x : lane(); }

    DEVICE static void together() {
        if (BLOCK) __syncthreads();
        else __syncwarp();
    }

    DEVICE u32 length() const { return BLOCK ? *static_cast<volatile u32*>(&shared->len) : len; }

    // Adds the values of a warp's lanes that are new.
    DEVICE void add(u32 value, bool is_there) {
        bool is_new = false;
        if (is_there) {
            u32* word = bits + (value >> 5);
            const u32 bit = 1u << (value & 31);
            // Most values have been seen, and a look costs less than an atomic.
            if ((*static_cast<volatile u32*>(word) & bit) == 0) is_new = (atomicOr(word, bit) & bit) == 0;
        }
        const u32 fresh = __ballot_sync(FULL, is_new);
        if (fresh == 0) return;
        u32 begin = len;
        if (BLOCK) {
            if (lane() == 0) begin = atomicAdd(&shared->len, static_cast<u32>(__popc(fresh)));
            begin = __shfl_sync(FULL, begin, 0);
        } else {
            len += static_cast<u32>(__popc(fresh));
        }
        if (!is_new) return;
        const u32 place = begin + static_cast<u32>(__popc(fresh & lanes_below()));
        list[place] = value;
        if (!BLOCK) ring[place % CARRIED_RING] = value;
    }

    // The value at a place of the list, which others may have written.
    DEVICE u32 at(u32 place, u32 begin) const {
        if (!BLOCK && len - begin <= CARRIED_RING) return ring[place % CARRIED_RING];
        return *static_cast<volatile u32*>(list + place);
    }

    // Follows a warp's share of the list, up to 32 values: their steps are dealt out evenly, however many each has.
    DEVICE void follow(u32 begin, u32 end) {
        u32 from = 0, steps = 0;
        if (begin + lane() < end) {
            const u32 value = at(begin + lane(), begin);
            from = args.offsets[value];
            steps = args.offsets[value + 1] - from;
        }
        u32 upto = steps;
        UNROLL
        for (u32 by = 1; by < 32; by *= 2) {
            const u32 before = __shfl_up_sync(FULL, upto, by);
            if (lane() >= by) upto += before;
        }
        const u32 all = __shfl_sync(FULL, upto, 31);
        // What is added to a place among all steps gives its place among the targets.
        const u32 shift = from - (upto - steps);
        for (u32 done = 0; done < all; done += 32) {
            const u32 step = done + lane();
            u32 owner = 0;
            UNROLL
            for (u32 by = 16; by > 0; by /= 2) {
                if (__shfl_sync(FULL, upto, static_cast<i32>(owner + by - 1)) <= step) owner += by;
            }
            const u32 place = step + __shfl_sync(FULL, shift, static_cast<i32>(owner & 31));
            const bool is_there = step < all;
            add(is_there ? args.targets[place] : 0, is_there);
        }
    }

    // Reaches all that follows from what x begins with.
    DEVICE void grow(u32 x) {
        const u32 end = args.first_offsets[x + 1];
        for (u32 from = args.first_offsets[x] + (thread() & ~31u); from < end; from += threads()) {
            const bool is_there = from + lane() < end;
            add(is_there ? args.first_targets[from + lane()] : 0, is_there);
        }
        together();
        for (u32 head = 0, known = length(); head < known; known = length()) {
            const u32 upto = BLOCK ? known : min(known, head + 32);
            // All have read the length before any adds to it.
            if (BLOCK) together();
            for (u32 begin = head + (thread() & ~31u); begin < upto; begin += threads()) follow(begin, upto);
            head = upto;
            together();
        }
    }

    DEVICE u64 tuple(u32 x, u32 value) const {
        return static_cast<u64>(x) << args.x_shift | static_cast<u64>(value) << args.value_shift;
    }

    // Writes the row: four values at a time, so that their loads do not wait for each other.
    DEVICE void write(u32 x, u32 count, u64* to) const {
        const u32 called = args.x_ids != nullptr ? args.x_ids[x] : x, by = threads();
        for (u32 begin = thread(); begin < count; begin += 4 * by) {
            u32 values[4];
            UNROLL
            for (u32 i = 0; i < 4; ++i) values[i] = begin + i * by < count ? list[begin + i * by] : 0;
            if (args.ids != nullptr) {
                UNROLL
                for (u32 i = 0; i < 4; ++i) values[i] = args.ids[values[i]];
            }
            UNROLL
            for (u32 i = 0; i < 4; ++i) {
                if (begin + i * by < count) to[begin + i * by] = tuple(called, values[i]);
            }
        }
    }

    // One thread takes the row's place among all tuples, and remembers its x where there is no room.
    DEVICE u64 reserve(u32 x, u32 count) const {
        const u64 place = atomicAdd(args.counters + CARRIED_TUPLES, static_cast<u64>(count));
        if (args.tuples == nullptr || place + count <= args.capacity) return place;
        // Rows that come later are behind this one: what lies before it is complete.
        if (place <= args.capacity) args.counters[CARRIED_FILLED] = place;
        args.undone[atomicAdd(args.counters + CARRIED_UNDONE, 1ull)] = x;
        return ~0ull;
    }

    DEVICE void finish(u32 x) {
        const u32 count = length();
        u64 place = 0;
        if (BLOCK) {
            if (threadIdx.x == 0) shared->place = reserve(x, count);
            __syncthreads();
            place = shared->place;
        } else {
            if (lane() == 0) place = reserve(x, count);
            place = __shfl_sync(FULL, place, 0);
        }
        if (args.tuples != nullptr && place != ~0ull) write(x, count, args.tuples + place);
        clear(count);
        together();
        if (BLOCK && threadIdx.x == 0) shared->len = 0;
        len = 0;
        together();
    }

    // Bits are cleared by the list, or all, whichever is less.
    DEVICE void clear(u32 count) const {
        if (count < words / 4) {
            for (u32 i = thread(); i < count; i += threads()) bits[list[i] >> 5] = 0;
        } else {
            for (u32 i = thread(); i < words / 4; i += threads()) {
                reinterpret_cast<uint4*>(bits)[i] = make_uint4(0, 0, 0, 0);
            }
        }
    }

    // The next x, or none (~0).
    DEVICE u32 take() const {
        if (args.tuples != nullptr) {
            const u64 filled = *static_cast<volatile u64*>(args.counters + CARRIED_TUPLES);
            if (filled > args.capacity) return ~0u;
        }
        const u64 place = atomicAdd(args.counters + CARRIED_NEXT, 1ull);
        if (place < args.again_len) return args.again[place];
        const u64 other = place - args.again_len;
        return other < args.end - args.first ? args.first + static_cast<u32>(other) : ~0u;
    }

    DEVICE u32 next() const {
        u32 x = 0;
        if (BLOCK) {
            if (threadIdx.x == 0) shared->x = take();
            __syncthreads();
            return shared->x;
        }
        if (lane() == 0) x = take();
        return __shfl_sync(FULL, x, 0);
    }

    DEVICE void run() {
        len = 0;
        if (BLOCK && threadIdx.x == 0) shared->len = 0;
        together();
        for (u32 x = next(); x != ~0u; x = next()) {
            grow(x);
            finish(x);
        }
    }
};

// Words of the bits of all values: whole vectors of four.
DEVICE u32 carried_words(u32 values) { return (values + 127) / 128 * 4; }

// A warp a row. Shared memory by warp: its ring, and bits of all values.
KERNEL(relation_carried_warp, RelationCarried) {
    const u32 words = carried_words(args.values);
    u32* own = reinterpret_cast<u32*>(shared_bytes()) + static_cast<u64>(warp_in_block()) * (CARRIED_RING + words);
    for (u32 i = lane(); i < words; i += 32) own[CARRIED_RING + i] = 0;
    const u64 group = thread_in_grid() / 32;
    CarriedRow<false> row = {args, own + CARRIED_RING, own, args.reached + group * args.values, nullptr, words, 0};
    row.run();
}

// A block a row. Shared memory: bits of all values.
KERNEL(relation_carried_block, RelationCarried) {
    __shared__ CarriedShared shared;
    const u32 words = carried_words(args.values);
    u32* bits = reinterpret_cast<u32*>(shared_bytes());
    for (u32 i = threadIdx.x; i < words; i += blockDim.x) bits[i] = 0;
    u32* list = args.reached + static_cast<u64>(blockIdx.x) * args.values;
    CarriedRow<true> row = {args, bits, nullptr, list, &shared, words, 0};
    row.run();
}

// A block a row whose bits do not fit shared memory.
KERNEL(relation_carried_wide, RelationCarried) {
    __shared__ CarriedShared shared;
    const u32 words = carried_words(args.values);
    u32* list = args.reached + static_cast<u64>(blockIdx.x) * args.values;
    CarriedRow<true> row = {args, args.bits + static_cast<u64>(blockIdx.x) * words, nullptr, list, &shared, words, 0};
    row.run();
}
