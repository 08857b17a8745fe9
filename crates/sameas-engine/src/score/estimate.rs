//! Shares of levels among all pairs, and what is left of them without the pairs that match.
//!
//! A share that was counted over all pairs is what it is, for these records: it has no error. One of a sample has that of its
//! counts, to each of which a pair is added (the rule of succession), so that a level that the sample has not seen is not taken
//! for rarer than it can tell. What is left of a share without the pairs that match rests on the prior and on m, and is never
//! taken for smaller than the error that these leave in it: where nearly all pairs with a level match, the difference of two
//! nearly equal numbers would make any weight.

use crate::model::LearnedFrom;

/// The share of an outcome of a comparison among all pairs without missing values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelShare {
    /// The share.
    pub share: f64,
    /// Its standard error, where it is from a sample.
    pub error: Option<f64>,
    /// The pairs with the outcome that were counted.
    pub pairs: f64,
    /// The share that half a pair has: less is as good as nothing.
    pub least: f64,
    /// Whether it is of all pairs or of a sample.
    pub from: LearnedFrom,
}

impl LevelShare {
    /// Of outcomes that were counted over all of some pairs. What no pair has counts as half a pair.
    pub fn counted(counts: &[u128], pairs: u128) -> Vec<Self> {
        let least = 0.5 / (pairs as f64).max(1.0);
        let share = |count: f64| count.max(0.5) / (pairs as f64).max(1.0);
        let of = |count: &u128| {
            let pairs = *count as f64;
            Self { share: share(pairs), error: None, pairs, least, from: LearnedFrom::Counted }
        };
        counts.iter().map(of).collect()
    }

    /// Of outcomes that were counted over all of `pairs`, some of which are null: the sample, in which null is the last,
    /// says how many.
    pub fn counted_beside_null(counts: &[u128], pairs: u64, sample: &[u128]) -> Vec<Self> {
        let drawn = sample.iter().sum::<u128>() as f64;
        let present = (drawn - sample.last().map_or(0.0, |null| *null as f64)).max(0.5);
        let share = present / drawn.max(1.0);
        // What was counted is there, whatever the sample says.
        let pairs = (pairs as f64 * share).max(counts.iter().sum::<u128>() as f64 + 0.5).max(1.0);
        let error = ((1.0 - share).max(0.0) / present).sqrt();
        let of = |count: &u128| {
            let share = (*count as f64).max(0.5) / pairs;
            let (error, least) = (Some(share * error), 0.5 / pairs);
            Self { share, error, pairs: *count as f64, least, from: LearnedFrom::Counted }
        };
        counts.iter().map(of).collect()
    }

    /// Of all outcomes in a sample.
    pub fn sampled(counts: &[u128]) -> Vec<Self> {
        let all = counts.iter().sum::<u128>() as f64 + counts.len() as f64;
        let of = |count: &u128| {
            let share = (*count as f64 + 1.0) / all;
            let error = (share * (1.0 - share).max(0.0) / all).sqrt();
            Self { share, error: Some(error), pairs: *count as f64, least: 0.5 / all, from: LearnedFrom::Sampled }
        };
        counts.iter().map(of).collect()
    }

    /// Of all outcomes, the first of which were counted: the others divide what is left as in the sample.
    pub fn combined(counted: &[Self], sampled: &[Self]) -> Vec<Self> {
        let (first, others) = sampled.split_at(counted.len());
        let rest = |shares: &[Self]| 1.0 - shares.iter().map(|of| of.share).sum::<f64>();
        let scale = rest(counted).max(f64::EPSILON) / rest(first).max(f64::MIN_POSITIVE);
        let scaled = others.iter().map(|of| Self {
            share: of.share * scale,
            error: of.error.map(|error| error * scale),
            least: of.least * scale,
            ..*of
        });
        counted.iter().copied().chain(scaled).collect()
    }

    /// The share among the pairs that do not match: `all = prior * m + (1 - prior) * u`.
    pub fn without_matches(&self, m: WithError, prior: WithError) -> WithoutMatches {
        let part = prior.value * m.value;
        let left = (self.share - part) / (1.0 - prior.value);
        // A prior that is off takes too much of `m` and divides by too little: both at once.
        let taken = (prior.value * m.error).hypot((m.value - left) * prior.error);
        let error = self.error.unwrap_or(0.0).hypot(taken) / (1.0 - prior.value);
        let value = left.max(error).max(self.least).min(1.0);
        let least = (left - TWO_SIDED * error).max(self.least).min(value);
        WithoutMatches { value, error, least }
    }
}

/// Standard errors to either side that hold 95 % of what a normal distribution gives.
const TWO_SIDED: f64 = 1.96;

/// A number, and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WithError {
    pub value: f64,
    pub error: f64,
}

impl WithError {
    /// The error as a part of the number.
    pub fn relative(self) -> f64 {
        self.error / self.value.max(f64::MIN_POSITIVE)
    }
}

/// A u, freed of matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WithoutMatches {
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// What it is at least, in 95 of 100 cases.
    pub least: f64,
}

impl WithoutMatches {
    /// The standard error of its logarithm to base 2: where the error is not small beside the value, what reaches down to the
    /// least value.
    pub fn bits(&self) -> f64 {
        let near = self.error / self.value / std::f64::consts::LN_2;
        if self.value >= 3.0 * self.error { near } else { near.max((self.value / self.least).log2() / TWO_SIDED) }
    }
}

/// The median of values with weights, which need not be in order. On a line as long as all weights together each value has its
/// place in the middle of its weight; between two of them the line is straight. With equal weights this is the usual median,
/// and of two values it is their weighted mean.
pub fn weighted_median(values: &mut [(f64, f64)]) -> Option<f64> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = values.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let (mut before, mut last): (f64, Option<(f64, f64)>) = (0.0, None);
    for (value, weight) in values.iter() {
        let place = before + weight / 2.0;
        match last {
            Some((from, lower)) if place >= middle && place > from => {
                return Some(lower + (value - lower) * ((middle - from) / (place - from)));
            }
            _ if place >= middle => return Some(*value),
            _ => (before, last) = (before + weight, Some((place, *value))),
        }
    }
    last.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_sample_are_scaled_to_what_was_not_counted() {
        let sampled = LevelShare::sampled(&[1, 30, 69]);
        assert_eq!((sampled[0].share, sampled[1].share), (2.0 / 103.0, 31.0 / 103.0));
        let all = LevelShare::combined(&LevelShare::counted(&[208], 10_000), &sampled);
        assert_eq!((all[0].share, all[0].from, all[1].from), (0.0208, LearnedFrom::Counted, LearnedFrom::Sampled));
        let sum: f64 = all.iter().map(|of| of.share).sum();
        assert!((sum - 1.0).abs() < 1e-12 && all[1].share < 0.31, "{all:?}");
        assert_eq!(LevelShare::counted(&[0, 4], 4)[0].share, 0.125);
    }

    #[test]
    fn a_sample_says_how_many_pairs_are_not_null() {
        // Three of four pairs have values: 30 of 3,000 are on the level.
        let all = LevelShare::counted_beside_null(&[30], 4_000, &[2, 298, 100]);
        assert_eq!((all[0].share, all[0].from), (0.01, LearnedFrom::Counted));
        let error = all[0].error.unwrap();
        assert!((error - 0.01 * (0.25_f64 / 300.0).sqrt()).abs() < 1e-12, "{error}");
        // A sample that has seen no value cannot hide what was counted.
        let rare = LevelShare::counted_beside_null(&[7], 4_000, &[0, 0, 400]);
        let whole = LevelShare::combined(&rare, &LevelShare::sampled(&[0, 0]));
        assert!(rare[0].share < 1.0 && whole.iter().all(|of| of.share > 0.0), "{whole:?}");
    }

    #[test]
    fn a_median_leans_to_what_weighs_more() {
        let median = |values: &[(f64, f64)]| weighted_median(&mut values.to_vec());
        assert_eq!((median(&[]), median(&[(0.3, 0.0)]), median(&[(0.3, 5.0)])), (None, Some(0.3), Some(0.3)));
        assert_eq!(median(&[(0.75, 1.0), (0.25, 1.0)]), Some(0.5));
        assert_eq!(median(&[(0.9, 2.0), (0.1, 2.0), (0.5, 2.0)]), Some(0.5));
        // A pass of 15 pairs beside one of 345 counts for a twenty-fourth.
        let two = median(&[(0.2, 15.0), (0.92, 345.0)]).unwrap();
        assert!((two - (0.2 * 15.0 + 0.92 * 345.0) / 360.0).abs() < 1e-12, "{two}");
        // One of three that is far off hardly matters, whatever it says.
        let three = [0.0, 0.8].map(|wrong| median(&[(wrong, 10.0), (0.9, 400.0), (0.91, 380.0)]).unwrap());
        assert!(three.iter().all(|m| (0.89..0.91).contains(m)), "{three:?}");
    }

    #[test]
    fn what_a_sample_has_not_seen_is_as_rare_as_it_can_tell() {
        let sampled = LevelShare::sampled(&[0, 1_000_000]);
        assert!((sampled[0].share - 1e-6).abs() < 1e-8, "{sampled:?}");
        // The error is as large as the share: it may be nothing.
        assert!((sampled[0].error.unwrap() / sampled[0].share - 1.0).abs() < 1e-3, "{sampled:?}");
    }

    const EXACTLY: fn(f64) -> WithError = |value| WithError { value, error: 0.0 };

    #[test]
    fn matches_are_taken_out_of_what_was_seen() {
        let (u, m, prior) = ([0.01, 0.99], [0.9, 0.1], 0.001);
        let pairs: f64 = 1e9;
        for (u, m) in u.into_iter().zip(m) {
            let count = (prior * m + (1.0 - prior) * u) * pairs;
            let all = LevelShare::counted(&[count.round() as u128], pairs as u128)[0];
            let left = all.without_matches(EXACTLY(m), EXACTLY(prior));
            assert!((left.value - u).abs() < 1e-9 && left.error == 0.0 && left.bits() == 0.0, "{left:?}");
        }
    }

    #[test]
    fn what_is_left_is_never_below_its_error() {
        // Nearly all pairs with the level match: 900 of 901 in a hundred million.
        let all = LevelShare::counted(&[901], 100_000_000)[0];
        let (m, prior) = (WithError { value: 0.9, error: 0.01 }, WithError { value: 1e-5, error: 1e-6 });
        let left = all.without_matches(m, prior);
        assert!((left.error - (1e-7_f64).hypot(9e-7)).abs() < 1e-10, "{left:?}");
        assert_eq!((left.value, left.least), (left.error, 0.5e-8));
        // What is true, 1e-8, is within what is stated.
        assert!((left.value / 1e-8).log2() < 1.96 * left.bits(), "{left:?}");
        // More matches than pairs: half a pair is left where nothing is said to be in error.
        let left = all.without_matches(EXACTLY(0.9), EXACTLY(1.1e-5));
        assert_eq!((left.value, left.error), (0.5e-8, 0.0));
        // All pairs, all of which match: no number becomes 0, negative or more than 1.
        let all = LevelShare::counted(&[10, 0], 10);
        for (share, m) in all.iter().zip([1.0, 1e-12]) {
            let left = share.without_matches(WithError { value: m, error: 0.5 }, WithError { value: 0.5, error: 0.4 });
            assert!(left.value > 0.0 && left.value <= 1.0 && left.bits().is_finite(), "{left:?}");
        }
    }
}
