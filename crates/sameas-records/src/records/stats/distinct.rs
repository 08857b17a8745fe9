//! How many different values there are, without keeping them: a sketch of a few kilobytes, whatever their number
//! (HyperLogLog, Flajolet and others, 2007).

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Bits of a hash that choose a register: 4,096 registers, and an error of 1.6 %.
const BITS: u32 = 12;

/// A sketch of different values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct DistinctSketch {
    /// For each register, the longest run of zeros that a hash began with, and one more.
    registers: Vec<u8>,
}

impl Default for DistinctSketch {
    fn default() -> Self {
        Self { registers: vec![0; 1 << BITS] }
    }
}

impl TryFrom<Vec<u8>> for DistinctSketch {
    type Error = &'static str;

    fn try_from(registers: Vec<u8>) -> Result<Self, Self::Error> {
        let is_one = registers.len() == 1 << BITS && registers.iter().all(|register| u32::from(*register) <= 65 - BITS);
        if is_one { Ok(Self { registers }) } else { Err("no sketch of different values") }
    }
}

impl From<DistinctSketch> for Vec<u8> {
    fn from(sketch: DistinctSketch) -> Self {
        sketch.registers
    }
}

/// The hash of a value: the same on every machine, so that sketches of several can be put together.
#[inline]
pub fn value_hash(value: &[u8]) -> u64 {
    xxh3_64(value)
}

impl DistinctSketch {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: &[u8]) {
        self.add_hash(value_hash(value));
    }

    /// Adds a value by its hash.
    #[inline]
    pub fn add_hash(&mut self, hash: u64) {
        let register = (hash >> (64 - BITS)) as usize;
        // A one at the end bounds the run.
        let zeros = ((hash << BITS) | (1 << (BITS - 1))).leading_zeros() as u8;
        self.registers[register] = self.registers[register].max(zeros + 1);
    }

    /// Adds the values of another sketch.
    pub fn merge(&mut self, other: &Self) {
        self.registers.iter_mut().zip(&other.registers).for_each(|(own, others)| *own = (*own).max(*others));
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

    #[test]
    fn sketches_of_parts_are_that_of_all() {
        let sketch = |values: std::ops::Range<u32>| {
            let mut sketch = DistinctSketch::default();
            values.for_each(|value| sketch.add(&value.to_le_bytes()));
            sketch
        };
        let (mut left, right) = (sketch(0..3000), sketch(2000..9000));
        left.merge(&right);
        assert_eq!(left, sketch(0..9000));
        let text = serde_json::to_string(&left).unwrap();
        assert_eq!(serde_json::from_str::<DistinctSketch>(&text).unwrap(), left);
        assert!(serde_json::from_str::<DistinctSketch>("[3]").is_err());
    }
}
