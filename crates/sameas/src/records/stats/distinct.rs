//! How many different values there are, without keeping them: a sketch of a few kilobytes, whatever their number
//! (HyperLogLog, Flajolet and others, 2007).

use std::hash::BuildHasher;

use foldhash::quality::FixedState;

/// Bits of a hash that choose a register: 4,096 registers, and an error of 1.6 %.
const BITS: u32 = 12;

/// A sketch of different values.
#[derive(Clone, Debug)]
pub struct DistinctSketch {
    /// For each register, the longest run of zeros that a hash began with, and one more.
    registers: Vec<u8>,
    hasher: FixedState,
}

impl Default for DistinctSketch {
    fn default() -> Self {
        Self { registers: vec![0; 1 << BITS], hasher: FixedState::default() }
    }
}

impl DistinctSketch {
    /// Adds a value.
    pub fn add(&mut self, value: &[u8]) {
        let hash = self.hasher.hash_one(value);
        let register = (hash >> (64 - BITS)) as usize;
        // A one at the end bounds the run.
        let zeros = ((hash << BITS) | (1 << (BITS - 1))).leading_zeros() as u8;
        self.registers[register] = self.registers[register].max(zeros + 1);
    }

    /// About how many different values were added.
    pub fn estimate(&self) -> f64 {
        let registers = self.registers.len() as f64;
        let sum: f64 = self.registers.iter().map(|register| (-f64::from(*register)).exp2()).sum();
        let raw = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / sum;
        let empty = self.registers.iter().filter(|register| **register == 0).count() as f64;
        // Of few values, the registers that none has met say more.
        if raw <= 2.5 * registers && empty > 0.0 { registers * (registers / empty).ln() } else { raw }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_near_the_truth() {
        for values in [0_u32, 1, 100, 5_000, 12_000, 300_000] {
            let mut sketch = DistinctSketch::default();
            (0..values).chain(0..values / 2).for_each(|value| sketch.add(format!("value {value}").as_bytes()));
            let (estimate, values) = (sketch.estimate(), f64::from(values));
            assert!((estimate - values).abs() <= 0.06 * values, "{estimate} of {values}");
        }
    }
}
