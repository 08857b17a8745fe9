// The unrestricted Damerau-Levenshtein distance under a limit, and differing places.
//
// The matrix is that of sameas-measures/src/text/damerau.rs (Zhao and Sahni 2019), row by row over the shorter text;
// see there for the swaps. A column's four numbers share a word: its cells of the last two rows, and what it
// kept at its last match.
#pragma once

#include "text_planes.h"
#include "text_scratch.h"

namespace text {

// Texts of more characters do not fit the numbers of a column.
constexpr u32 DAMERAU_LIMIT = 16000;
// More than any distance.
constexpr u32 DAMERAU_NEVER = 0x7000;
// Columns whose words a thread has itself.
constexpr u32 DAMERAU_OWN = 64;

// The numbers of a column. Rows take turns in the first two.
struct DamerauColumn {
    u32 cells[2];
    u32 before_match, last_match;

    DEVICE explicit DamerauColumn(u64 word)
        : cells{static_cast<u32>(word & 0xffff), static_cast<u32>(word >> 16 & 0xffff)},
          before_match(static_cast<u32>(word >> 32 & 0xffff)), last_match(static_cast<u32>(word >> 48)) {}

    DEVICE DamerauColumn(u32 above, u32 current, u32 before_match, u32 last_match)
        : cells{above, current}, before_match(before_match), last_match(last_match) {}

    DEVICE u64 word() const {
        return static_cast<u64>(last_match) << 48 | static_cast<u64>(before_match) << 32 | static_cast<u64>(cells[1]) << 16 | cells[0];
    }
};

// Which of the 64 characters of `shorter` from 64 w on equal character `at` of `longer`.
DEVICE u64 equal_places(const Texts& texts, Text shorter, u32 w, Text longer, u32 at) {
    Walk<0> walk;
    walk.enter(longer, texts, at / 32);
    Text part = {shorter.words + w * 2 * texts.stride, shorter.length - w * 64};
    return ~Pattern<u64, 0>(part, texts).differing(walk, 31 - at % 32);
}

// One row: its number counts from 1. Returns its lowest cell.
template <class Words> DEVICE u32 damerau_row(const Texts& texts, Text longer, Text shorter, u32 row, Words& columns) {
    const u32 now = (row + 1) % 2, last = 1 - now;
    DamerauColumn first(columns[0]);
    u32 two_up = first.cells[now], two_up_match = DAMERAU_NEVER, last_column = 0, lowest = row;
    u32 left = row, above_left = first.cells[last], above_left_but_one = DAMERAU_NEVER;
    first.cells[now] = row;
    columns[0] = first.word();
    u64 equal = 0;
    ROLLED
    for (u32 j = 1; j <= shorter.length; ++j) {
        if (j % 64 == 1) equal = equal_places(texts, shorter, j / 64, longer, row - 1);
        DamerauColumn column(columns[j]);
        u32 cell = above_left;
        if (equal >> (j - 1) % 64 & 1) {
            last_column = j, two_up_match = two_up;
            column.before_match = above_left_but_one, column.last_match = row;
        } else {
            cell = min(min(cell, column.cells[last]), left) + 1;
            if (last_column + 1 == j) cell = min(cell, column.before_match + (row - column.last_match));
            else if (column.last_match + 1 == row) cell = min(cell, two_up_match + (j - last_column));
        }
        two_up = column.cells[now];
        above_left_but_one = above_left, above_left = column.cells[last];
        column.cells[now] = left = cell;
        columns[j] = column.word();
        lowest = min(lowest, cell);
    }
    return lowest;
}

// The distance of two texts; any number above `most` if it is more.
template <class Words> DEVICE u32 damerau_of(const Texts& texts, Text longer, Text shorter, u32 most, Words& columns) {
    ROLLED
    for (u32 j = 0; j <= shorter.length; ++j) columns[j] = DamerauColumn(DAMERAU_NEVER, j, DAMERAU_NEVER, 0).word();
    ROLLED
    for (u32 row = 1; row <= longer.length; ++row) {
        // Every alignment passes a row at no more than its final cost.
        if (damerau_row(texts, longer, shorter, row, columns) > most) return most + 1;
    }
    return DamerauColumn(columns[shorter.length]).cells[(longer.length + 1) % 2];
}

// How many characters differ from those at the same places of a text of the same length.
DEVICE u32 differing_places(const Texts& texts, Text a, Text b) {
    u32 count = 0;
    ROLLED
    for (u32 group = 0; group * 32 < a.length; ++group) {
        u32 differing = 0;
        ROLLED
        for (u32 plane = 0; plane < texts.planes; ++plane) {
            differing |= a.words[group * texts.stride + plane] ^ b.words[group * texts.stride + plane];
        }
        count += count_bits(differing);
    }
    return count;
}

}  // namespace text
