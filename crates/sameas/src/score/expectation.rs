//! Expectation-maximisation over a table of pattern counts, in 64-bit floats and in the order of the patterns: the same
//! pairs give the same model to the last bit, whatever found them.

use super::pattern::Patterns;

/// Rounds at most.
const MOST_ROUNDS: usize = 1000;

/// The change of all probabilities below which a pass has converged.
const TOLERANCE: f64 = 1e-7;

/// Pairs that each level of a pass counts for beside its own, so that none becomes impossible.
const SMOOTHING: f64 = 0.5;

/// What a level counts for that no pair of a pass has, while the pass lasts.
const UNSEEN: f64 = 1e-6;

/// The pairs of one training rule, and where their pass begins.
#[derive(Clone, Debug)]
pub struct Pass<'a> {
    /// How patterns are made.
    pub shape: &'a Patterns,
    /// Pairs by pattern, in order.
    pub counts: &'a [(u64, u64)],
    /// The comparisons.
    pub comparisons: Vec<PassComparison<'a>>,
    /// The share of matches among the pairs, to begin with.
    pub matches: f64,
}

/// A comparison in a pass. Probabilities are those of its levels and of *else*.
#[derive(Clone, Debug)]
pub struct PassComparison<'a> {
    /// Whether it takes part.
    pub is_active: bool,
    /// m, to begin with.
    pub m: &'a [f64],
    /// u, which stays.
    pub u: &'a [f64],
}

/// What a pass has learned.
#[derive(Clone, Debug, PartialEq)]
pub struct PassRecord {
    /// The share of matches among the pairs.
    pub matches: f64,
    /// m of each comparison that took part; none for a level that no pair has.
    pub m: Vec<Option<Vec<Option<f64>>>>,
    /// The pairs that this is learned from, for each comparison: those that match, as expected, and are not null.
    pub evidence: Vec<f64>,
    /// The largest change of a probability in each round.
    pub changes: Vec<f64>,
    /// Whether the last was small enough.
    pub has_converged: bool,
}

/// Learns m and the share of matches.
pub fn expectation_maximisation(pass: &Pass<'_>) -> PassRecord {
    let mut m: Vec<Vec<f64>> = pass.comparisons.iter().map(|comparison| comparison.m.to_vec()).collect();
    let (mut matches, mut changes) = (pass.matches, Vec::new());
    let mut seen = pass.seen();
    let evidence = loop {
        let sums = pass.expected(&m, matches);
        let next = sums.m(&seen);
        let change = pass.change(&m, &next).max((sums.share() - matches).abs());
        (m, matches) = (next, sums.share());
        changes.push(change);
        if change < TOLERANCE || changes.len() == MOST_ROUNDS {
            break sums.by_outcome.iter().map(|outcomes| outcomes.iter().sum()).collect();
        }
    };
    let has_converged = changes.last().is_some_and(|change| *change < TOLERANCE);
    let learned = |(at, m): (usize, Vec<f64>)| {
        let seen = std::mem::take(&mut seen[at]);
        pass.comparisons[at].is_active.then(|| m.into_iter().zip(seen).map(|(m, seen)| seen.then_some(m)).collect())
    };
    PassRecord { matches, m: m.into_iter().enumerate().map(learned).collect(), evidence, changes, has_converged }
}

/// Expected numbers of matching pairs.
struct ExpectedPairs {
    /// By comparison and outcome.
    by_outcome: Vec<Vec<f64>>,
    matches: f64,
    pairs: f64,
}

impl ExpectedPairs {
    fn share(&self) -> f64 {
        self.matches / self.pairs
    }

    fn m(&self, seen: &[Vec<bool>]) -> Vec<Vec<f64>> {
        let of_comparison = |(sums, seen): (&Vec<f64>, &Vec<bool>)| {
            let levels = seen.iter().filter(|seen| **seen).count() as f64;
            let all = sums.iter().sum::<f64>() + SMOOTHING * levels;
            let share = |(sum, seen): (&f64, &bool)| if *seen { (sum + SMOOTHING) / all } else { UNSEEN };
            sums.iter().zip(seen).map(share).collect()
        };
        self.by_outcome.iter().zip(seen).map(of_comparison).collect()
    }
}

impl Pass<'_> {
    /// Whether some pair has each outcome of each comparison.
    fn seen(&self) -> Vec<Vec<bool>> {
        let mut seen: Vec<Vec<bool>> = self.comparisons.iter().map(|of| vec![false; of.m.len()]).collect();
        for (pattern, _) in self.counts {
            for (at, seen) in seen.iter_mut().enumerate() {
                if let Some(seen) = seen.get_mut(self.shape.outcome(*pattern, at)) {
                    *seen = true;
                }
            }
        }
        seen
    }

    /// How many pairs of each outcome match, by the probabilities so far.
    fn expected(&self, m: &[Vec<f64>], matches: f64) -> ExpectedPairs {
        let weights: Vec<Vec<f64>> = (0..m.len()).map(|at| self.weights(&m[at], at)).collect();
        let prior = (matches / (1.0 - matches)).log2();
        let by_outcome = m.iter().map(|m| vec![0.0; m.len()]).collect();
        let mut sums = ExpectedPairs { by_outcome, matches: 0.0, pairs: 0.0 };
        let mut outcomes = vec![0; m.len()];
        for (pattern, pairs) in self.counts {
            let mut bits = prior;
            for (at, outcome) in outcomes.iter_mut().enumerate() {
                *outcome = self.shape.outcome(*pattern, at);
                bits += weights[at].get(*outcome).copied().unwrap_or(0.0);
            }
            let pairs = *pairs as f64;
            let matching = pairs / (1.0 + (-bits).exp2());
            for (sums, outcome) in sums.by_outcome.iter_mut().zip(&outcomes) {
                if let Some(sum) = sums.get_mut(*outcome) {
                    *sum += matching;
                }
            }
            sums.matches += matching;
            sums.pairs += pairs;
        }
        sums
    }

    /// The weights of the outcomes of a comparison; nothing where it takes no part.
    fn weights(&self, m: &[f64], at: usize) -> Vec<f64> {
        let of = &self.comparisons[at];
        if !of.is_active {
            return Vec::new();
        }
        m.iter().zip(of.u).map(|(m, u)| m.log2() - u.log2()).collect()
    }

    fn change(&self, before: &[Vec<f64>], after: &[Vec<f64>]) -> f64 {
        let active = self.comparisons.iter().zip(before.iter().zip(after)).filter(|(of, _)| of.is_active);
        let changes = active.flat_map(|(_, (before, after))| before.iter().zip(after).map(|(a, b)| (a - b).abs()));
        changes.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ComparisonRules, LevelRule};

    #[test]
    fn the_evidence_of_a_comparison_is_the_matches_that_have_values() {
        let comparison =
            || ComparisonRules { name: "a".to_owned(), levels: vec![LevelRule::default()], term_frequency: None };
        let shape = Patterns::new(&[comparison(), comparison()]).unwrap();
        // Both agree for 300 pairs, the second is null for 100, and neither agrees for 600.
        let pattern = |first: usize, second: usize| shape.part(0, first) + shape.part(1, second);
        let mut counts = vec![(pattern(0, 0), 300), (pattern(0, 2), 100), (pattern(1, 1), 600)];
        counts.sort_unstable();
        let (m, u) = ([0.95, 0.05], [0.001, 0.999]);
        let comparisons = vec![PassComparison { is_active: true, m: &m, u: &u }; 2];
        let record = expectation_maximisation(&Pass { shape: &shape, counts: &counts, comparisons, matches: 0.3 });
        let [first, second] = [record.evidence[0], record.evidence[1]];
        assert!((first - 400.0).abs() < 2.0 && (second - 300.0).abs() < 2.0, "{record:?}");
        assert!((record.matches * 1000.0 - first).abs() < 1e-3, "{record:?}");
    }
}
