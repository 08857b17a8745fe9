//! How often scores lie in ranges of equal width, counted in one pass over scores whose range is not known before.
//!
//! The width is a power of two, and becomes twice as large where more bins would be needed: so the bins depend on the
//! scores alone, not on their order.

use serde::{Deserialize, Serialize};

/// Bins at most.
const MOST: i64 = 100;

/// The finest width.
const FINEST: f64 = 1.0 / 1024.0;

/// Numbers of bins stay below this: beyond it, not every whole number is a floating-point number.
const LARGEST: f64 = (1_i64 << 52) as f64;

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

/// Scores by range. Every pair of a result is counted, so that counting one is a division and an addition.
#[derive(Clone, Debug)]
pub struct ScoreHistogram {
    width: f64,
    /// The number of the first bin.
    first: i64,
    /// The pairs of each bin, from the first to the last that has any.
    counts: Vec<u64>,
}

impl Default for ScoreHistogram {
    fn default() -> Self {
        Self { width: FINEST, first: 0, counts: Vec::new() }
    }
}

impl ScoreHistogram {
    /// Counts a score; what is no number is not counted.
    pub fn add(&mut self, score: f64) {
        if !score.is_finite() {
            return;
        }
        while (score / self.width).abs() >= LARGEST {
            self.widen();
        }
        let bin = (score / self.width).floor() as i64;
        // A bin before the first is far beyond the last as a place.
        match self.counts.get_mut((bin - self.first) as usize) {
            Some(count) => *count += 1,
            None => self.add_outside(bin),
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
        if other.counts.is_empty() {
            return;
        }
        while self.span_with(other.first).max(self.span_with(other.last())) > MOST {
            self.widen();
            other.widen();
        }
        self.make_room(other.first);
        self.make_room(other.last());
        let from = (other.first - self.first) as usize;
        self.counts[from..].iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    fn add_outside(&mut self, mut bin: i64) {
        while self.span_with(bin) > MOST {
            self.widen();
            bin = bin.div_euclid(2);
        }
        self.make_room(bin);
        self.counts[(bin - self.first) as usize] += 1;
    }

    fn last(&self) -> i64 {
        self.first + self.counts.len() as i64 - 1
    }

    /// From the first bin to the last, if there were one more.
    fn span_with(&self, bin: i64) -> i64 {
        if self.counts.is_empty() { 0 } else { self.last().max(bin) - self.first.min(bin) }
    }

    fn make_room(&mut self, bin: i64) {
        if self.counts.is_empty() {
            self.first = bin;
        }
        let before = (self.first - bin).max(0) as usize;
        self.counts.splice(0..0, std::iter::repeat_n(0, before));
        self.first = self.first.min(bin);
        let bins = (bin - self.first + 1).max(self.counts.len() as i64);
        self.counts.resize(bins as usize, 0);
    }

    fn widen(&mut self) {
        self.width *= 2.0;
        let first = self.first.div_euclid(2);
        let bins = if self.counts.is_empty() { 0 } else { self.last().div_euclid(2) - first + 1 };
        let mut wider = vec![0; bins as usize];
        for (bin, count) in (self.first..).zip(&self.counts) {
            wider[(bin.div_euclid(2) - first) as usize] += count;
        }
        (self.first, self.counts) = (first, wider);
    }

    /// All bins from the first to the last, empty ones included.
    pub fn bins(&self) -> Vec<ScoreBin> {
        let bin = |(at, pairs): (i64, &u64)| ScoreBin {
            from: at as f64 * self.width,
            to: (at + 1) as f64 * self.width,
            pairs: *pairs,
        };
        (self.first..).zip(&self.counts).map(bin).collect()
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

    proptest::proptest! {
        #[test]
        fn parts_in_any_order_are_the_whole(
            mut scores in proptest::collection::vec((-1e3_f64..1e3, -40_i32..60), 0..60),
            cut in 0_usize..60,
        ) {
            let value = |(factor, power): &(f64, i32)| factor * f64::from(*power).exp2();
            let whole: Vec<f64> = scores.iter().map(value).collect();
            let parts = whole.split_at(cut.min(whole.len()));
            let mut together = ScoreHistogram::default();
            parts.1.iter().for_each(|score| together.add(*score));
            let mut other = ScoreHistogram::default();
            parts.0.iter().for_each(|score| other.add(*score));
            together.add_all(other);
            scores.reverse();
            let reversed: Vec<f64> = scores.iter().map(value).collect();
            proptest::prop_assert_eq!(together.bins(), histogram(&whole));
            proptest::prop_assert_eq!(histogram(&reversed), histogram(&whole));
            for score in &whole {
                let is_in = |bin: &ScoreBin| bin.from <= *score && *score < bin.to && bin.pairs > 0;
                proptest::prop_assert!(histogram(&whole).iter().any(is_in));
            }
        }
    }

    #[test]
    fn no_score_no_bin() {
        assert!(histogram(&[]).is_empty() && histogram(&[f64::NAN, f64::INFINITY]).is_empty());
        assert_eq!(histogram(&[0.5, 0.5])[0].pairs, 2);
        // Scores of any size end in some bin.
        assert_eq!(histogram(&[-1e300, 1e300]).iter().map(|bin| bin.pairs).sum::<u64>(), 2);
    }
}
