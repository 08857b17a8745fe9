//! Seeded Zipf-distributed keys: inversion of the cumulative distribution, with a guide table to where to look.

use rayon::prelude::*;

/// Ranks `1..=universe` with probability proportional to `rank^-exponent`, spread over the keys `0..universe`.
pub struct Zipf {
    /// Probability of this rank or a smaller one.
    cumulative: Vec<f64>,
    /// For each of equally many slices of 0..1, the first rank that reaches it.
    guide: Vec<u32>,
}

impl Zipf {
    pub fn new(universe: usize, exponent: f64) -> Self {
        let mut cumulative: Vec<f64> =
            (1..=universe).into_par_iter().map(|rank| (rank as f64).powf(-exponent)).collect();
        let mut sum = 0.0;
        for weight in &mut cumulative {
            sum += *weight;
            *weight = sum;
        }
        cumulative.par_iter_mut().for_each(|entry| *entry /= sum);
        let mut rank = 0;
        let reach = |slice: usize| {
            while cumulative[rank] < slice as f64 / universe as f64 {
                rank += 1;
            }
            rank as u32
        };
        let guide = (0..universe).map(reach).chain([universe as u32 - 1]).collect();
        Self { cumulative, guide }
    }

    /// `n` keys. An affine map spreads the ranks over the keys, so that frequent keys are not neighbours.
    pub fn keys(&self, n: usize, seed: u64) -> Vec<u32> {
        let universe = self.cumulative.len();
        let factor = (universe * 5 / 8..).find(|factor| gcd(*factor, universe) == 1).unwrap_or(1);
        let key = |at: usize| ((self.rank(random(seed << 40 | at as u64)) * factor + universe / 3) % universe) as u32;
        (0..n).into_par_iter().map(key).collect()
    }

    /// The rank, from 0, for 53 random bits.
    fn rank(&self, random: u64) -> usize {
        let x = (random >> 11) as f64 / (1u64 << 53) as f64;
        let slice = (x * self.cumulative.len() as f64) as usize;
        let (from, to) = (self.guide[slice] as usize, self.guide[slice + 1] as usize);
        from + self.cumulative[from..to].partition_point(|entry| *entry <= x)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// SplitMix64's output for a counter.
pub fn random(counter: u64) -> u64 {
    let x = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_follow_the_exponent() {
        let (universe, n) = (1000, 200_000);
        for exponent in [0.0, 0.5, 1.0] {
            let keys = Zipf::new(universe, exponent).keys(n, 1);
            let mut counts = vec![0usize; universe];
            keys.iter().for_each(|key| counts[*key as usize] += 1);
            counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
            let weights = (1..=universe).map(|rank| (rank as f64).powf(-exponent)).sum::<f64>();
            // The ten most frequent keys together; sorting counts favours them a little where all are the same.
            let expected = (1..=10).map(|rank| f64::from(rank).powf(-exponent)).sum::<f64>() / weights;
            let share = counts[..10].iter().sum::<usize>() as f64 / n as f64;
            assert!((0.9..1.4).contains(&(share / expected)), "exponent {exponent}: {share} for {expected}");
        }
    }

    #[test]
    fn a_seed_makes_the_same_keys_again() {
        let zipf = Zipf::new(77, 0.8);
        assert_eq!(zipf.keys(500, 3), zipf.keys(500, 3));
        assert_ne!(zipf.keys(500, 3), zipf.keys(500, 4));
        assert_eq!(Zipf::new(1, 1.0).keys(5, 1), [0; 5]);
    }
}
