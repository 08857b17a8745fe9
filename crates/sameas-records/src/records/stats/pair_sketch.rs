//! How many pairs of two columns have equal values, without keeping these: a sketch of a few kilobytes (AGMS, Alon and others,
//! 1999, with one counter for each value and row of counters, Cormode and Garofalakis, 2005).
//!
//! Each value has a place and a sign in each row of counters, and adds its rows there with that sign. Values that share a
//! place by chance add to the product of two counters with random signs, which cancel each other on average. So the sum of
//! the products of a row is near the number of pairs, and the middle one of three rows is rarely far from it: by some
//! per cent of the geometric mean of the pairs that each column has with itself.

use serde::{Deserialize, Serialize};

use super::sample::Random;

/// Rows of counters, and counters of each.
const ROWS: usize = 3;
const COUNTERS: usize = 512;

/// A sketch of the values of a column and of how many rows have each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<i64>", into = "Vec<i64>")]
pub struct PairSketch {
    /// One row of them after the other.
    counters: Vec<i64>,
}

impl Default for PairSketch {
    fn default() -> Self {
        Self { counters: vec![0; ROWS * COUNTERS] }
    }
}

impl TryFrom<Vec<i64>> for PairSketch {
    type Error = &'static str;

    fn try_from(counters: Vec<i64>) -> Result<Self, Self::Error> {
        if counters.len() == ROWS * COUNTERS { Ok(Self { counters }) } else { Err("a sketch of another size") }
    }
}

impl From<PairSketch> for Vec<i64> {
    fn from(sketch: PairSketch) -> Self {
        sketch.counters
    }
}

impl PairSketch {
    /// Adds rows with a value, by its hash.
    #[inline]
    pub fn add(&mut self, hash: u64, rows: u32) {
        for (row, counters) in self.counters.chunks_exact_mut(COUNTERS).enumerate() {
            let mixed = Random::after(hash, row as u64).word();
            let rows = i64::from(rows);
            counters[(mixed >> 1) as usize % COUNTERS] += if mixed & 1 == 0 { rows } else { -rows };
        }
    }

    /// Adds the rows of another sketch.
    pub fn merge(&mut self, other: &Self) {
        let counters = self.counters.iter_mut().zip(&other.counters);
        counters.for_each(|(own, others)| *own = own.wrapping_add(*others));
    }

    /// About how many pairs of a row of each have equal values: of a column with itself, each row with itself among them.
    pub fn products(&self, other: &Self) -> f64 {
        let rows = self.counters.chunks_exact(COUNTERS).zip(other.counters.chunks_exact(COUNTERS));
        let product = |(own, others): (&[i64], &[i64])| -> i128 {
            own.iter().zip(others).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum()
        };
        let mut products: Vec<i128> = rows.map(product).collect();
        products.sort_unstable();
        products[ROWS / 2].max(0) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column in which each value has this many rows.
    fn sketch(values: std::ops::Range<u64>, rows: impl Fn(u64) -> u32) -> PairSketch {
        let mut sketch = PairSketch::default();
        values.for_each(|value| sketch.add(Random::after(7, value).word(), rows(value)));
        sketch
    }

    fn is_near(estimate: f64, truth: f64, noise: f64) {
        assert!((estimate - truth).abs() <= noise, "{estimate} instead of {truth}");
    }

    #[test]
    fn products_are_near_the_truth() {
        let even = sketch(0..1000, |_| 50);
        is_near(even.products(&even), 1000.0 * 2500.0, 0.3 * 1000.0 * 2500.0);
        let rows = |value: u64| (20_000 / (value + 1)) as u32;
        let skewed = sketch(0..1000, rows);
        let truth: f64 = (0..1000).map(|value| f64::from(rows(value)).powi(2)).sum();
        is_near(skewed.products(&skewed), truth, 0.3 * truth);
        let some = sketch(500..1500, |_| 10);
        is_near(even.products(&some), 500.0 * 500.0, 0.3 * (2_500_000.0_f64 * 100_000.0).sqrt());
        assert_eq!(even.products(&PairSketch::default()), 0.0);
    }

    #[test]
    fn a_sketch_is_the_same_everywhere_and_of_one_size() {
        let mut sketch = PairSketch::default();
        sketch.add(17, 3);
        let places: Vec<usize> = (0..ROWS * COUNTERS).filter(|at| sketch.counters[*at] != 0).collect();
        assert_eq!(places.len(), ROWS);
        let text = serde_json::to_string(&sketch).unwrap();
        assert_eq!(serde_json::from_str::<PairSketch>(&text).unwrap(), sketch);
        assert!(serde_json::from_str::<PairSketch>("[1, 2]").is_err());
    }
}
