//! What a model is learned from, by the book: levels counted over all pairs, and one round of expectation-maximisation.

use std::collections::BTreeSet;

use super::answer::{answer, evaluate};
use super::coverage::Coverage;
use super::scores::{PairScore, all_scores};
use crate::case::Case;

/// What a level that no pair has counts for, and what each counts for in a pass beside its own pairs, at most.
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
        answer(&alone, None, &mut Coverage::default()).pairs.into_iter().map(|(l, r, _)| (l, r)).collect();
    let outcomes = |score: &PairScore| score.parts.iter().map(|part| part.outcome).collect();
    all_scores(case).iter().filter(|(rows, _)| pairs.contains(rows)).map(|(_, score)| outcomes(score)).collect()
}

/// One round of expectation-maximisation over some pairs, by the comparisons that take part and their `u`, from what was
/// believed before. Each level counts for half a pair more, but for no more than its u of all matches; one that no pair has, and
/// that counts for less than half a pair so, keeps its u.
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
                *sum.get_or_insert(0.0) += probability;
            }
        }
    }
    let m = sums.iter().zip(u).map(|(sums, u)| shares_of_matches(sums, u));
    Belief { matches: matching / pairs.len() as f64, m: m.collect() }
}

/// m of the matches that have each level; nothing where no pair has it.
fn shares_of_matches(sums: &[Option<f64>], u: &[f64]) -> Vec<Option<f64>> {
    let matches: f64 = sums.iter().flatten().sum();
    let keeps = |(sum, u): &(&Option<f64>, &f64)| sum.is_none() && matches * **u < HALF_A_PAIR;
    let left = 1.0 - sums.iter().zip(u).filter(keeps).map(|(_, u)| *u).sum::<f64>();
    let smoothed = |(sum, u): (&Option<f64>, &f64)| sum.unwrap_or(0.0) + HALF_A_PAIR.min(matches * u);
    let all: f64 = sums.iter().zip(u).filter(|of| !keeps(of)).map(smoothed).sum();
    sums.iter().zip(u).map(|of| of.0.map(|_| smoothed(of) / all * left)).collect()
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
        // Half a pair more for each: a quarter of three matches is more than that.
        let (level, other) = (3.0 * 0.75 + 0.5, 0.25 + 0.5);
        let m = [level / (level + other), other / (level + other)];
        assert!(next.m[0].iter().zip(m).all(|(next, m)| (next.unwrap() - m).abs() < 1e-12), "{next:?}");
        assert!((next_belief(&pairs, &[false], &u, &before).matches - 0.5).abs() < 1e-12);
        // A rare level that no pair has keeps its u, and a frequent one counts for half a pair.
        let m = shares_of_matches(&[Some(3.5), None, None], &[0.25, 0.125, 0.625]);
        assert!((m[0].unwrap() - 0.875 * 4.0 / 4.5).abs() < 1e-12 && m[1].is_none() && m[2].is_none(), "{m:?}");
    }
}
