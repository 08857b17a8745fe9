//! Precision and recall of a result, estimated from a sample of judged pairs.
//!
//! Each is a ratio of two sums over the pairs of the frame, those that the sample was drawn from: of the pairs found and the same, by
//! those found, or by those that are the same. A judged pair stands for as many pairs as 1 / its inclusion probability, so both sums
//! are estimated by weighted ones (Horvitz and Thompson), and their ratio is that of Hájek.
//!
//! **Variance.** The ratio R of sums of y and x has the variance of the weighted sum of y - R x, divided by the square of the sum of x.
//! Strata are drawn independently, so theirs add up. Within one it is n / (n - 1) times the sum of (1 - p) (e - m)^2, with e the weighted
//! residual of a pair, p its inclusion probability and m the mean of e weighted by 1 - p: what is known completely has none, and with
//! equal probabilities it is the formula of a simple sample without replacement. A pair that nobody can judge has the residual 0: it
//! was drawn, but is neither the same nor different.
//!
//! **Nothing seen is not nothing there.** Where all judged pairs of a stratum that were found, or were not, are judged alike, residuals
//! have no spread, however few they are. There the chance of the other judgement is taken to be that of half a pair more, and its
//! variance is added. Without that, 20 different ones of a stratum that stands for 20,000 pairs would make a recall certain.
//!
//! **Interval.** It is Wilson's for as many pairs as have that variance, R (1 - R) / variance: shares near 1 have no symmetric
//! interval. For R of 0 or 1, half a pair more is taken here too. With equal probabilities and no strata it is the usual one.

use serde::Serialize;

/// The quantile of the normal distribution for intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A share, and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShareEstimate {
    /// The share that is most likely.
    pub estimate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// What is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EstimatedShare {
    Precision,
    Recall,
    F1,
}

/// A judged pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LabelledPair {
    /// The number of its stratum.
    pub stratum: u32,
    /// Whether the result has it.
    pub is_found: bool,
    /// Whether its records are the same, if somebody can tell.
    pub is_same: Option<bool>,
    /// How likely it was to be drawn; where that is unknown, each pair stands for itself, and none is known completely.
    pub inclusion_probability: Option<f64>,
}

impl LabelledPair {
    /// How many pairs of the frame it stands for.
    pub fn weight(&self) -> f64 {
        self.inclusion_probability.map_or(1.0, f64::recip)
    }

    /// The share of such pairs that was not drawn.
    fn not_drawn(&self) -> f64 {
        1.0 - self.inclusion_probability.unwrap_or(0.0)
    }

    /// Pairs in this order are added up in one order, whatever the order of the file is: equal keys are equal pairs.
    pub fn key(&self) -> (u32, bool, Option<bool>, u64) {
        (self.stratum, self.is_found, self.is_same, self.inclusion_probability.map_or(0, f64::to_bits))
    }
}

impl EstimatedShare {
    /// What a pair adds to the two sums.
    fn parts(self, is_found: bool, is_same: bool) -> (f64, f64) {
        let [found, same, both] = [is_found, is_same, is_found && is_same].map(f64::from);
        match self {
            Self::Precision => (both, found),
            Self::Recall => (both, same),
            Self::F1 => (2.0 * both, found + same),
        }
    }

    /// How far a pair is from a ratio.
    fn residual(self, ratio: f64, is_found: bool, is_same: bool) -> f64 {
        let (part, whole) = self.parts(is_found, is_same);
        part - ratio * whole
    }

    /// Estimates the share from pairs in the order of their keys; nothing where no pair counts.
    pub fn estimate(self, pairs: &[LabelledPair]) -> Option<ShareEstimate> {
        let (mut part, mut whole, mut squares) = (0.0, 0.0, 0.0);
        for pair in pairs {
            let Some(is_same) = pair.is_same else { continue };
            let (y, x) = self.parts(pair.is_found, is_same);
            let (y, x) = (y * pair.weight(), x * pair.weight());
            (part, whole, squares) = (part + y, whole + x, squares + x * x);
        }
        if whole == 0.0 {
            return None;
        }
        let ratio = part / whole;
        let strata = pairs.chunk_by(|a, b| a.stratum == b.stratum);
        let variance: f64 = strata.map(|stratum| self.variance(ratio, stratum)).sum();
        Some(interval(ratio, variance / (whole * whole), whole * whole / squares))
    }

    /// The variance of the weighted residuals of a stratum.
    fn variance(self, ratio: f64, pairs: &[LabelledPair]) -> f64 {
        let residual = |pair: &LabelledPair| {
            pair.is_same.map_or(0.0, |is_same| pair.weight() * self.residual(ratio, pair.is_found, is_same))
        };
        let all: f64 = pairs.iter().map(LabelledPair::not_drawn).sum();
        if all == 0.0 {
            return 0.0;
        }
        // One pair has no spread of its own: its residual is compared with none at all.
        let (mean, correction) = match pairs.len() {
            1 => (0.0, 1.0),
            n => {
                let sum: f64 = pairs.iter().map(|pair| pair.not_drawn() * residual(pair)).sum();
                (sum / all, n as f64 / (n - 1) as f64)
            }
        };
        let spread: f64 = pairs.iter().map(|pair| pair.not_drawn() * (residual(pair) - mean).powi(2)).sum();
        let alike = pairs.chunk_by(|a, b| a.is_found == b.is_found);
        correction * spread + alike.map(|pairs| self.variance_of_unseen(ratio, pairs)).sum::<f64>()
    }

    /// What pairs of a stratum that are all found, or all not found, may hide if all of them are judged alike.
    fn variance_of_unseen(self, ratio: f64, pairs: &[LabelledPair]) -> f64 {
        let judged = || pairs.iter().filter_map(|pair| Some((pair, pair.is_same?)));
        let Some((first, is_same)) = judged().next() else { return 0.0 };
        if judged().any(|(_, other)| other != is_same) {
            return 0.0;
        }
        let change = self.residual(ratio, first.is_found, true) - self.residual(ratio, first.is_found, false);
        let chance = 0.5 / (judged().count() + 1) as f64;
        let squares: f64 = judged().map(|(pair, _)| pair.not_drawn() * (pair.weight() * change).powi(2)).sum();
        chance * (1.0 - chance) * squares
    }
}

/// The interval of a share with this variance; `pairs` of equal weight would weigh as much as those it is made of.
fn interval(share: f64, variance: f64, pairs: f64) -> ShareEstimate {
    if variance <= 0.0 {
        return ShareEstimate { estimate: share, low: share, high: share };
    }
    let half_a_pair = 0.5 / (pairs + 1.0);
    let is_inside = share > 0.0 && share < 1.0;
    let inner = if is_inside { share } else { share.clamp(half_a_pair, 1.0 - half_a_pair) };
    let n = inner * (1.0 - inner) / variance;
    let (z2, scale) = (Z * Z, 1.0 + Z * Z / n);
    let middle = (share + z2 / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ShareEstimate { estimate: share, low: (middle - half).clamp(0.0, share), high: (middle + half).clamp(share, 1.0) }
}

#[cfg(test)]
mod tests {
    use std::iter::repeat_n;

    use super::*;

    const SAME: Option<bool> = Some(true);
    const DIFFERENT: Option<bool> = Some(false);
    const UNSURE: Option<bool> = None;

    /// A pair with an inclusion probability, or with none if that is 0.
    fn pair(stratum: u32, is_found: bool, is_same: Option<bool>, probability: f64) -> LabelledPair {
        let inclusion_probability = (probability > 0.0).then_some(probability);
        LabelledPair { stratum, is_found, is_same, inclusion_probability }
    }

    fn estimate(share: EstimatedShare, mut pairs: Vec<LabelledPair>) -> ShareEstimate {
        pairs.sort_by_key(LabelledPair::key);
        share.estimate(&pairs).unwrap()
    }

    fn assert_close(found: ShareEstimate, expected: [f64; 3]) {
        let found = [found.estimate, found.low, found.high];
        let is_close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_close, "{found:?}, not {expected:?}");
    }

    /// Worked out by hand: strata of 4 of 8 and of 2 of 20 pairs. Weights 2 and 10; found and the same 3 * 2, found 4 * 2, the same
    /// 3 * 2 + 10.
    #[test]
    fn weighted_ratios_of_two_strata() {
        let mut pairs = vec![pair(0, true, SAME, 0.5); 3];
        pairs.push(pair(0, true, DIFFERENT, 0.5));
        pairs.extend([pair(1, false, SAME, 0.1), pair(1, false, DIFFERENT, 0.1)]);
        let precision = estimate(EstimatedShare::Precision, pairs.clone());
        // Residuals 2 * (1/4) three times and 2 * (-3/4): 4/3 * 1/2 * 3 = 2, by 8 * 8.
        let variance = 2.0 / 64.0;
        assert_close(precision, wilson(0.75, 0.75 * 0.25 / variance));
        let recall = estimate(EstimatedShare::Recall, pairs.clone());
        // R = 6/16. Residuals 2 * (5/8) three times and 0, mean 15/16; 10 * (-3/8) and 0, mean -15/8.
        let first = 4.0 / 3.0 * 0.5 * (3.0 * (5.0_f64 / 16.0).powi(2) + (15.0_f64 / 16.0).powi(2));
        let second = 2.0 * 0.9 * 2.0 * (15.0_f64 / 8.0).powi(2);
        assert_close(recall, wilson(0.375, 0.375 * 0.625 / ((first + second) / 256.0)));
        assert_eq!(estimate(EstimatedShare::F1, pairs).estimate, 0.5);
    }

    fn wilson(p: f64, n: f64) -> [f64; 3] {
        let root = (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let (middle, scale) = (p + Z * Z / (2.0 * n), 1.0 + Z * Z / n);
        [p, (middle - Z * root) / scale, (middle + Z * root) / scale]
    }

    #[test]
    fn without_probabilities_and_strata_it_is_wilsons_interval() {
        // One pair less than there are has the variance of a sample.
        let pairs: Vec<LabelledPair> = (0..50).map(|at| pair(0, true, Some(at >= 5), 0.0)).collect();
        assert_close(estimate(EstimatedShare::Precision, pairs), wilson(0.9, 49.0));
        let perfect = estimate(EstimatedShare::Precision, vec![pair(0, true, SAME, 0.0); 50]);
        assert_close(perfect, [1.0, wilson(1.0, 50.0)[1], 1.0]);
        let wrong = estimate(EstimatedShare::Precision, vec![pair(0, true, DIFFERENT, 0.0); 50]);
        assert_close(wrong, [0.0, 0.0, wilson(0.0, 50.0)[2]]);
    }

    #[test]
    fn what_is_judged_completely_is_certain() {
        let pairs = vec![pair(0, true, SAME, 1.0), pair(0, true, DIFFERENT, 1.0), pair(1, false, SAME, 1.0)];
        assert_close(estimate(EstimatedShare::Precision, pairs.clone()), [0.5; 3]);
        assert_close(estimate(EstimatedShare::Recall, pairs), [0.5; 3]);
        assert!(
            EstimatedShare::Recall.estimate(&[pair(0, true, DIFFERENT, 1.0), pair(0, true, UNSURE, 1.0)]).is_none()
        );
    }

    #[test]
    fn what_was_not_seen_leaves_recall_open() {
        // All found pairs are judged, and 20 of 20,000 others.
        let mut pairs = vec![pair(0, true, SAME, 1.0); 50];
        pairs.extend(repeat_n(pair(1, false, DIFFERENT, 0.001), 20));
        let recall = estimate(EstimatedShare::Recall, pairs.clone());
        assert!(recall.estimate == 1.0 && recall.low < 0.05, "{recall:?}");
        // Half of them leave little.
        pairs.truncate(50);
        pairs.extend(repeat_n(pair(1, false, DIFFERENT, 0.5), 10_000));
        let recall = estimate(EstimatedShare::Recall, pairs);
        assert!(recall.estimate == 1.0 && (0.85..0.9).contains(&recall.low), "{recall:?}");
    }

    #[test]
    fn pairs_that_nobody_can_judge_are_left_out() {
        let judged = vec![pair(0, true, SAME, 0.5), pair(0, true, DIFFERENT, 0.5), pair(0, true, SAME, 0.5)];
        let more = [judged.clone(), vec![pair(0, true, UNSURE, 0.5); 3]].concat();
        let [judged, more] = [judged, more].map(|pairs| estimate(EstimatedShare::Precision, pairs));
        assert_eq!(judged.estimate, more.estimate);
        assert!(more.low < more.estimate && more.estimate < more.high);
    }

    /// Numbers that a seed determines (splitmix64).
    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) >> 33) as usize
    }

    /// Draws samples of three strata of known pairs, and counts how often the intervals have the truth.
    #[test]
    fn intervals_hold_about_as_often_as_they_say() {
        // For each stratum: pairs, whether they are found, how many of 1,000 are the same, and how many are drawn.
        const STRATA: [(usize, bool, usize, usize); 3] =
            [(2000, true, 950, 100), (1000, true, 600, 100), (7000, false, 20, 200)];
        const SAMPLES: usize = 400;
        let frame: Vec<Vec<bool>> =
            STRATA.iter().map(|(pairs, _, same, _)| (0..*pairs).map(|at| at * 1000 < same * pairs).collect()).collect();
        let same = |stratum: usize| frame[stratum].iter().filter(|is_same| **is_same).count() as f64;
        let both = same(0) + same(1);
        let truths = [both / 3000.0, both / (both + same(2)), 2.0 * both / (3000.0 + both + same(2))];
        let (mut state, mut held) = (1, [0; 3]);
        for _ in 0..SAMPLES {
            let mut pairs = Vec::new();
            for (stratum, (size, is_found, _, drawn)) in STRATA.into_iter().enumerate() {
                let mut places: Vec<usize> = (0..size).collect();
                for at in 0..drawn {
                    places.swap(at, at + next(&mut state) % (size - at));
                    let is_same = frame[stratum][places[at]];
                    pairs.push(pair(stratum as u32, is_found, Some(is_same), drawn as f64 / size as f64));
                }
            }
            for (at, share) in
                [EstimatedShare::Precision, EstimatedShare::Recall, EstimatedShare::F1].into_iter().enumerate()
            {
                let found = estimate(share, pairs.clone());
                held[at] += usize::from(found.low <= truths[at] && truths[at] <= found.high);
            }
        }
        assert!(
            held.iter().all(|held| (SAMPLES * 91 / 100..=SAMPLES * 99 / 100).contains(held)),
            "{held:?} of {SAMPLES}"
        );
    }
}
