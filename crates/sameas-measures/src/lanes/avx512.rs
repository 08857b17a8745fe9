//! A row as one register of AVX-512.
//!
//! SAFETY of every block here: the intrinsics need AVX-512 (F, BW, DQ, VL, VPOPCNTDQ, BITALG), and values of [`Zmm`]
//! are made only in code that [`run`] inlines, which [`super::launch`] enters only where [`available`] returned true.
//! Loads and stores stay within the row.

use super::Kernel;
use super::vector::{LaneVector, Row, Word};
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// Whether this machine has the instructions.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// Runs a kernel with AVX-512 enabled; the machine must have it.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512bitalg,popcnt,bmi1,bmi2")]
pub(super) fn run<W: Word, K: Kernel<W>>(kernel: K) -> K::Output {
    kernel.run::<W::Avx512>()
}

#[derive(Clone, Copy)]
pub struct Zmm<W>(__m512i, PhantomData<W>);

/// An intrinsic call as a vector.
macro_rules! zmm {
    ($call:expr) => {
        // SAFETY: see the module.
        Zmm(unsafe { $call }, PhantomData)
    };
}

/// The low bytes of the lanes to memory.
#[inline(always)]
fn store_words(lanes: __m512i, out: &mut [u8; 32]) {
    // SAFETY: 32 bytes are written; see the module.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm512_cvtepi16_epi8(lanes)) }
}

#[inline(always)]
fn store_doubles(lanes: __m512i, out: &mut [u8; 16]) {
    // SAFETY: 16 bytes are written; see the module.
    unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(lanes)) }
}

#[inline(always)]
fn store_quads(lanes: __m512i, out: &mut [u8; 8]) {
    // SAFETY: 8 bytes are written; see the module.
    unsafe { _mm_storel_epi64(out.as_mut_ptr().cast(), _mm512_cvtepi64_epi8(lanes)) }
}

macro_rules! vector {
    ($word:ty, $lanes:literal, $signed:ty, $flags:ty, $splat:ident, $add:ident, $sub:ident, $count:ident,
     $meets:ident, $misses:ident, $at_least:ident, $sub_where:ident, $store_bytes:ident, $mul:ident, $shift:ident) => {
        impl LaneVector for Zmm<$word> {
            type Word = $word;
            type Flags = $flags;

            #[inline(always)]
            fn splat(word: $word) -> Self {
                zmm!($splat(word as $signed))
            }
            #[inline(always)]
            fn load(row: &Row<$word>) -> Self {
                // A row is 64 bytes, aligned to 64.
                zmm!(_mm512_load_si512((&raw const row.0).cast()))
            }
            #[inline(always)]
            fn store(self, row: &mut Row<$word>) {
                // SAFETY: a row is 64 bytes, aligned to 64; see the module.
                unsafe { _mm512_store_si512((&raw mut row.0).cast(), self.0) }
            }
            #[inline(always)]
            fn store_bytes(self, out: &mut [u8]) {
                if let Some(out) = out.first_chunk_mut() {
                    $store_bytes(self.0, out);
                }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                zmm!(_mm512_and_si512(self.0, other.0))
            }
            #[inline(always)]
            fn without(self, other: Self) -> Self {
                zmm!(_mm512_andnot_si512(other.0, self.0))
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                zmm!(_mm512_or_si512(self.0, other.0))
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                zmm!(_mm512_xor_si512(self.0, other.0))
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                zmm!($add(self.0, other.0))
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                zmm!($sub(self.0, other.0))
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                zmm!($mul(self.0, other.0))
            }
            #[inline(always)]
            fn half(self) -> Self {
                zmm!($shift::<1>(self.0))
            }
            #[inline(always)]
            fn count_ones(self) -> Self {
                zmm!($count(self.0))
            }
            #[inline(always)]
            fn meets(self, other: Self) -> $flags {
                // SAFETY: see the module.
                unsafe { $meets(self.0, other.0) }
            }
            #[inline(always)]
            fn misses(self, other: Self) -> $flags {
                // SAFETY: see the module.
                unsafe { $misses(self.0, other.0) }
            }
            #[inline(always)]
            fn at_least(self, other: Self) -> $flags {
                // SAFETY: see the module.
                unsafe { $at_least(self.0, other.0) }
            }
            #[inline(always)]
            fn sub_where(self, flags: $flags, other: Self) -> Self {
                zmm!($sub_where(self.0, flags, self.0, other.0))
            }
            #[inline(always)]
            fn none() -> $flags {
                0
            }
            #[inline(always)]
            fn both(a: $flags, b: $flags) -> $flags {
                a & b
            }
            #[inline(always)]
            fn bits(flags: $flags) -> u64 {
                u64::from(flags)
            }
        }
    };
}
vector!(
    u16,
    32,
    i16,
    __mmask32,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_popcnt_epi16,
    _mm512_test_epi16_mask,
    _mm512_testn_epi16_mask,
    _mm512_cmpge_epu16_mask,
    _mm512_mask_sub_epi16,
    store_words,
    _mm512_mullo_epi16,
    _mm512_srli_epi16
);
vector!(
    u32,
    16,
    i32,
    __mmask16,
    _mm512_set1_epi32,
    _mm512_add_epi32,
    _mm512_sub_epi32,
    _mm512_popcnt_epi32,
    _mm512_test_epi32_mask,
    _mm512_testn_epi32_mask,
    _mm512_cmpge_epu32_mask,
    _mm512_mask_sub_epi32,
    store_doubles,
    _mm512_mullo_epi32,
    _mm512_srli_epi32
);
vector!(
    u64,
    8,
    i64,
    __mmask8,
    _mm512_set1_epi64,
    _mm512_add_epi64,
    _mm512_sub_epi64,
    _mm512_popcnt_epi64,
    _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask,
    _mm512_cmpge_epu64_mask,
    _mm512_mask_sub_epi64,
    store_quads,
    _mm512_mul_epu32,
    _mm512_srli_epi64
);
