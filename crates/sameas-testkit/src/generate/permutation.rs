//! A seeded permutation of `0..len` that needs no memory: a Feistel network with cycle walking.

use crate::rng::mix;

/// A bijection of the numbers below `len`.
#[derive(Clone, Debug)]
pub struct Permutation {
    len: u64,
    /// Half the width of the network's domain, the smallest even number of bits that holds `len`.
    half: u32,
    keys: [u64; 4],
}

impl Permutation {
    /// The permutation of `seed`.
    pub fn new(len: u64, seed: u64) -> Self {
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        let keys = [1, 2, 3, 4].map(|round| mix(seed ^ mix(round)));
        Permutation { len, half: bits.div_ceil(2).max(1), keys }
    }

    /// Where `value`, which is below `len`, goes.
    pub fn apply(&self, value: u64) -> u64 {
        // The network permutes a domain up to four times as large; walking on until the value falls below `len`
        // again permutes `0..len`, because the cycle of a permutation comes back to where it started.
        let mut value = self.network(value);
        while value >= self.len {
            value = self.network(value);
        }
        value
    }

    fn network(&self, value: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (mut high, mut low) = (value >> self.half, value & mask);
        for key in self.keys {
            (high, low) = (low, high ^ (mix(low ^ key) & mask));
        }
        high << self.half | low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for len in [1, 2, 3, 4, 5, 16, 17, 1000] {
            let permutation = Permutation::new(len, 9);
            let mut image: Vec<u64> = (0..len).map(|value| permutation.apply(value)).collect();
            image.sort_unstable();
            assert_eq!(image, (0..len).collect::<Vec<_>>());
        }
    }
}
