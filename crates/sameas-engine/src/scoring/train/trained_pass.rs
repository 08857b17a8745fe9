//! A pass over the pairs of one rule: where it begins, what it comes to, and how sure that is.
//!
//! The pairs of a rule cannot have more matches than there are. A pass that would take more of them for matches has found some
//! other group of pairs, which agree in a brand or a town, and its m would be that of the group. How many matches a rule has is
//! known even better where certain rules compare none of its columns: as large a part of all matches as of the pairs of these
//! rules. A pass that goes beyond that is repeated with a limit. The limit is soft where a pass could be right, because records
//! without errors satisfy more rules than others, and strict where it cannot.

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::model::MatchWeight;
use crate::score::{MatchLimit, Pass, PassBelief, PassErrors, PassRecord, PassTable, expectation_maximisation};

/// m of the first level of a comparison before anything is learned.
const FIRST_M: f64 = 0.95;

/// The same in a pass that begins with many errors among the matches.
const LOW_FIRST_M: f64 = 0.6;

/// The gain in likelihood, as a logarithm, from which on another end is better.
const BETTER: f64 = 1e-3;

/// What is known of matches before a pass.
#[derive(Clone, Copy, Debug)]
pub struct KnownMatches {
    /// The probability that two random records match.
    pub prior: f64,
    /// How many matches there are at most; infinite where nothing is known.
    pub most: f64,
    /// How many of them the pairs of the rule have at most: no more than all.
    pub of_rule: f64,
}

impl KnownMatches {
    /// The limit of a pass that would take this share of some pairs for matches; nothing where there can be as many.
    fn limit(self, table: &PassTable, share: f64) -> Option<MatchLimit> {
        let most = |matches: f64| (matches / table.population()).min(1.0);
        let limit = MatchLimit { most: most(self.of_rule), is_strict: share > most(self.most) };
        (share > limit.most).then_some(limit)
    }
}

/// A pass over the pairs of a rule.
#[derive(Clone, Debug)]
pub struct TrainedPass {
    /// The number of the rule.
    pub rule: usize,
    /// Its pairs.
    pub table: PassTable,
    /// What it has learned.
    pub record: PassRecord,
    /// How far that may be off.
    pub errors: PassErrors,
    /// The share of matches that its pairs alone would give, where there cannot be as many.
    pub beyond: Option<f64>,
    known: KnownMatches,
}

impl TrainedPass {
    /// Begins a pass over some pairs in several ways, always the same ones, and takes the end that makes the pairs most likely:
    /// the first of those that do.
    pub fn best(rule: usize, table: PassTable, u: &[Vec<f64>], known: KnownMatches, cancel: Cancel<'_>) -> Self {
        let pass = Pass { table: &table, u, cancel };
        let record = best_end(pass, known.prior, MatchLimit::NONE);
        let limited = |limit| best_end(pass, known.prior, limit);
        let PassEnd { record, errors, beyond } = PassEnd::within_limit(pass, known, record, &limited);
        Self { rule, table, record, errors, beyond, known }
    }

    /// Goes on from where it is, by another u.
    pub fn continued(self, u: &[Vec<f64>], cancel: Cancel<'_>) -> Self {
        let Self { rule, table, record, beyond, known, .. } = self;
        let pass = Pass { table: &table, u, cancel };
        let free = PassBelief { matches: beyond.unwrap_or(record.belief.matches), ..record.belief.clone() };
        let next = expectation_maximisation(pass, free, MatchLimit::NONE);
        let limited = |limit| expectation_maximisation(pass, record.belief.clone(), limit);
        let PassEnd { record, errors, beyond } = PassEnd::within_limit(pass, known, next, &limited);
        Self { rule, table, record, errors, beyond, known }
    }

    /// What all starts come to by the u that is known at the end.
    pub fn ends(&self, u: &[Vec<f64>], cancel: Cancel<'_>) -> Vec<PassRecord> {
        let limit = self.beyond.and_then(|share| self.known.limit(&self.table, share)).unwrap_or(MatchLimit::NONE);
        ends(Pass { table: &self.table, u, cancel }, self.known.prior, limit)
    }

    /// How many matches the pairs of the rule have at most.
    pub fn most_matches(&self) -> f64 {
        self.known.of_rule
    }

    /// The place of a comparison among those that take part.
    pub fn place(&self, comparison: usize) -> Option<usize> {
        self.table.comparisons.binary_search(&comparison).ok()
    }

    /// The matches with a value of the comparison at a place.
    pub fn matches(&self, place: usize) -> f64 {
        self.record.expected[place].iter().sum()
    }

    /// How many matches, known to be some, would tell as much of m of the comparison at a place.
    pub fn evidence(&self, place: usize) -> f64 {
        let m = &self.record.belief.m[place];
        let known: f64 = m.iter().map(|m| m * (1.0 - m)).sum();
        let variance: f64 = self.errors.m[place].iter().map(|error| error * error).sum();
        (known.max(f64::MIN_POSITIVE) / variance.max(f64::MIN_POSITIVE)).min(self.matches(place) + 1.0)
    }
}

/// What a pass has learned, with the share of matches that its pairs alone would give, where there cannot be as many.
struct PassEnd {
    record: PassRecord,
    errors: PassErrors,
    beyond: Option<f64>,
}

impl PassEnd {
    /// What the pairs of a pass alone say, or another end where that is more matches than there are.
    fn within_limit(
        pass: Pass<'_>,
        known: KnownMatches,
        free: PassRecord,
        limited: &dyn Fn(MatchLimit) -> PassRecord,
    ) -> Self {
        let errors = PassErrors::new(pass, &free);
        let Some(limit) = known.limit(pass.table, free.belief.matches) else {
            return Self { record: free, errors, beyond: None };
        };
        let record = limited(limit);
        let errors = PassErrors { matches: errors.matches, ..PassErrors::of_known_share(pass, &record) };
        Self { record, errors, beyond: Some(free.belief.matches) }
    }
}

/// The end of all starts that makes the pairs most likely, the first of those that do.
fn best_end(pass: Pass<'_>, prior: f64, limit: MatchLimit) -> PassRecord {
    let better = |best: PassRecord, other: PassRecord| if other.gain > best.gain + BETTER { other } else { best };
    ends(pass, prior, limit).into_iter().reduce(better).expect("a pass has several starts")
}

/// What a pass comes to: as the prior leads it, and from large, small and middling shares of matches.
fn ends(pass: Pass<'_>, prior: f64, limit: MatchLimit) -> Vec<PassRecord> {
    let others = [(0.9, FIRST_M), (0.02, FIRST_M), (0.4, LOW_FIRST_M)];
    let others = others.map(|(matches, first)| start(pass.table, matches, first));
    let starts: Vec<PassBelief> = [usual_start(pass.table, pass.u, prior)].into_iter().chain(others).collect();
    starts.into_par_iter().map(|start| expectation_maximisation(pass, start, limit)).collect()
}

/// Where a pass begins that the prior is to lead.
fn usual_start(table: &PassTable, u: &[Vec<f64>], prior: f64) -> PassBelief {
    start(table, first_share(table, u, prior), FIRST_M)
}

fn start(table: &PassTable, matches: f64, first: f64) -> PassBelief {
    PassBelief { matches, held_back: 0.0, m: table.levels.iter().map(|levels| first_m(*levels, first)).collect() }
}

/// The share of matches among the pairs of a rule, to begin with: the prior, and that the comparisons of the rule agree.
fn first_share(table: &PassTable, u: &[Vec<f64>], prior: f64) -> f64 {
    let decided = (0..u.len()).filter(|at| table.comparisons.binary_search(at).is_err());
    let agreed: MatchWeight = decided.map(|at| MatchWeight::of_ratio(FIRST_M, u[at][0])).sum();
    (MatchWeight::of_probability(prior) + agreed).probability().clamp(1e-4, 0.9)
}

/// m of the outcomes of a comparison before anything is learned.
fn first_m(outcomes: usize, first: f64) -> Vec<f64> {
    let others = (1.0 - first) / (outcomes - 1) as f64;
    (0..outcomes).map(|outcome| if outcome == 0 { first } else { others }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ComparisonRules, LevelRule};
    use crate::score::Patterns;

    #[test]
    fn a_limit_is_strict_where_there_cannot_be_as_many_matches() {
        let comparison =
            ComparisonRules { name: "a".to_owned(), levels: vec![LevelRule::default()], term_frequency: None };
        let table = PassTable::new(&Patterns::new(&[comparison]).unwrap(), &[(0, 600), (1, 400)], &[true]);
        let known = KnownMatches { prior: 0.001, most: 500.0, of_rule: 200.0 };
        assert_eq!(known.limit(&table, 0.2), None);
        assert_eq!(known.limit(&table, 0.3), Some(MatchLimit { most: 0.2, is_strict: false }));
        assert_eq!(known.limit(&table, 0.6), Some(MatchLimit { most: 0.2, is_strict: true }));
        let nothing = KnownMatches { prior: 0.001, most: f64::INFINITY, of_rule: f64::INFINITY };
        assert_eq!(nothing.limit(&table, 1.0), None);
    }
}
