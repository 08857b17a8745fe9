//! How often scores lie in ranges of equal width, counted in one pass over scores whose range is not known before.
//!
//! The width is a power of two, and becomes twice as large where more bins would be needed: so the bins depend on the
//! scores alone, not on their order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Bins at most.
const MOST: i64 = 100;

/// The finest width.
const FINEST: f64 = 1.0 / 1024.0;

/// Pairs whose scores lie in a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoreBin {
    /// From here.
    pub from: f64,
    /// To below here.
    pub to: f64,
    /// The pairs.
    pub pairs: u64,
}

/// Scores by range.
#[derive(Clone, Debug)]
pub struct ScoreHistogram {
    width: f64,
    bins: BTreeMap<i64, u64>,
}

impl Default for ScoreHistogram {
    fn default() -> Self {
        Self { width: FINEST, bins: BTreeMap::new() }
    }
}

impl ScoreHistogram {
    /// Counts a score; what is no number is not counted.
    pub fn add(&mut self, score: f64) {
        if !score.is_finite() {
            return;
        }
        *self.bins.entry((score / self.width).floor() as i64).or_default() += 1;
        while self.span() > MOST {
            self.widen();
        }
    }

    /// Counts what another one has counted.
    pub fn add_all(&mut self, mut other: Self) {
        while other.width < self.width {
            other.widen();
        }
        while self.width < other.width {
            self.widen();
        }
        for (bin, count) in other.bins {
            *self.bins.entry(bin).or_default() += count;
        }
        while self.span() > MOST {
            self.widen();
        }
    }

    fn span(&self) -> i64 {
        match (self.bins.first_key_value(), self.bins.last_key_value()) {
            (Some((first, _)), Some((last, _))) => last.saturating_sub(*first),
            _ => 0,
        }
    }

    fn widen(&mut self) {
        self.width *= 2.0;
        let mut wider: BTreeMap<i64, u64> = BTreeMap::new();
        for (bin, count) in &self.bins {
            *wider.entry(bin.div_euclid(2)).or_default() += count;
        }
        self.bins = wider;
    }

    /// All bins from the first to the last, empty ones included.
    pub fn bins(&self) -> Vec<ScoreBin> {
        let (Some((first, _)), Some((last, _))) = (self.bins.first_key_value(), self.bins.last_key_value()) else {
            return Vec::new();
        };
        let bin = |at: i64| ScoreBin {
            from: at as f64 * self.width,
            to: (at + 1) as f64 * self.width,
            pairs: self.bins.get(&at).copied().unwrap_or_default(),
        };
        (*first..=*last).map(bin).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(scores: &[f64]) -> Vec<ScoreBin> {
        let mut histogram = ScoreHistogram::default();
        scores.iter().for_each(|score| histogram.add(*score));
        histogram.bins()
    }

    #[test]
    fn bins_do_not_depend_on_the_order() {
        let scores: Vec<f64> = (0..1000).map(|at| f64::from(at * 37 % 1000) * 0.05 - 20.0).collect();
        let mut sorted = scores.clone();
        sorted.sort_by(f64::total_cmp);
        let bins = histogram(&scores);
        assert_eq!(bins, histogram(&sorted));
        assert_eq!(bins.iter().map(|bin| bin.pairs).sum::<u64>(), 1000);
        assert!(bins.len() <= MOST as usize + 1 && bins.len() > 40, "{}", bins.len());
        assert!(bins.windows(2).all(|two| two[0].to == two[1].from));
    }

    #[test]
    fn parts_are_counted_together() {
        let scores: Vec<f64> = (0..500).map(|at| f64::from(at) * 0.01).collect();
        let of = |scores: &[f64]| {
            let mut histogram = ScoreHistogram::default();
            scores.iter().for_each(|score| histogram.add(*score));
            histogram
        };
        let (mut first, mut second) = (of(&scores[..20]), of(&scores[20..]));
        let all = of(&scores).bins();
        second.add_all(first.clone());
        first.add_all(of(&scores[20..]));
        assert_eq!((first.bins(), second.bins()), (all.clone(), all));
    }

    #[test]
    fn no_score_no_bin() {
        assert!(histogram(&[]).is_empty() && histogram(&[f64::NAN, f64::INFINITY]).is_empty());
        assert_eq!(histogram(&[0.5, 0.5])[0].pairs, 2);
        // Scores of any size end in some bin.
        assert_eq!(histogram(&[-1e300, 1e300]).iter().map(|bin| bin.pairs).sum::<u64>(), 2);
    }
}
