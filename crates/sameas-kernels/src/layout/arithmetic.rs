//! Conditions on the numbers of two records; the C++ side is in `kernels/arithmetic_layout.h`.

use bytemuck::{NoUninit, Zeroable};

use crate::DevicePtr;

/// The values that operations take at most before they leave one.
pub const ARITHMETIC_DEPTH: usize = 12;

/// What an operation does.
#[allow(missing_docs)]
pub mod code {
    pub const LEFT: u32 = 0;
    pub const RIGHT: u32 = 1;
    pub const CONSTANT: u32 = 2;
    pub const ADD: u32 = 3;
    pub const SUBTRACT: u32 = 4;
    pub const MULTIPLY: u32 = 5;
    pub const DIVIDE: u32 = 6;
    pub const MODULO: u32 = 7;
    pub const NEGATE: u32 = 8;
    pub const ABS: u32 = 9;
    pub const EQUAL: u32 = 10;
    pub const NOT_EQUAL: u32 = 11;
    pub const LESS: u32 = 12;
    pub const LESS_EQUAL: u32 = 13;
    pub const GREATER: u32 = 14;
    pub const GREATER_EQUAL: u32 = 15;
    pub const DISTINCT: u32 = 16;
    pub const NOT_DISTINCT: u32 = 17;
    pub const AND: u32 = 18;
    pub const OR: u32 = 19;
    pub const NOT: u32 = 20;
    pub const IS_NULL: u32 = 21;
    pub const IS_TRUE: u32 = 22;
    pub const IS_FALSE: u32 = 23;
    pub const COALESCE: u32 = 24;
    pub const LEAST: u32 = 25;
    pub const GREATEST: u32 = 26;
    pub const SELECT: u32 = 27;
}

/// What a constant is.
#[allow(missing_docs)]
pub mod constant_kind {
    pub const NULL: u32 = 0;
    pub const WHOLE: u32 = 1;
    pub const FLOAT: u32 = 2;
    pub const BOOL: u32 = 3;
}

/// One operation of a condition in postfix order.
#[derive(Debug, Clone, Copy, NoUninit, Zeroable)]
#[repr(C)]
pub struct ArithmeticOp {
    /// See [`code`].
    pub code: u32,
    /// Of a constant: see [`constant_kind`].
    pub kind: u32,
    /// Of a constant.
    pub bits: u64,
    /// Of an operand, by row.
    pub codes: DevicePtr<u32>,
    /// By code.
    pub numbers: DevicePtr<u64>,
    /// By code.
    pub kinds: DevicePtr<u8>,
}
