//! Shares of levels among all pairs, and what is left of them without the pairs that match.

use super::model::LearnedFrom;

/// The share of an outcome of a comparison among all pairs without missing values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelShare {
    /// The share.
    pub share: f64,
    /// Its standard error, where it is from a sample.
    pub error: Option<f64>,
    /// Whether it is of all pairs or of a sample.
    pub from: LearnedFrom,
}

impl LevelShare {
    /// Of outcomes that were counted over all of some pairs. What no pair has counts as half a pair.
    pub fn counted(counts: &[u128], pairs: u128) -> Vec<Self> {
        let share = |count: &u128| (*count as f64).max(0.5) / (pairs as f64).max(1.0);
        let of = |count| Self { share: share(count), error: None, from: LearnedFrom::Counted };
        counts.iter().map(of).collect()
    }

    /// Of outcomes that were counted over all of `pairs`, some of which are null: the sample, in which null is the last,
    /// says how many.
    pub fn counted_beside_null(counts: &[u128], pairs: u64, sample: &[u128]) -> Vec<Self> {
        let drawn = sample.iter().sum::<u128>() as f64;
        let present = (drawn - sample.last().map_or(0.0, |null| *null as f64)).max(0.5);
        let share = present / drawn.max(1.0);
        // What was counted is there, whatever the sample says.
        let pairs = (pairs as f64 * share).max(counts.iter().sum::<u128>() as f64 + 0.5);
        let error = ((1.0 - share).max(0.0) / present).sqrt();
        let of = |count: &u128| {
            let share = (*count as f64).max(0.5) / pairs.max(1.0);
            Self { share, error: Some(share * error), from: LearnedFrom::Counted }
        };
        counts.iter().map(of).collect()
    }

    /// Of all outcomes in a sample.
    pub fn sampled(counts: &[u128]) -> Vec<Self> {
        let pairs = counts.iter().sum::<u128>();
        let error = |share: f64| (share * (1.0 - share).max(0.0) / (pairs as f64).max(1.0)).sqrt();
        let of = |known: Self| Self { error: Some(error(known.share)), from: LearnedFrom::Sampled, ..known };
        Self::counted(counts, pairs).into_iter().map(of).collect()
    }

    /// Of all outcomes, the first of which were counted: the others divide what is left as in the sample.
    pub fn combined(counted: &[Self], sampled: &[Self]) -> Vec<Self> {
        let (first, others) = sampled.split_at(counted.len());
        let rest = |shares: &[Self]| 1.0 - shares.iter().map(|of| of.share).sum::<f64>();
        let scale = rest(counted).max(f64::EPSILON) / rest(first).max(f64::MIN_POSITIVE);
        let scaled = others.iter().map(|of| Self { share: of.share * scale, ..*of });
        counted.iter().copied().chain(scaled).collect()
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

/// The part of a share that may be due to matches at most: what is left is at least this part of it.
const LEAST_LEFT: f64 = 1.0 / 64.0;

/// The shares of pairs that do not match, from those of all pairs, the shares `m` of those that match, and the share of
/// matches among all: `all = prior * m + (1 - prior) * u`. Where matches seem to be nearly all there is, a little is left.
pub fn without_matches(all: &[f64], m: &[f64], prior: f64) -> Vec<f64> {
    let left = |(all, m): (&f64, &f64)| ((all - prior * m) / (1.0 - prior)).max(all * LEAST_LEFT);
    all.iter().zip(m).map(left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_sample_are_scaled_to_what_was_not_counted() {
        let sampled = LevelShare::sampled(&[1, 30, 69]);
        assert_eq!((sampled[0].share, sampled[1].share), (0.01, 0.3));
        let all = LevelShare::combined(&LevelShare::counted(&[208], 10_000), &sampled);
        assert_eq!((all[0].share, all[0].from, all[1].from), (0.0208, LearnedFrom::Counted, LearnedFrom::Sampled));
        let sum: f64 = all.iter().map(|of| of.share).sum();
        assert!((sum - 1.0).abs() < 1e-12 && all[1].share < 0.3, "{all:?}");
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
    fn matches_are_taken_out_of_what_was_seen() {
        let (u, m, prior) = ([0.01, 0.99], [0.9, 0.1], 0.001);
        let all: Vec<f64> = u.iter().zip(&m).map(|(u, m)| prior * m + (1.0 - prior) * u).collect();
        let left = without_matches(&all, &m, prior);
        assert!(left.iter().zip(u).all(|(left, u)| (left - u).abs() < 1e-12), "{left:?}");
        assert_eq!(without_matches(&[0.0009], &[0.95], 0.001), [0.0009 / 64.0]);
    }
}
