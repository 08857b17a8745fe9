//! Whether match probabilities are true: of the pairs with a probability of about 0.95, about 95 of 100 should match.

use super::compare::JudgedPair;
use super::scores::ReliabilityBin;
use crate::model::MatchWeight;

/// Where bins end: finer near 1, where most pairs of a result are.
const ENDS: [f64; 14] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0];

/// Pairs by their match probability, as far as a column of scores has one; a weight has one, other scores have none. Pairs are
/// given by falling score, so that sums have one order.
pub fn reliability(judged: &[JudgedPair], scored_by: Option<&str>) -> Vec<ReliabilityBin> {
    let is = |name: &str| scored_by.is_some_and(|column| column.eq_ignore_ascii_case(name));
    let probability: fn(f64) -> f64 = match (is("match_weight"), is("match_probability")) {
        (true, _) => MatchWeight::probability_of_bits,
        (_, true) => |probability| probability,
        _ => return Vec::new(),
    };
    if judged.iter().any(|pair| !(0.0..=1.0).contains(&probability(pair.score))) {
        return Vec::new();
    }
    let bin = |at: usize| ReliabilityBin { from: if at == 0 { 0.0 } else { ENDS[at - 1] }, to: ENDS[at], ..NO_PAIRS };
    let mut bins: Vec<ReliabilityBin> = (0..ENDS.len()).map(bin).collect();
    for pair in judged {
        let probability = probability(pair.score);
        // A pair that is sure is in the last bin.
        let bin = &mut bins[ENDS.partition_point(|end| *end <= probability).min(ENDS.len() - 1)];
        bin.pairs += 1;
        bin.expected += probability;
        bin.both += u64::from(pair.is_true);
    }
    bins.retain(|bin| bin.pairs > 0);
    bins
}

const NO_PAIRS: ReliabilityBin = ReliabilityBin { from: 0.0, to: 0.0, pairs: 0, expected: 0.0, both: 0 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_probability() {
        let pair = |score, is_true| JudgedPair { score, is_true };
        let judged = [pair(1.0, true), pair(0.97, true), pair(0.95, false), pair(0.5, true), pair(0.0, false)];
        let found: Vec<_> = reliability(&judged, Some("match_probability"))
            .into_iter()
            .map(|bin| (bin.from, bin.to, bin.pairs, bin.expected, bin.both))
            .collect();
        let expected =
            [(0.0, 0.1, 1, 0.0, 0), (0.5, 0.6, 1, 0.5, 1), (0.95, 0.99, 2, 0.97 + 0.95, 1), (0.9999, 1.0, 1, 1.0, 1)];
        assert_eq!(found, expected);
        let weights = [pair(60.0, true), pair(0.0, false), pair(-2000.0, false)];
        let shares: Vec<_> = reliability(&weights, Some("match_weight"))
            .iter()
            .map(|bin| (bin.expected_share(), bin.true_share()))
            .collect();
        assert_eq!(shares, [(0.0, 0.0), (0.5, 0.0), (1.0, 1.0)]);
        // Other scores are no probabilities.
        assert_eq!(reliability(&judged, Some("score")), []);
        assert_eq!(reliability(&weights, Some("match_probability")), []);
        assert_eq!(reliability(&[], Some("match_weight")), []);
    }
}
