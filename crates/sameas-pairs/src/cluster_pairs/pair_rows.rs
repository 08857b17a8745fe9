//! The pairs, as rows, with what is known of them: made into edges.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use sameas_clusters::{Edge, EdgeKind, Edges};

use super::batch_rows::NO_SCORE;
use super::job::ClusterPairsJob;
use super::pair_list::{PairChunk, PairChunks};
use super::read_pairs::ReadPairs;
use crate::cancel::{Cancel, or_end};
use crate::memory::Held;

/// The pairs in the order in which they were read.
pub(super) struct PairRows {
    pairs: PairChunks,
    /// What the column of the scores is called.
    pub scored_by: Option<String>,
    /// Whether pairs have rules.
    has_rules: bool,
    /// The places of rules in their order, by number.
    places: Vec<u32>,
    /// The rules in their order.
    pub rule_names: Vec<String>,
    is_certain_rule: Vec<bool>,
    _rules_held: Held,
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
    /// Of pairs whose records are rows.
    pub fn new(read: ReadPairs, job: &ClusterPairsJob) -> Self {
        let ReadPairs { pairs, scored_by, rule_names: names, rules_held, .. } = read;
        let of_file = job.rules.rules.iter().filter_map(|rule| rule.name.as_ref());
        let mut order: HashMap<&str, usize> = HashMap::new();
        for (at, name) in job.rule_order.iter().chain(of_file).enumerate() {
            order.entry(name).or_insert(at);
        }
        let (has_rules, names) = (names.is_some(), names.unwrap_or_default());
        let place = |name: &String| order.get(name.as_str()).copied().unwrap_or(usize::MAX);
        let mut by_place: Vec<usize> = (0..names.len()).collect();
        by_place.sort_by_cached_key(|at| (place(&names[*at]), numbered_name(&names[*at])));
        let mut places = vec![0; by_place.len()];
        by_place.iter().zip(0..).for_each(|(at, place)| places[*at] = place);
        let rule_names: Vec<String> = by_place.iter().map(|at| names[*at].clone()).collect();
        let certain_rules: HashSet<&String> = job.certain_rules.iter().collect();
        let is_certain_rule = rule_names.iter().map(|name| certain_rules.contains(name)).collect();
        Self { pairs, scored_by, has_rules, places, rule_names, is_certain_rule, _rules_held: rules_held }
    }

    /// How many there are, unless they were taken.
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.pairs.bytes()
    }

    /// The row of the left record of the first pair.
    pub fn first_left(&self) -> Option<u32> {
        (self.count() > 0).then(|| self.pairs.records(0)[0])
    }

    /// The pairs as edges.
    pub fn par_edges(&self) -> impl IndexedParallelIterator<Item = Edge> {
        (0..self.count()).into_par_iter().map(move |at| {
            let (chunk, place) = self.pairs.place(at);
            self.edge(chunk, place)
        })
    }

    /// Turns the pairs into edges: their memory becomes that of the edges, which `held` counts.
    pub fn move_into(&mut self, edges: &mut Edges, held: &mut Held, cancel: Cancel<'_>) {
        for chunk in self.pairs.take() {
            cancel.check();
            edges.par_extend((0..chunk.len()).into_par_iter().map(|at| self.edge(&chunk, at)));
            drop(chunk);
            or_end(held.reach(edges.bytes()));
        }
    }

    fn edge(&self, chunk: &PairChunk, at: usize) -> Edge {
        let rule = chunk.rule(at).map_or(0, |rule| self.places[rule as usize]);
        let is_certain = chunk.is_certain(at) || self.is_certain_rule.get(rule as usize).is_some_and(|is| *is);
        let kind = if is_certain { EdgeKind::Certain } else { EdgeKind::Scored };
        let weight = Some(chunk.score(at)).filter(|score| !score.is_nan());
        or_end(Edge::new(chunk.records(at), kind, weight, rule))
    }

    /// What is known of the pairs that were cut, of which these are the edges.
    pub fn of_cut(self, cut: &[Edge]) -> CutFacts {
        let score = |edge: &Edge| edge.weight().unwrap_or(NO_SCORE);
        CutFacts {
            rules: self.has_rules.then(|| cut.iter().map(Edge::rule).collect()),
            scores: self.scored_by.is_some().then(|| cut.iter().map(score).collect()),
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
