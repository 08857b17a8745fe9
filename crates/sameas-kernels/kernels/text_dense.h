// Measures of one text, the same in all lanes, with R texts of each lane, where all of them have at most 32 characters
// and the lanes' texts are of one length: m characters on the left, n on the right. All that follows from the lengths
// is the same for the whole warp and is prepared once; a pair takes only registers.
//
// A measure is called with the planes of the texts and with `mine`, bit r of which says that text r of the lane counts.
// It sets `bit` of word r where the test holds for text r; what it does to the words of others means nothing. The
// decisions are those of text.h on the same integers. All measures are symmetric (for Jaro see
// sameas-measures/src/text/jaro.rs), so that the left text is walked and the right one is the pattern whichever is longer.
#pragma once

#include "text_edits.h"
#include "text_jaro.h"

namespace text {

template <u32 P> DEVICE u32 planes_differ(const u32 (&x)[P], const u32 (&y)[P], u32 differing) {
    UNROLL
    for (u32 j = 0; j < P; ++j) differing |= x[j] ^ y[j];
    return differing;
}

// The character at a place of a text, spread over words to compare it with all characters of another one.
template <u32 P> DEVICE void spread_all(const u32 (&planes)[P], u32 at, u32 (&spreads)[P]) {
    UNROLL
    for (u32 j = 0; j < P; ++j) spreads[j] = spread(planes[j], 31 - at);
}

// A test that holds for all texts of these lengths.
struct Always {
    template <u32 P, u32 R>
    DEVICE void operator()(const u32 (&)[P], const u32 (&)[R][P], u32, u32 bit, u32 (&holds)[R]) const {
        UNROLL
        for (u32 r = 0; r < R; ++r) holds[r] |= bit;
    }
};

// Levenshtein distance of at most K: the diagonals of text_edits.h, for lengths whose difference n - m is D and of
// which the longer has less than 32 - K characters.
//
// A diagonal is named by j - i as there, and its word has cell (i, j) at bit j, the place in the right text: so the
// left text alone is shifted, once for all right ones. A step along a diagonal or to the next one moves the bit up; a
// step to the previous one, which takes a character of the left text alone, does not. Cells past the end of a text are
// drawn back to the border as there. Only cells from which the last one can be reached are computed: the compiler knows
// K and D.
template <u32 K, i32 D> struct Diagonals {
    static constexpr i32 APART = D < 0 ? -D : D;
    static constexpr i32 BEYOND = (static_cast<i32>(K) - APART) / 2;
    static constexpr i32 FIRST = (D < 0 ? D : 0) - BEYOND;
    static constexpr i32 COUNT = APART + 2 * BEYOND + 1;
    // For each diagonal the places past the end of either text, where nothing is equal.
    u32 outside[COUNT];
    u32 end;

    DEVICE Diagonals(u32 m, u32 n) : end(1u << n) {
        UNROLL
        for (i32 t = 0; t < COUNT; ++t) outside[t] = ~(low_bits<u32>(n) & moved(low_bits<u32>(m), FIRST + t));
    }

    static DEVICE u32 moved(u32 word, i32 by) {
        return by < 0 ? word >> (by < 0 ? -by : 0) : word << (by < 0 ? 0 : by);
    }

    template <u32 P, u32 R>
    DEVICE void operator()(const u32 (&left)[P], const u32 (&rights)[R][P], u32, u32 bit, u32 (&holds)[R]) const {
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            if (reaches(left, rights[r])) holds[r] |= bit;
        }
    }

    template <u32 P> DEVICE bool reaches(const u32 (&left)[P], const u32 (&right)[P]) const {
        u32 differing[COUNT], far[COUNT];
        UNROLL
        for (i32 t = 0; t < COUNT; ++t) {
            differing[t] = outside[t];
            UNROLL
            for (u32 j = 0; j < P; ++j) differing[t] |= moved(left[j], FIRST + t) ^ right[j];
            far[t] = t == -FIRST ? differing[t] & (~differing[t] + 1) : 0;
        }
        UNROLL
        for (u32 edits = 1; edits <= K; ++edits) {
            u32 next[COUNT];
            UNROLL
            for (i32 t = 0; t < COUNT; ++t) {
                u32 farthest = (t > 0 ? max(far[t], far[t > 0 ? t - 1 : 0]) : far[t]) << 1;
                if (t + 1 < COUNT) farthest = max(farthest, far[t + 1 < COUNT ? t + 1 : t]);
                // Equal characters are ones below the sum: the bit runs on to the first difference.
                next[t] = (farthest + ~differing[t]) & differing[t];
            }
            UNROLL
            for (i32 t = 0; t < COUNT; ++t) far[t] = next[t];
        }
        return far[D - FIRST] >= end;
    }
};

// Edit distances from `fewest` to `most`, column by column until no pair of the warp is open: one is closed where each
// remaining column taking one back does not bring it down to the limit, beyond which the verdict is known.
template <bool SWAPS> struct Columns {
    u32 m, n, fewest, most, limit;

    template <u32 P, u32 R>
    DEVICE void operator()(const u32 (&left)[P], const u32 (&rights)[R][P], u32 mine, u32 bit, u32 (&holds)[R]) const {
        EditColumn<u32> columns[R];
        u32 distance[R], least = limit + m;
        UNROLL
        for (u32 r = 0; r < R; ++r) distance[r] = n;
        for (u32 at = 0; at < m; ++at) {
            u32 spreads[P];
            spread_all(left, at, spreads);
            least -= 1;
            bool open = false;
            UNROLL
            for (u32 r = 0; r < R; ++r) {
                u32 rise, fall;
                columns[r].template advance<SWAPS>(~planes_differ(spreads, rights[r], 0), rise, fall);
                distance[r] += (rise >> (n - 1)) & 1;
                distance[r] -= (fall >> (n - 1)) & 1;
                open |= (mine >> r & 1) != 0 && distance[r] <= least;
            }
            if (!__any_sync(FULL, open)) break;
        }
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            if (distance[r] >= fewest && distance[r] <= most) holds[r] |= bit;
        }
    }
};

// Jaro and Jaro-Winkler similarities, until no pair of the warp can have enough matches.
struct Matching {
    const u32* decisions;
    u32 m, n, window;
    // The least matches by prefix, four of them as bytes.
    u32 least, least_whole;

    DEVICE Matching(const TextTest& test, u32 m, u32 n) : m(m), n(n), window(jaro_window(max(m, n))), least(0) {
        const u32 x = min(m, n), y = max(m, n);
        decisions = test.decisions + (y * (y - 1) / 2 + x - 1) * (TEXT_DECIDED + 1) * TEXT_PREFIXES;
        // As `jaro_least`, which needs no more than the table for these lengths.
        const u8* row = test.least + ((x - 1) * TEXT_LEAST + y - 1) * TEXT_PREFIXES;
        UNROLL
        for (u32 prefix = 0; prefix < TEXT_PREFIX; ++prefix) least |= (test.bounded ? row[prefix] : 0u) << (8 * prefix);
        least_whole = test.bounded ? row[TEXT_PREFIX] : 0;
    }

    template <u32 P> DEVICE u32 prefix_of(const u32 (&left)[P], const u32 (&right)[P]) const {
        return lowest_bit(planes_differ(left, right, 1u << min(min(m, n), TEXT_PREFIX)));
    }

    // How many characters of the left text may stay without a match; below zero if there can be no pair.
    DEVICE i32 spare(u32 prefix) const {
        const u32 need = prefix == TEXT_PREFIX ? least_whole : least >> (8 * prefix) & 0xff;
        return need > min(m, n) ? -1 : static_cast<i32>(m - need);
    }

    template <u32 P, u32 R>
    DEVICE void operator()(const u32 (&left)[P], const u32 (&rights)[R][P], u32 mine, u32 bit, u32 (&holds)[R]) const {
        i32 spares[R];
        u32 free[R], taken[R];
        const u32 all = FULL >> (32 - n);
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            spares[r] = (mine >> r & 1) != 0 ? spare(prefix_of(left, rights[r])) : -1;
            free[r] = all, taken[r] = 0;
        }
        u32 within = low_bits<u32>(window + 1);
        for (u32 at = 0; at < m && __any_sync(FULL, any_open(spares)); ++at) {
            u32 spreads[P];
            spread_all(left, at, spreads);
            UNROLL
            for (u32 r = 0; r < R; ++r) {
                const u32 found = ~planes_differ(spreads, rights[r], ~within) & free[r];
                free[r] ^= found & (~found + 1);
                if (found != 0) taken[r] |= 1u << at; else spares[r] -= 1;
            }
            within = within << 1 | (at < window ? 1 : 0);
        }
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            if (spares[r] >= 0 && decide(left, rights[r], all ^ free[r], taken[r])) holds[r] |= bit;
        }
        __syncwarp(FULL);
    }

    // A conjunction is negative only if all are.
    template <u32 R> static DEVICE bool any_open(const i32 (&spares)[R]) {
        i32 all = -1;
        UNROLL
        for (u32 r = 0; r < R; ++r) all &= spares[r];
        return all >= 0;
    }

    // The decision on the places of the right text and of the left one that match.
    template <u32 P> DEVICE bool decide(const u32 (&left)[P], const u32 (&right)[P], u32 matched, u32 taken) const {
        const u32 verdicts = decisions[count_bits(matched) * TEXT_PREFIXES + prefix_of(left, right)];
        if (verdicts == 0) return false;
        u32 out_of_order = 0;
        for (; matched != 0; matched &= matched - 1, taken &= taken - 1) {
            const u32 i = lowest_bit(matched), j = lowest_bit(taken);
            u32 differing = 0;
            UNROLL
            for (u32 p = 0; p < P; ++p) differing |= right[p] >> i ^ left[p] >> j;
            out_of_order += differing & 1;
        }
        return (verdicts >> (out_of_order / 2) & 1) != 0;
    }
};

}  // namespace text
