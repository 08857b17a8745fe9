//! The pairs that a model is learned from, counted by pattern and by the rules that hold: all pairs of most rules, and a sample of
//! those of training rules that would take longer than the rest of the job.

use super::learned_rules::LearnedRules;
use super::pair_sample::{PairSample, SampleLimits};
use super::pattern_stage::PatternStage;
use crate::candidates::{Rows, Shape};
use crate::error::Result;
use crate::execute::{JoinScope, Machine};
use crate::memory::Held;
use crate::observer::Progress;
use crate::rules::Literal;
use crate::score::{PassTable, PatternCounts, Patterns, TableSample};
use crate::scoring::auxiliary_rules::{AuxiliaryRules, KnownRecords, RulePass, expected_effort};
use crate::scoring::model_scores::levels_of;

/// What was counted.
pub struct CountedPairs {
    /// All pairs of the rules that were not sampled.
    pub counts: PatternCounts,
    /// The others.
    pub sampled: Vec<SampledRule>,
    /// What the first take.
    _held: Held,
}

/// A training rule of whose pairs a sample was looked at.
pub struct SampledRule {
    /// Its number.
    pub rule: usize,
    /// The share of its pairs.
    share: f64,
    /// The pairs of each group. Those of two share no record.
    groups: Vec<PatternCounts>,
    /// What they take.
    _held: Held,
}

impl SampledRule {
    /// The pairs of all groups.
    pub fn counts(&self) -> PatternCounts {
        let mut all = PatternCounts::default();
        self.groups.iter().for_each(|group| all.merge(group.clone()));
        all
    }

    /// The pairs, for the comparisons that take part in a pass.
    pub fn table(&self, shape: &Patterns, is_active: &[bool]) -> PassTable {
        let table = |counts: &PatternCounts| PassTable::new(shape, &counts.with_any(1 << self.rule), is_active);
        let groups = self.groups.iter().map(table).collect();
        table(&self.counts()).with_sample(TableSample { share: self.share, groups })
    }
}

/// Counts the pairs of some records.
pub struct PairCounter<'a> {
    pub records: KnownRecords<'a>,
    pub rules: &'a LearnedRules,
    pub limits: SampleLimits,
}

impl PairCounter<'_> {
    /// Counts all that a model is learned from.
    pub fn count(&self, machine: &mut Machine, progress: Progress<'_>) -> Result<CountedPairs> {
        let mut sampled: Vec<SampledRule> = Vec::new();
        for rule in 0..self.rules.training {
            if let Some(sample) = self.sample_of(rule) {
                sampled.extend(self.sampled(rule, sample, machine, progress)?);
            }
        }
        let is_counted = |rule: &usize| sampled.iter().all(|of| of.rule != *rule);
        let counted: Vec<usize> = (0..self.rules.rules.len()).filter(is_counted).collect();
        let counts = self.counted(&counted, machine, progress)?;
        let _held = self.records.cancel.hold(counts.bytes());
        Ok(CountedPairs { counts, sampled, _held })
    }

    /// The sample that a rule is worth; nothing where all of its pairs are counted.
    fn sample_of(&self, rule: usize) -> Option<PairSample> {
        let (records, limits) = (self.records, self.limits);
        if records.layout.pairs() < limits.pairs {
            return None;
        }
        limits.sample(expected_effort(records, self.only(&[rule])), records.layout.records())
    }

    /// Some of the rules.
    fn only(&self, chosen: &[usize]) -> AuxiliaryRules {
        let LearnedRules { rules, conjunctions, .. } = self.rules.only(chosen);
        AuxiliaryRules { rules, conjunctions, rows: None, are_compared: true }
    }

    /// The pairs of some rules.
    fn counted(&self, chosen: &[usize], machine: &mut Machine, progress: Progress<'_>) -> Result<PatternCounts> {
        if chosen.is_empty() {
            return Ok(PatternCounts::default());
        }
        let pass = RulePass::new(self.records, self.only(chosen), machine, progress)?;
        let counts = self.counts(&pass, vec![pass.scope().clone()], progress)?;
        Ok(counts.into_iter().next().unwrap_or_default())
    }

    /// A sample of the pairs of a rule; nothing where it has so few that it was not worth one.
    fn sampled(
        &self,
        rule: usize,
        sample: PairSample,
        machine: &mut Machine,
        progress: Progress<'_>,
    ) -> Result<Option<SampledRule>> {
        let pass = RulePass::new(self.records, self.only(&[rule]), machine, progress)?;
        let groups = {
            let _rows = self.records.cancel.hold(bytes_of_groups(pass.scope()));
            self.counts(&pass, sample.groups(pass.scope()), progress)?
        };
        let pairs: u64 = groups.iter().map(PatternCounts::pairs).sum();
        let _held = self.records.cancel.hold(groups.iter().map(PatternCounts::bytes).sum());
        Ok((pairs >= self.limits.sampled).then_some(SampledRule { rule, share: sample.share(), groups, _held }))
    }

    /// The pairs of a pass in each of some scopes. One stage looks at all of them: it learns how pairs of frequent values compare.
    fn counts(
        &self,
        pass: &RulePass<'_>,
        scopes: Vec<JoinScope>,
        progress: Progress<'_>,
    ) -> Result<Vec<PatternCounts>> {
        let (set, conditions) = (self.records.rules, self.rules.conditions());
        let shape = Patterns::new(&set.scoring.comparisons)?;
        let rules: Vec<&[Vec<Literal>]> = conditions.iter().map(|of| &of[..]).collect();
        let cancel = self.records.cancel;
        let stage = PatternStage::new(pass.program(), set, &shape, levels_of(set), rules, cancel);
        let count = |scope| pass.show_some(scope, &stage, progress).map(|()| stage.counted());
        scopes.into_iter().map(count).collect()
    }
}

/// What the groups of a sample take: each row is in one list, and in another while these are made.
fn bytes_of_groups(scope: &JoinScope) -> usize {
    let rows = |[left, right]: &[Rows; 2]| match scope.shape {
        Shape::Triangle => left.len(),
        Shape::Rectangle => left.len() + right.len(),
    };
    2 * size_of::<u32>() * scope.sides.iter().map(rows).sum::<usize>()
}

#[cfg(test)]
mod tests;
