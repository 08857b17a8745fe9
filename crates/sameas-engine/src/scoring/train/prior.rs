//! The probability that two random records match: given, or from the pairs of certain rules.
//!
//! It is as uncertain as what it is made of. The matches that certain rules find are some of all matches, so their number has an
//! error of its square root; which part of all they find is somebody's word, or nobody's.

use super::learned_rules::LearnedRules;
use super::trained_pass::KnownMatches;
use crate::model::TrainingWarning;
use crate::rules::RuleFile;
use crate::score::{PatternCounts, WithError};

/// The share of matches that certain rules find, where nothing is said.
const DEFAULT_RECALL: f64 = 0.8;

/// The standard error of a recall, as a part of it, that nobody has given: from half to nearly all.
const ASSUMED_ERROR: f64 = 0.25;

/// The same of one that somebody has given, in two digits or less.
const GIVEN_ERROR: f64 = 0.05;

/// The prior where nothing is known.
const DEFAULT_PRIOR: f64 = 1e-4;

/// The greatest prior that is learned.
const MOST: f64 = 0.5;

/// Standard errors beyond which there are not more matches than are expected.
const SURE: f64 = 3.0;

/// The same of the matches that a rule has, in 95 of 100 cases: what it limits is no more than likely.
const LIKELY: f64 = 2.0;

/// The probability that two random records match.
#[derive(Debug)]
pub struct Prior {
    pub value: f64,
    /// Its standard error; 0 where it was given.
    pub error: f64,
    /// Where it is from.
    pub from: String,
    /// Whether it says something about these records.
    pub is_known: bool,
    /// Whether somebody has given it.
    pub is_given: bool,
    /// What should be known about it.
    pub warning: Option<TrainingWarning>,
}

impl Prior {
    /// What the rules say of it, or the pairs of certain rules among all pairs.
    pub fn new(written: &RuleFile, rules: &LearnedRules, counts: &PatternCounts, pairs: u64) -> Self {
        if let Some(value) = written.score.prior {
            let from = "given".to_owned();
            return Self { value, error: 0.0, from, is_known: true, is_given: true, warning: None };
        }
        if rules.certain() == 0 {
            return Self::guessed();
        }
        let certain: u64 = counts.with_any(rules.certain()).iter().map(|(_, pairs)| pairs).sum();
        Self::of_certain(certain, written.train.recall, pairs)
    }

    fn guessed() -> Self {
        Self {
            value: DEFAULT_PRIOR,
            error: DEFAULT_PRIOR,
            from: "default: give `prior`, or mark rules as `certain = true`".to_owned(),
            is_known: false,
            is_given: false,
            warning: Some(TrainingWarning::PriorGuessed { prior: DEFAULT_PRIOR }),
        }
    }

    /// Of a number of pairs that match for sure. Where there is none, half a pair: rules that could have found some say that
    /// there are few.
    fn of_certain(certain: u64, given: Option<f64>, pairs: u64) -> Self {
        let recall = given.unwrap_or(DEFAULT_RECALL);
        let found = (certain as f64).max(0.5);
        let value = (found / recall / (pairs as f64).max(1.0)).min(MOST);
        let of_recall = if given.is_some() { GIVEN_ERROR } else { ASSUMED_ERROR };
        let assumed = if given.is_none() { ", which is assumed" } else { "" };
        Self {
            value,
            error: value * (1.0 / found).sqrt().hypot(of_recall),
            from: format!("{certain} pairs that match for sure, {recall} of all matches{assumed}"),
            is_known: true,
            is_given: false,
            warning: given.is_none().then_some(TrainingWarning::RecallAssumed { recall }),
        }
    }

    /// What it says of the matches among all pairs of records, and of those of a rule that has this part of them, if that is known.
    pub fn known_matches(&self, pairs: u64, part: Option<WithError>) -> KnownMatches {
        if !self.is_known {
            return KnownMatches { prior: self.value, most: f64::INFINITY, of_rule: f64::INFINITY };
        }
        let all = self.value * pairs as f64;
        let most =
            |matches: f64, errors: f64, relative: f64| matches + errors * (matches * relative).hypot(matches.sqrt());
        let relative = self.with_error().relative();
        let of_all = most(all, SURE, relative);
        let of_part = |part: WithError| most(all * part.value, LIKELY, relative.hypot(part.relative()));
        KnownMatches { prior: self.value, most: of_all, of_rule: part.map_or(of_all, |part| of_part(part).min(of_all)) }
    }

    /// The prior with its error.
    pub fn with_error(&self) -> WithError {
        WithError { value: self.value, error: self.error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prior_is_as_uncertain_as_what_it_is_made_of() {
        let given = Prior::of_certain(10_000, Some(0.5), 40_000_000);
        assert!((given.value - 5e-4).abs() < 1e-12 && given.warning.is_none(), "{given:?}");
        assert!((given.error / given.value - 0.01_f64.hypot(0.05)).abs() < 1e-12, "{given:?}");
        let assumed = Prior::of_certain(10_000, None, 40_000_000);
        assert!(assumed.error > 0.25 * assumed.value, "{assumed:?}");
        assert_eq!(assumed.warning, Some(TrainingWarning::RecallAssumed { recall: 0.8 }));
        let known = given.known_matches(40_000_000, None);
        assert!(known.most > 20_000.0 * 1.15 && known.most < 20_000.0 * 1.16, "{known:?}");
        assert_eq!(known.of_rule, known.most);
        assert_eq!(Prior::guessed().known_matches(100, None).most, f64::INFINITY);
    }

    #[test]
    fn a_rule_has_a_part_of_all_matches() {
        let prior = Prior::of_certain(10_000, Some(0.5), 40_000_000);
        let of_rule = |value, error| prior.known_matches(40_000_000, Some(WithError { value, error })).of_rule;
        // A quarter of 20,000, give or take two of its errors: 5 % of the prior and 2 % of the part.
        let most = of_rule(0.25, 0.005);
        assert!(most > 5_000.0 * 1.10 && most < 5_000.0 * 1.12, "{most}");
        assert_eq!(of_rule(0.9, 0.3), prior.known_matches(40_000_000, None).most);
        assert_eq!(
            Prior::guessed().known_matches(100, Some(WithError { value: 0.1, error: 0.0 })).of_rule,
            f64::INFINITY
        );
    }

    #[test]
    fn certain_rules_without_pairs_say_that_there_are_few_matches() {
        let none = Prior::of_certain(0, Some(0.5), 1_000_000);
        assert!(none.is_known && none.value == 1e-6 && none.error > none.value, "{none:?}");
        let all = Prior::of_certain(10, Some(0.9), 10);
        assert_eq!(all.value, MOST);
        assert!(Prior::of_certain(0, None, 0).value <= MOST);
    }
}
