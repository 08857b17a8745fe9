// Conditions on the numbers of two records; the Rust side is in src/layout/arithmetic.rs.
#pragma once

#include "platform.h"

// The values that operations take at most before they leave one.
constexpr u32 ARITHMETIC_DEPTH = 12;

// What an operation does: the first three put a value on the stack, the others replace their arguments by their value.
enum ArithmeticCode : u32 {
    ARITHMETIC_LEFT = 0,     // the number of an operand of the left row
    ARITHMETIC_RIGHT = 1,    // the same of the right row
    ARITHMETIC_CONSTANT = 2, // a constant
    ARITHMETIC_ADD = 3,
    ARITHMETIC_SUBTRACT = 4,
    ARITHMETIC_MULTIPLY = 5,
    ARITHMETIC_DIVIDE = 6,
    ARITHMETIC_MODULO = 7,
    ARITHMETIC_NEGATE = 8,
    ARITHMETIC_ABS = 9,
    ARITHMETIC_EQUAL = 10,
    ARITHMETIC_NOT_EQUAL = 11,
    ARITHMETIC_LESS = 12,
    ARITHMETIC_LESS_EQUAL = 13,
    ARITHMETIC_GREATER = 14,
    ARITHMETIC_GREATER_EQUAL = 15,
    ARITHMETIC_DISTINCT = 16,
    ARITHMETIC_NOT_DISTINCT = 17,
    ARITHMETIC_AND = 18,
    ARITHMETIC_OR = 19,
    ARITHMETIC_NOT = 20,
    ARITHMETIC_IS_NULL = 21,
    ARITHMETIC_IS_TRUE = 22,
    ARITHMETIC_IS_FALSE = 23,
    ARITHMETIC_COALESCE = 24,
    ARITHMETIC_LEAST = 25,
    ARITHMETIC_GREATEST = 26,
    ARITHMETIC_SELECT = 27, // of a condition and two values, the first where it is true, else the second
};

// One operation of a condition in postfix order.
struct ArithmeticOp {
    u32 code;
    u32 kind;           // of a constant (ArithmeticKind)
    u64 bits;           // of a constant
    const u32* codes;   // of an operand, by row
    const u64* numbers; // by code
    const u8* kinds;    // by code (NumberKind)
};
