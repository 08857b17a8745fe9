//! What the model of a run expects of its pairs: how many match at each threshold, and how many matches there are.
//!
//! All of it is the model's own opinion, and as good as the model: the truth has no part in it.
//!
//! - *Pairs that match* are the sum of the match probabilities of the pairs from a threshold on.
//! - *Precision* is that by these pairs.
//! - *Matches in all* are the prior by all pairs of records, so that matches count that no rule has found and that have a low score.
//!   A prior that is too small would promise more than all matches to be found. Where the pairs of the result have more, the prior
//!   cannot be right, and the matches among them are taken instead: then nothing is known of what is missing.
//! - *Recall* is the first by the last. Pairs of certain rules are matches by what the rules say: they count here, and not for the
//!   precision, because no threshold would remove them.
//!
//! Nothing is said of thresholds below that of the run. Pairs below it are not kept, and most are not scored to
//! the end.

use serde::{Deserialize, Serialize};

use crate::model::MatchWeight;
use crate::score::{PairExpectation, PairsAbove};

/// Probabilities that thresholds are usually chosen from.
const PROBABILITIES: [f64; 14] =
    [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9995, 0.9999, 0.99999, 0.999999];

/// Whole bits up to which there is a threshold for each.
const MOST_BITS: i32 = 60;

/// What a model expects of the pairs of a run: its own opinion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoreExpectation {
    /// Matches among all pairs of records.
    pub matches: f64,
    /// Where that is from.
    pub matches_from: MatchesFrom,
    /// Pairs of certain rules, which are matches whatever their score.
    pub certain: u64,
    /// From the threshold of the run on, ascending: usual probabilities and whole bits, up to the highest that some pair reaches.
    pub thresholds: Vec<ExpectedThreshold>,
}

/// Where the number of all matches is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchesFrom {
    /// The prior, by all pairs of records.
    Prior,
    /// The pairs of the result, which have more matches than the prior allows: what is missing is not known.
    Found,
}

/// What a model expects of the pairs from a threshold on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExpectedThreshold {
    /// The least match weight.
    pub threshold_weight: f64,
    /// The probability that belongs to it.
    pub threshold: f64,
    /// The pairs from it on, without those of certain rules.
    pub pairs: u64,
    /// Those of them that match: the sum of their probabilities.
    pub true_pairs: f64,
    /// The share of these; unknown where there are no pairs.
    pub precision: Option<f64>,
    /// The share of all matches that are found, those of certain rules among them; unknown where there are none.
    pub recall: Option<f64>,
}

impl ScoreExpectation {
    /// Where pairs are counted apart, for a run that keeps those from a threshold on.
    pub fn cuts(threshold: MatchWeight) -> Vec<MatchWeight> {
        let usual = PROBABILITIES.map(MatchWeight::of_probability);
        let bits = (-MOST_BITS..=MOST_BITS).map(|bits| MatchWeight::of_bits(f64::from(bits)));
        [threshold].into_iter().chain(usual).chain(bits).filter(|cut| *cut >= threshold).collect()
    }

    /// Of the pairs of a run that were counted between these cuts, beside `certain` ones, and the matches among all pairs by the
    /// prior.
    pub fn new(counted: &PairExpectation, certain: u64, by_prior: f64) -> Self {
        let above = counted.above();
        let found = certain as f64 + above.first().map_or(0.0, PairsAbove::matches);
        let (matches, matches_from) = match found > by_prior {
            true => (found, MatchesFrom::Found),
            false => (by_prior, MatchesFrom::Prior),
        };
        let is_listed = |(at, above): &(usize, &PairsAbove)| *at == 0 || above.pairs > 0;
        let listed = above.iter().enumerate().filter(is_listed);
        let thresholds = listed.map(|(_, above)| ExpectedThreshold::new(above, certain, matches)).collect();
        Self { matches, matches_from, certain, thresholds }
    }
}

impl ExpectedThreshold {
    fn new(above: &PairsAbove, certain: u64, matches: f64) -> Self {
        let (weight, true_pairs) = (above.weight, above.matches());
        let usual = PROBABILITIES.into_iter().find(|usual| MatchWeight::of_probability(*usual) == weight);
        Self {
            threshold_weight: weight.bits(),
            threshold: usual.unwrap_or_else(|| weight.probability()),
            pairs: above.pairs,
            true_pairs,
            precision: (above.pairs > 0).then(|| true_pairs / above.pairs as f64),
            recall: (matches > 0.0).then(|| (certain as f64 + true_pairs) / matches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(weights: &[f64], certain: u64, by_prior: f64) -> ScoreExpectation {
        let mut counted = PairExpectation::between(ScoreExpectation::cuts(MatchWeight::of_probability(0.9)));
        weights.iter().for_each(|bits| counted.add(*bits));
        ScoreExpectation::new(&counted, certain, by_prior)
    }

    #[test]
    fn precision_and_recall_are_those_of_the_probabilities() {
        let of = expected(&[4.0, 4.0, 8.0, 20.0], 2, 10.0);
        let probability = MatchWeight::probability_of_bits;
        let sums =
            [2.0 * probability(4.0) + probability(8.0) + probability(20.0), probability(8.0) + probability(20.0)];
        assert_eq!((of.matches, of.matches_from, of.certain), (10.0, MatchesFrom::Prior, 2));
        let (first, last) = (of.thresholds[0], of.thresholds[of.thresholds.len() - 1]);
        assert_eq!((first.threshold, first.pairs), (0.9, 4));
        assert!((first.true_pairs - sums[0]).abs() < 1e-12);
        assert!((first.precision.unwrap() - sums[0] / 4.0).abs() < 1e-12);
        assert!((first.recall.unwrap() - (2.0 + sums[0]) / 10.0).abs() < 1e-12);
        let of_99 = of.thresholds.iter().find(|row| row.threshold == 0.99).unwrap();
        assert!(of_99.pairs == 2 && (of_99.precision.unwrap() - sums[1] / 2.0).abs() < 1e-12);
        // Nothing is said of thresholds that no pair reaches.
        assert_eq!((last.threshold_weight, last.pairs), (20.0, 1));
        assert!(of.thresholds.windows(2).all(|two| two[0].threshold_weight < two[1].threshold_weight));
    }

    #[test]
    fn a_prior_that_is_too_small_is_not_believed() {
        let of = expected(&[30.0; 5], 0, 2.0);
        assert_eq!(of.matches_from, MatchesFrom::Found);
        assert!((of.thresholds[0].recall.unwrap() - 1.0).abs() < 1e-12);
        let none = expected(&[], 0, 0.0);
        assert_eq!((none.thresholds.len(), none.thresholds[0].precision, none.thresholds[0].recall), (1, None, None));
    }
}
