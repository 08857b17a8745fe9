//! Expectation-maximisation over a table of pattern counts, in 64-bit floats and in the order of the patterns: the same
//! pairs give the same model to the last bit, whatever found them.
//!
//! # The prior of m
//!
//! To the matches that a level is expected to have, half a pair is added, so that none becomes impossible, but never more than
//! the level would have if it weighed nothing: its u, of all matches. So
//!
//! - smoothing alone never makes a weight positive. Half a pair for every level does: one of a thousand matches that no pair
//!   has, and that is one in a million of all pairs, would weigh 9 bits;
//! - a level that no match has, and that few of them would have if it weighed nothing, has the weight 0: its absence says nothing;
//! - where many would have it, as *else*, it weighs what half a match among them gives;
//! - what one or more matches have is hardly changed. Pairs shared out by u alone (`s + k u`) would give the rare level that no
//!   match has -10 bits, for no reason but that it is rare.

use super::match_limit::{MatchLimit, probability};
use super::pass_table::PassTable;
use crate::cancel::Cancel;

/// Rounds at most.
const MOST_ROUNDS: usize = 1000;

/// The change of all probabilities below which a pass has converged.
const TOLERANCE: f64 = 1e-7;

/// Rows between two looks at whether the job was cancelled.
const ROWS_BETWEEN_CHECKS: usize = 1 << 16;

/// Pairs that a level of a pass counts for beside its own, at most.
pub const SMOOTHING: f64 = 0.5;

/// What is believed of the pairs of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct PassBelief {
    /// The share of matches among them.
    pub matches: f64,
    /// By how much the natural logarithm of the odds of each pair is lowered, so that no more pairs match than there can be.
    pub held_back: f64,
    /// m of the outcomes of each comparison that takes part.
    pub m: Vec<Vec<f64>>,
}

/// The pairs of one training rule, and u of the comparisons that take part.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'a> {
    /// The pairs.
    pub table: &'a PassTable,
    /// u of the outcomes of all comparisons, which stays.
    pub u: &'a [Vec<f64>],
    /// Whether what it learns is still wanted, and the memory that it may take.
    pub cancel: Cancel<'a>,
}

/// What a pass has learned.
#[derive(Clone, Debug, PartialEq)]
pub struct PassRecord {
    /// What is believed at the end.
    pub belief: PassBelief,
    /// The matches that are expected, by outcome of each comparison that takes part.
    pub expected: Vec<Vec<f64>>,
    /// By how much the pairs are more likely than without any match among them: a logarithm, in nats.
    pub gain: f64,
    /// The largest change of a probability in each round.
    pub changes: Vec<f64>,
    /// Whether the last was small enough.
    pub has_converged: bool,
}

/// Learns m and the share of matches, which has a limit. In each round the likelihood is greatest where the share is the mean of
/// how likely pairs match, and falls on either side: so the best share within a limit may be the limit.
pub fn expectation_maximisation(pass: Pass<'_>, start: PassBelief, limit: MatchLimit) -> PassRecord {
    let (mut belief, mut changes) = (PassBelief { matches: start.matches.min(limit.most), ..start }, Vec::new());
    loop {
        belief.held_back = pass.held_back(&belief, limit);
        let expected = pass.expected(&belief);
        let next = pass.next(&expected);
        let next = PassBelief { matches: next.matches.min(limit.most), held_back: belief.held_back, ..next };
        changes.push(change(&belief, &next));
        belief = next;
        let has_converged = changes.last().is_some_and(|change| *change < TOLERANCE);
        if has_converged || changes.len() == MOST_ROUNDS {
            let gain = pass.gain(&belief);
            return PassRecord { belief, expected: expected.by_outcome, gain, changes, has_converged };
        }
    }
}

/// m of the matches that each outcome is expected to have, smoothed. An outcome that no pair has (`pairs`) and that less than
/// half a match would have if it weighed nothing keeps its u, to the last bit.
pub fn smoothed(expected: &[f64], pairs: &[f64], u: &[f64]) -> Vec<f64> {
    let matches: f64 = expected.iter().sum();
    let keeps = |at: usize| says_nothing(pairs[at], matches, u[at]);
    let kept: f64 = (0..u.len()).filter(|at| keeps(*at)).map(|at| u[at]).sum();
    // Without any match, m is u.
    let more = |at: usize| if matches > 0.0 { SMOOTHING.min(matches * u[at]) } else { u[at] };
    let sum = |at: usize| if keeps(at) { 0.0 } else { (expected[at] + more(at)).max(f64::MIN_POSITIVE) };
    let all: f64 = (0..u.len()).map(sum).sum();
    let left = (1.0 - kept).max(0.0) / all;
    (0..u.len()).map(|at| if keeps(at) { u[at] } else { sum(at) * left }).collect()
}

/// Whether it says nothing that an outcome has no pair: less than half a match would have it if it weighed nothing.
pub fn says_nothing(pairs: f64, matches: f64, u: f64) -> bool {
    pairs == 0.0 && matches * u < SMOOTHING
}

/// Expected numbers of matching pairs.
struct ExpectedPairs {
    /// By comparison and outcome.
    by_outcome: Vec<Vec<f64>>,
    matches: f64,
}

impl Pass<'_> {
    /// u of a comparison that takes part.
    pub fn u_of(&self, at: usize) -> &[f64] {
        &self.u[self.table.comparisons[at]]
    }

    /// The rows of its table: a walk over them ends where the job was cancelled.
    pub fn rows(&self) -> impl Iterator<Item = (f64, &[u32])> {
        self.table.rows().enumerate().map(|(row, of)| {
            if row % ROWS_BETWEEN_CHECKS == 0 {
                self.cancel.check();
            }
            of
        })
    }

    /// How likely each row matches.
    pub fn matching(&self, belief: &PassBelief) -> impl Iterator<Item = f64> {
        self.odds(belief).map(probability)
    }

    /// The odds of that, as natural logarithms.
    fn odds(&self, belief: &PassBelief) -> impl Iterator<Item = f64> {
        let weights = self.weights(belief);
        let prior = (belief.matches / (1.0 - belief.matches)).ln() - belief.held_back;
        self.rows().map(move |(_, outcomes)| prior + sum_of(&weights, outcomes))
    }

    /// By how much odds are lowered to keep a limit.
    fn held_back(&self, belief: &PassBelief, limit: MatchLimit) -> f64 {
        if !limit.is_strict {
            return 0.0;
        }
        let _held = self.cancel.hold(self.table.row_count() * size_of::<(f64, f64)>());
        let free = PassBelief { held_back: 0.0, ..belief.clone() };
        let odds: Vec<(f64, f64)> = self.table.rows().map(|(pairs, _)| pairs).zip(self.odds(&free)).collect();
        limit.held_back(&odds, belief.held_back, self.cancel)
    }

    /// How many pairs of each outcome match, by the probabilities so far.
    fn expected(&self, belief: &PassBelief) -> ExpectedPairs {
        let mut matches = 0.0;
        let mut rows = self.table.rows();
        let counted =
            self.matching(belief).inspect(|part| matches += part * rows.next().map_or(0.0, |(pairs, _)| pairs));
        let by_outcome = self.table.sums(counted);
        ExpectedPairs { by_outcome, matches }
    }

    fn next(&self, expected: &ExpectedPairs) -> PassBelief {
        let of_comparison =
            |(at, expected): (usize, &Vec<f64>)| smoothed(expected, &self.table.seen[at], self.u_of(at));
        let m = expected.by_outcome.iter().enumerate().map(of_comparison).collect();
        PassBelief { matches: expected.matches / self.table.all_pairs(), held_back: 0.0, m }
    }

    /// The weight of each outcome of each comparison, as natural logarithms; that of null is 0.
    fn weights(&self, belief: &PassBelief) -> Vec<Vec<f64>> {
        let of_comparison = |(at, m): (usize, &Vec<f64>)| {
            let weights = m.iter().zip(self.u_of(at)).map(|(m, u)| m.ln() - u.ln());
            weights.chain([0.0]).collect()
        };
        belief.m.iter().enumerate().map(of_comparison).collect()
    }

    /// By how much the pairs are more likely than without any match. Where a limit lowers odds, it is less by how far they are
    /// from what the model says: the relative entropy.
    fn gain(&self, belief: &PassBelief) -> f64 {
        let (weights, matches) = (self.weights(belief), belief.matches);
        let of_row = |(pairs, outcomes): (f64, &[u32])| {
            let weight = sum_of(&weights, outcomes) - belief.held_back;
            let likelihood = match weight > 0.0 {
                true => weight + (matches + (1.0 - matches) * (-weight).exp()).ln(),
                // A sum is not less than either part, whatever is lost of it where one is tiny.
                false => (matches * weight.exp() + (1.0 - matches)).ln().max(weight + matches.ln()),
            };
            pairs * likelihood
        };
        self.rows().map(of_row).sum::<f64>() + belief.held_back * matches * self.table.all_pairs()
    }
}

fn sum_of(weights: &[Vec<f64>], outcomes: &[u32]) -> f64 {
    weights.iter().zip(outcomes).map(|(weights, outcome)| weights[*outcome as usize]).sum()
}

/// The largest change of a probability.
fn change(before: &PassBelief, after: &PassBelief) -> f64 {
    let of_m = before.m.iter().flatten().zip(after.m.iter().flatten()).map(|(a, b)| (a - b).abs());
    of_m.fold((before.matches - after.matches).abs(), f64::max)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::super::pattern::Patterns;
    use super::*;
    use crate::cancel::catch;
    use crate::error::ErrorCode;
    use crate::rules::{ComparisonRules, LevelRule};

    fn comparison() -> ComparisonRules {
        ComparisonRules { name: "a".to_owned(), levels: vec![LevelRule::default()], term_frequency: None }
    }

    fn learned(counts: &[([usize; 2], u64)], u: [f64; 2], matches: f64) -> PassRecord {
        let shape = Patterns::new(&[comparison(), comparison()]).unwrap();
        let pattern = |[first, second]: [usize; 2]| shape.part(0, first) + shape.part(1, second);
        let mut counts: Vec<(u64, u64)> = counts.iter().map(|(outcomes, pairs)| (pattern(*outcomes), *pairs)).collect();
        counts.sort_unstable();
        let table = PassTable::new(&shape, &counts, &[true; 2]);
        let (u, m) = (vec![u.to_vec(); 2], vec![vec![0.95, 0.05]; 2]);
        let start = PassBelief { matches, held_back: 0.0, m };
        expectation_maximisation(Pass { table: &table, u: &u, cancel: Cancel::NEVER }, start, MatchLimit::NONE)
    }

    #[test]
    fn the_evidence_of_a_comparison_is_the_matches_that_have_values() {
        // Both agree for 300 pairs, the second is null for 100, and neither agrees for 600.
        let record = learned(&[([0, 0], 300), ([0, 2], 100), ([1, 1], 600)], [0.001, 0.999], 0.3);
        let [first, second] = [0, 1].map(|at: usize| record.expected[at].iter().sum::<f64>());
        assert!((first - 400.0).abs() < 2.0 && (second - 300.0).abs() < 2.0, "{record:?}");
        assert!((record.belief.matches * 1000.0 - first).abs() < 1e-3 && record.gain > 1000.0, "{record:?}");
    }

    #[test]
    fn smoothing_never_makes_a_weight_positive() {
        let u = [1e-6, 0.02, 0.98 - 1e-6];
        for seen in [0.0, 7.0] {
            let m = smoothed(&[0.0, 1000.0, 0.0], &[seen, 2000.0, seen], &u);
            // The rare level weighs nothing, and the frequent one half a match of a thousand.
            assert!((m[0] / u[0] - 1.0).abs() < 1e-3 && (seen > 0.0 || m[0] == u[0]), "{m:?}");
            assert!((m[2] - 0.5 / 1000.0).abs() < 1e-6 && (m.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{m:?}");
        }
        assert_eq!(smoothed(&[0.0, 0.0], &[5.0, 5.0], &[0.25, 0.75]), [0.25, 0.75]);
        assert_eq!(smoothed(&[0.0, 0.0], &[0.0, 0.0], &[0.25, 0.75]), [0.25, 0.75]);
    }

    #[test]
    fn a_share_of_matches_can_be_limited() {
        let counts = [([0, 0], 300), ([0, 1], 100), ([1, 0], 100), ([1, 1], 500)];
        let free = learned(&counts, [0.001, 0.999], 0.3);
        let limited = |most: f64, is_strict: bool| {
            let shape = Patterns::new(&[comparison(), comparison()]).unwrap();
            let pattern = |[first, second]: [usize; 2]| shape.part(0, first) + shape.part(1, second);
            let mut counts: Vec<(u64, u64)> = counts.iter().map(|(of, pairs)| (pattern(*of), *pairs)).collect();
            counts.sort_unstable();
            let (table, u) = (PassTable::new(&shape, &counts, &[true; 2]), vec![vec![0.001, 0.999]; 2]);
            let start = PassBelief { matches: 0.3, held_back: 0.0, m: vec![vec![0.95, 0.05]; 2] };
            let pass = Pass { table: &table, u: &u, cancel: Cancel::NEVER };
            expectation_maximisation(pass, start, MatchLimit { most, is_strict })
        };
        assert_eq!([limited(1.0, false), limited(1.0, true)], [free.clone(), free.clone()]);
        let less = limited(0.1, false);
        assert_eq!(less.belief.matches, 0.1);
        assert!(free.belief.matches > 0.2 && less.gain < free.gain, "{free:?} {less:?}");
        // Three hundred pairs that agree in both outweigh that, unless the limit is strict.
        let strict = limited(0.1, true);
        let matches = |record: &PassRecord| record.expected[0].iter().sum::<f64>();
        assert!(matches(&less) > 290.0 && (matches(&strict) - 100.0).abs() < 1e-6, "{less:?} {strict:?}");
        assert!((strict.belief.matches - 0.1).abs() < 1e-9 && strict.belief.held_back > 0.0, "{strict:?}");
        assert!(strict.gain < less.gain, "{less:?} {strict:?}");
    }

    #[test]
    fn a_pass_ends_where_the_job_was_cancelled() {
        let shape = Patterns::new(&[comparison()]).unwrap();
        let table = PassTable::new(&shape, &[(0, 40), (1, 60)], &[true]);
        let asked = AtomicUsize::new(0);
        let is_cancelled = || asked.fetch_add(1, Relaxed) == 3;
        let start = || PassBelief { matches: 0.3, held_back: 0.0, m: vec![vec![0.95, 0.05]] };
        let u = [vec![0.2, 0.8]];
        let pass = |cancel| Pass { table: &table, u: &u, cancel };
        let learned = |cancel| catch(|| Ok(expectation_maximisation(pass(cancel), start(), MatchLimit::NONE)));
        assert_eq!(learned(Cancel::when(&is_cancelled)).unwrap_err().code(), ErrorCode::Cancelled);
        assert_eq!(asked.load(Relaxed), 4);
        assert!(learned(Cancel::NEVER).unwrap().changes.len() > 4);
    }

    #[test]
    fn odd_tables_give_probabilities() {
        let odd: [&[([usize; 2], u64)]; 5] =
            [&[([0, 0], 1)], &[([1, 1], 1)], &[([2, 2], 50)], &[([0, 2], 500)], &[([1, 1], 1_000_000), ([0, 0], 1)]];
        for counts in odd {
            for matches in [1e-4, 0.5, 0.9] {
                let record = learned(counts, [1e-9, 1.0 - 1e-9], matches);
                let all = record.belief.m.iter().flatten().chain([&record.belief.matches]);
                assert!(
                    all.copied().all(|p| (0.0..=1.0).contains(&p)) && record.gain.is_finite(),
                    "{counts:?} {record:?}"
                );
                let sums = record.belief.m.iter().map(|m| m.iter().sum::<f64>());
                assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{record:?}");
            }
        }
    }
}
