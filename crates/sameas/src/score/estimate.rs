//! Shares of levels among all pairs, and what is left of them without the pairs that match.

use super::model::Estimate;

/// How many pairs have each level of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelShares {
    /// Pairs by level, and those of *else*.
    pub counts: Vec<u128>,
    /// Whether these are all pairs or a sample.
    pub from: Estimate,
}

impl LevelShares {
    /// The share of each outcome among pairs without missing values. What no pair has counts as half a pair.
    pub fn shares(&self) -> Vec<f64> {
        let all = self.pairs();
        self.counts.iter().map(|count| (*count as f64).max(0.5) / all.max(1.0)).collect()
    }

    /// The standard errors of the shares, where they are from a sample.
    pub fn errors(&self) -> Vec<Option<f64>> {
        let all = self.pairs().max(1.0);
        let error =
            |share: f64| (self.from == Estimate::Sampled).then(|| (share * (1.0 - share).max(0.0) / all).sqrt());
        self.shares().into_iter().map(error).collect()
    }

    fn pairs(&self) -> f64 {
        self.counts.iter().sum::<u128>() as f64
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
