// One predicate of one pair of rows: cheaply, as far as few loads decide it, or in full.
#pragma once
#include "arithmetic.h"
#include "comparison.h"
#include "text.h"
#include "verify_layout.h"

DEVICE double bits_to_double(u64 bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// What a check needs where few loads do not decide it.
enum Undecided : u32 { NEEDS_EXPENSIVE = 4, NEEDS_HOST = 5 };

DEVICE u32 truth_of(bool holds) { return holds ? TRUTH_TRUE : TRUTH_FALSE; }

// A number as a float: the nearest, if it is whole.
DEVICE double number_to_double(u32 kind, u64 bits) {
    return kind == NUMBER_WHOLE ? (double)(i64)bits : bits_to_double(bits);
}

// The verdict on |a - b| as the expression computes it: null where integers overflow or a float is not finite.
DEVICE u32 difference_of(const DifferenceCheck& check, u32 kind_a, u64 bits_a, u32 kind_b, u64 bits_b) {
    if (kind_a == NOT_A_NUMBER || kind_b == NOT_A_NUMBER) return TRUTH_NULL;
    if (kind_a == NUMBER_WHOLE && kind_b == NUMBER_WHOLE) {
        i64 x = (i64)bits_a, y = (i64)bits_b;
        i64 distance = (i64)((u64)x - (u64)y);
        bool overflows = ((x ^ y) & (x ^ distance)) < 0 || distance == i64(1ull << 63);
        if (overflows) return TRUTH_NULL;
        distance = distance < 0 ? -distance : distance;
        switch (check.whole) {
            case WHOLE_NEVER: return TRUTH_FALSE;
            case WHOLE_ALWAYS: return TRUTH_TRUE;
            case WHOLE_AT_MOST: return truth_of(distance <= check.whole_bound);
            case WHOLE_AT_LEAST: return truth_of(distance >= check.whole_bound);
            default: return truth_of(distance == check.whole_bound);
        }
    }
    double distance = __dsub_rn(number_to_double(kind_a, bits_a), number_to_double(kind_b, bits_b));
    distance = distance < 0 ? -distance : distance;
    if (!(distance <= 1.7976931348623157e308)) return TRUTH_NULL;
    return truth_of(compares(check.comparison, distance, check.threshold));
}

// The same for the numbers of two codes.
DEVICE u32 difference(const DifferenceCheck& check, u32 a, u32 b) {
    return difference_of(check, check.left_kinds[a], check.left_numbers[a], check.right_kinds[b], check.right_numbers[b]);
}

DEVICE u32 table(const TableCheck& check, u32 a, u32 b) {
    if (check.left_nulls[a] || check.right_nulls[b]) return TRUTH_NULL;
    u64 word = check.bits[a * check.row_words + b / 64];
    return truth_of(word >> (b % 64) & 1);
}

// Whether no input begins after the earlier row and up to the later one.
DEVICE bool same_source(const SameSourceCheck& check, u32 l, u32 r) {
    u32 earlier = l < r ? l : r, later = l < r ? r : l;
    u32 begin = 0, end = check.count;
    while (begin < end) {
        u32 middle = begin + (end - begin) / 2;
        if (check.borders[middle] <= earlier) begin = middle + 1;
        else end = middle;
    }
    return begin == check.count || check.borders[begin] > later;
}

// A check as far as few loads decide it: a verdict, or what it needs.
DEVICE u32 evaluate_cheaply(const Check& check, u32 l, u32 r) {
    const CheckBody& body = check.body;
    switch (check.kind) {
        case CHECK_LEFT: return body.one_sided.verdicts[l];
        case CHECK_RIGHT: return body.one_sided.verdicts[r];
        case CHECK_SAME_SOURCE: return truth_of(same_source(body.same_source, l, r));
        case CHECK_HOST: return NEEDS_HOST;
        case CHECK_ARITHMETIC: return evaluate_arithmetic(body.arithmetic, l, r);
        default: break;
    }
    u32 a = check.left[l], b = check.right[r];
    if (check.kind == CHECK_EQUAL) {
        if (!body.equal.null_safe && (a == NULL_CODE || b == NULL_CODE)) return TRUTH_NULL;
        return truth_of(a == b);
    }
    if (a == NULL_CODE || b == NULL_CODE) return TRUTH_NULL;
    switch (check.kind) {
        case CHECK_TABLE: return table(body.table, a, b);
        case CHECK_DIFFERENCE: return difference(body.difference, a, b);
        case CHECK_TEXT:
            if (body.text.skip_signatures) return NEEDS_EXPENSIVE;
            return text_evaluate_cheaply(*body.text.test, *body.text.texts, a, b);
        default: return NEEDS_EXPENSIVE;
    }
}

// The ids of a set: those before `end` and not before `begin`.
struct Set {
    const u32* ids;
    u64 begin;
    u64 end;
};

DEVICE Set set_of(const u64* ends, const u32* ids, u32 code) {
    return {ids, code == 0 ? 0 : ends[code - 1], ends[code]};
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

// The measures by the formulas of the host: integers that are floats exactly, and one rounding per operation.
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

DEVICE u32 evaluate_sets(const SetCheck& check, bool any, u32 a, u32 b) {
    Set x = set_of(check.left_ends, check.left_ids, a), y = set_of(check.right_ends, check.right_ids, b);
    u64 m = x.end - x.begin, n = y.end - y.begin;
    if (m == 0 || n == 0) return TRUTH_NULL;
    u64 shared = common(x, y, any);
    if (any) return truth_of(shared > 0);
    return truth_of(compares(check.comparison, set_measure(check.measure, shared, m, n), check.threshold));
}

// What `evaluate_cheaply` did not decide.
static DEVICE_CALL u32 evaluate_expensive(const Check& check, u32 l, u32 r) {
    const CheckBody& body = check.body;
    u32 a = check.left[l], b = check.right[r];
    if (check.kind == CHECK_TEXT) return text_evaluate_expensive(*body.text.test, *body.text.texts, a, b);
    return evaluate_sets(body.set, check.kind == CHECK_ANY, a, b);
}
