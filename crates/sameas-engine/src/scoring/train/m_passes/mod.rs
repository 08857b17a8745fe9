//! The passes of training, and the model that they come to.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::checks::{CheckedTraining, PassChecks};
use super::combined_m::{LearnedM, MaskedPairs, SharedMatches};
use super::counted_pairs::SampledRule;
use super::double_counting::{DoubleCount, DoubleCounting};
use super::learned_rules::LearnedRules;
use super::outcome_shares::OutcomeShares;
use super::prior::Prior;
use super::shared_columns::compared_columns;
use super::trained_pass::TrainedPass;
use super::unexpected_pairs::UnexpectedPairs;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::Held;
use crate::model::{ComparisonModel, LearnedFrom, LevelModel, MatchWeight, Model, TrainingPass, TrainingWarning};
use crate::rules::{ComparisonRules, RuleSet};
use crate::score::{LevelShare, PassTable, PatternCounts, Patterns, SMOOTHING, WithError, WithoutMatches};

/// Rounds in which u is freed of matches by m, and m is learned from that.
const MOST_ROUNDS: usize = 25;

/// The change of u below which these end.
const TOLERANCE: f64 = 1e-6;

/// The change of u from which on it matters that they did not end so: a weight of a seventieth of a bit.
const UNSETTLED: f64 = 0.01;

/// The greatest probability that a pair with values matches, unless the prior is greater.
const MOST_WITH_VALUES: f64 = 0.5;

/// The least m and u of a model.
const LEAST_M: f64 = 1e-12;
const LEAST_U: f64 = 1e-18;

/// A model, and what should be known about how it was learned.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trained {
    /// The model, which has the warnings too.
    pub model: Model,
    /// What a reader of it should know.
    pub warnings: Vec<TrainingWarning>,
    /// Comparisons that should be taken together, where that was asked for, the worst first.
    pub(crate) double_counts: Vec<DoubleCount>,
}

/// What a model is learned from.
pub struct TrainingInput<'a> {
    /// The rules of the job, with its comparisons.
    pub set: &'a RuleSet,
    pub rules: &'a LearnedRules,
    /// How frequent outcomes are among all pairs.
    pub shares: &'a OutcomeShares,
    /// All pairs of the rules that are not sampled.
    pub counts: &'a PatternCounts,
    /// Those of the others.
    pub sampled: &'a [SampledRule],
    pub prior: Prior,
    /// All pairs of records.
    pub pairs: u64,
    /// These by the outcomes of all comparisons; where they are many, a sample of them if double counting is looked for.
    pub all: Option<&'a PassTable>,
    /// Whether double counting is looked for.
    pub combine_dependent: bool,
    /// Whether the model is still wanted, and the memory that its tables may take.
    pub cancel: Cancel<'a>,
}

/// What is known after some rounds.
struct EndOfRounds {
    passes: Vec<TrainedPass>,
    m: Vec<LearnedM>,
    u: Vec<Vec<WithoutMatches>>,
    last: LargestChange,
    /// What the tables of the passes take.
    _held: Vec<Held>,
}

/// The outcome of a comparison whose u has changed most in a round, and by which part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LargestChange {
    comparison: usize,
    outcome: usize,
    change: f64,
}

impl LargestChange {
    fn new(before: &[Vec<WithoutMatches>], after: &[Vec<WithoutMatches>]) -> Self {
        let mut largest = Self::default();
        for (comparison, (before, after)) in before.iter().zip(after).enumerate() {
            for (outcome, (before, after)) in before.iter().zip(after).enumerate() {
                let change = (before.value - after.value).abs() / after.value;
                if change > largest.change {
                    largest = Self { comparison, outcome, change };
                }
            }
        }
        largest
    }

    /// What is to be known where this was the change of the last round that there is.
    fn warning(self, set: &RuleSet) -> Option<TrainingWarning> {
        let comparison = set.scoring.comparisons.get(self.comparison).filter(|_| self.change >= UNSETTLED)?;
        let level = comparison.levels.get(self.outcome).map_or("else", |level| level.text.as_str());
        Some(TrainingWarning::NotSettled {
            comparison: comparison.name.clone(),
            level: level.to_owned(),
            rounds: MOST_ROUNDS as u64,
            change: self.change,
        })
    }
}

impl EndOfRounds {
    fn values_of_m(&self) -> Vec<Vec<f64>> {
        self.m.iter().map(|of| of.m.clone()).collect()
    }
}

impl TrainingInput<'_> {
    /// Learns the model.
    pub fn learn(self) -> Result<Trained> {
        let shape = Patterns::new(&self.set.scoring.comparisons)?;
        let shared: Vec<Vec<BTreeSet<String>>> = (0..self.rules.rules.len()).map(|rule| self.shared(rule)).collect();
        let known = self.rounds(&shape, &shared);
        let u = values(&known.u);
        let priors: Vec<WithError> = known.m.iter().enumerate().map(|(at, m)| self.prior_with_values(at, m)).collect();
        let checked = CheckedTraining {
            set: self.set,
            rules: self.rules,
            prior: &self.prior,
            counts: self.counts,
            pairs: self.pairs,
            passes: &known.passes,
            shared: &shared,
            m: &known.m,
            shares: self.shares,
            priors: &priors,
            u: &u,
            cancel: self.cancel,
        };
        let mut warnings = PassChecks(&checked).warnings();
        warnings.extend(known.last.warning(self.set));
        warnings.extend(self.unexpected_pairs(&known, &u));
        let rules = &self.set.scoring.comparisons;
        let comparisons = (0..rules.len()).map(|at| self.comparison(at, &known.m[at], &known.u[at])).collect();
        let mut model = Model::new(self.prior.value, comparisons);
        model.prior_from = Some(self.prior.from.clone());
        model.smoothing = Some(SMOOTHING);
        model.passes = known.passes.iter().map(|pass| self.training_pass(pass, &shared[pass.rule])).collect();
        model.warnings.clone_from(&warnings);
        let all = self.all.filter(|_| self.combine_dependent);
        let double_counts = all.map(|all| self.double_counts(all, &known, &u)).unwrap_or_default();
        Ok(Trained { model, warnings, double_counts })
    }

    fn double_counts(&self, all: &PassTable, known: &EndOfRounds, u: &[Vec<f64>]) -> Vec<DoubleCount> {
        let (m, cancel) = (known.values_of_m(), self.cancel);
        DoubleCounting { passes: &known.passes, all, prior: self.prior.value, m, u, cancel }.found()
    }

    fn unexpected_pairs(&self, known: &EndOfRounds, u: &[Vec<f64>]) -> Vec<TrainingWarning> {
        let Some(all) = self.all.filter(|all| all.all_pairs() == self.pairs as f64) else { return Vec::new() };
        let names = self.set.scoring.comparisons.iter().map(|of| of.name.clone()).collect();
        let (m, cancel) = (known.values_of_m(), self.cancel);
        UnexpectedPairs { all, prior: &self.prior, m, u, names, cancel }.warnings()
    }

    /// Frees u of matches by m and learns m by u, until both stand still.
    fn rounds(&self, shape: &Patterns, shared: &[Vec<BTreeSet<String>>]) -> EndOfRounds {
        let all = |share: &LevelShare| WithoutMatches { value: share.share, error: 0.0, least: share.least };
        let mut u: Vec<Vec<WithoutMatches>> =
            self.shares.levels.iter().map(|of| of.iter().map(all).collect()).collect();
        let plain = values(&u);
        let (cancel, mut held) = (self.cancel, Vec::new());
        let begun = |rule: usize| {
            cancel.check();
            let is_active: Vec<bool> = shared[rule].iter().map(BTreeSet::is_empty).collect();
            let table = self.table(rule, shape, &is_active)?;
            held.push(cancel.hold(table.bytes()));
            let known = self.prior.known_matches(self.pairs, self.part_of_matches(rule));
            Some(TrainedPass::best(rule, table, &plain, known, cancel))
        };
        let mut passes: Vec<TrainedPass> = (0..self.rules.training).filter_map(begun).collect();
        let pairs = MaskedPairs::of_passes(&passes, shape, self.counts, self.sampled, cancel);
        let _held_with_masks = cancel.hold(pairs.iter().map(MaskedPairs::bytes).sum());
        let common = |passes: &[TrainedPass], u: &[Vec<f64>]| SharedMatches::new(passes, &pairs, u, cancel);
        let mut m = self.all_m(shape, shared, &passes, &common(&passes, &plain), &plain);
        let mut last = LargestChange::default();
        for _ in 0..MOST_ROUNDS {
            let next = self.without_matches(&m);
            last = LargestChange::new(&u, &next);
            u = next;
            if last.change < TOLERANCE {
                break;
            }
            let freed = values(&u);
            passes = passes.into_par_iter().map(|pass| pass.continued(&freed, cancel)).collect();
            m = self.all_m(shape, shared, &passes, &common(&passes, &freed), &freed);
        }
        EndOfRounds { passes, m, u, last, _held: held }
    }

    /// The pairs of a rule for the comparisons that take part in its pass; nothing where it has none.
    fn table(&self, rule: usize, shape: &Patterns, is_active: &[bool]) -> Option<PassTable> {
        if let Some(sampled) = self.sampled.iter().find(|of| of.rule == rule) {
            return Some(sampled.table(shape, is_active));
        }
        let counts = self.counts.with_any(1 << rule);
        (!counts.is_empty()).then(|| PassTable::new(shape, &counts, is_active))
    }

    /// What a rule shares with each comparison: nothing where the comparison takes part in its pass.
    fn shared(&self, rule: usize) -> Vec<BTreeSet<String>> {
        let (set, read) = (self.set, self.compared_by(rule));
        let of_comparison = |of: &ComparisonRules| {
            let literals = of.levels.iter().flat_map(|level| level.conjunctions.iter().flatten());
            compared_columns(literals, set).intersection(&read).cloned().collect()
        };
        set.scoring.comparisons.iter().map(of_comparison).collect()
    }

    /// The columns that a rule compares.
    fn compared_by(&self, rule: usize) -> BTreeSet<String> {
        let own = &self.rules.conjunctions[self.rules.rules[rule].conjunctions.clone()];
        compared_columns(own.iter().flat_map(|of| &of.literals), self.set)
    }

    /// Which part of all matches the pairs of a rule have: as of the pairs of those certain rules that compare none of its
    /// columns. Half a pair is added to those that it has, and to the others; nothing where there are none.
    fn part_of_matches(&self, rule: usize) -> Option<WithError> {
        let (own, certain) = (self.compared_by(rule), self.rules.training..self.rules.rules.len());
        let others = certain.filter(|other| self.compared_by(*other).is_disjoint(&own));
        let others = others.fold(0, |mask, other| mask | 1 << other);
        let all = self.counts.with_both(others, others) as f64;
        let value = (self.counts.with_both(others, 1 << rule) as f64 + 0.5) / (all + 1.0);
        let error = (value * (1.0 - value).max(0.0) / (all + 1.0)).sqrt();
        (all > 0.0).then_some(WithError { value, error })
    }

    /// m of all comparisons: from the passes, from the pairs of certain rules where no pass teaches any, or unknown.
    fn all_m(
        &self,
        shape: &Patterns,
        shared: &[Vec<BTreeSet<String>>],
        passes: &[TrainedPass],
        common: &SharedMatches,
        u: &[Vec<f64>],
    ) -> Vec<LearnedM> {
        let of_comparison = |at: usize| {
            self.cancel.check();
            let of_passes = LearnedM::of_passes(passes, common, at, &u[at]);
            let of_certain = || {
                let (pairs, null) = self.certain_pairs(shape, shared, at);
                LearnedM::of_certain(&pairs, null, &u[at])
            };
            of_passes.or_else(of_certain).unwrap_or_else(|| LearnedM::unknown(&u[at]))
        };
        (0..u.len()).map(of_comparison).collect()
    }

    /// The pairs of certain rules that share nothing with a comparison: by its outcome, and those for which it is null.
    fn certain_pairs(&self, shape: &Patterns, shared: &[Vec<BTreeSet<String>>], comparison: usize) -> (Vec<f64>, f64) {
        let certain = self.rules.training..self.rules.rules.len();
        let open = certain.filter(|rule| shared[*rule][comparison].is_empty()).fold(0, |mask, rule| mask | 1 << rule);
        let mut sums = vec![0.0; shape.null(comparison) + 1];
        for (pattern, pairs) in self.counts.with_any(open) {
            sums[shape.outcome(pattern, comparison)] += pairs as f64;
        }
        let null = sums.pop().unwrap_or_default();
        (sums, null)
    }

    /// How likely a pair matches for which a comparison is not null. That is the prior only where matches lack values as often as
    /// other pairs do: two records of one person lack the same phone, so a pair with two phones matches more often.
    fn prior_with_values(&self, at: usize, m: &LearnedM) -> WithError {
        let (prior, all) = (self.prior.with_error(), self.shares.present[at]);
        let Some(matches) = m.present else { return prior };
        let times = matches.value / all.value.max(f64::MIN_POSITIVE);
        let value = (prior.value * times).min(prior.value.max(MOST_WITH_VALUES));
        let error = prior.relative().hypot(matches.relative()).hypot(all.relative());
        WithError { value, error: value * error }
    }

    /// u by what is known of m. Where nothing is known of the prior, matches stay among all pairs: as many as a guess says.
    fn without_matches(&self, m: &[LearnedM]) -> Vec<Vec<WithoutMatches>> {
        let of_level = |share: &LevelShare, m: WithError, prior: WithError| {
            if self.prior.is_known {
                return share.without_matches(m, prior);
            }
            let error = share.error.unwrap_or(0.0).hypot((prior.value * m.value).min(share.share));
            WithoutMatches { value: share.share, error, least: share.least.min(share.share) }
        };
        let of_comparison = |(at, of): (usize, &LearnedM)| {
            let prior = self.prior_with_values(at, of);
            let m = of.m.iter().zip(&of.errors).map(|(value, error)| WithError { value: *value, error: *error });
            self.shares.levels[at].iter().zip(m).map(|(share, m)| of_level(share, m, prior)).collect()
        };
        m.iter().enumerate().map(of_comparison).collect()
    }

    fn comparison(&self, at: usize, m: &LearnedM, u: &[WithoutMatches]) -> ComparisonModel {
        let rules = &self.set.scoring.comparisons[at];
        let level = |number: usize| {
            let when = rules.levels.get(number).map(|level| level.text.as_str());
            self.level(when, at, number, m, &u[number])
        };
        let levels = rules.levels.len();
        ComparisonModel::new(&rules.name, (0..levels).map(level).collect(), level(levels))
    }

    fn level(&self, when: Option<&str>, at: usize, number: usize, m: &LearnedM, u: &WithoutMatches) -> LevelModel {
        let (share, from) = (&self.shares.levels[at][number], m.from[number]);
        let u_value = u.value.clamp(LEAST_U, 1.0);
        // That nothing is known of a level gives it the weight 0, to the last bit.
        let m_value = if from == LearnedFrom::Unseen { u_value } else { m.m[number].clamp(LEAST_M, 1.0) };
        let mut level = LevelModel::new(when, m_value, u_value);
        (level.m_from, level.u_from) = (Some(from), Some(share.from));
        (level.m_pairs, level.u_pairs) = (Some(m.pairs[number]), Some(share.pairs));
        level.u_error = if self.prior.is_known { Some(u.error) } else { share.error };
        if from != LearnedFrom::Unseen {
            level.m_error = Some(m.errors[number]);
            level.weight_error = Some(MatchWeight::error_of_ratio(m.errors[number] / m_value, u.bits()));
        }
        level
    }

    fn training_pass(&self, of: &TrainedPass, shared: &[BTreeSet<String>]) -> TrainingPass {
        let (names, record) = (&self.set.scoring.comparisons, &of.record);
        let pairs = of.table.all_pairs() as u64;
        let mut pass = TrainingPass::new(&self.rules.rules[of.rule].text, pairs, record.belief.matches);
        let without = names.iter().zip(shared).filter(|(_, shared)| !shared.is_empty());
        pass.without = without.map(|(of, _)| of.name.clone()).collect();
        pass.matches_error = of.errors.matches;
        pass.sampled = Some(of.table.share()).filter(|share| *share < 1.0);
        (pass.has_converged, pass.changes) = (record.has_converged, record.changes.clone());
        pass
    }
}

fn values(u: &[Vec<WithoutMatches>]) -> Vec<Vec<f64>> {
    u.iter().map(|of| of.iter().map(|of| of.value).collect()).collect()
}

#[cfg(test)]
mod tests;
