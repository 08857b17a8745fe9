//! Vectors as arrays: the form for every machine, and the reference for the others. The compiler turns the loops into
//! whatever instructions the target has.

use super::vector::{LaneVector, Row, Word};

#[derive(Clone, Copy)]
pub struct Plain<W: Word>(W::Lanes);

/// Lane-wise operations over fixed arrays.
macro_rules! plain {
    ($word:ty, $lanes:literal) => {
        impl Plain<$word> {
            #[inline(always)]
            fn zip(self, other: Self, f: impl Fn($word, $word) -> $word) -> Self {
                let mut out = [0; $lanes];
                for i in 0..$lanes {
                    out[i] = f(self.0[i], other.0[i]);
                }
                Plain(out)
            }
        }

        impl LaneVector for Plain<$word> {
            type Word = $word;
            /// All bits of a flagged lane.
            type Flags = Self;

            #[inline(always)]
            fn splat(word: $word) -> Self {
                Plain([word; $lanes])
            }
            #[inline(always)]
            fn load(row: &Row<$word>) -> Self {
                Plain(row.0)
            }
            #[inline(always)]
            fn store(self, row: &mut Row<$word>) {
                row.0 = self.0;
            }
            #[inline(always)]
            fn store_bytes(self, out: &mut [u8]) {
                for (byte, word) in out[..$lanes].iter_mut().zip(self.0) {
                    *byte = word as u8;
                }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self.zip(other, |x, y| x & y)
            }
            #[inline(always)]
            fn without(self, other: Self) -> Self {
                self.zip(other, |x, y| x & !y)
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self.zip(other, |x, y| x | y)
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self.zip(other, |x, y| x ^ y)
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.zip(other, <$word>::wrapping_add)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.zip(other, <$word>::wrapping_sub)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.zip(other, <$word>::wrapping_mul)
            }
            #[inline(always)]
            fn half(self) -> Self {
                self.zip(self, |x, _| x >> 1)
            }
            #[inline(always)]
            fn count_ones(self) -> Self {
                Plain(self.0.map(|x| x.count_ones() as $word))
            }
            #[inline(always)]
            fn meets(self, other: Self) -> Self {
                self.zip(other, |x, y| if x & y != 0 { !0 } else { 0 })
            }
            #[inline(always)]
            fn misses(self, other: Self) -> Self {
                self.zip(other, |x, y| if x & y == 0 { !0 } else { 0 })
            }
            #[inline(always)]
            fn at_least(self, other: Self) -> Self {
                self.zip(other, |x, y| if x >= y { !0 } else { 0 })
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
                flags.0.iter().rev().fold(0, |bits, &word| bits << 1 | u64::from(word & 1))
            }
        }
    };
}
plain!(u16, 32);
plain!(u32, 16);
plain!(u64, 8);
