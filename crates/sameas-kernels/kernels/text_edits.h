// Levenshtein and optimal string alignment distances under a limit.
//
// Few edits: the diagonals of Ukkonen (1985) and of Landau and Vishkin (1989). Cell (i, j) of the matrix lies on diagonal
// j - i; an alignment of at most K edits, from diagonal 0 to the last cell's, e = |b| - |a| >= 0, keeps between -h and
// e + h with h = (K - e) / 2, since every diagonal crossed beyond must be crossed back: K + 1 diagonals at most.
// For each, one word says where a character of a equals its partner in b. With k edits the farthest cell of a diagonal
// comes from the farthest cells with k - 1 edits of this diagonal and its neighbours, and then runs on along equal
// characters: adding its bit to the word of equals moves the bit to the first difference. Cells past the end of a text
// equal nothing; a path through them, drawn back to the border, is a path of no greater cost, so none is found too soon.
//
// Otherwise Myers (1999) and Hyyro (2003), the same steps as sameas-measures/src/bit_parallel.rs: see there.
#pragma once

#include "text_planes.h"
#include "text_scratch.h"

namespace text {

// More edits than this are not counted by diagonals.
constexpr u32 DIAGONALS = 3;

// Whether at most K edits turn `a` into the no shorter `b`: |b| - |a| <= K, and |b| + K is less than the word's bits.
template <class Word, u32 P, u32 K> DEVICE bool within_diagonals(const Texts& texts, Text a, Text b) {
    static_assert(K <= 3, "h is 0 or 1");
    const u32 apart = b.length - a.length;
    const bool before = (K - apart) / 2 != 0;
    Word equal[K + 1], x[P], y[P];
    word_planes<Word, P>(a, texts.stride, x);
    word_planes<Word, P>(b, texts.stride, y);
    UNROLL
    for (u32 t = 0; t <= K; ++t) equal[t] = 0;
    UNROLL
    for (u32 j = 0; j < P; ++j) {
        if (before) y[j] <<= 1;
        UNROLL
        for (u32 t = 0; t <= K; ++t) equal[t] |= x[j] ^ (y[j] >> t);
    }
    const Word in_a = low_bits<Word>(a.length), in_b = low_bits<Word>(b.length) << (before ? 1 : 0);
    // The farthest cell of each diagonal, as a bit; none is zero and stays so.
    Word far[K + 1];
    UNROLL
    for (u32 t = 0; t <= K; ++t) {
        equal[t] = ~equal[t] & in_a & (in_b >> t);
        far[t] = t == (before ? 1 : 0) ? (equal[t] + 1) & ~equal[t] : 0;
    }
    UNROLL
    for (u32 edits = 1; edits <= K; ++edits) {
        Word next[K + 1];
        UNROLL
        for (u32 t = 0; t <= K; ++t) {
            Word farthest = t < K && far[t < K ? t + 1 : t] > far[t] ? far[t < K ? t + 1 : t] : far[t];
            farthest <<= 1;
            if (t > 0 && far[t > 0 ? t - 1 : 0] > farthest) farthest = far[t > 0 ? t - 1 : 0];
            next[t] = (equal[t] + farthest) & ~equal[t];
        }
        UNROLL
        for (u32 t = 0; t <= K; ++t) far[t] = next[t];
    }
    Word last = 0;
    UNROLL
    for (u32 t = 0; t <= K; ++t) last = t == apart + (before ? 1 : 0) ? far[t] : last;
    return last > in_a;
}

// One column of the matrix; see `Column` of the CPU's twin.
template <class Word> struct EditColumn {
    Word rises, falls, level, mask;

    DEVICE EditColumn() : rises(~static_cast<Word>(0)), falls(0), level(~static_cast<Word>(0)), mask(0) {}

    // Moves to the next column; returns the rows whose cells exceed, and fall short of, their left neighbours.
    template <bool SWAPS> DEVICE void advance(Word equal, Word& rise, Word& fall) {
        Word swapped = SWAPS ? ((equal & ~level) << 1) & mask : 0;
        Word same = (((equal & rises) + rises) ^ rises) | equal | falls | swapped;
        rise = falls | ~(same | rises);
        fall = same & rises;
        Word risen = rise << 1 | 1;
        rises = fall << 1 | ~(same | risen);
        falls = same & risen;
        level = same;
        mask = equal;
    }
};

// The distance of two texts, the pattern no shorter and of no more characters than a word has bits; any number above
// `most` if it is more.
template <class Word, u32 P, bool SWAPS> DEVICE u32 edits_of(const Texts& texts, Text pattern, Text text, u32 most) {
    Pattern<Word, P> rows(pattern, texts);
    EditColumn<Word> column;
    u32 distance = pattern.length, limit = most + text.length;
    const u32 bottom = pattern.length - 1;
    Walk<P> walk;
    ROLLED
    for (u32 at = 0; at < text.length; ++at) {
        if (at % 32 == 0) walk.enter(text, texts, at / 32);
        Word rise, fall;
        column.template advance<SWAPS>(~rows.differing(walk, 31 - at % 32), rise, fall);
        distance += static_cast<u32>(rise >> bottom) & 1;
        distance -= static_cast<u32>(fall >> bottom) & 1;
        // Each remaining column can take back at most one.
        limit -= 1;
        if (distance > limit) break;
    }
    return distance;
}

// Words for each 64 rows of a long pattern: what rises, falls and is level, and the mask of the last column.
constexpr u32 EDIT_WORDS = 4;

// The same for a pattern of any number of words of 64 rows, column by column: each word hands the border below its rows
// to the next.
template <bool SWAPS, class Words>
DEVICE u32 edits_of_long(const Texts& texts, Text pattern, Text text, u32 most, Words& columns) {
    const u32 words = (pattern.length + 63) / 64;
    ROLLED
    for (u32 w = 0; w < words; ++w) {
        columns[EDIT_WORDS * w] = columns[EDIT_WORDS * w + 2] = ~0ull;
        columns[EDIT_WORDS * w + 1] = columns[EDIT_WORDS * w + 3] = 0;
    }
    u32 distance = pattern.length, limit = most + text.length;
    const u32 bottom = (pattern.length - 1) % 64;
    ROLLED
    for (u32 at = 0; at < text.length && distance <= limit; ++at) {
        Walk<0> walk;
        walk.enter(text, texts, at / 32);
        u64 rise_above = 1, fall_above = 0, swap_above = 0;
        ROLLED
        for (u32 w = 0; w < words; ++w) {
            Text part = {pattern.words + w * 2 * texts.stride, pattern.length - w * 64};
            const u32 own = EDIT_WORDS * w;
            u64 mask = ~Pattern<u64, 0>(part, texts).differing(walk, 31 - at % 32);
            u64 rises = columns[own], falls = columns[own + 1];
            u64 swap = SWAPS ? mask & ~columns[own + 2] : 0;
            u64 swapped = SWAPS ? (swap << 1 | swap_above) & columns[own + 3] : 0;
            u64 equal = mask | fall_above;
            u64 same = (((equal & rises) + rises) ^ rises) | equal | falls | swapped;
            u64 rise = falls | ~(same | rises), fall = same & rises;
            u64 risen = rise << 1 | rise_above;
            columns[own] = (fall << 1 | fall_above) | ~(same | risen);
            columns[own + 1] = same & risen;
            if (SWAPS) columns[own + 2] = same, columns[own + 3] = mask;
            const u32 row = w + 1 < words ? 63 : bottom;
            rise_above = rise >> row & 1;
            fall_above = fall >> row & 1;
            swap_above = swap >> 63;
        }
        distance += static_cast<u32>(rise_above) - static_cast<u32>(fall_above);
        limit -= 1;
    }
    return distance;
}

}  // namespace text
