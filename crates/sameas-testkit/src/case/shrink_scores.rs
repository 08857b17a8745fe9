//! Smaller scores: fewer comparisons and levels, and numbers that say less.

use super::{Case, Compare, LevelShares, Scoring, Threshold};

/// What a level and *else* weigh in a small case: one bit more, and one less.
const SIMPLE: [LevelShares; 2] = [LevelShares { m: 0.25, u: 0.125 }, LevelShares { m: 0.125, u: 0.25 }];

impl Case {
    /// Cases with smaller scores, or without any.
    pub(super) fn with_smaller_scores(&self) -> impl Iterator<Item = Case> + '_ {
        let certain = (0..self.job.rules.len()).filter(|at| self.job.rules[*at].is_certain);
        let certain = certain.map(|at| self.edited(|case| case.job.rules[at].is_certain = false));
        let none = (self.job.scoring.is_some() && !self.job.rules.is_empty()).then(|| {
            self.edited(|case| {
                case.job.scoring = None;
            })
        });
        let smaller = self.job.scoring.iter().flat_map(smaller_scores);
        let smaller = smaller.map(|scoring| self.edited(|case| case.job.scoring = Some(scoring)));
        none.into_iter().chain(certain).chain(smaller)
    }

    /// Whether each column with term frequencies is in an equality of its comparison.
    pub(super) fn has_its_equalities(&self) -> bool {
        self.job.scoring.iter().flat_map(|scoring| &scoring.comparisons).all(Compare::has_its_equality)
    }
}

/// Scores with one thing less.
fn smaller_scores(scoring: &Scoring) -> Vec<Scoring> {
    let mut found = Vec::new();
    for at in 0..scoring.comparisons.len() {
        if scoring.comparisons.len() > 1 {
            let mut fewer = scoring.clone();
            fewer.comparisons.remove(at);
            found.push(fewer);
        }
        for compare in smaller_compares(&scoring.comparisons[at]) {
            let mut smaller = scoring.clone();
            smaller.comparisons[at] = compare;
            found.push(smaller);
        }
    }
    if scoring.prior != 0.5 {
        found.push(Scoring { prior: 0.5, ..scoring.clone() });
    }
    if let Some(threshold) = simpler_threshold(scoring.threshold) {
        found.push(Scoring { threshold, ..scoring.clone() });
    }
    found
}

fn smaller_compares(compare: &Compare) -> Vec<Compare> {
    let mut found = Vec::new();
    let mut add = |edit: &dyn Fn(&mut Compare)| {
        let mut smaller = compare.clone();
        edit(&mut smaller);
        if smaller != *compare && smaller.has_its_equality() {
            found.push(smaller);
        }
    };
    add(&|compare| compare.term_frequency = None);
    for level in 0..compare.levels.len() {
        if compare.levels.len() > 1 {
            add(&|compare| drop(compare.levels.remove(level)));
        }
        add(&|compare| compare.levels[level].shares = SIMPLE[0]);
    }
    add(&|compare| compare.otherwise = SIMPLE[1]);
    add(&|compare| compare.term_frequency.iter_mut().for_each(|of| of.weight = None));
    add(&|compare| compare.term_frequency.iter_mut().for_each(|of| of.minimum = None));
    add(&|compare| compare.term_frequency.iter_mut().for_each(|of| of.given = None));
    let rows = compare.term_frequency.as_ref().and_then(|of| of.given.as_ref()).map_or(0, |given| given.rows.len());
    for row in 0..rows {
        add(&|compare| {
            let given = compare.term_frequency.iter_mut().filter_map(|of| of.given.as_mut());
            given.for_each(|given| drop(given.rows.remove(row)));
        });
    }
    found
}

/// A threshold of whole bits, or none.
fn simpler_threshold(threshold: Threshold) -> Option<Threshold> {
    match threshold {
        Threshold::Even => None,
        Threshold::Weight(bits) if bits != bits.round() => Some(Threshold::Weight(bits.round())),
        Threshold::Weight(_) | Threshold::Probability(_) => Some(Threshold::Even),
    }
}
