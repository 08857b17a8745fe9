// The join without signatures: every pair of runs that can match is verified as it comes.
//
// The lanes of a warp hold the right texts of a unit, and left ones pass by. There are two ways, each a kernel. The
// dense one is for texts of at most 32 characters of at most 8 bits: the left ones pass by in shared memory, 32 at a
// time, and the measures of text_dense.h meet them in registers. Everything else is decided pair by pair.
//
// No pair is lost, and each comes once: `dense_end` cuts a unit into the part of the one and of the other. In the dense
// part the left texts are cut by runs, and so are the right ones, whose runs are all numbers from the first text's to
// the last's, since a list is sorted by them: a pair of places lies in one pair of runs. Left out are pairs of runs
// that cannot match, as in the other way, and right places before the left one in a list joined with itself.
#pragma once

#include "text_join_units.h"

namespace text {

constexpr u32 DENSE_PLANES = 8;

// The left place at which the dense part of a unit ends: before its first where a right text is too long. Lists are
// sorted by length, so that what follows the last short text is long.
DEVICE u32 dense_end(const TextJoin& args, const JoinUnit& unit, u32 chunk_places) {
    if (min(args.right.count, unit.right + chunk_places) > args.dense_right) return unit.left;
    return max(unit.left, min(unit.left_end, args.dense_left));
}

// The left texts that pass by: their planes.
struct DenseRoom {
    uint4 planes[32][DENSE_PLANES / 4];
};

template <u32 P> DEVICE void put_planes(uint4* to, const u32 (&planes)[P]) {
    to[0] = make_uint4(planes[0], planes[1], planes[2], planes[3]);
    to[1] = make_uint4(planes[4], planes[5 % P], planes[6 % P], planes[7 % P]);
}

template <u32 P> DEVICE void get_planes(const uint4* from, u32 (&planes)[P]) {
    group_planes<P>(reinterpret_cast<const u32*>(from), DENSE_PLANES, planes);
}

// One warp's part of a join in which right texts of at most 32 characters, R per lane, meet such left ones.
template <class Record, u32 P, u32 R> struct DenseWarp {
    const TextJoin& args;
    DenseRoom& room;
    u32 first;
    // The right texts: planes, run and length.
    u32 rights[R][P], runs[R], lengths[R];
    u32 first_run, last_run;
    // Bit l of word r: the left text l of those that pass by and the right text r are a pair that holds.
    u32 holds[R];
    // The right texts of the run in turn, a bit each.
    u32 mine;
    u64 verified, found;

    DEVICE DenseWarp(const TextJoin& args, DenseRoom& room) : args(args), room(room), verified(0), found(0) {}

    DEVICE u32 place_of(u32 r) const { return first + r * 32 + lane(); }

    // Takes the right texts of a unit.
    DEVICE void enter(u32 from) {
        first = from;
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            runs[r] = NO_NEED, lengths[r] = 0;
            UNROLL
            for (u32 j = 0; j < P; ++j) rights[r][j] = 0;
            if (place_of(r) >= args.right.count) continue;
            const Text text = text_at(args.texts, args.right.codes[place_of(r)]);
            runs[r] = signature_of(static_cast<const Record*>(args.right.records), place_of(r)).length;
            lengths[r] = text.length;
            group_planes<P>(text.words, args.texts.stride, rights[r]);
        }
        const u32 last = min(args.right.count - first, 32 * R) - 1;
        first_run = __shfl_sync(FULL, runs[0], 0);
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            const u32 run = __shfl_sync(FULL, runs[r], static_cast<i32>(last % 32));
            if (r == last / 32) last_run = run;
        }
    }

    // Decides the next `count` left texts, run by run.
    DEVICE void pass_by(u32 left, u32 count) {
        const bool is_text = lane() < count;
        const Text text = text_at(args.texts, args.left.codes[is_text ? left + lane() : left]);
        u32 planes[P], run = NO_NEED;
        group_planes<P>(text.words, args.texts.stride, planes);
        if (is_text) run = signature_of(static_cast<const Record*>(args.left.records), left + lane()).length;
        __syncwarp(FULL);
        put_planes<P>(room.planes[lane()], planes);
        __syncwarp(FULL);
        UNROLL
        for (u32 r = 0; r < R; ++r) holds[r] = 0;
        for (u32 begin = 0; begin < count;) {
            const u32 now = __shfl_sync(FULL, run, static_cast<i32>(begin));
            const u32 m = __shfl_sync(FULL, text.length, static_cast<i32>(begin));
            const u32 end = begin + static_cast<u32>(__popc(__ballot_sync(FULL, run == now)));
            for (u32 other = first_run; other <= last_run; ++other) meet(left, begin, end, m, now, other);
            begin = end;
        }
        UNROLL
        for (u32 r = 0; r < R; ++r) pass_on_all(left, place_of(r), holds[r]);
    }

    // Passes on the pairs of a right place with left ones, whose bits are set, as many at a time as there are lanes.
    DEVICE void pass_on_all(u32 left, u32 right, u32 pairs) {
        while (__any_sync(FULL, pairs != 0)) {
            const u32 now = pairs != 0 ? left + lowest_bit(pairs) : 0;
            const bool is_pair = pairs != 0 && in_order(args, now, right);
            const u32 a = is_pair ? args.left.codes[now] : 0, b = is_pair ? args.right.codes[right] : 0;
            found += pass_on(args, is_pair, a, b);
            pairs &= pairs - 1;
        }
    }

    // Decides some left texts of one run against the right ones of another.
    DEVICE void meet(u32 left, u32 begin, u32 end, u32 m, u32 run, u32 other) {
        const TextNeeds& needs = args.needs[static_cast<u64>(run) * args.right.runs + other];
        if (needs.common[TEXT_PREFIX] == TEXT_NO_NEED) return;
        u32 length = 0;
        mine = 0;
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            if (runs[r] == other) mine |= 1u << r, length = lengths[r];
        }
        const i32 owner = static_cast<i32>(lowest_bit(__ballot_sync(FULL, mine != 0)));
        count(left + begin, left + end);
        decide(begin, end, m, __shfl_sync(FULL, length, owner));
    }

    // Counts the pairs of some left places with the right ones in turn.
    DEVICE void count(u32 left, u32 left_end) {
        const bool crossing = (args.flags & TEXT_JOIN_TRIANGLE) && left_end > first;
        const u32 times = crossing ? 1 : left_end - left;
        for (u32 l = left; l < (crossing ? left_end : left + 1); ++l) {
            UNROLL
            for (u32 r = 0; r < R; ++r) {
                const bool counts = (mine >> r & 1) != 0 && in_order(args, l, place_of(r));
                verified += static_cast<u64>(__popc(__ballot_sync(FULL, counts))) * times;
            }
        }
    }

    // The measure for the lengths, as `measure_holds` and `edits_hold` choose it.
    DEVICE void decide(u32 begin, u32 end, u32 m, u32 n) {
        if (is_jaro(args.test)) return sweep(begin, end, Matching(args.test, m, n));
        const u32 longer = max(m, n);
        const EditRange range = edit_range(args.test, m, n);
        if (range.fewest > range.most) return;
        const bool upward = range.most >= longer, one_sided = upward || range.fewest == 0;
        if (upward && range.fewest == 0) return sweep(begin, end, Always());
        const u32 limit = upward ? range.fewest - 1 : range.most;
        const bool fits = longer + limit < 32 && limit - 1 < DIAGONALS;
        if (args.test.measure != TEXT_LEVENSHTEIN || !one_sided || !fits) {
            const auto take = [&](const auto& columns) { this->sweep(begin, end, columns); };
            return with_dense_columns(args.test, m, n, range, limit, take);
        }
        if (longer - min(m, n) > limit) {
            if (upward) sweep(begin, end, Always());
            return;
        }
        if (limit == 1) diagonals<1, -1>(begin, end, m, n, upward);
        else if (limit == 2) diagonals<2, -2>(begin, end, m, n, upward);
        else diagonals<3, -3>(begin, end, m, n, upward);
    }

    // Finds the difference of the lengths, from D up to K.
    template <u32 K, i32 D> DEVICE void diagonals(u32 begin, u32 end, u32 m, u32 n, bool upward) {
        if (static_cast<i32>(n - m) == D) {
            sweep(begin, end, Diagonals<K, D>(m, n), upward);
        } else if constexpr (D < static_cast<i32>(K)) {
            diagonals<K, D + 1>(begin, end, m, n, upward);
        }
    }

    // Sets the bits of the pairs that hold; where `reversed`, of those that do not.
    template <class Measure> DEVICE void sweep(u32 begin, u32 end, const Measure& measure, bool reversed = false) {
        u32 held[R] = {};
        for (u32 l = begin; l < end; ++l) {
            u32 planes[P];
            get_planes<P>(room.planes[l], planes);
            measure(planes, rights, mine, 1u << l, held);
        }
        const u32 members = FULL >> (32 - end) & FULL << begin;
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            if (mine >> r & 1) holds[r] |= reversed ? members & ~held[r] : held[r];
        }
    }
};

// The dense parts of units, of texts of at most P planes.
template <class Record, u32 P, u32 R> DEVICE void join_dense(const TextJoin& args) {
    __shared__ DenseRoom rooms[JOIN_WARPS];
    DenseWarp<Record, P, R> warp(args, rooms[warp_in_block()]);
    for (JoinUnit unit; unit.take(args, 32 * R);) {
        const u32 end = dense_end(args, unit, 32 * R);
        if (unit.left >= end) continue;
        warp.enter(unit.right);
        for (u32 left = unit.left; left < end; left += 32) warp.pass_by(left, min(end - left, 32u));
    }
    count_work(args, 0, warp.verified, warp.found);
}

// The other parts, pair by pair.
template <class Record, u32 R> DEVICE void join_all(const TextJoin& args) {
    u64 verified = 0, found = 0;
    for (JoinUnit unit; unit.take(args, 32 * R);) {
        const u32 begin = dense_end(args, unit, 32 * R);
        for (u32 right = unit.right + lane(); right < unit.right + 32 * R + lane(); right += 32) {
            const bool there = right < args.right.count;
            const u32 column = there ? signature_of(static_cast<const Record*>(args.right.records), right).length : 0;
            u32 run = NO_NEED;
            bool compatible = false;
            for (u32 left = begin; left < unit.left_end; ++left) {
                const u32 now = signature_of(static_cast<const Record*>(args.left.records), left).length;
                if (now != run) {
                    run = now;
                    const TextNeeds& needs = args.needs[static_cast<u64>(run) * args.right.runs + column];
                    compatible = there && needs.common[TEXT_PREFIX] != TEXT_NO_NEED;
                }
                const bool mine = compatible && in_order(args, left, right);
                const u32 lanes = __ballot_sync(FULL, mine);
                if (lanes == 0) continue;
                verified += static_cast<u64>(__popc(lanes));
                found += join_verify(args, mine, left, right);
            }
        }
    }
    count_work(args, 0, verified, found);
}

}  // namespace text
