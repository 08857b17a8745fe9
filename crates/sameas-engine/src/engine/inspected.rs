//! Records of a job that has run, looked at again: their values, and what each condition says of pairs of them.
//!
//! Only the records that are wanted are encoded: a rank is a place among all records, but comes from the dataset that they are a
//! part of. All of them are where comparisons weigh values by their frequency: what a value is worth is said of all values.

use std::collections::HashMap;

use rayon::prelude::*;

use super::asked_records::AskedRecords;
use super::heavy_keys::{HeavyKey, KeySample, has_keys, rows_of_sample, weights_of_sample};
use super::inspected_columns::InspectedColumn;
use super::inspected_inputs::{InspectedInputs, InspectedRun};
use super::record::RunRecord;
use super::shown_records::{ShownRecords, input_of_each};
use crate::dataset::{BindingRequest, Dataset, InputColumnCounts};
use crate::error::Result;
use crate::observer::{Progress, Stage};
use crate::records::stats::value_text;
use crate::rules::{Conjunction, Literal, LiteralRecord, Predicate, Rule, RuleSet};
use crate::score::TermFrequencies;
use crate::scoring::{ScoreExplanation, Scores, TermFrequencyRecord, WeightedExplanation, other_frequencies};
use crate::verify::{Finding, Program, RuleProgram, finding};

/// Records of a job, ready to be looked at pair by pair.
pub struct InspectedRecords {
    /// All records, and the job with the term frequencies that were read for it: a second question to them reads nothing again.
    pub asked: AskedRecords,
    rules: RuleSet,
    program: Program,
    /// The wanted records, and their values.
    pub shown: ShownRecords,
    /// Of all records, where frequencies of values count, or else of these.
    scores: Scores,
    /// The program over all records, where frequencies of values count.
    of_all: Option<Program>,
    /// The row of each wanted record in the frame of all.
    rows_of_all: Vec<u32>,
    /// What was counted of the columns of all records.
    pub counts: Vec<InputColumnCounts>,
    /// The conditions of the rules and `never` rules, each once.
    pub conditions: Vec<Literal>,
    /// For each rule the ways in which it can hold, as places among the conditions.
    pub rule_ways: Vec<ConditionWays>,
    /// The same for each `never` rule.
    pub never_ways: Vec<ConditionWays>,
    /// Some of the records, for another job.
    pub near: Dataset,
    /// Keys of joins that many records share.
    pub heavy_keys: Vec<HeavyKey>,
    /// The hash of columns whose values are to stay secret, of all records.
    pub secret: u128,
}

/// The ways in which a rule can hold: places of the conditions that must all hold.
pub type ConditionWays = Vec<Vec<usize>>;

/// What each condition says of a pair.
pub struct InspectedPair {
    /// By condition.
    pub findings: Vec<Finding>,
    /// How its score comes about, where comparisons have levels.
    pub score: Option<ScoreExplanation>,
    /// The same where they have weights.
    pub weighted: Option<WeightedExplanation>,
}

/// What is to be looked at of what was read.
pub struct InspectionRequest<'a> {
    /// The records by their numbers among those of all inputs, ascending.
    pub records: &'a [u32],
    /// Others, ascending, for another job.
    pub near_records: &'a [u32],
    /// Whether keys of joins are counted.
    pub with_keys: bool,
}

impl InspectedRecords {
    /// Looks at records of the inputs of a run.
    pub fn new(
        inputs: InspectedInputs,
        run: InspectedRun<'_>,
        request: &InspectionRequest<'_>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        inputs.used(run, progress, |inputs| Self::from_inputs(&inputs, run.run, request, progress))
    }

    fn from_inputs(
        inputs: &InspectedInputs,
        run: &RunRecord,
        request: &InspectionRequest<'_>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let has_all_columns = inputs.has_all_columns();
        let InspectedInputs { records, budget, columns, counts, secret, .. } = inputs;
        let AskedRecords { job, dataset, rules, .. } = records;
        let cancel = progress.cancel().within(budget);
        progress.begin(&Stage::Encoding, None);
        let (layout, has_keys) = (dataset.layout(), request.with_keys && run.plan.iter().any(has_keys));
        let sampled = if has_keys { rows_of_sample(layout.inputs()) } else { Vec::new() };
        let wanted = united(request.records, &sampled);
        let (part, near) = (dataset.subset(&wanted)?, dataset.subset(request.near_records)?);
        // Before all records are encoded, which may leave no room for their tables.
        part.shown_tables(rules, has_all_columns, progress.silent(), cancel)?;
        near.shown_tables(rules, false, progress.silent(), cancel)?;
        let of_all = match rules.scoring.comparisons.iter().any(|of| of.term_frequency.is_some()) {
            true => Some(dataset.bind(rules, progress.silent(), cancel)?),
            false => None,
        };
        let program = &RuleProgram::compile(rules, layout.frames());
        let binding = BindingRequest { rules, program, with_findings: false, with_counts: false };
        let (frames, program) = part.with_frames(binding, has_all_columns, progress, cancel)?;
        let place = |record: &u32| part.layout().place(wanted.binary_search(record).unwrap_or_default() as u32);
        let sample = KeySample {
            rules,
            program: &program,
            records: sampled.iter().map(place).zip(input_of_each(layout, &sampled)).collect(),
            weights: weights_of_sample(layout.inputs()),
        };
        let heavy_keys = sample.heavy_keys(run);
        let scored = of_all.as_ref().unwrap_or(&program);
        let mut scores = Scores::of_comparisons(job, rules, scored, budget, cancel)?;
        check_unchanged_frequencies(scores.term_frequencies(), run)?;
        let asked = records.clone().with_frequencies(scores.take_kept_frequencies());
        let mut conditions = ConditionList::default();
        let rule_ways = rules.rules.iter().map(|rule| conditions.ways(rule, &program.conjunctions)).collect();
        let never_ways = rules.nevers.iter().map(|rule| conditions.ways(rule, &program.nevers)).collect();
        Ok(Self {
            asked,
            shown: ShownRecords {
                frames,
                places: request.records.iter().map(place).collect(),
                inputs: input_of_each(layout, request.records),
                columns: columns.clone(),
            },
            rows_of_all: request.records.iter().map(|record| layout.place(*record).1).collect(),
            near,
            rules: rules.clone(),
            program,
            scores,
            of_all,
            counts: counts.clone(),
            conditions: conditions.all,
            rule_ways,
            never_ways,
            heavy_keys,
            secret: *secret,
        })
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The predicate of a condition.
    pub fn predicate(&self, condition: Literal) -> &Predicate {
        &self.rules.predicates[condition.predicate]
    }

    /// A condition as rules have it.
    pub fn condition_text(&self, condition: Literal) -> String {
        LiteralRecord::new(condition, &self.rules.predicates).to_string()
    }

    /// The columns of the records.
    pub fn columns(&self) -> &[InspectedColumn] {
        &self.shown.columns
    }

    /// What each condition says of two records, the earlier one first.
    pub fn pair(&self, left: usize, right: usize) -> InspectedPair {
        let rows = (self.shown.places[left].1, self.shown.places[right].1);
        let of = |condition: &Literal| finding(&self.rules, &self.program, &self.shown.frames, rows, *condition);
        let findings = self.conditions.iter().map(of).collect();
        let (program, rows) = match &self.of_all {
            Some(of_all) => (of_all, (self.rows_of_all[left], self.rows_of_all[right])),
            None => (&self.program, rows),
        };
        let score = self.scores.model().map(|scoring| scoring.explanation(&self.rules, program, rows));
        let weighted = self.scores.weighted().map(|weighted| weighted.explanation(&self.rules, program, rows));
        InspectedPair { findings, score, weighted }
    }

    /// What the frequencies of the values of a comparison are worth, of all records; nothing where they do not count.
    pub fn term_frequencies(&self, comparison: usize) -> Option<&TermFrequencies> {
        self.of_all.as_ref()?;
        self.scores.model()?.scorer.frequencies(comparison)
    }

    /// A value of such a comparison, by its code.
    pub fn term(&self, of: &TermFrequencies, code: u32) -> String {
        let program = self.of_all.as_ref().unwrap_or(&self.program);
        value_text(program.encoded.domain(of.operands().left), code)
    }
}

/// Conditions, each once.
#[derive(Default)]
struct ConditionList {
    all: Vec<Literal>,
    places: HashMap<Literal, usize>,
}

impl ConditionList {
    fn ways(&mut self, rule: &Rule, conjunctions: &[Conjunction]) -> ConditionWays {
        let mine = conjunctions[rule.conjunctions.clone()].iter();
        mine.map(|way| way.literals.iter().map(|literal| self.place(*literal)).collect()).collect()
    }

    fn place(&mut self, literal: Literal) -> usize {
        *self.places.entry(literal).or_insert_with(|| {
            self.all.push(literal);
            self.all.len() - 1
        })
    }
}

/// Refuses term frequencies that are not as the run has read them.
fn check_unchanged_frequencies(now: &[TermFrequencyRecord], run: &RunRecord) -> Result<()> {
    let known = |of: &TermFrequencyRecord| (of.comparison.clone(), of.xxh128.clone());
    let before: Vec<_> = run.term_frequencies.iter().map(known).collect();
    match now.iter().find(|of| of.given.is_some() && !before.contains(&known(of))) {
        None => Ok(()),
        Some(of) => Err(other_frequencies(&of.column)),
    }
}

/// Rows of either of two ascending lists, each once.
fn united(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Looks at many pairs on all threads; `pairs` are places of records.
pub fn inspect_pairs(
    records: &InspectedRecords,
    pairs: &[(usize, usize)],
    progress: Progress<'_>,
) -> Vec<InspectedPair> {
    let of_pair = |(left, right): &(usize, usize)| {
        progress.cancel().check();
        records.pair(*left, *right)
    };
    pairs.par_iter().map(of_pair).collect()
}
