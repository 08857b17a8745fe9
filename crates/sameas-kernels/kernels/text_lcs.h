// What a longest common subsequence of two texts leaves out of the longer one, under a limit: the steps of
// sameas-measures/src/text/lcs_similarity.rs, where they are explained. A column has a zero in each row in which the
// common subsequence becomes longer. Rows past the end of a pattern never reach those before it, as carries only move up.
#pragma once

#include "text_dense.h"
#include "text_planes.h"
#include "text_scratch.h"

namespace text {

// The column after a character that equals these rows.
template <class Word> DEVICE Word lcs_step(Word column, Word rows) {
    const Word equal = column & rows;
    return (column + equal) | (column & ~equal);
}

// Two texts, the pattern no shorter and of no more characters than a word has bits; any number above `most` if more is left
// out.
template <class Word, u32 P> DEVICE u32 lcs_left_out(const Texts& texts, Text pattern, Text text, u32 most) {
    Pattern<Word, P> rows(pattern, texts);
    const Word all = ~static_cast<Word>(0) >> (sizeof(Word) * 8 - pattern.length);
    Word column = ~static_cast<Word>(0);
    Walk<P> walk;
    ROLLED
    for (u32 at = 0; at < text.length; ++at) {
        if (at % 32 == 0) {
            // Each remaining column adds at most one.
            if (count_bits(~column & all) + (text.length - at) + most < pattern.length) return most + 1;
            walk.enter(text, texts, at / 32);
        }
        column = lcs_step<Word>(column, ~rows.differing(walk, 31 - at % 32));
    }
    return pattern.length - count_bits(~column & all);
}

// Words for each 64 rows of a long pattern: a column.
constexpr u32 LCS_WORDS = 1;

// The same for a pattern of any number of words of 64 rows, column by column: each word hands a carry to the next.
template <class Words>
DEVICE u32 lcs_left_out_of_long(const Texts& texts, Text pattern, Text text, u32 most, Words& columns) {
    const u32 words = (pattern.length + 63) / 64;
    ROLLED
    for (u32 w = 0; w < words; ++w) columns[LCS_WORDS * w] = ~0ull;
    auto common = [&]() {
        u32 sum = 0;
        ROLLED
        for (u32 w = 0; w < words; ++w) {
            const u64 rows = w + 1 < words ? ~0ull : ~0ull >> (63 - (pattern.length - 1) % 64);
            const u64 zeros = ~columns[LCS_WORDS * w] & rows;
            sum += count_bits(zeros);
        }
        return sum;
    };
    ROLLED
    for (u32 at = 0; at < text.length; ++at) {
        if (at % 64 == 0 && common() + (text.length - at) + most < pattern.length) return most + 1;
        Walk<0> walk;
        walk.enter(text, texts, at / 32);
        u64 carry = 0;
        ROLLED
        for (u32 w = 0; w < words; ++w) {
            Text part = {pattern.words + w * 2 * texts.stride, pattern.length - w * 64};
            const u64 column = columns[LCS_WORDS * w];
            const u64 equal = column & ~Pattern<u64, 0>(part, texts).differing(walk, 31 - at % 32);
            const u64 sum = column + equal, carried = sum + carry;
            carry = sum < column || carried < sum ? 1 : 0;
            columns[LCS_WORDS * w] = carried | (column & ~equal);
        }
    }
    return pattern.length - common();
}

// The same for short texts that all meet all: see text_dense.h. What is left out of the longer one lies from `fewest` to
// `most`.
struct LcsColumns {
    u32 m, n, fewest, most;

    template <u32 P, u32 R>
    DEVICE void operator()(const u32 (&left)[P], const u32 (&rights)[R][P], u32, u32 bit, u32 (&holds)[R]) const {
        u32 columns[R];
        UNROLL
        for (u32 r = 0; r < R; ++r) columns[r] = FULL;
        for (u32 at = 0; at < m; ++at) {
            u32 spreads[P];
            spread_all(left, at, spreads);
            UNROLL
            for (u32 r = 0; r < R; ++r) columns[r] = lcs_step<u32>(columns[r], ~planes_differ(spreads, rights[r], 0));
        }
        const u32 rows = FULL >> (32 - n), longer = max(m, n);
        UNROLL
        for (u32 r = 0; r < R; ++r) {
            const u32 left_out = longer - count_bits(~columns[r] & rows);
            if (left_out >= fewest && left_out <= most) holds[r] |= bit;
        }
    }
};

}  // namespace text
