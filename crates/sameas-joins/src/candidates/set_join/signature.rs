//! Bit signatures of sets and the bound on the overlap that two of them give.
//!
//! Token `id` sets bit `id mod bits`. Ids go by frequency, so the most frequent tokens, those that unrelated sets
//! share, have a bit of their own each.
//!
//! No loss (the bitmap filter of Sandes, Teodoro and Melo 2017 bounds by the population count of the exclusive or; this
//! is its sharper form). For sets `x` and `y` with `e(s) = |s| - (bits of s)`, the tokens that found their bit taken:
//! 1. A common token sets a bit in both signatures. A bit that is set by `m` common tokens is therefore one of
//!    `popcount(x and y)`, and `m - 1` of these tokens count in `e(x)` and in `e(y)`.
//! 2. Summed over bits: `|x and y| <= popcount(x and y) + min(e(x), e(y))`.
//! 3. Where all ids are smaller than the number of bits, `e` is 0 and the bound is the overlap itself.

use rayon::prelude::*;

use crate::records::encode::Sets;

/// Words of 32 bits a signature may have.
pub const WIDTHS: [usize; 5] = [2, 4, 8, 16, 32];

const WIDEST: usize = 32;

/// Sets per task.
const CHUNK: usize = 1 << 12;

/// Signatures of sets, by rank.
#[derive(Debug, Default)]
pub struct SetSignatures {
    words: usize,
    bits: Vec<u32>,
    excess: Vec<u32>,
}

impl SetSignatures {
    /// Signatures of `words` words for the sets of `codes`, in their order.
    pub fn new(sets: Sets<'_>, codes: &[u32], words: usize) -> Self {
        let mut made = Self { words, bits: vec![0; codes.len() * words], excess: vec![0; codes.len()] };
        let places = made.bits.par_chunks_mut(CHUNK * words).zip(made.excess.par_chunks_mut(CHUNK));
        places.zip(codes.par_chunks(CHUNK)).for_each(|((bits, excess), codes)| {
            for ((bits, excess), code) in bits.chunks_mut(words).zip(excess).zip(codes) {
                *excess = sign(sets.set(*code), bits);
            }
        });
        made
    }

    /// Words of a signature.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The signature of a rank.
    #[inline]
    pub fn bits(&self, rank: u32) -> &[u32] {
        &self.bits[rank as usize * self.words..][..self.words]
    }

    /// The tokens of a rank that share a bit with one before.
    #[inline]
    pub fn excess(&self, rank: u32) -> u32 {
        self.excess[rank as usize]
    }
}

/// Sets the bits of a set in a signature that was empty; the number of tokens that found their bit taken.
fn sign(set: &[u32], bits: &mut [u32]) -> u32 {
    let mask = bits.len() * 32 - 1;
    for &id in set {
        let at = id as usize & mask;
        bits[at / 32] |= 1 << (at % 32);
    }
    set.len() as u32 - bits.iter().map(|word| word.count_ones()).sum::<u32>()
}

/// The bound on the overlap of two sets.
#[inline]
pub fn overlap_bound(a: (&[u32], u32), b: (&[u32], u32)) -> u32 {
    let both: u32 = a.0.iter().zip(b.0).map(|(x, y)| (x & y).count_ones()).sum();
    both + a.1.min(b.1)
}

/// Comparing one more word, in units of a step of a merge of two sets: sixteen pairs are compared at once.
const WORD_STEPS: f64 = 0.03;

/// A verification's own cost, in steps.
const VERIFY_STEPS: f64 = 20.0;

/// The width that costs least on a sample of pairs, each with the overlap it needs.
///
/// The signature of half the width is the wide one folded, because bits are counted modulo a power of two.
pub fn best_width<'a>(sample: impl Iterator<Item = (&'a [u32], &'a [u32], u32)>) -> usize {
    let (mut costs, mut pairs) = ([0.0; WIDTHS.len()], 0_usize);
    for (a, b, need) in sample {
        pairs += 1;
        let (mut wide_a, mut wide_b) = ([0; WIDEST], [0; WIDEST]);
        sign(a, &mut wide_a);
        sign(b, &mut wide_b);
        for (cost, words) in costs.iter_mut().zip(WIDTHS).rev() {
            let (bits_a, bits_b) = (&wide_a[..words], &wide_b[..words]);
            let excess =
                |set: &[u32], bits: &[u32]| set.len() as u32 - bits.iter().map(|w| w.count_ones()).sum::<u32>();
            let bound = overlap_bound((bits_a, excess(a, bits_a)), (bits_b, excess(b, bits_b)));
            *cost += if bound >= need { VERIFY_STEPS + (a.len() + b.len()) as f64 / 2.0 } else { 0.0 };
            fold(&mut wide_a, words / 2);
            fold(&mut wide_b, words / 2);
        }
    }
    let total = |at: &usize| costs[*at] + WORD_STEPS * (WIDTHS[*at] * pairs) as f64;
    let best = (0..WIDTHS.len()).min_by(|a, b| total(a).total_cmp(&total(b)));
    WIDTHS[best.unwrap_or_default()]
}

fn fold(bits: &mut [u32; WIDEST], words: usize) {
    for at in 0..words {
        bits[at] |= bits[at + words];
    }
}
