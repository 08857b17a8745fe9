//! Weighted averages of similarities, as sums of integers.
//!
//! Each part is rounded once, to a multiple of 2^-32, so that a sum does not depend on its order. A sum of n parts may be n / 2
//! steps from the exact average; the threshold is lower by as much, so that no pair is lost by rounding, and an average is
//! shown with eight decimals, which hides it.

/// Steps from 0 to 1.
const STEPS: f64 = (1_u64 << 32) as f64;

/// Decimals of an average that is shown.
const SHOWN: f64 = 1e8;

/// What makes weighted averages.
#[derive(Clone, Debug)]
pub struct WeightedSum {
    /// The share of each weight of all, times the steps.
    shares: Vec<f64>,
    threshold: i64,
}

impl WeightedSum {
    /// With weights whose sum is more than 0 and finite, and the least average of what is kept.
    pub fn new(weights: &[f64], threshold: f64) -> Self {
        let sum: f64 = weights.iter().sum();
        let shares = weights.iter().map(|weight| weight / sum * STEPS).collect();
        let threshold = (threshold * STEPS - weights.len() as f64 / 2.0 - 0.5).ceil() as i64;
        Self { shares, threshold }
    }

    /// What a similarity from 0 to 1 adds; a smaller one never adds more.
    pub fn part(&self, at: usize, similarity: f64) -> i64 {
        (self.shares[at] * similarity).round() as i64
    }

    /// The least sum of what is kept.
    pub fn threshold(&self) -> i64 {
        self.threshold
    }

    /// The average of a sum, as it is shown.
    pub fn average(sum: i64) -> f64 {
        (sum as f64 / STEPS * SHOWN).round() / SHOWN
    }
}

/// A part that a join may give: what it adds at most where its condition holds, and where it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinablePart {
    /// Where the condition holds.
    pub most: i64,
    /// Where it does not.
    pub otherwise: i64,
    /// Whether a join finds the pairs for which it holds.
    pub is_joinable: bool,
}

/// Sets of parts of which every sum that reaches a threshold has one: the conditions of all parts of one of them hold.
///
/// Let the conditions of the parts C hold for a pair. Its sum is at most that of `most` over C and of `otherwise` over the
/// others. Parts that are not joinable are granted: they count with `most` whether they hold or not. So C without them is one
/// of the sets that reach the threshold, and contains a smallest one. These are listed; where they are more than `limit`, the
/// part that adds least is granted, too, which makes the sets smaller and fewer: in the end one part each.
///
/// # Errors
/// Where what is granted reaches the threshold by itself: then only all pairs are complete. Gives that sum.
pub fn reaching_sets(parts: &[JoinablePart], threshold: i64, limit: usize) -> Result<Vec<Vec<usize>>, i64> {
    let gain = |at: usize| parts[at].most - parts[at].otherwise;
    let mut joinable: Vec<usize> = (0..parts.len()).filter(|at| parts[*at].is_joinable && gain(*at) > 0).collect();
    joinable.sort_by_key(|at| (std::cmp::Reverse(gain(*at)), *at));
    let of_part = |part: &JoinablePart| if part.is_joinable { part.otherwise.min(part.most) } else { part.most };
    let mut granted: i64 = parts.iter().map(of_part).sum();
    if granted >= threshold {
        return Err(granted);
    }
    loop {
        let gains: Vec<i64> = joinable.iter().map(|at| gain(*at)).collect();
        let mut search = SmallestSets { gains: &gains, limit, chosen: Vec::new(), found: Vec::new() };
        if search.add(0, threshold - granted) {
            let named = |set: &Vec<usize>| set.iter().map(|at| joinable[*at]).collect();
            return Ok(search.found.iter().map(named).collect());
        }
        match joinable.last() {
            // Granting this part would be too much: each of the others reaches the threshold by itself.
            Some(least) if granted + gain(*least) < threshold => granted += gain(*least),
            _ => return Ok(joinable.iter().map(|at| vec![*at]).collect()),
        }
        joinable.pop();
    }
}

/// The smallest sets of numbers, which are in descending order, with a sum of at least what is needed.
struct SmallestSets<'a> {
    gains: &'a [i64],
    limit: usize,
    chosen: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl SmallestSets<'_> {
    /// Adds the sets with what is chosen and some of the numbers from `next` on; false where there are too many. The last
    /// number of a set is its least, and without it the sum is too small: so no set can do without any of its numbers.
    fn add(&mut self, next: usize, needed: i64) -> bool {
        if needed <= 0 {
            self.found.push(self.chosen.clone());
            return self.found.len() <= self.limit;
        }
        for at in next..self.gains.len() {
            if self.gains[at..].iter().sum::<i64>() < needed {
                break;
            }
            self.chosen.push(at);
            let is_within = self.add(at + 1, needed - self.gains[at]);
            self.chosen.pop();
            if !is_within {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::stats::Random;

    #[test]
    fn equal_records_have_an_average_of_one_and_borders_belong_to_what_is_kept() {
        for weights in [vec![1.0; 3], vec![20.0, 30.0, 25.0, 25.0], vec![0.1, 0.7, 0.3], vec![1.0; 41]] {
            for threshold in [0.1, 0.6, 2.0 / 3.0, 0.9, 1.0] {
                let sum = WeightedSum::new(&weights, threshold);
                let all: i64 = (0..weights.len()).map(|at| sum.part(at, threshold)).sum();
                assert!(all >= sum.threshold(), "{weights:?} {threshold}");
                assert!((WeightedSum::average(all) - threshold).abs() <= 5e-9 + 1e-12, "{weights:?} {threshold}");
                let below: i64 = (0..weights.len()).map(|at| sum.part(at, threshold - 1e-7)).sum();
                assert!(below < sum.threshold(), "{weights:?} {threshold}");
            }
        }
        assert_eq!(WeightedSum::average(WeightedSum::new(&[1.0; 3], 1.0).part(0, 1.0) * 3), 1.0);
    }

    #[test]
    fn three_of_the_four_attributes_of_a_cd_are_needed() {
        let sum = WeightedSum::new(&[20.0, 30.0, 25.0, 25.0], 0.66);
        let part = |at: usize| JoinablePart { most: sum.part(at, 1.0), otherwise: 0, is_joinable: true };
        let sets = reaching_sets(&[0, 1, 2, 3].map(part), sum.threshold(), 64).unwrap();
        let mut sets: Vec<Vec<usize>> = sets
            .into_iter()
            .map(|mut set| {
                set.sort_unstable();
                set
            })
            .collect();
        sets.sort();
        assert_eq!(sets, [vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 3], vec![1, 2, 3]]);
    }

    #[test]
    fn every_sum_that_reaches_the_threshold_has_one_of_the_sets() {
        let (mut complete, mut refused) = (0, 0);
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let part = |random: &mut Random| {
                let most = random.below(100);
                let otherwise = if random.below(3) == 0 { random.below(most + 1) } else { 0 };
                JoinablePart { most: most.into(), otherwise: otherwise.into(), is_joinable: random.below(6) > 0 }
            };
            let parts: Vec<JoinablePart> = (0..1 + random.below(9)).map(|_| part(&mut random)).collect();
            let (threshold, limit) = (1 + i64::from(random.below(300)), 9 + random.below(10) as usize);
            let all: i64 = parts.iter().map(|part| part.most).sum();
            match reaching_sets(&parts, threshold, limit) {
                Err(granted) => {
                    refused += 1;
                    assert!(granted >= threshold);
                }
                Ok(sets) => {
                    complete += 1;
                    assert!(sets.len() <= limit.max(parts.len()), "seed {seed}");
                    assert!(all >= threshold || sets.is_empty(), "seed {seed}");
                    for holds in 0..1_u32 << parts.len() {
                        let most = |(at, part): (usize, &JoinablePart)| {
                            if holds >> at & 1 == 1 { part.most } else { part.otherwise }
                        };
                        let sum: i64 = parts.iter().enumerate().map(most).sum();
                        let is_found = sets.iter().any(|set| set.iter().all(|at| holds >> at & 1 == 1));
                        assert!(is_found || sum < threshold, "seed {seed}: {parts:?} {threshold} {sets:?} {holds:b}");
                    }
                }
            }
        }
        assert!(complete > 500 && refused > 100, "{complete} {refused}");
    }
}
