//! How many pairs above a threshold match, as the model itself expects: the sum of their match probabilities.
//!
//! A probability is rounded once to a whole multiple of 2^-53 and added as an integer, so that a sum is the same in whatever
//! order pairs come, and in however many parts.
//!
//! *The precision that a model expects* of the pairs from a threshold on is the mean of their probabilities. A pair below the
//! threshold has a smaller probability than all of them, so a lower threshold never has a higher precision: the lowest threshold
//! with a precision is one number, and every threshold above it has that precision, too.

use crate::model::MatchWeight;

/// What a probability of 1 is as an integer.
const ONE: f64 = (1_u64 << 53) as f64;

/// The width of the steps in which a threshold is found, in bits: 64 of them are a bit.
const STEP: f64 = 1.0 / 64.0;

/// The weight up to which there are steps. A pair with this one has a probability that rounds to 1.
const HIGHEST: u32 = 60;

/// Pairs by match weight, between cuts that are known before, with their probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairExpectation {
    /// Ascending match weights, as multiples of 2^-32 bit.
    cuts: Vec<MatchWeight>,
    /// What lies below the first cut, and then from each cut to the next.
    between: Vec<PairsAbove>,
}

/// Pairs from a match weight on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairsAbove {
    /// The match weight.
    pub weight: MatchWeight,
    /// The pairs.
    pub pairs: u64,
    /// The sum of their probabilities, as a multiple of 2^-53.
    sum: u128,
}

impl PairsAbove {
    /// How many of them match, as the model expects.
    pub fn matches(&self) -> f64 {
        self.sum as f64 / ONE
    }

    /// Whether the mean of their probabilities is at least `precision`, which is at least a half: then it is a multiple of
    /// 2^-53 itself, and the comparison exact.
    fn has(&self, precision: f64) -> bool {
        self.sum >= u128::from((precision * ONE) as u64) * u128::from(self.pairs)
    }
}

impl PairExpectation {
    /// No pairs yet, between these match weights.
    pub fn between(mut cuts: Vec<MatchWeight>) -> Self {
        cuts.sort_unstable();
        cuts.dedup();
        let between = vec![PairsAbove::default(); cuts.len() + 1];
        Self { cuts, between }
    }

    /// No pairs yet, between all steps from a match weight of 0 on.
    pub fn in_steps() -> Self {
        let steps = (f64::from(HIGHEST) / STEP) as u32;
        Self::between((0..=steps).map(|step| MatchWeight::of_bits(f64::from(step) * STEP)).collect())
    }

    /// Adds a pair with a match weight in bits.
    pub fn add(&mut self, bits: f64) {
        let at = self.cuts.partition_point(|cut| cut.bits() <= bits);
        let between = &mut self.between[at];
        between.pairs += 1;
        between.sum += u128::from((MatchWeight::probability_of_bits(bits) * ONE).round() as u64);
    }

    /// Adds the pairs of another one with the same cuts.
    pub fn add_all(&mut self, other: &Self) {
        debug_assert_eq!(self.cuts, other.cuts, "cuts are known before");
        for (own, more) in self.between.iter_mut().zip(&other.between) {
            own.pairs += more.pairs;
            own.sum += more.sum;
        }
    }

    /// The pairs from each cut on, ascending.
    pub fn above(&self) -> Vec<PairsAbove> {
        let mut all = PairsAbove::default();
        let mut above: Vec<PairsAbove> = Vec::with_capacity(self.cuts.len());
        for (weight, more) in self.cuts.iter().zip(&self.between[1..]).rev() {
            all = PairsAbove { weight: *weight, pairs: all.pairs + more.pairs, sum: all.sum + more.sum };
            above.push(all);
        }
        above.reverse();
        above
    }

    /// The lowest cut such that the model expects this precision of the pairs from it on, or of none.
    pub fn lowest_with(&self, precision: f64) -> Option<MatchWeight> {
        self.above().iter().rev().take_while(|above| above.has(precision)).last().map(|above| above.weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::stats::Random;

    fn weights(random: &mut Random, pairs: u32) -> Vec<f64> {
        // Many pairs share a weight, as those with one pattern do.
        (0..pairs).map(|_| f64::from(random.below(4000)) / 64.0 - 2.0 + f64::from(random.below(3)) * 1e-3).collect()
    }

    fn expectation(weights: &[f64]) -> PairExpectation {
        let mut all = PairExpectation::in_steps();
        weights.iter().for_each(|bits| all.add(*bits));
        all
    }

    #[test]
    fn the_threshold_is_the_lowest_step_with_the_precision() {
        let mut between = 0;
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let count = random.below(200);
            let mut of = weights(&mut random, count);
            // Most pairs are doubtful, so that the precision is not that of all.
            of.iter_mut().filter(|_| random.below(3) > 0).for_each(|bits| *bits /= 20.0);
            let precision = [0.5, 0.6, 0.9, 0.99, 0.999][random.below(5) as usize];
            let found = expectation(&of).lowest_with(precision).unwrap();
            let mean = |threshold: f64| {
                let above: Vec<f64> = of.iter().filter(|bits| **bits >= threshold).copied().collect();
                let sum: f64 = above.iter().map(|bits| MatchWeight::probability_of_bits(*bits)).sum();
                if above.is_empty() { 1.0 } else { sum / above.len() as f64 }
            };
            let steps = || (0..=HIGHEST * 64).map(|step| f64::from(step) * STEP);
            let plain = steps().find(|step| mean(*step) >= precision - 1e-12).unwrap();
            assert!((found.bits() - plain).abs() < 1e-9, "seed {seed}: {} {plain}", found.bits());
            assert!(steps().filter(|step| *step >= found.bits()).all(|step| mean(step) >= precision - 1e-12));
            between += usize::from(found.bits() > 0.0 && found < MatchWeight::of_probability(precision));
        }
        assert!(between > 30, "{between}");
    }

    #[test]
    fn parts_in_any_order_are_the_whole() {
        let of = weights(&mut Random::new(7), 1000);
        let whole = expectation(&of);
        let mut parts = expectation(&of[600..]);
        let reversed: Vec<f64> = of[..600].iter().rev().copied().collect();
        parts.add_all(&expectation(&reversed));
        assert_eq!(parts, whole);
        let above = whole.above();
        assert_eq!(above[0].pairs, of.iter().filter(|bits| **bits >= 0.0).count() as u64);
        assert!(above.windows(2).all(|two| two[0].pairs >= two[1].pairs && two[0].weight < two[1].weight));
    }

    #[test]
    fn a_pair_as_likely_as_the_precision_is_kept() {
        // Exactly a half, and exactly three quarters of one pair with each.
        assert_eq!(expectation(&[0.0]).lowest_with(0.5), Some(MatchWeight(0)));
        let two = [0.0, 60.0];
        assert_eq!(expectation(&two).lowest_with(0.75), Some(MatchWeight(0)));
        assert_eq!(expectation(&two).lowest_with(0.7500001), Some(MatchWeight::of_bits(STEP)));
        assert_eq!(expectation(&[]).lowest_with(0.99), Some(MatchWeight(0)));
        let above = expectation(&two).above()[0];
        assert_eq!((above.pairs, above.matches()), (2, 1.5));
    }
}
