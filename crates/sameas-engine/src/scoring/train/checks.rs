//! What speaks against what was learned.
//!
//! Expectation-maximisation finds two groups among the pairs of any rule, whether or not one of them is the matches. So what it
//! says is compared with what is known otherwise: the number of matches that there are, the pairs that are certain, what other
//! passes say, and what the same pass says from another start. `dependence` compares the pairs with what the model expects.

use std::collections::BTreeSet;

use super::combined_m::LearnedM;
use super::dependence::PassDependence;
use super::learned_rules::LearnedRules;
use super::outcome_shares::OutcomeShares;
use super::prior::Prior;
use super::trained_pass::TrainedPass;
use crate::cancel::Cancel;
use crate::expr::shown_name;
use crate::model::{LearnedFrom, PassShare, SharedColumns, TrainingWarning};
use crate::rules::RuleSet;
use crate::score::{PassRecord, PatternCounts, WithError};

/// Standard errors beyond which a difference is not taken for chance.
const SURE: f64 = 3.0;

/// The share of matches from which on a pass takes nearly all pairs for matches.
const NEARLY_ALL: f64 = 0.95;

/// Pairs below which a share of nearly all of them is nothing unusual.
const SOME_PAIRS: f64 = 20.0;

/// Matches below which a pass has hardly anything to learn from.
const FEW_MATCHES: f64 = 10.0;

/// The error of a share of matches that tells nothing.
const LARGE_ERROR: f64 = 0.2;

/// How many times as many matches as pairs a level may seem to have.
const MORE: f64 = 1.1;

/// By how many bits weights of passes may differ.
const BITS: f64 = 1.0;

/// The difference of logarithms of likelihoods below which two ends of a pass are as good as each other.
const AS_LIKELY: f64 = 2.0;

/// By how much the share of matches of such an end may differ.
const SHARE: f64 = 0.1;

/// What is checked.
pub struct CheckedTraining<'a> {
    pub set: &'a RuleSet,
    pub rules: &'a LearnedRules,
    pub prior: &'a Prior,
    pub counts: &'a PatternCounts,
    /// All pairs of records.
    pub pairs: u64,
    pub passes: &'a [TrainedPass],
    /// The columns that each rule shares with each comparison.
    pub shared: &'a [Vec<BTreeSet<String>>],
    pub m: &'a [LearnedM],
    pub shares: &'a OutcomeShares,
    /// How likely a pair matches for which a comparison is not null.
    pub priors: &'a [WithError],
    pub u: &'a [Vec<f64>],
    pub cancel: Cancel<'a>,
}

impl CheckedTraining<'_> {
    /// The text of a rule.
    pub fn rule(&self, rule: usize) -> String {
        self.rules.rules[rule].text.clone()
    }

    /// The name of a comparison.
    pub fn name(&self, comparison: usize) -> String {
        self.set.scoring.comparisons[comparison].name.clone()
    }

    /// The condition of an outcome, or `else`.
    pub fn level(&self, comparison: usize, outcome: usize) -> String {
        let level = self.set.scoring.comparisons[comparison].levels.get(outcome);
        level.map_or_else(|| "else".to_owned(), |level| level.text.clone())
    }
}

/// The checks of all passes and comparisons.
pub struct PassChecks<'a>(pub &'a CheckedTraining<'a>);

impl PassChecks<'_> {
    /// Whatever should be known, in a fixed order: of the prior, the rules, each pass, and each comparison.
    pub fn warnings(&self) -> Vec<TrainingWarning> {
        let of = self.0;
        let mut all: Vec<TrainingWarning> = of.prior.warning.iter().cloned().collect();
        all.extend(self.no_matches());
        all.extend(self.prior_too_high());
        all.extend((0..of.rules.rules.len()).filter_map(|rule| self.without_pairs(rule)));
        for pass in of.passes {
            of.cancel.check();
            all.extend(self.not_converged(pass));
            all.extend(self.share(pass));
            all.extend(self.other_maximum(pass));
            all.extend(PassDependence { of, pass }.warnings());
        }
        for comparison in 0..of.m.len() {
            all.extend(self.not_learned(comparison));
            all.extend(self.disagreement(comparison));
        }
        all
    }

    /// Whether there are matches at all: by the prior, or by the pairs, which are hardly likelier with matches than without.
    fn no_matches(&self) -> Option<TrainingWarning> {
        let of = self.0;
        let expected = of.prior.value * of.pairs as f64;
        let is_chance = |pass: &TrainedPass| {
            let parameters = 1.0 + pass.table.levels.iter().map(|levels| *levels as f64 - 1.0).sum::<f64>();
            // Twice the gain is the sum of as many squares of normal numbers where there are no matches.
            2.0 * pass.record.gain < parameters + SURE * (2.0 * parameters).sqrt()
        };
        let found =
            of.passes.iter().map(|pass| pass.record.belief.matches * pass.table.population()).fold(0.0, f64::max);
        let are_none = of.prior.is_known && expected < 1.0;
        let is_nothing_learned = !of.prior.is_given && (of.passes.is_empty() || of.passes.iter().all(is_chance));
        if are_none || (is_nothing_learned && !self.has_certain_pairs()) {
            return Some(TrainingWarning::NoMatches { expected: if are_none { expected } else { found } });
        }
        None
    }

    /// Whether more matches must have a level than there are pairs with it: the level of which most is missing.
    fn prior_too_high(&self) -> Option<TrainingWarning> {
        let of = self.0;
        let missing = |comparison: usize, outcome: usize| {
            let (share, m, prior) = (&of.shares.levels[comparison][outcome], &of.m[comparison], of.priors[comparison]);
            let pairs = of.pairs as f64 * of.shares.present[comparison].value;
            let matches = prior.value * m.m[outcome];
            let taken = (prior.value * m.errors[outcome]).hypot(prior.error * m.m[outcome]);
            let (error, counted) = (taken.hypot(share.error.unwrap_or(0.0)), 1.0 / pairs.max(1.0));
            let is_sure = matches - share.share > SURE * error.hypot(counted) && matches > MORE * share.share;
            let warning = || TrainingWarning::PriorTooHigh {
                prior: of.prior.value,
                comparison: of.name(comparison),
                level: of.level(comparison, outcome),
                pairs: share.pairs,
                matches: matches * pairs,
            };
            (is_sure && m.from[outcome] == LearnedFrom::Trained).then(|| (matches - share.share, warning()))
        };
        let all = (0..of.m.len()).flat_map(|at| (0..of.m[at].m.len()).map(move |outcome| (at, outcome)));
        let found = all.filter(|_| of.prior.is_known).filter_map(|(at, outcome)| missing(at, outcome));
        found.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, warning)| warning)
    }

    fn has_certain_pairs(&self) -> bool {
        !self.0.counts.with_any(self.0.rules.certain()).is_empty()
    }

    fn without_pairs(&self, rule: usize) -> Option<TrainingWarning> {
        let of = self.0;
        of.cancel.check();
        let is_certain = rule >= of.rules.training;
        let is_known = !is_certain && of.passes.iter().any(|pass| pass.rule == rule);
        let has_pairs = is_known || !of.counts.with_any(1 << rule).is_empty();
        (!has_pairs).then(|| TrainingWarning::RuleWithoutPairs { rule: of.rule(rule), is_certain })
    }

    fn not_converged(&self, pass: &TrainedPass) -> Option<TrainingWarning> {
        let changes = &pass.record.changes;
        let change = changes.last().copied().unwrap_or(f64::INFINITY);
        let rule = self.0.rule(pass.rule);
        (!pass.record.has_converged).then_some(TrainingWarning::NotConverged {
            rule,
            rounds: changes.len() as u64,
            change,
        })
    }

    /// What speaks against the share of matches of a pass: the first that does.
    fn share(&self, pass: &TrainedPass) -> Option<TrainingWarning> {
        let of = self.0;
        let (share, pairs, error) = (pass.record.belief.matches, pass.table.population(), pass.errors.matches);
        let (rule, matches, off) = (of.rule(pass.rule), share * pairs, SURE * error.unwrap_or(1.0) * pairs);
        let all = of.prior.value * of.pairs as f64;
        let off_all = SURE * of.prior.error * of.pairs as f64;
        let wanted = pass.beyond.unwrap_or(share);
        if of.prior.is_known && wanted * pairs > all + off.hypot(off_all) + SURE * all.sqrt() {
            return Some(TrainingWarning::ShareAboveMatches { rule, share: wanted, most: (all / pairs).min(1.0) });
        }
        let most = pass.most_matches();
        if pass.beyond.is_some() && wanted * pairs > most + off {
            return Some(TrainingWarning::ShareAboveExpected { rule, share: wanted, most: (most / pairs).min(1.0) });
        }
        let certain = self.certain_pairs(pass.rule) / pairs;
        if certain * pairs > matches + off + SURE * matches.sqrt() {
            return Some(TrainingWarning::ShareBelowCertain { rule, share, certain });
        }
        let matches = share * pass.table.all_pairs();
        if matches < FEW_MATCHES || error.is_none_or(|error| error > LARGE_ERROR) {
            return Some(TrainingWarning::ShareUncertain { rule, share, error, matches });
        }
        let is_unusual = share >= NEARLY_ALL && pairs >= SOME_PAIRS && !of.prior.is_given;
        (is_unusual && certain < share / 2.0).then_some(TrainingWarning::ShareUnconfirmed { rule, share, certain })
    }

    /// The pairs of a rule that are certain.
    fn certain_pairs(&self, rule: usize) -> f64 {
        self.0.counts.with_both(1 << rule, self.0.rules.certain()) as f64
    }

    /// Whether another start comes to another end that is as likely, or likelier.
    fn other_maximum(&self, pass: &TrainedPass) -> Option<TrainingWarning> {
        let of = self.0;
        let own = &pass.record;
        let weight = |record: &PassRecord, place: usize| {
            let comparison = pass.table.comparisons[place];
            (record.belief.m[place][0] / of.u[comparison][0]).log2()
        };
        let off = |other: &PassRecord, place: usize| (weight(other, place) - weight(own, place)).abs();
        let most_off = |other: &PassRecord| {
            let places = (0..pass.table.comparisons.len()).filter(|place| pass.matches(*place) >= FEW_MATCHES);
            places.max_by(|a, b| off(other, *a).total_cmp(&off(other, *b)))
        };
        let is_as_likely = |other: &&PassRecord| other.gain > own.gain - AS_LIKELY;
        let ends = pass.ends(of.u, of.cancel);
        for other in ends.iter().filter(is_as_likely) {
            let Some(place) = most_off(other) else { continue };
            let is_other_share = (other.belief.matches - own.belief.matches).abs() > SHARE;
            if is_other_share || off(other, place) > BITS {
                return Some(TrainingWarning::OtherMaximum {
                    rule: of.rule(pass.rule),
                    share: own.belief.matches,
                    other: other.belief.matches,
                    comparison: of.name(pass.table.comparisons[place]),
                    weight: weight(own, place),
                    other_weight: weight(other, place),
                });
            }
        }
        None
    }

    /// A comparison of which nothing was learned, or levels of it.
    fn not_learned(&self, comparison: usize) -> Option<TrainingWarning> {
        let (of, m) = (self.0, &self.0.m[comparison]);
        let name = of.name(comparison);
        if m.from.iter().all(|from| *from == LearnedFrom::Unseen) {
            let excluding = of.shared.iter().enumerate().filter(|(_, shared)| !shared[comparison].is_empty());
            let columns = |shared: &BTreeSet<String>| shared.iter().map(|key| shown_name(key).to_owned()).collect();
            let rules = excluding
                .map(|(rule, shared)| SharedColumns { rule: of.rule(rule), columns: columns(&shared[comparison]) });
            return Some(TrainingWarning::NotLearned { comparison: name, rules: rules.collect() });
        }
        // What no pair of records has cannot come up.
        let is_open = |at: &usize| m.from[*at] == LearnedFrom::Unseen && of.shares.levels[comparison][*at].pairs > 0.0;
        let levels: Vec<String> = (0..m.m.len()).filter(is_open).map(|at| of.level(comparison, at)).collect();
        (!levels.is_empty()).then_some(TrainingWarning::LevelsUnseen { comparison: name, levels })
    }

    /// The level about which two passes differ most, where they do.
    fn disagreement(&self, comparison: usize) -> Option<TrainingWarning> {
        let of = self.0;
        let levels =
            (0..of.u[comparison].len()).filter_map(|at| self.farthest(comparison, at).map(|found| (at, found)));
        let (at, (.., least, most)) = levels.max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let (comparison_name, level) = (of.name(comparison), of.level(comparison, at));
        Some(TrainingWarning::PassesDisagree { comparison: comparison_name, level, least, most })
    }

    /// How far the passes with the least and the greatest weight of a level are apart, where that is not chance.
    fn farthest(&self, comparison: usize, outcome: usize) -> Option<(f64, PassShare, PassShare)> {
        let of = self.0;
        let said = |pass: &TrainedPass| {
            let place = pass.place(comparison)?;
            let (m, error) = (pass.record.belief.m[place][outcome], pass.errors.m[place][outcome]);
            let is_learned = pass.matches(place) >= FEW_MATCHES && pass.table.seen[place][outcome] > 0.0;
            let weight = (m / of.u[comparison][outcome]).log2();
            is_learned.then(|| (PassShare { rule: of.rule(pass.rule), m, weight }, error))
        };
        let all: Vec<(PassShare, f64)> = of.passes.iter().filter_map(said).collect();
        let by_weight = |a: &&(PassShare, f64), b: &&(PassShare, f64)| a.0.weight.total_cmp(&b.0.weight);
        let (least, most) = (all.iter().min_by(by_weight)?, all.iter().max_by(by_weight)?);
        let apart = most.0.weight - least.0.weight;
        let is_sure = most.0.m - least.0.m > SURE * most.1.hypot(least.1);
        (apart >= BITS && is_sure).then(|| (apart, least.0.clone(), most.0.clone()))
    }
}
