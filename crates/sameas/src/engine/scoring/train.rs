//! Training: a model from the records of a job, without knowing which of them match.
//!
//! u is the share of a level among all pairs, counted or sampled, less what is due to matches. m is learned from the pairs
//! of each training rule by expectation-maximisation; a comparison takes no part in the pass of a rule that reads one of its
//! columns, since the rule decides its level. What several passes say is combined by the median, in which a pass weighs as
//! much as the pairs that it has learned from.

mod m_passes;
mod pattern_stage;

use super::super::job::Job;
use super::super::observer::{Progress, Stage};
use super::super::prepared::Prepared;
use super::super::settings::Settings;
use super::levels_of;
use super::other_rules::OtherRules;
use crate::error::{Error, ErrorCode, Result};
use crate::rules::{ComparisonRules, Conjunction, Literal, Rule};
use crate::score::{LevelShare, Model, PatternCounts, Patterns};
use m_passes::{Lesson, Prior};
use pattern_stage::PatternStage;

/// Training rules and certain rules at most: each is a bit of a mask.
const MOST_RULES: usize = 64;

/// The share of matches that certain rules find, where nothing is said.
const DEFAULT_RECALL: f64 = 0.8;

/// The prior where nothing is known.
const DEFAULT_PRIOR: f64 = 1e-4;

/// A model, and what should be known about how it was learned.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// What a reader of it should know, in a line each that can be shown on a terminal.
    pub warnings: Vec<String>,
}

/// Learns a model for the comparisons of a job.
pub fn train(job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Trained> {
    if job.rules.has_weights() {
        return Err(Error::rules("the comparisons have weights, so there is nothing to learn")
            .with_help("a model is learned for comparisons with `levels`; with weights, run the job without one")
            .with_code(ErrorCode::NoComparisons));
    }
    let job = Job { model: None, ..job.clone() };
    let mut prepared = Prepared::unscored(&job, settings, progress)?;
    if prepared.rules.scoring.comparisons.is_empty() {
        return Err(Error::rules("the rules compare nothing, so there is nothing to learn")
            .with_help("add a comparison: `[[compare]]` with `levels`")
            .with_code(ErrorCode::NoComparisons));
    }
    let rules = LearnedRules::of(&prepared)?;
    progress.begin(&Stage::Training, None);
    let shares = prepared.level_shares(progress)?;
    let counts = prepared.pattern_counts(&rules, progress)?;
    let prior = prepared.prior(&rules, &counts);
    Lesson { prepared: &prepared, rules: &rules, shares: &shares, counts: &counts, prior }.learn()
}

/// The rules that are learned from: training rules, and after them certain rules.
pub(super) struct LearnedRules {
    pub rules: Vec<Rule>,
    pub conjunctions: Vec<Conjunction>,
    /// How many of them are training rules.
    pub training: usize,
}

impl LearnedRules {
    /// The training rules of a job: those that it names, or else the rules that are not certain, or else the certain ones.
    fn of(prepared: &Prepared) -> Result<Self> {
        let (set, named) = (&prepared.rules, &prepared.rules.scoring);
        let mut all = Self { rules: Vec::new(), conjunctions: Vec::new(), training: 0 };
        let (certain, others): (Vec<&Rule>, Vec<&Rule>) = set.rules.iter().partition(|rule| rule.is_certain);
        if !named.training.is_empty() {
            named.training.iter().for_each(|rule| all.add(rule, &named.training_conjunctions));
        } else {
            let chosen = if others.is_empty() { &certain } else { &others };
            chosen.iter().for_each(|rule| all.add(rule, &set.conjunctions));
        }
        all.training = all.rules.len();
        certain.iter().for_each(|rule| all.add(rule, &set.conjunctions));
        named.deterministic.iter().for_each(|rule| all.add(rule, &named.deterministic_conjunctions));
        if all.training == 0 {
            return Err(Error::rules("there is no rule whose pairs a model could be learned from")
                .with_help("name some that give many matches: `[train]` with `rules = [\"l.email = r.email\"]`")
                .with_code(ErrorCode::NoRules));
        }
        if all.rules.len() > MOST_RULES {
            return Err(Error::rules(format!("a model is learned from at most {MOST_RULES} rules")));
        }
        Ok(all)
    }

    fn add(&mut self, rule: &Rule, conjunctions: &[Conjunction]) {
        let (from, number) = (self.conjunctions.len(), self.rules.len());
        let own = conjunctions[rule.conjunctions.clone()].iter();
        self.conjunctions.extend(own.map(|of| Conjunction { rule: number, literals: of.literals.clone() }));
        self.rules.push(Rule { conjunctions: from..self.conjunctions.len(), ..rule.clone() });
    }

    /// The literals of each rule, as levels have them.
    fn conditions(&self) -> Vec<Vec<Vec<Literal>>> {
        let of_rule = |rule: &Rule| self.conjunctions[rule.conjunctions.clone()].iter().map(|of| of.literals.clone());
        self.rules.iter().map(|rule| of_rule(rule).collect()).collect()
    }

    /// The bits of certain rules in a mask.
    pub fn certain(&self) -> u64 {
        (self.training..self.rules.len()).fold(0, |mask, rule| mask | 1 << rule)
    }
}

impl Prepared {
    /// The shares of the outcomes of each comparison among all pairs.
    fn level_shares(&mut self, progress: Progress<'_>) -> Result<Vec<Vec<LevelShare>>> {
        let mut counted = Vec::new();
        for at in 0..self.rules.scoring.comparisons.len() {
            counted.push(self.counted_levels(at, progress)?);
        }
        let all = &self.rules.scoring.comparisons;
        let mut shares: Vec<Option<Vec<LevelShare>>> =
            all.iter().zip(&counted).map(|(of, counted)| counted.shares(of.levels.len())).collect();
        let open: Vec<usize> = (0..all.len()).filter(|at| shares[*at].is_none()).collect();
        if !open.is_empty() {
            let comparisons: Vec<ComparisonRules> = open.iter().map(|at| all[*at].clone()).collect();
            let (seen, pairs) = (self.seen_outcomes(&comparisons)?, self.nominal_pairs());
            for (at, outcomes) in open.into_iter().zip(&seen.counts) {
                shares[at] = Some(counted[at].shares_beside(outcomes, seen.are_all, pairs));
            }
        }
        Ok(shares.into_iter().flatten().collect())
    }

    /// How many pairs of the rules have each pattern.
    fn pattern_counts(&mut self, rules: &LearnedRules, progress: Progress<'_>) -> Result<PatternCounts> {
        let conditions = rules.conditions();
        let (own, shape) = (self.rules.clone(), Patterns::new(&self.rules.scoring.comparisons)?);
        let by = OtherRules { rules: rules.rules.clone(), conjunctions: rules.conjunctions.clone(), rows: None };
        let rules: Vec<&[Vec<Literal>]> = conditions.iter().map(|of| &of[..]).collect();
        let stage = |program| PatternStage::new((program, &own), &shape, levels_of(&own), rules);
        self.show_pairs_with(by, stage, PatternStage::into_counts, progress)
    }

    /// The probability that two random records match: given, or from the pairs of certain rules.
    fn prior(&self, rules: &LearnedRules, counts: &PatternCounts) -> Prior {
        if let Some(given) = self.job.rules.score.prior {
            return Prior { value: given, from: "given".to_owned(), is_known: true };
        }
        let certain: u64 = counts.with_any(rules.certain()).iter().map(|(_, pairs)| pairs).sum();
        if certain == 0 {
            let from = "default: give `prior`, or mark rules as `certain = true`".to_owned();
            return Prior { value: DEFAULT_PRIOR, from, is_known: false };
        }
        let given = self.job.rules.train.recall;
        let recall = given.unwrap_or(DEFAULT_RECALL);
        let assumed = if given.is_none() { ", which is assumed" } else { "" };
        let value = (certain as f64 / recall / self.nominal_pairs() as f64).min(0.5);
        let from = format!("{certain} pairs that match for sure, {recall} of all matches{assumed}");
        Prior { value, from, is_known: true }
    }
}
