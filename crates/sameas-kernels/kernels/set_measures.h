// The formulas of measures of sets, of what two sets share and of their sizes. The Rust side is
// sameas-measures/src/set/mod.rs; a test compares the numbers, which the build script reads here.
//
// Every switch names all enumerators, so that the compiler finds what a new one lacks.
#pragma once

#include "platform.h"

enum SetFormula : u32 {
    SET_JACCARD = 0,
    SET_DICE = 1,
    SET_COSINE = 2,
    SET_OVERLAP_COEFFICIENT = 3,
    SET_OVERLAP = 4,
};

// The value, by the formulas of the host: integers that are floats exactly, and one rounding per operation.
DEVICE double set_value(u32 formula, u64 common, u64 x, u64 y) {
    const double i = (double)common;
    switch (static_cast<SetFormula>(formula)) {
        case SET_JACCARD: return __ddiv_rn(i, (double)(x + y - common));
        case SET_DICE: return __ddiv_rn((double)(2 * common), (double)(x + y));
        case SET_COSINE: return __ddiv_rn(i, __dsqrt_rn(__dmul_rn((double)x, (double)y)));
        case SET_OVERLAP_COEFFICIENT: return __ddiv_rn(i, (double)(x < y ? x : y));
        case SET_OVERLAP: break;
    }
    return i;
}

// About how many tokens two sets share whose value is the threshold.
DEVICE double common_at(u32 formula, double threshold, double x, double y) {
    switch (static_cast<SetFormula>(formula)) {
        case SET_JACCARD: return threshold * (x + y) / (1 + threshold);
        case SET_DICE: return threshold * (x + y) / 2;
        case SET_COSINE: return threshold * __dsqrt_rn(x * y);
        case SET_OVERLAP_COEFFICIENT: return threshold * (x < y ? x : y);
        case SET_OVERLAP: break;
    }
    return threshold;
}

// What sets of two sizes must share, `common_at` as a float and without a division: `share` times their sum, the root of
// their product, the smaller of them, or one. Six roundings of 2^-24 each are less than the slack, so that none is ruled out
// by them.
struct SharedBound {
    u32 formula;
    float share;

    DEVICE SharedBound(u32 formula, double threshold) : formula(formula), share(0) {
        if (!(threshold > 0)) return;
        switch (static_cast<SetFormula>(formula)) {
            case SET_JACCARD: share = static_cast<float>(threshold / (1 + threshold)); break;
            case SET_DICE: share = static_cast<float>(threshold / 2); break;
            case SET_COSINE:
            case SET_OVERLAP_COEFFICIENT:
            case SET_OVERLAP: share = static_cast<float>(threshold); break;
        }
    }

    // Whether sets that share no more than `common` can reach the threshold.
    DEVICE bool admits(u32 common, u32 x, u32 y) const {
        const float most = static_cast<float>(common) * 1.00001f;
        const float sum = static_cast<float>(x) + static_cast<float>(y);
        switch (static_cast<SetFormula>(formula)) {
            case SET_JACCARD:
            case SET_DICE: return !(most < share * sum);
            case SET_COSINE: return !(most < share * sqrtf(static_cast<float>(x) * static_cast<float>(y)));
            case SET_OVERLAP_COEFFICIENT: return !(most < share * static_cast<float>(min(x, y)));
            case SET_OVERLAP: break;
        }
        return !(most < share);
    }
};
