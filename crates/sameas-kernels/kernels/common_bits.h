// Bits in common of many pairs of signatures at a time: a warp compares 16 rows with 8 columns of 256 bits.
//
// Compute capability 8.0 and up has an instruction for it, in which the tensor cores do the and, the population counts
// and the sums; others, and the host, take the same values by shuffles. Where the words of a lane lie in the 256 bits does
// not matter, as long as rows and columns agree.
#pragma once

#include "platform.h"

// What a lane has. Lane 4 g + t holds words of rows g and g + 8 and of column g, always the same two of eight that the
// other lanes of g lack, and the sums of rows g and g + 8 with columns 2 t and 2 t + 1.
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
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums.of[0]), "+r"(sums.of[1]), "+r"(sums.of[2]), "+r"(sums.of[3])
        : "r"(rows.upper[0]), "r"(rows.lower[0]), "r"(rows.upper[1]), "r"(rows.lower[1]), "r"(columns.words[0]),
          "r"(columns.words[1]));
#else
    const u32 group = lane() & ~3u, first = (lane() & 3u) * 8;
    for (u32 of = 0; of < 4; ++of) {
        for (u32 half = 0; half < 2; ++half) {
            const u32 upper = __shfl_sync(FULL, rows.upper[half], static_cast<i32>(group + of));
            const u32 lower = __shfl_sync(FULL, rows.lower[half], static_cast<i32>(group + of));
            const u32 even = __shfl_sync(FULL, columns.words[half], static_cast<i32>(first + of));
            const u32 odd = __shfl_sync(FULL, columns.words[half], static_cast<i32>(first + 4 + of));
            sums.of[0] += __popc(upper & even);
            sums.of[1] += __popc(upper & odd);
            sums.of[2] += __popc(lower & even);
            sums.of[3] += __popc(lower & odd);
        }
    }
#endif
}
