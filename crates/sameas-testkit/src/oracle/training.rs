//! What a model is learned from, by the book: levels counted over all pairs, and one round of expectation-maximisation.

use std::collections::BTreeSet;

use super::scores::{PairScore, all_scores};
use super::{answer, evaluate};
use crate::case::Case;

/// What a level that no pair has counts for.
const HALF_A_PAIR: f64 = 0.5;

/// Of each comparison the numbers of pairs with its levels and with *else*.
pub fn level_counts(case: &Case) -> Vec<Vec<u64>> {
    let mut outcomes = evaluate(case).outcomes;
    // The last is null.
    outcomes.iter_mut().for_each(|of| of.truncate(of.len().saturating_sub(1)));
    outcomes
}

/// The share of a level with this number of pairs, of all that are not null.
pub fn level_share(pairs: u64, of: u64) -> f64 {
    (pairs as f64).max(HALF_A_PAIR) / (of as f64).max(1.0)
}

/// What is believed of the pairs of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// The share of those that match.
    pub matches: f64,
    /// m of the levels of each comparison and of *else*; nothing for what no pair has.
    pub m: Vec<Vec<Option<f64>>>,
}

/// The outcomes of all comparisons of each pair for which the first rule of a case holds.
pub fn rule_pairs(case: &Case) -> Vec<Vec<usize>> {
    let mut alone = case.clone();
    alone.job.rules.truncate(1);
    (alone.job.scoring, alone.job.nevers) = (None, Vec::new());
    let pairs: BTreeSet<(usize, usize)> =
        answer(&alone, None, &mut super::Coverage::default()).pairs.into_iter().map(|(l, r, _)| (l, r)).collect();
    let outcomes = |score: &PairScore| score.parts.iter().map(|part| part.outcome).collect();
    all_scores(case).iter().filter(|(rows, _)| pairs.contains(rows)).map(|(_, score)| outcomes(score)).collect()
}

/// One round of expectation-maximisation over some pairs, by the comparisons that take part and their `u`, from what was
/// believed before. Each level that some pair has counts for half a pair more.
pub fn next_belief(pairs: &[Vec<usize>], is_active: &[bool], u: &[Vec<f64>], before: &Belief) -> Belief {
    let (mut matching, mut sums) = (0.0, u.iter().map(|u| vec![None; u.len()]).collect::<Vec<Vec<Option<f64>>>>());
    for outcomes in pairs {
        let mut bits = (before.matches / (1.0 - before.matches)).log2();
        for (at, outcome) in outcomes.iter().enumerate().filter(|(at, _)| is_active[*at]) {
            if let Some(Some(m)) = before.m[at].get(*outcome) {
                bits += m.log2() - u[at][*outcome].log2();
            }
        }
        let probability = 1.0 / (1.0 + (-bits).exp2());
        matching += probability;
        for (sums, outcome) in sums.iter_mut().zip(outcomes) {
            if let Some(sum) = sums.get_mut(*outcome) {
                *sum.get_or_insert(HALF_A_PAIR) += probability;
            }
        }
    }
    for sums in &mut sums {
        let all: f64 = sums.iter().flatten().sum();
        sums.iter_mut().flatten().for_each(|sum| *sum /= all);
    }
    Belief { matches: matching / pairs.len() as f64, m: sums }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_by_hand() {
        // Three pairs with the level, one without, one null; odds before are even.
        let pairs = vec![vec![0], vec![0], vec![0], vec![1], vec![2]];
        let (u, before) = (vec![vec![0.25, 0.75]], Belief { matches: 0.5, m: vec![vec![Some(0.75), Some(0.25)]] });
        let next = next_belief(&pairs, &[true], &u, &before);
        // Odds of 3, 1/3 and 1.
        assert!((next.matches - (3.0 * 0.75 + 0.25 + 0.5) / 5.0).abs() < 1e-12);
        let (level, other) = (3.0 * 0.75 + 0.5, 0.25 + 0.5);
        let m = [level / (level + other), other / (level + other)];
        assert!(next.m[0].iter().zip(m).all(|(next, m)| (next.unwrap() - m).abs() < 1e-12), "{next:?}");
        assert!((next_belief(&pairs, &[false], &u, &before).matches - 0.5).abs() < 1e-12);
    }
}
