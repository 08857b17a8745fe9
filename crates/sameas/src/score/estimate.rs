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
        let scale = rest(counted) / rest(first).max(f64::MIN_POSITIVE);
        let scaled = others.iter().map(|of| Self { share: of.share * scale, ..*of });
        counted.iter().copied().chain(scaled).collect()
    }
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
    fn matches_are_taken_out_of_what_was_seen() {
        let (u, m, prior) = ([0.01, 0.99], [0.9, 0.1], 0.001);
        let all: Vec<f64> = u.iter().zip(&m).map(|(u, m)| prior * m + (1.0 - prior) * u).collect();
        let left = without_matches(&all, &m, prior);
        assert!(left.iter().zip(u).all(|(left, u)| (left - u).abs() < 1e-12), "{left:?}");
        assert_eq!(without_matches(&[0.0009], &[0.95], 0.001), [0.0009 / 64.0]);
    }
}
