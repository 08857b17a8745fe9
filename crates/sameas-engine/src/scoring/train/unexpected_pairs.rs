//! Pairs that a model takes for matches, though it expects next to none of their kind, and more of them than there are matches.
//!
//! A model says how frequent each combination of outcomes is: the product of m among matches, and that of u among others. The
//! pairs of a household agree in an address and a phone and in nothing else, far more often than either product says. Passes do
//! not see them where rules read other columns, and EM takes them for matches. So all pairs are looked at once more:
//!
//! - The probabilities of all pairs add up to the number of matches, if they are what they say. Where the prior is known, and they
//!   add up to many more, scores are too high.
//! - Pairs are counted by the comparisons that agree, that is, have a level that speaks for a match. These counts are compared
//!   with what the model expects. Matches lack the same values more or less often than other pairs: each group of pairs that
//!   lack the same has the part of all matches that its probabilities have.
//!
//! This needs all pairs: in a sample of many, pairs that agree in two rare values are not seen.

use std::collections::BTreeMap;

use super::prior::Prior;
use crate::cancel::Cancel;
use crate::model::TrainingWarning;
use crate::score::{Pass, PassBelief, PassTable};

/// Probability from which on a pair is taken for a match.
const MATCH: f64 = 0.5;

/// How many times as many matches as the prior says are too many.
const MORE: f64 = 1.25;

/// Standard errors beyond which that is not chance.
const SURE: f64 = 3.0;

/// How many times as many pairs of a kind as expected are not taken for chance, or for errors of m.
const TIMES: f64 = 2.0;

/// Standard deviations of the number that is expected, and pairs, that must come on top: there are many kinds.
const SURE_OF_KIND: f64 = 4.0;
const SOME_PAIRS: f64 = 2.0;

/// The share of such pairs among all that are taken for matches from which on it is said.
const SHARE: f64 = 0.05;

/// All pairs of records by the outcomes of all comparisons, and the model of them.
pub struct UnexpectedPairs<'a> {
    pub all: &'a PassTable,
    pub prior: &'a Prior,
    pub m: Vec<Vec<f64>>,
    pub u: &'a [Vec<f64>],
    /// The names of the comparisons.
    pub names: Vec<String>,
    pub cancel: Cancel<'a>,
}

/// What a comparison says of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    Agrees,
    Differs,
    Nothing,
}

/// Pairs for which all comparisons say the same.
#[derive(Clone, Copy, Debug, Default)]
struct AgreementKind {
    /// Those that are taken for matches.
    taken: f64,
    /// How many are expected of this kind, whether they match or not.
    expected: f64,
}

/// Some pairs, and how many of them match: each counts by how likely it does.
#[derive(Clone, Copy, Debug, Default)]
struct LikelyMatches {
    pairs: f64,
    matches: f64,
}

impl LikelyMatches {
    fn add(&mut self, pairs: f64, matching: f64) {
        self.pairs += pairs;
        self.matches += pairs * matching;
    }
}

impl UnexpectedPairs<'_> {
    /// More matches than the prior says, and the kind of pairs that is most above what is expected.
    pub fn warnings(&self) -> Vec<TrainingWarning> {
        let belief = PassBelief { matches: self.prior.value, held_back: 0.0, m: self.m.clone() };
        let _held = self.cancel.hold(self.all.row_count() * size_of::<f64>());
        let matching: Vec<f64> = self.pass().matching(&belief).collect();
        let mut all = LikelyMatches::default();
        self.all.rows().zip(&matching).for_each(|((pairs, _), matching)| all.add(pairs, *matching));
        self.beyond_prior(all).into_iter().chain(self.unexpected(&self.kinds(&matching, all))).collect()
    }

    fn pass(&self) -> Pass<'_> {
        Pass { table: self.all, u: self.u, cancel: self.cancel }
    }

    fn beyond_prior(&self, all: LikelyMatches) -> Option<TrainingWarning> {
        let known = self.prior.value * all.pairs;
        let error = known.sqrt().hypot(self.prior.error * all.pairs);
        let is_more = all.matches > MORE * known && all.matches - known > SURE * error;
        (self.prior.is_known && is_more).then_some(TrainingWarning::MatchesBeyondPrior { matches: all.matches, known })
    }

    /// The kind that is most above what is expected, where such pairs are many of those that are taken for matches.
    fn unexpected(&self, kinds: &BTreeMap<Vec<Says>, AgreementKind>) -> Option<TrainingWarning> {
        let is_unexpected = |kind: &AgreementKind| {
            kind.taken > TIMES * kind.expected + SURE_OF_KIND * kind.expected.sqrt() + SOME_PAIRS
        };
        let all: f64 = kinds.values().map(|kind| kind.taken).sum();
        let unexpected = || kinds.iter().filter(|(_, kind)| is_unexpected(kind));
        let excess = |kind: &AgreementKind| kind.taken - kind.expected;
        let share = unexpected().map(|(_, kind)| excess(kind)).sum::<f64>() / all.max(1.0);
        let (says, most) = unexpected().max_by(|a, b| excess(a.1).total_cmp(&excess(b.1)))?;
        let names = says.iter().zip(&self.names).filter(|(says, _)| **says == Says::Agrees);
        (share >= SHARE).then(|| TrainingWarning::PairsUnexpected {
            comparisons: names.map(|(_, name)| name.clone()).collect(),
            pairs: most.taken,
            expected: most.expected,
            share,
        })
    }

    fn kinds(&self, matching: &[f64], all: LikelyMatches) -> BTreeMap<Vec<Says>, AgreementKind> {
        let mut kinds = BTreeMap::<Vec<Says>, AgreementKind>::new();
        let mut masks = BTreeMap::<Vec<bool>, LikelyMatches>::new();
        for ((pairs, outcomes), matching) in self.pass().rows().zip(matching) {
            let says: Vec<Says> = outcomes.iter().enumerate().map(|(at, outcome)| self.says(at, *outcome)).collect();
            masks.entry(mask_of(&says)).or_default().add(pairs, *matching);
            let kind = kinds.entry(says).or_default();
            kind.taken += if *matching >= MATCH { pairs } else { 0.0 };
        }
        let known = self.prior.is_known.then_some(self.prior.value * all.pairs);
        let scale = known.map_or(1.0, |known| known / all.matches.max(f64::MIN_POSITIVE));
        for (says, kind) in &mut kinds {
            let LikelyMatches { pairs, matches } = masks[&mask_of(says)];
            kind.expected = self.expected(says, pairs, (matches * scale).min(pairs));
        }
        kinds
    }

    fn says(&self, comparison: usize, outcome: u32) -> Says {
        let outcome = outcome as usize;
        match self.u[comparison].get(outcome) {
            None => Says::Nothing,
            Some(u) if self.m[comparison][outcome] > *u => Says::Agrees,
            Some(_) => Says::Differs,
        }
    }

    /// How many of some pairs, and of the matches among them, are of a kind.
    fn expected(&self, says: &[Says], pairs: f64, matches: f64) -> f64 {
        let share =
            |of: &[Vec<f64>]| says.iter().enumerate().map(|(at, says)| self.share(&of[at], at, *says)).product::<f64>();
        matches * share(&self.m) + (pairs - matches) * share(self.u)
    }

    /// The share of pairs of which a comparison says this, by the probabilities of its outcomes.
    fn share(&self, probabilities: &[f64], comparison: usize, says: Says) -> f64 {
        if says == Says::Nothing {
            return 1.0;
        }
        let all = probabilities.iter().enumerate();
        all.filter(|(outcome, _)| self.says(comparison, *outcome as u32) == says).map(|(_, share)| share).sum()
    }
}

/// Which comparisons are null.
fn mask_of(says: &[Says]) -> Vec<bool> {
    says.iter().map(|says| *says == Says::Nothing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ComparisonRules, LevelRule};
    use crate::score::Patterns;

    /// The last two tell little of matches: a pair that agrees in the first two alone is taken for one.
    const M: [f64; 4] = [0.9, 0.9, 0.5, 0.5];
    const U: f64 = 0.001;
    const PRIOR: f64 = 2e-4;

    /// What is said of 200 matches in a million pairs with four comparisons, and households that agree in the first two.
    fn warnings(households: u64, is_known: bool) -> Vec<TrainingWarning> {
        let comparison =
            || ComparisonRules { name: "a".to_owned(), levels: vec![LevelRule::default()], term_frequency: None };
        let shape = Patterns::new(&[comparison(), comparison(), comparison(), comparison()]).unwrap();
        let share = |p: f64, outcome: usize| if outcome == 0 { p } else { 1.0 - p };
        let count = |bits: usize| {
            let of = |all: f64, p: [f64; 4]| (0..4).map(|at| share(p[at], bits >> at & 1)).product::<f64>() * all;
            let more = if bits == 0b1100 { households } else { 0 };
            let pattern = (0..4).map(|at| shape.part(at, bits >> at & 1)).sum();
            (pattern, (of(200.0, M) + of(999_800.0, [U; 4])).round() as u64 + more)
        };
        let counts: Vec<(u64, u64)> = (0..16).map(count).collect();
        let all = PassTable::new(&shape, &counts, &[true; 4]);
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let (value, error, from) = (PRIOR, 0.0, String::new());
        let prior = Prior { value, error, from, is_known, is_given: is_known, warning: None };
        let m = M.map(|m| vec![m, 1.0 - m]).to_vec();
        UnexpectedPairs { all: &all, prior: &prior, m, u: &vec![vec![U, 1.0 - U]; 4], names, cancel: Cancel::NEVER }
            .warnings()
    }

    #[test]
    fn households_are_found_where_they_are_many_of_the_pairs() {
        let found = warnings(400, true);
        let [TrainingWarning::MatchesBeyondPrior { matches, known }, unexpected] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(*matches > 500.0 && (*known - 200.0).abs() < 1.0, "{found:?}");
        let TrainingWarning::PairsUnexpected { comparisons, pairs, expected, share } = unexpected else {
            panic!("{found:?}");
        };
        assert_eq!(comparisons, &["a", "b"]);
        assert!(*pairs >= 400.0 && *expected < 100.0 && *share > 0.3, "{found:?}");
    }

    #[test]
    fn they_are_found_where_nobody_knows_how_many_match() {
        let found = warnings(400, false);
        assert!(matches!(&found[..], [TrainingWarning::PairsUnexpected { .. }]), "{found:?}");
    }

    #[test]
    fn independent_comparisons_have_the_pairs_that_are_expected() {
        assert_eq!([warnings(0, true), warnings(0, false)], [const { Vec::new() }; 2]);
    }
}
