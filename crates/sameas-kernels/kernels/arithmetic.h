// Conditions on the numbers of two records, as the host's expressions compute them: integers stay integers except for a
// division, with a float both are floats, and what overflows or is not finite is null.
#pragma once

#include "verify_layout.h"

namespace arithmetic {

// What a value is; the first three as NumberKind.
enum ArithmeticKind : u32 { IS_NULL = 0, IS_WHOLE = 1, IS_FLOAT = 2, IS_BOOL = 3 };

struct Value {
    u32 kind;
    u64 bits;
};

DEVICE Value null() { return {IS_NULL, 0}; }
DEVICE Value truth(bool holds) { return {IS_BOOL, holds}; }
DEVICE Value whole(i64 value) { return {IS_WHOLE, static_cast<u64>(value)}; }

// Null where it is not finite.
DEVICE Value finite(double value) {
    if (!(value <= 1.7976931348623157e308 && value >= -1.7976931348623157e308)) return null();
    Value made = {IS_FLOAT, 0};
    memcpy(&made.bits, &value, sizeof value);
    return made;
}

DEVICE double float_bits(u64 bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

DEVICE double to_float(Value value) {
    return value.kind == IS_WHOLE ? static_cast<double>(static_cast<i64>(value.bits)) : float_bits(value.bits);
}

// The operation on two integers; null where it overflows.
DEVICE Value of_integers(u32 code, i64 a, i64 b) {
    __extension__ typedef __int128 i128;
    constexpr i64 LEAST = -0x7fffffffffffffffll - 1;
    if (code == ARITHMETIC_MODULO) return b == 0 || (a == LEAST && b == -1) ? null() : whole(a % b);
    i128 x = a, y = b, exact = code == ARITHMETIC_ADD ? x + y : code == ARITHMETIC_SUBTRACT ? x - y : x * y;
    return exact == static_cast<i64>(exact) ? whole(static_cast<i64>(exact)) : null();
}

DEVICE Value combine(u32 code, Value a, Value b) {
    if (a.kind == IS_NULL || b.kind == IS_NULL) return null();
    bool integers = a.kind == IS_WHOLE && b.kind == IS_WHOLE;
    if (integers && code != ARITHMETIC_DIVIDE) return of_integers(code, static_cast<i64>(a.bits), static_cast<i64>(b.bits));
    double x = to_float(a), y = to_float(b);
    switch (code) {
        case ARITHMETIC_ADD: return finite(__dadd_rn(x, y));
        case ARITHMETIC_SUBTRACT: return finite(__dsub_rn(x, y));
        case ARITHMETIC_MULTIPLY: return finite(__dmul_rn(x, y));
        case ARITHMETIC_DIVIDE: return finite(__ddiv_rn(x, y));
        default: return finite(fmod(x, y));
    }
}

// The sign of a number, turned, or taken away.
DEVICE Value with_sign(u32 code, Value a) {
    if (a.kind == IS_NULL) return null();
    if (a.kind == IS_FLOAT) {
        constexpr u64 SIGN_BIT = 1ull << 63;
        return {IS_FLOAT, code == ARITHMETIC_ABS ? a.bits & ~SIGN_BIT : a.bits ^ SIGN_BIT};
    }
    if (code == ARITHMETIC_ABS && static_cast<i64>(a.bits) >= 0) return a;
    return of_integers(ARITHMETIC_SUBTRACT, 0, static_cast<i64>(a.bits));
}

// The order of an integer and a float, exactly: the float's floor decides, then whether it is one.
DEVICE i32 order_of_mixed(i64 whole, double value) {
    double floor_of = floor(value);
    if (floor_of >= 9223372036854775808.0) return -1;
    if (floor_of < -9223372036854775808.0) return 1;
    i64 below = static_cast<i64>(floor_of);
    if (whole == below && floor_of == value) return 0;
    return whole <= below ? -1 : 1;
}

// The order of two values that are not null: of two numbers, or of two truths.
DEVICE i32 order(Value a, Value b) {
    if (a.kind == IS_FLOAT && b.kind == IS_FLOAT) {
        double x = float_bits(a.bits), y = float_bits(b.bits);
        return x < y ? -1 : x > y;
    }
    if (a.kind == IS_FLOAT) return -order_of_mixed(static_cast<i64>(b.bits), float_bits(a.bits));
    if (b.kind == IS_FLOAT) return order_of_mixed(static_cast<i64>(a.bits), float_bits(b.bits));
    i64 x = static_cast<i64>(a.bits), y = static_cast<i64>(b.bits);
    return x < y ? -1 : x > y;
}

DEVICE bool order_holds(u32 code, i32 order) {
    switch (code) {
        case ARITHMETIC_EQUAL: return order == 0;
        case ARITHMETIC_NOT_EQUAL: return order != 0;
        case ARITHMETIC_LESS: return order < 0;
        case ARITHMETIC_LESS_EQUAL: return order <= 0;
        case ARITHMETIC_GREATER: return order > 0;
        default: return order >= 0;
    }
}

DEVICE Value compare(u32 code, Value a, Value b) {
    bool some_null = a.kind == IS_NULL || b.kind == IS_NULL;
    if (code == ARITHMETIC_DISTINCT || code == ARITHMETIC_NOT_DISTINCT) {
        bool same = some_null ? a.kind == b.kind : order(a, b) == 0;
        return truth(same == (code == ARITHMETIC_NOT_DISTINCT));
    }
    return some_null ? null() : truth(order_holds(code, order(a, b)));
}

// `and` and `or`: one decisive argument settles it; without one, a null makes it null.
DEVICE Value logic(u32 code, Value a, Value b) {
    u64 decisive = code == ARITHMETIC_OR;
    if ((a.kind == IS_BOOL && a.bits == decisive) || (b.kind == IS_BOOL && b.bits == decisive)) return truth(decisive != 0);
    return a.kind == IS_NULL || b.kind == IS_NULL ? null() : truth(decisive == 0);
}

DEVICE Value of_two(u32 code, Value a, Value b) {
    if (code <= ARITHMETIC_MODULO) return combine(code, a, b);
    if (code <= ARITHMETIC_NOT_DISTINCT) return compare(code, a, b);
    if (code <= ARITHMETIC_OR) return logic(code, a, b);
    if (a.kind == IS_NULL) return b;
    if (code == ARITHMETIC_COALESCE || b.kind == IS_NULL) return a;
    // The first of equals.
    return order(b, a) == (code == ARITHMETIC_LEAST ? -1 : 1) ? b : a;
}

DEVICE Value of_one(u32 code, Value a) {
    switch (code) {
        case ARITHMETIC_NEGATE:
        case ARITHMETIC_ABS: return with_sign(code, a);
        case ARITHMETIC_NOT: return a.kind == IS_NULL ? a : truth(a.bits == 0);
        case ARITHMETIC_IS_NULL: return truth(a.kind == IS_NULL);
        case ARITHMETIC_IS_TRUE: return truth(a.kind == IS_BOOL && a.bits == 1);
        default: return truth(a.kind == IS_BOOL && a.bits == 0);
    }
}

DEVICE bool is_of_one(u32 code) {
    return code == ARITHMETIC_NEGATE || code == ARITHMETIC_ABS || (code >= ARITHMETIC_NOT && code <= ARITHMETIC_IS_FALSE);
}

DEVICE Value operand(const ArithmeticOp& op, u32 row) {
    u32 code = op.codes[row];
    return code == NULL_CODE ? null() : Value{op.kinds[code], op.numbers[code]};
}

}  // namespace arithmetic

// The verdict of a condition in postfix order on two rows.
static DEVICE_CALL u32 evaluate_arithmetic(const ArithmeticCheck& check, u32 l, u32 r) {
    using namespace arithmetic;
    Value stack[ARITHMETIC_DEPTH];
    u32 depth = 0;
    ROLLED
    for (u32 at = 0; at < check.count; ++at) {
        const ArithmeticOp& op = check.ops[at];
        if (op.code <= ARITHMETIC_CONSTANT) {
            stack[depth++] = op.code == ARITHMETIC_CONSTANT ? Value{op.kind, op.bits} : operand(op, op.code == ARITHMETIC_LEFT ? l : r);
        } else if (is_of_one(op.code)) {
            stack[depth - 1] = of_one(op.code, stack[depth - 1]);
        } else if (op.code == ARITHMETIC_SELECT) {
            depth -= 2;
            bool first = stack[depth - 1].kind == IS_BOOL && stack[depth - 1].bits == 1;
            stack[depth - 1] = first ? stack[depth] : stack[depth + 1];
        } else {
            depth -= 1;
            stack[depth - 1] = of_two(op.code, stack[depth - 1], stack[depth]);
        }
    }
    if (stack[0].kind != IS_BOOL) return TRUTH_NULL;
    return stack[0].bits == 1 ? TRUTH_TRUE : TRUTH_FALSE;
}
