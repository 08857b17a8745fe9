//! The device-wide primitives, as a table of functions: the CUDA build and the host build each have one.

use std::ffi::{c_int, c_void};

/// See [`Primitives::sort_pairs_u32`].
pub type SortPairs<Key> = unsafe extern "C" fn(
    temp: *mut c_void,
    temp_bytes: *mut usize,
    keys_in: *const Key,
    keys_out: *mut Key,
    values_in: *const u32,
    values_out: *mut u32,
    n: u64,
    begin_bit: c_int,
    end_bit: c_int,
    stream: *mut c_void,
) -> c_int;

/// See [`Primitives::exclusive_sum_u32`].
pub type ExclusiveSum<In, Out> = unsafe extern "C" fn(
    temp: *mut c_void,
    temp_bytes: *mut usize,
    input: *const In,
    output: *mut Out,
    n: u64,
    stream: *mut c_void,
) -> c_int;

type SelectFlagged = unsafe extern "C" fn(
    temp: *mut c_void,
    temp_bytes: *mut usize,
    input: *const u32,
    flags: *const u8,
    output: *mut u32,
    count: *mut u32,
    n: u64,
    stream: *mut c_void,
) -> c_int;

/// Sorts, sums and selections over whole buffers of a device.
///
/// With `temp` null a call only says in `temp_bytes` how much temporary memory it needs. Otherwise it works on
/// `stream` (a `CUstream`; null on the host) without waiting for it, with the device's primary context current. It
/// returns zero or the error code of CUDA's runtime. Addresses are the device's; inputs and outputs must not overlap.
#[derive(Debug, Clone, Copy)]
pub struct Primitives {
    /// Sorts pairs stably by the bits `begin_bit..end_bit` of their keys.
    pub sort_pairs_u32: SortPairs<u32>,
    /// Sorts pairs stably by the bits `begin_bit..end_bit` of their keys.
    pub sort_pairs_u64: SortPairs<u64>,
    /// The sum of all values before each, modulo 2^32.
    pub exclusive_sum_u32: ExclusiveSum<u32, u32>,
    /// The sum of all values before each.
    pub exclusive_sum_u64: ExclusiveSum<u64, u64>,
    /// The sum of all values before each, in 64 bits.
    pub exclusive_sum_u32_to_u64: ExclusiveSum<u32, u64>,
    /// Keeps the values whose flag is not zero, in order, and writes their number.
    pub select_flagged_u32: SelectFlagged,
}

/// Declares the functions of one build and gathers them in its table.
#[cfg(any(feature = "cuda", feature = "host"))]
macro_rules! primitives {
    (
        $table:ident,
        $about:literal,
        $sort32:ident,
        $sort64:ident,
        $sum32:ident,
        $sum64:ident,
        $sum:ident,
        $select:ident
    ) => {
        mod extern_c {
            use std::ffi::{c_int, c_void};
            type At = *mut c_void;
            type Size = *mut usize;
            type In32 = *const u32;
            type In64 = *const u64;
            type Out32 = *mut u32;
            type Out64 = *mut u64;
            type Bit = c_int;
            #[rustfmt::skip]
            unsafe extern "C" {
                pub fn $sort32(
                    _: At, _: Size, _: In32, _: Out32, _: In32, _: Out32, n: u64, begin: Bit, end: Bit, stream: At,
                ) -> c_int;
                pub fn $sort64(
                    _: At, _: Size, _: In64, _: Out64, _: In32, _: Out32, n: u64, begin: Bit, end: Bit, stream: At,
                ) -> c_int;
                pub fn $sum32(_: At, _: Size, _: In32, _: Out32, n: u64, stream: At) -> c_int;
                pub fn $sum64(_: At, _: Size, _: In64, _: Out64, n: u64, stream: At) -> c_int;
                pub fn $sum(_: At, _: Size, _: In32, _: Out64, n: u64, stream: At) -> c_int;
                pub fn $select(
                    _: At, _: Size, _: In32, flags: *const u8, _: Out32, count: Out32, n: u64, stream: At,
                ) -> c_int;
            }
        }
        #[doc = $about]
        pub static $table: crate::Primitives = crate::Primitives {
            sort_pairs_u32: extern_c::$sort32,
            sort_pairs_u64: extern_c::$sort64,
            exclusive_sum_u32: extern_c::$sum32,
            exclusive_sum_u64: extern_c::$sum64,
            exclusive_sum_u32_to_u64: extern_c::$sum,
            select_flagged_u32: extern_c::$select,
        };
    };
}
#[cfg(any(feature = "cuda", feature = "host"))]
pub(crate) use primitives;
