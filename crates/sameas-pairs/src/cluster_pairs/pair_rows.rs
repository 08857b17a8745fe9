//! The pairs, as rows, with what is known of them: made into edges, and asked again for those that were cut.

use std::cmp::Ordering;

use rayon::prelude::*;
use sameas_clusters::{CutEdge, Edge, EdgeKind};

use super::job::ClusterPairsJob;
use super::read::{NO_SCORE, PairFacts};
use crate::cancel::{Cancel, or_end};
use crate::memory::Held;

/// Bytes of the rows of a pair.
const BYTES_OF_PAIR: usize = 2 * size_of::<u32>();

/// The pairs in the order in which they were read.
pub(super) struct PairRows {
    rows: [Vec<u32>; 2],
    scores: Option<Vec<f64>>,
    /// What the column of the scores is called.
    pub scored_by: Option<String>,
    /// The places of their rules; nothing where pairs have none.
    rules: Option<Vec<u32>>,
    /// The rules in their order.
    pub rule_names: Vec<String>,
    certain: Option<Vec<bool>>,
    is_certain_rule: Vec<bool>,
    _held: [Held; 2],
}

/// What is known of pairs that were cut.
#[derive(Default)]
pub(super) struct CutFacts {
    /// The names of rules.
    pub rule_names: Vec<String>,
    /// The number of the rule of each; nothing where pairs have none.
    pub rules: Option<Vec<u32>>,
    /// The scores, or [`NO_SCORE`]; nothing where pairs have none.
    pub scores: Option<Vec<f64>>,
    /// What the column of the scores is called.
    pub scored_by: Option<String>,
}

impl PairRows {
    pub fn new(rows: [Vec<u32>; 2], facts: PairFacts, job: &ClusterPairsJob, cancel: Cancel<'_>) -> Self {
        let PairFacts { scores, scored_by, rules, rule_names, certain, held } = facts;
        let of_file = job.rules.rules.iter().filter_map(|rule| rule.name.as_ref());
        let order: Vec<&String> = job.rule_order.iter().chain(of_file).collect();
        let place = |name: &String| order.iter().position(|other| *other == name).unwrap_or(usize::MAX);
        let mut by_place: Vec<usize> = (0..rule_names.len()).collect();
        by_place.sort_by_cached_key(|at| (place(&rule_names[*at]), numbered_name(&rule_names[*at])));
        let mut places = vec![0; by_place.len()];
        by_place.iter().zip(0..).for_each(|(at, place)| places[*at] = place);
        let rules = rules.map(|mut rules| {
            rules.par_iter_mut().for_each(|rule| *rule = places[*rule as usize]);
            rules
        });
        let rule_names: Vec<String> = by_place.iter().map(|at| rule_names[*at].clone()).collect();
        let is_certain_rule = rule_names.iter().map(|name| job.certain_rules.contains(name)).collect();
        let _held = [held, cancel.hold(BYTES_OF_PAIR * rows[0].len())];
        Self { rows, scores, scored_by, rules, rule_names, certain, is_certain_rule, _held }
    }

    pub fn count(&self) -> usize {
        self.rows[0].len()
    }

    /// The row of the left record of the first pair.
    pub fn first_left(&self) -> Option<u32> {
        self.rows[0].first().copied()
    }

    /// The pairs as edges.
    pub fn par_edges(&self) -> impl IndexedParallelIterator<Item = Edge> {
        (0..self.count()).into_par_iter().map(move |at| {
            let kind = if self.is_certain(at) { EdgeKind::Certain } else { EdgeKind::Scored };
            let weight = Some(self.score(at)).filter(|score| !score.is_nan());
            or_end(Edge::new(self.pair(at), kind, weight, self.rule(at)))
        })
    }

    fn pair(&self, at: usize) -> [u32; 2] {
        let [l, r] = [self.rows[0][at], self.rows[1][at]];
        [l.min(r), l.max(r)]
    }

    fn score(&self, at: usize) -> f64 {
        self.scores.as_ref().map_or(NO_SCORE, |scores| scores[at])
    }

    fn rule(&self, at: usize) -> u32 {
        self.rules.as_ref().map_or(0, |rules| rules[at])
    }

    fn is_certain(&self, at: usize) -> bool {
        let by_rule = || self.rules.as_ref().is_some_and(|rules| self.is_certain_rule[rules[at] as usize]);
        self.certain.as_ref().is_some_and(|certain| certain[at]) || by_rule()
    }

    /// The order of two pairs of the same records, the stronger one first.
    fn compared(&self, a: usize, b: usize) -> Ordering {
        let (of_a, of_b) = (self.score(a), self.score(b));
        let by_score = of_a.is_nan().cmp(&of_b.is_nan()).then(of_b.total_cmp(&of_a));
        self.is_certain(b).cmp(&self.is_certain(a)).then(by_score).then(self.rule(a).cmp(&self.rule(b)))
    }

    /// What is known of the pairs that were cut: of repeated ones that of the strongest.
    pub fn of_cut(self, cut: &[CutEdge], first_rows: &[u32], cancel: Cancel<'_>) -> CutFacts {
        let pairs = if cut.is_empty() { 0..0 } else { 0..self.count() };
        let found: Vec<(u32, usize)> = pairs
            .into_par_iter()
            .filter(|at| {
                let [l, r] = self.pair(*at);
                first_rows[l as usize] != first_rows[r as usize]
            })
            .filter_map(|at| {
                let pair = self.pair(at);
                cut.binary_search_by(|edge| edge.rows.cmp(&pair)).ok().map(|place| (place as u32, at))
            })
            .collect();
        cancel.check();
        let mut strongest: Vec<Option<usize>> = vec![None; cut.len()];
        for (place, at) in found {
            let known = &mut strongest[place as usize];
            if known.is_none_or(|known| self.compared(at, known).is_lt()) {
                *known = Some(at);
            }
        }
        let of_rules = |at: &Option<usize>| at.map_or(0, |at| self.rule(at));
        let of_scores = |at: &Option<usize>| at.map_or(NO_SCORE, |at| self.score(at));
        CutFacts {
            rules: self.rules.as_ref().map(|_| strongest.iter().map(of_rules).collect()),
            scores: self.scores.as_ref().map(|_| strongest.iter().map(of_scores).collect()),
            rule_names: self.rule_names,
            scored_by: self.scored_by,
        }
    }
}

/// A name as names are in order: `rule_2` is before `rule_10`.
fn numbered_name(name: &str) -> (String, u64, String) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[stem.len()..].parse().unwrap_or(u64::MAX);
    (stem.to_owned(), number, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_end_of_names_are_in_order() {
        let mut names = ["rule_10", "b", "rule_2", "rule_1", "a", "rule"];
        names.sort_by_cached_key(|name| numbered_name(name));
        assert_eq!(names, ["a", "b", "rule", "rule_1", "rule_2", "rule_10"]);
    }
}
