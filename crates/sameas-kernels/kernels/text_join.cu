// All pairs of two lists of texts, or of one with itself, that a test holds for: the twin of
// sameas-joins/src/candidates/text_join.
//
// A warp takes a unit: a chunk of right texts, some in the registers of each lane, and a range of left ones, which pass
// by in shared memory, 32 at a time. Signatures rule out nearly all pairs; what is left waits in a queue of the warp
// until 32 pairs can be verified with all lanes busy.
//
// No pair is lost: the host gives a chunk all left places whose lengths can match (see
// sameas-joins/src/candidates/text_join/gpu.rs), and within, the tests are those of scan.rs beside it:
// 1. the signatures of a right text and the union U of 32 left ones of a length: a text contained in U shares no more
//    bits with the right one than U does, and no more overflow than the greatest of the 32 allows;
// 2. two signatures, with the least need of any prefix; or, where the first bytes differ, with that of no prefix;
// 3. the same with the need of the pair's own prefix.
//
// Each pair comes once: every pair of places lies in one unit, and within it a lane has the right one, which meets each
// left one of the unit once. A list joined with itself drops right places before the left one.
#include "text_join_all.h"

namespace text {

// Vectors of four words that a text takes in shared memory: its bits, prefix and overflow.
template <u32 WORDS> constexpr u32 VECTORS = (WORDS + 2 + 3) / 4;

// What a warp keeps in shared memory: left texts as they pass, and its queue.
// The queue has room for what may wait, less than 32 pairs, and for those of one left text with R right ones per lane.
template <u32 WORDS, u32 R> struct JoinRoom {
    uint4 texts[32][VECTORS<WORDS>];
    u32 left[32 + 32 * R];
    u32 right[32 + 32 * R];
};

template <u32 WORDS> DEVICE void put(uint4* to, const Signature<WORDS>& text) {
    u32 words[VECTORS<WORDS> * 4] = {};
    UNROLL
    for (u32 w = 0; w < WORDS; ++w) words[w] = text.bits[w];
    words[WORDS] = text.prefix;
    words[WORDS + 1] = text.overflow;
    UNROLL
    for (u32 v = 0; v < VECTORS<WORDS>; ++v) {
        to[v] = make_uint4(words[4 * v], words[4 * v + 1], words[4 * v + 2], words[4 * v + 3]);
    }
}

template <u32 WORDS> DEVICE Signature<WORDS> get(const uint4* from) {
    u32 words[VECTORS<WORDS> * 4];
    UNROLL
    for (u32 v = 0; v < VECTORS<WORDS>; ++v) {
        const uint4 four = from[v];
        words[4 * v] = four.x, words[4 * v + 1] = four.y, words[4 * v + 2] = four.z, words[4 * v + 3] = four.w;
    }
    Signature<WORDS> text;
    UNROLL
    for (u32 w = 0; w < WORDS; ++w) text.bits[w] = words[w];
    text.prefix = words[WORDS];
    text.overflow = words[WORDS + 1];
    text.length = 0;
    return text;
}

// One warp's part of a join. R right texts per lane; PREFIXES where the need depends on the prefix.
template <class Record, u32 WORDS, u32 R, bool PREFIXES> struct JoinWarp {
    const TextJoin& args;
    JoinRoom<WORDS, R>& room;
    // The unit: left places from `left` to `left_end`, right ones from `first` on.
    u32 left, left_end, first;
    Signature<WORDS> texts[R];
    // The least that the current left run needs of each: at all, and where the first bytes differ.
    u32 need[R], need_apart[R];
    u32 waiting, verified, found;
    u64 tested, all_verified, all_found;

    DEVICE JoinWarp(const TextJoin& args, JoinRoom<WORDS, R>& room)
        : args(args), room(room), waiting(0), verified(0), found(0), tested(0), all_verified(0), all_found(0) {}

    // Takes units until there are none.
    DEVICE void run() {
        for (JoinUnit unit; unit.take(args, 32 * R);) {
            enter(unit);
            for (; left < left_end; left += 32) pass_by(min(left_end - left, 32u));
            all_verified += verified, all_found += found;
            verified = found = 0;
        }
        if (waiting > 0) drain(waiting);
        count_work(args, tested, all_verified + verified, all_found + found);
    }

    DEVICE u32 place_of(u32 r) const { return first + r * 32 + lane(); }

    // Loads the right texts of a unit.
    DEVICE void enter(const JoinUnit& unit) {
        left = unit.left, left_end = unit.left_end, first = unit.right;
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            if (place_of(r) < args.right.count) {
                texts[r] = signature_of(static_cast<const Record*>(args.right.records), place_of(r));
            } else {
                texts[r] = {};
                texts[r].length = NO_NEED;
            }
        }
    }

    // Tests the next `count` left texts, run by run.
    DEVICE void pass_by(u32 count) {
        u32 run = NO_NEED, overflow = 0;
        u32 bits[WORDS] = {};
        __syncwarp(FULL);
        if (lane() < count) {
            const Signature<WORDS> text = signature_of(static_cast<const Record*>(args.left.records), left + lane());
            put<WORDS>(room.texts[lane()], text);
            run = text.length, overflow = text.overflow;
            UNROLL
            for (u32 w = 0; w < WORDS; ++w) bits[w] = text.bits[w];
        }
        __syncwarp(FULL);
        for (u32 begin = 0; begin < count;) {
            const u32 now = __shfl_sync(FULL, run, static_cast<i32>(begin));
            const u32 members = __ballot_sync(FULL, run == now);
            const u32 end = begin + static_cast<u32>(__popc(members));
            load_needs(now);
            if (may_hold(run == now, bits, overflow)) scan(begin, end);
            begin = end;
        }
    }

    DEVICE void load_needs(u32 run) {
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            need[r] = need_apart[r] = NO_NEED;
            if (texts[r].length == NO_NEED) continue;
            const TextNeeds& needs = args.needs[static_cast<u64>(run) * args.right.runs + texts[r].length];
            if (needs.common[TEXT_PREFIX] != TEXT_NO_NEED) need[r] = needs.common[TEXT_PREFIX];
            if (needs.common[0] != TEXT_NO_NEED) need_apart[r] = needs.common[0];
        }
    }

    // Whether the union of the left texts of a run leaves any pair.
    DEVICE bool may_hold(bool member, const u32 (&bits)[WORDS], u32 overflow) {
        if (args.flags & TEXT_JOIN_NO_UNIONS) return true;
        Signature<WORDS> all;
        all.overflow = member ? overflow : 0;
        UNROLL
        for (u32 w = 0; w < WORDS; ++w) all.bits[w] = member ? bits[w] : 0;
        UNROLL
        for (i32 step = 16; step > 0; step /= 2) {
            all.overflow = max(all.overflow, __shfl_xor_sync(FULL, all.overflow, step));
            UNROLL
            for (u32 w = 0; w < WORDS; ++w) all.bits[w] |= __shfl_xor_sync(FULL, all.bits[w], step);
        }
        bool any = false;
        UNROLL
        for (u32 r = 0; r < R; ++r) any |= most_common(all, texts[r]) >= need[r];
        return __any_sync(FULL, any) != 0;
    }

    // Tests left texts of one run against all right ones.
    DEVICE void scan(u32 begin, u32 end) {
        tested += static_cast<u64>(end - begin) * min(args.right.count - first, 32 * R);
        for (u32 l = begin; l < end; ++l) {
            const Signature<WORDS> text = get<WORDS>(room.texts[l]);
            bool any = false;
            UNROLL
            for (u32 r = 0; r < R; ++r) any |= most_common(text, texts[r]) >= need_of(text, r);
            if (__any_sync(FULL, any)) keep(l, text);
        }
    }

    DEVICE u32 need_of(const Signature<WORDS>& text, u32 r) const {
        if (!PREFIXES) return need[r];
        return ((text.prefix ^ texts[r].prefix) & 0xff) != 0 ? need_apart[r] : need[r];
    }

    // Puts the pairs of a left text that signatures leave into the queue.
    DEVICE void keep(u32 l, const Signature<WORDS>& text) {
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            bool hit = most_common(text, texts[r]) >= need_of(text, r) && in_order(args, left + l, place_of(r));
            if (PREFIXES && hit) hit = most_common(text, texts[r]) >= own_need(l, text, r);
            const u32 lanes = __ballot_sync(FULL, hit);
            if (hit) {
                const u32 place = waiting + static_cast<u32>(__popc(lanes & lanes_below()));
                room.left[place] = left + l, room.right[place] = place_of(r);
            }
            waiting += static_cast<u32>(__popc(lanes));
        }
        __syncwarp(FULL);
        const u32 enough = args.flags & TEXT_JOIN_NO_QUEUE ? 1 : 32;
        while (waiting >= enough) drain(min(waiting, 32u));
    }

    // The need of the pair's own prefix.
    DEVICE u32 own_need(u32 l, const Signature<WORDS>& text, u32 r) const {
        const u32 run = signature_of(static_cast<const Record*>(args.left.records), left + l).length;
        const TextNeeds& needs = args.needs[static_cast<u64>(run) * args.right.runs + texts[r].length];
        return needs.common[equal_bytes(text.prefix, texts[r].prefix)];
    }

    // Verifies the last `count` pairs of the queue.
    DEVICE void drain(u32 count) {
        const bool mine = lane() < count;
        const u32 place = waiting - count + lane();
        const u32 a = mine ? room.left[place] : 0, b = mine ? room.right[place] : 0;
        __syncwarp(FULL);
        waiting -= count;
        verified += count;
        found += join_verify(args, mine, a, b);
    }
};

template <class Record, u32 WORDS, u32 R, bool PREFIXES> DEVICE void join_texts(const TextJoin& args) {
    __shared__ JoinRoom<WORDS, R> rooms[JOIN_WARPS];
    JoinWarp<Record, WORDS, R, PREFIXES>(args, rooms[warp_in_block()]).run();
}

}  // namespace text

KERNEL(text_join_short, TextJoin, KERNEL_BOUNDS(256, 2)) {
    text::join_texts<TextShort, 2, TEXT_SHORT_LANE, false>(args);
}

KERNEL(text_join_short_prefix, TextJoin, KERNEL_BOUNDS(256, 2)) {
    text::join_texts<TextShort, 2, TEXT_SHORT_LANE, true>(args);
}

KERNEL(text_join_long, TextJoin, KERNEL_BOUNDS(256, 2)) {
    text::join_texts<TextLong, 8, TEXT_LONG_LANE, false>(args);
}

KERNEL(text_join_long_prefix, TextJoin, KERNEL_BOUNDS(256, 2)) {
    text::join_texts<TextLong, 8, TEXT_LONG_LANE, true>(args);
}

KERNEL(text_join_short_all, TextJoin, KERNEL_BOUNDS(256, 2)) { text::join_all<TextShort, TEXT_SHORT_LANE>(args); }

KERNEL(text_join_long_all, TextJoin, KERNEL_BOUNDS(256, 2)) { text::join_all<TextLong, TEXT_LONG_LANE>(args); }

// Alphabets of up to 32 and of up to 256 characters.
KERNEL(text_join_short_dense_5, TextJoin, KERNEL_BOUNDS(256, 2)) {
    text::join_dense<TextShort, 5, TEXT_SHORT_LANE>(args);
}

KERNEL(text_join_short_dense_8, TextJoin, KERNEL_BOUNDS(256, 2)) {
    text::join_dense<TextShort, 8, TEXT_SHORT_LANE>(args);
}

KERNEL(text_join_long_dense_5, TextJoin, KERNEL_BOUNDS(256, 2)) { text::join_dense<TextLong, 5, TEXT_LONG_LANE>(args); }

KERNEL(text_join_long_dense_8, TextJoin, KERNEL_BOUNDS(256, 2)) { text::join_dense<TextLong, 8, TEXT_LONG_LANE>(args); }
