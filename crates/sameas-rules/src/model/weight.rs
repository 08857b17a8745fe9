//! Weights in bits, as whole multiples of 2^-32 bit.

use std::iter::Sum;
use std::ops::Add;

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// The logarithm to base 2 of a ratio of probabilities, rounded once to a multiple of 2^-32. Sums are exact, so they do not
/// depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct MatchWeight(pub i64);

/// Steps of one bit.
const STEPS: f64 = (1_u64 << 32) as f64;

/// The most bits of one weight, so that millions of them can be added.
const MOST: f64 = 1024.0;

impl MatchWeight {
    /// Of a number of bits.
    pub fn of_bits(bits: f64) -> Self {
        Self((bits.clamp(-MOST, MOST) * STEPS).round() as i64)
    }

    /// Of the odds of a probability.
    pub fn of_probability(probability: f64) -> Self {
        Self::of_bits((probability / (1.0 - probability)).log2())
    }

    /// Of a ratio of two probabilities.
    pub fn of_ratio(m: f64, u: f64) -> Self {
        Self::of_bits(m.log2() - u.log2())
    }

    /// The standard error, in bits, of the weight of a ratio: of the error of its numerator, as a part of that, and of the
    /// error of the logarithm to base 2 of its denominator.
    pub fn error_of_ratio(part_of_m: f64, bits_of_u: f64) -> f64 {
        (part_of_m / std::f64::consts::LN_2).hypot(bits_of_u)
    }

    /// As bits.
    #[inline]
    pub fn bits(self) -> f64 {
        self.0 as f64 / STEPS
    }

    /// The probability whose odds it is the logarithm of.
    #[inline]
    pub fn probability(self) -> f64 {
        Self::probability_of_bits(self.bits())
    }

    /// The same for a weight, or a sum of weights, as bits.
    #[inline]
    pub fn probability_of_bits(bits: f64) -> f64 {
        if bits >= 0.0 { 1.0 / (1.0 + (-bits).exp2()) } else { bits.exp2() / (1.0 + bits.exp2()) }
    }
}

impl Add for MatchWeight {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sum for MatchWeight {
    fn sum<I: Iterator<Item = Self>>(weights: I) -> Self {
        weights.fold(Self(0), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_become_weights_and_weights_probabilities() {
        assert_eq!(MatchWeight::of_probability(0.5), MatchWeight(0));
        assert_eq!(MatchWeight::of_ratio(0.8, 0.1).bits(), 3.0);
        assert_eq!(MatchWeight::of_bits(f64::INFINITY), MatchWeight::of_bits(1024.0));
        for probability in [1e-12, 0.001, 0.2, 0.9, 1.0 - 1e-9] {
            let back = MatchWeight::of_probability(probability).probability();
            assert!((back - probability).abs() <= 1e-9 * probability, "{probability} {back}");
        }
        assert!(
            MatchWeight::of_bits(-1024.0).probability() >= 0.0 && MatchWeight::of_bits(1024.0).probability() == 1.0
        );
    }
}
