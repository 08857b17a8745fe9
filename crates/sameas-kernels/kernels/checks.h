// One predicate of one pair of rows: cheaply, as far as few loads tell, or by whatever it takes.
#pragma once
#include "comparison.h"
#include "text.h"
#include "verify_layout.h"

template <class T>
DEVICE const T* at(u64 address) {
    return reinterpret_cast<const T*>(address);
}

DEVICE double bits_to_double(u64 bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// What comes of asking a check cheaply.
enum Cheap : u32 { CHEAP_DEAR = 4, CHEAP_HOST = 5 };

DEVICE u32 truth_of(bool holds) { return holds ? TRUTH_TRUE : TRUTH_FALSE; }

// |a - b| as the expression computes it: null where integers overflow or a float is not finite.
DEVICE u32 difference(const Check& check, u32 a, u32 b) {
    u8 kind_a = at<u8>(check.b)[a], kind_b = at<u8>(check.d)[b];
    u64 bits_a = at<u64>(check.a)[a], bits_b = at<u64>(check.c)[b];
    // Kinds: 0 no number, 1 whole, 2 float.
    if (kind_a == 0 || kind_b == 0) return TRUTH_NULL;
    if (kind_a == 1 && kind_b == 1) {
        i64 x = (i64)bits_a, y = (i64)bits_b;
        i64 distance = (i64)((u64)x - (u64)y);
        bool overflows = ((x ^ y) & (x ^ distance)) < 0 || distance == i64(1ull << 63);
        if (overflows) return TRUTH_NULL;
        distance = distance < 0 ? -distance : distance;
        switch (check.variant) {
            case WHOLE_NEVER: return TRUTH_FALSE;
            case WHOLE_ALWAYS: return TRUTH_TRUE;
            case WHOLE_AT_MOST: return truth_of(distance <= check.whole);
            case WHOLE_AT_LEAST: return truth_of(distance >= check.whole);
            default: return truth_of(distance == check.whole);
        }
    }
    double x = kind_a == 1 ? (double)(i64)bits_a : bits_to_double(bits_a);
    double y = kind_b == 1 ? (double)(i64)bits_b : bits_to_double(bits_b);
    double distance = __dsub_rn(x, y);
    distance = distance < 0 ? -distance : distance;
    if (!(distance <= 1.7976931348623157e308)) return TRUTH_NULL;
    return truth_of(compares(check.comparison, distance, check.threshold));
}

DEVICE u32 table(const Check& check, u32 a, u32 b) {
    if (at<u8>(check.c)[a] || at<u8>(check.d)[b]) return TRUTH_NULL;
    u64 word = at<u64>(check.a)[(u64)a * (u64)check.whole + b / 64];
    return truth_of(word >> (b % 64) & 1);
}

// A check as far as few loads tell: a verdict, or that a dear check or the host is needed.
DEVICE u32 ask_cheaply(const Check& check, u32 l, u32 r) {
    switch (check.kind) {
        case CHECK_LEFT: return at<u8>(check.left)[l];
        case CHECK_RIGHT: return at<u8>(check.left)[r];
        case CHECK_SAME_SOURCE: return truth_of((l < check.variant) == (r < check.variant));
        case CHECK_HOST: return CHEAP_HOST;
        default: break;
    }
    u32 a = at<u32>(check.left)[l], b = at<u32>(check.right)[r];
    if (check.kind == CHECK_EQUAL) {
        if (!check.variant && (a == NULL_CODE || b == NULL_CODE)) return TRUTH_NULL;
        return truth_of(a == b);
    }
    if (a == NULL_CODE || b == NULL_CODE) return TRUTH_NULL;
    switch (check.kind) {
        case CHECK_TABLE: return table(check, a, b);
        case CHECK_DIFFERENCE: return difference(check, a, b);
        case CHECK_TEXT:
            if (check.variant) return CHEAP_DEAR;
            return text_ask_cheaply(*at<TextTest>(check.a), *at<Texts>(check.b), a, b);
        default: return CHEAP_DEAR;
    }
}

// The ids of a set: those before `end` and not before `begin`.
struct Set {
    const u32* ids;
    u64 begin;
    u64 end;
};

DEVICE Set set_of(u64 ends, u64 ids, u32 code) {
    const u64* all = at<u64>(ends);
    return {at<u32>(ids), code == 0 ? 0 : all[code - 1], all[code]};
}

// Common ids of two ascending lists; stops at the first where one is enough.
DEVICE u64 common(Set x, Set y, bool any) {
    u64 count = 0;
    while (x.begin < x.end && y.begin < y.end) {
        u32 a = x.ids[x.begin], b = y.ids[y.begin];
        count += a == b;
        if (any && count) break;
        x.begin += a <= b;
        y.begin += b <= a;
    }
    return count;
}

// The measures by the formulas of the host: integers that are floats exactly, and one rounding an operation.
DEVICE double set_measure(u32 measure, u64 common, u64 x, u64 y) {
    double i = (double)common;
    switch (measure) {
        case SET_JACCARD: return __ddiv_rn(i, (double)(x + y - common));
        case SET_DICE: return __ddiv_rn((double)(2 * common), (double)(x + y));
        case SET_COSINE: return __ddiv_rn(i, __dsqrt_rn(__dmul_rn((double)x, (double)y)));
        case SET_OVERLAP_COEFFICIENT: return __ddiv_rn(i, (double)(x < y ? x : y));
        default: return i;
    }
}

DEVICE u32 ask_sets(const Check& check, u32 a, u32 b) {
    Set x = set_of(check.a, check.b, a), y = set_of(check.c, check.d, b);
    u64 m = x.end - x.begin, n = y.end - y.begin;
    if (m == 0 || n == 0) return TRUTH_NULL;
    u64 shared = common(x, y, check.kind == CHECK_ANY);
    if (check.kind == CHECK_ANY) return truth_of(shared > 0);
    return truth_of(compares(check.comparison, set_measure(check.variant, shared, m, n), check.threshold));
}

// What `ask_cheaply` left open.
static DEVICE_CALL u32 ask_dearly(const Check& check, u32 l, u32 r) {
    u32 a = at<u32>(check.left)[l], b = at<u32>(check.right)[r];
    if (check.kind == CHECK_TEXT) return text_ask_dearly(*at<TextTest>(check.a), *at<Texts>(check.b), a, b);
    return ask_sets(check, a, b);
}
