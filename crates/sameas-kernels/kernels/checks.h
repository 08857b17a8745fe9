// One predicate of one pair of rows: cheaply, as far as few loads decide it, or in full.
#pragma once
#include "arithmetic.h"
#include "best_matches.h"
#include "comparison.h"
#include "set_measures.h"
#include "sets.h"
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
    ROLLED
    while (begin < end) {
        u32 middle = begin + (end - begin) / 2;
        if (check.borders[middle] <= earlier) begin = middle + 1;
        else end = middle;
    }
    return begin == check.count || check.borders[begin] > later;
}

// A check of sets by the most that they can share: every measure rises with what is shared.
DEVICE u32 evaluate_sets_cheaply(const SetCheck& check, bool any, u32 a, u32 b) {
    if (!check.left_summaries) return NEEDS_EXPENSIVE;
    const SetSummary x = check.left_summaries[a], y = check.right_summaries[b];
    if (x.size == 0 || y.size == 0) return TRUTH_NULL;
    const u32 most = most_common(x, y);
    if (any) return most == 0 ? u32(TRUTH_FALSE) : u32(NEEDS_EXPENSIVE);
    const double value = set_value(check.formula, most, x.size, y.size);
    switch (check.comparison) {
        case COMPARE_LESS:
        case COMPARE_LESS_EQUAL:
            return compares(check.comparison, value, check.threshold) ? u32(TRUTH_TRUE) : u32(NEEDS_EXPENSIVE);
        case COMPARE_EQUAL: return value < check.threshold ? u32(TRUTH_FALSE) : u32(NEEDS_EXPENSIVE);
        default: return compares(check.comparison, value, check.threshold) ? u32(NEEDS_EXPENSIVE) : u32(TRUTH_FALSE);
    }
}

// A check as far as few loads decide it: a verdict, or what it needs.
static DEVICE_CALL u32 evaluate_cheaply(const Check& check, u32 l, u32 r) {
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
        case CHECK_SET: return evaluate_sets_cheaply(body.set, false, a, b);
        case CHECK_ANY: return evaluate_sets_cheaply(body.set, true, a, b);
        default: return NEEDS_EXPENSIVE;
    }
}

// The fewest common tokens with which sets of two sizes reach the threshold, or exceed it; one more than they can have
// where they do not. The estimate saves steps and decides nothing: the comparison itself does, and it rises with what is
// common.
DEVICE u32 least_common(const SetCheck& check, bool exceed, u32 x, u32 y) {
    const u32 comparison = exceed ? COMPARE_GREATER : COMPARE_GREATER_EQUAL, most = x < y ? x : y;
    const double about = common_at(check.formula, check.threshold, x, y);
    u32 need = about > 0 ? (about < most ? static_cast<u32>(about) : most) : 0;
    auto reached = [&](u32 common) {
        return compares(comparison, set_value(check.formula, common, x, y), check.threshold);
    };
    ROLLED
    while (need > 0 && reached(need - 1)) --need;
    ROLLED
    while (need <= most && !reached(need)) ++need;
    return need;
}

// Below the threshold is not reaching it, and at most as much is not exceeding it: no measure of sets is without a value.
DEVICE u32 evaluate_sets(const SetCheck& check, bool any, u32 a, u32 b) {
    const Tokens x = tokens_of(check.left, a), y = tokens_of(check.right, b);
    if (x.size == 0 || y.size == 0) return TRUTH_NULL;
    if (any) return truth_of(share_at_least(x, y, 1));
    if (check.comparison == COMPARE_EQUAL) {
        const double value = set_value(check.formula, common_tokens(x, y), x.size, y.size);
        return truth_of(value == check.threshold);
    }
    const bool exceed = check.comparison == COMPARE_GREATER || check.comparison == COMPARE_LESS_EQUAL;
    const bool above = check.comparison == COMPARE_GREATER || check.comparison == COMPARE_GREATER_EQUAL;
    return truth_of(share_at_least(x, y, least_common(check, exceed, x.size, y.size)) == above);
}

// What `evaluate_cheaply` did not decide.
static DEVICE_CALL u32 evaluate_expensive(const Check& check, u32 l, u32 r) {
    const CheckBody& body = check.body;
    u32 a = check.left[l], b = check.right[r];
    if (check.kind == CHECK_TEXT) return text_evaluate_expensive(*body.text.test, *body.text.texts, a, b);
    if (check.kind == CHECK_ELEMENTS) return evaluate_elements(body.elements, a, b);
    return evaluate_sets(body.set, check.kind == CHECK_ANY, a, b);
}
