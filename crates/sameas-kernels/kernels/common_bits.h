// Bits in common of many pairs of signatures at a time: a warp compares 16 rows with 8 columns of 256 bits.
//
// Compute capability 8.0 and up has an instruction for it, in which the tensor cores do the and, the population counts
// and the sums; others, and the host, read the words of the other lanes from shared memory. Where the words of a lane lie
// in the 256 bits does not matter, as long as rows and columns agree.
#pragma once

#include "platform.h"

// Warps of a block at most.
constexpr u32 COMMON_BITS_WARPS = 8;

// What a lane has: lane 4 g + t holds two of the eight words of rows g and g + 8 and of column g, which ones by t, and the
// sums of rows g and g + 8 with columns 2 t and 2 t + 1.
struct BitRows {
    u32 upper[2]; // of row g
    u32 lower[2]; // of row g + 8
};

struct BitColumns {
    u32 words[2];
};

struct BitSums {
    i32 of[4]; // row g with both columns, then row g + 8 with both
};

DEVICE void add_common_bits(BitSums& sums, const BitRows& rows, const BitColumns& columns) {
#if !defined(SAMEAS_HOST) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums.of[0]), "+r"(sums.of[1]), "+r"(sums.of[2]), "+r"(sums.of[3])
        : "r"(rows.upper[0]), "r"(rows.lower[0]), "r"(rows.upper[1]), "r"(rows.lower[1]), "r"(columns.words[0]),
          "r"(columns.words[1]));
#else
    // All lanes of a warp lay their words open to each other.
    __shared__ u32 open[COMMON_BITS_WARPS][32][6];
    u32(*of)[6] = open[warp_in_block()];
    const u32 mine[6] = {rows.upper[0], rows.upper[1], rows.lower[0], rows.lower[1], columns.words[0], columns.words[1]};
    for (u32 w = 0; w < 6; ++w) of[lane()][w] = mine[w];
    __syncwarp(FULL);
    for (u32 t = 0; t < 4; ++t) {
        const u32* row = of[lane() / 4 * 4 + t];
        const u32 *even = of[lane() % 4 * 8 + t] + 4, *odd = even + 4 * 6;
        for (u32 half = 0; half < 2; ++half) {
            sums.of[0] += __popc(row[half] & even[half]);
            sums.of[1] += __popc(row[half] & odd[half]);
            sums.of[2] += __popc(row[2 + half] & even[half]);
            sums.of[3] += __popc(row[2 + half] & odd[half]);
        }
    }
    __syncwarp(FULL);
#endif
}
