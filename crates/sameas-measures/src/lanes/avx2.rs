//! A row as two registers of AVX2.
//!
//! SAFETY of every block here: the intrinsics need AVX2, and values of [`Ymms`] are made only in code that [`run`]
//! inlines, which [`super::launch`] enters only where [`available`] returned true. Loads and stores stay within the
//! row.

use super::Kernel;
use super::vector::{LaneVector, Row, Word};
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// Whether this machine has the instructions.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1")
}

/// Runs a kernel with AVX2 enabled; the machine must have it.
#[target_feature(enable = "avx2,popcnt,bmi1")]
pub(super) fn run<W: Word, K: Kernel<W>>(kernel: K) -> K::Output {
    kernel.run::<W::Avx2>()
}

#[derive(Clone, Copy)]
pub struct Ymms<W>([__m256i; 2], PhantomData<W>);

impl<W> Ymms<W> {
    #[inline(always)]
    fn new(low: __m256i, high: __m256i) -> Self {
        Ymms([low, high], PhantomData)
    }
}

/// An intrinsic of two operands, on both registers.
macro_rules! twice {
    ($intrinsic:ident, $a:expr, $b:expr) => {
        // SAFETY: see the module.
        unsafe { Ymms::new($intrinsic($a.0[0], $b.0[0]), $intrinsic($a.0[1], $b.0[1])) }
    };
}

/// The number of set bits of each byte, by two lookups of four bits.
#[inline(always)]
fn count_bytes(x: __m256i) -> __m256i {
    // SAFETY: see the module.
    unsafe {
        let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        let nibble = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(x, nibble));
        let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16::<4>(x), nibble));
        _mm256_add_epi8(low, high)
    }
}

#[inline(always)]
fn count_words(x: __m256i) -> __m256i {
    // SAFETY: see the module.
    unsafe { _mm256_maddubs_epi16(count_bytes(x), _mm256_set1_epi8(1)) }
}

#[inline(always)]
fn count_doubles(x: __m256i) -> __m256i {
    // SAFETY: see the module.
    unsafe { _mm256_madd_epi16(count_words(x), _mm256_set1_epi16(1)) }
}

#[inline(always)]
fn count_quads(x: __m256i) -> __m256i {
    // SAFETY: see the module.
    unsafe { _mm256_sad_epu8(count_bytes(x), _mm256_setzero_si256()) }
}

#[inline(always)]
fn bits_of_words([low, high]: [__m256i; 2]) -> u64 {
    // SAFETY: see the module.
    unsafe {
        // Packing interleaves the halves of the two registers; the permutation puts them in order.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
        u64::from(_mm256_movemask_epi8(packed) as u32)
    }
}

#[inline(always)]
fn bits_of_doubles([low, high]: [__m256i; 2]) -> u64 {
    // SAFETY: see the module.
    let bits = unsafe { [_mm256_movemask_ps(_mm256_castsi256_ps(low)), _mm256_movemask_ps(_mm256_castsi256_ps(high))] };
    (bits[0] | bits[1] << 8) as u64
}

#[inline(always)]
fn bits_of_quads([low, high]: [__m256i; 2]) -> u64 {
    // SAFETY: see the module.
    let bits = unsafe { [_mm256_movemask_pd(_mm256_castsi256_pd(low)), _mm256_movemask_pd(_mm256_castsi256_pd(high))] };
    (bits[0] | bits[1] << 4) as u64
}

macro_rules! ymms {
    ($word:ty, $lanes:literal, $signed:ty, $splat:ident, $add:ident, $sub:ident, $equal:ident, $greater:ident,
     $count:ident, $bits:ident, $mul:ident, $shift:ident) => {
        impl LaneVector for Ymms<$word> {
            type Word = $word;
            /// All bits of a flagged lane.
            type Flags = Self;

            #[inline(always)]
            fn splat(word: $word) -> Self {
                // SAFETY: see the module.
                let all = unsafe { $splat(word as $signed) };
                Self::new(all, all)
            }
            #[inline(always)]
            fn load(row: &Row<$word>) -> Self {
                let start: *const __m256i = (&raw const row.0).cast();
                // SAFETY: a row is 64 bytes, aligned to 64; see the module.
                unsafe { Self::new(_mm256_load_si256(start), _mm256_load_si256(start.add(1))) }
            }
            #[inline(always)]
            fn store(self, row: &mut Row<$word>) {
                let start: *mut __m256i = (&raw mut row.0).cast();
                // SAFETY: as for a load.
                unsafe {
                    _mm256_store_si256(start, self.0[0]);
                    _mm256_store_si256(start.add(1), self.0[1]);
                }
            }
            #[inline(always)]
            fn store_bytes(self, out: &mut [u8]) {
                let mut row = Row::ZERO;
                self.store(&mut row);
                for (byte, word) in out[..$lanes].iter_mut().zip(row.0) {
                    *byte = word as u8;
                }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                twice!(_mm256_and_si256, self, other)
            }
            #[inline(always)]
            fn without(self, other: Self) -> Self {
                twice!(_mm256_andnot_si256, other, self)
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                twice!(_mm256_or_si256, self, other)
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                twice!(_mm256_xor_si256, self, other)
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                twice!($add, self, other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                twice!($sub, self, other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                twice!($mul, self, other)
            }
            #[inline(always)]
            fn half(self) -> Self {
                // SAFETY: see the module.
                unsafe { Self::new($shift::<1>(self.0[0]), $shift::<1>(self.0[1])) }
            }
            #[inline(always)]
            fn count_ones(self) -> Self {
                Self::new($count(self.0[0]), $count(self.0[1]))
            }
            #[inline(always)]
            fn meets(self, other: Self) -> Self {
                self.misses(other).xor(Self::splat(!0))
            }
            #[inline(always)]
            fn misses(self, other: Self) -> Self {
                twice!($equal, self.and(other), Self::splat(0))
            }
            #[inline(always)]
            fn at_least(self, other: Self) -> Self {
                let less: Self = twice!($greater, other, self);
                less.xor(Self::splat(!0))
            }
            #[inline(always)]
            fn sub_where(self, flags: Self, other: Self) -> Self {
                self.sub(other.and(flags))
            }
            #[inline(always)]
            fn none() -> Self {
                Self::splat(0)
            }
            #[inline(always)]
            fn both(a: Self, b: Self) -> Self {
                a.and(b)
            }
            #[inline(always)]
            fn bits(flags: Self) -> u64 {
                $bits(flags.0)
            }
        }
    };
}
ymms!(
    u16,
    32,
    i16,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_cmpeq_epi16,
    _mm256_cmpgt_epi16,
    count_words,
    bits_of_words,
    _mm256_mullo_epi16,
    _mm256_srli_epi16
);
ymms!(
    u32,
    16,
    i32,
    _mm256_set1_epi32,
    _mm256_add_epi32,
    _mm256_sub_epi32,
    _mm256_cmpeq_epi32,
    _mm256_cmpgt_epi32,
    count_doubles,
    bits_of_doubles,
    _mm256_mullo_epi32,
    _mm256_srli_epi32
);
ymms!(
    u64,
    8,
    i64,
    _mm256_set1_epi64x,
    _mm256_add_epi64,
    _mm256_sub_epi64,
    _mm256_cmpeq_epi64,
    _mm256_cmpgt_epi64,
    count_quads,
    bits_of_quads,
    _mm256_mul_epu32,
    _mm256_srli_epi64
);
