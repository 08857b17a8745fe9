//! Pairs that are explained: what each condition says of them, which rules hold, and how weak they are.

use std::collections::HashMap;

use super::condition::threshold;
use super::facts::ReportThreshold;
use super::pair_reader::ReportedPair;
use crate::engine::{InspectedPair, InspectedRecords, RunRecord, USUAL_AMOUNT, inspect_pairs};
use crate::observer::Progress;
use crate::rules::Literal;

/// What an explained pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// A pair of the result.
    Result,
    /// A near pair of the run.
    Near,
    /// A near miss that the report has found.
    Miss,
    /// Two records of one cluster that are not a pair.
    Together,
}

/// A pair that is to be explained.
#[derive(Clone, Debug)]
pub struct PairToExplain {
    /// The pair; of a miss, the rule is the one that it nearly satisfies.
    pub pair: ReportedPair,
    /// What it is.
    pub kind: PairKind,
    /// The condition that a near pair or a miss fails.
    pub condition: Option<usize>,
    /// How many pairs it stands for; 0 where it is in no sample.
    pub weight: f64,
}

/// A pair that is explained, as far as values are there.
pub struct ExplainedPair {
    /// What it is.
    pub asked: PairToExplain,
    /// What each condition says; nothing without values.
    pub inspected: Option<InspectedPair>,
    /// The rules that hold, by their numbers.
    pub rules: Vec<usize>,
    /// The first `never` that holds.
    pub never: Option<usize>,
    /// The rule that it belongs to, or nearly satisfies.
    pub rule: Option<usize>,
    /// The condition that it fails, where that is one.
    pub condition: Option<usize>,
    /// How weak it is.
    pub slack: Option<f64>,
}

/// The conditions and rules that pairs are explained by.
pub struct Explainer {
    /// The thresholds of the conditions.
    pub thresholds: Vec<Option<ReportThreshold>>,
    /// The texts of the conditions.
    pub texts: Vec<String>,
    places: HashMap<String, usize>,
    /// For each rule of the run, by its number, its ways.
    pub rule_ways: Vec<Vec<Vec<usize>>>,
    /// The same of `never` rules.
    pub never_ways: Vec<Vec<Vec<usize>>>,
}

impl Explainer {
    /// For the rules of a run, which have these names.
    pub fn new(records: &InspectedRecords, run: &RunRecord, names: &[String]) -> Self {
        let amount = run.near.as_ref().map_or(USUAL_AMOUNT, |near| near.amount);
        let of = |condition: &Literal| threshold(records.predicate(*condition), condition.want, amount);
        let texts: Vec<String> = records.conditions.iter().map(|c| records.condition_text(*c)).collect();
        let places = texts.iter().enumerate().map(|(at, text)| (text.clone(), at)).collect();
        let known = records.rules().rules.iter().map(|rule| rule.name.as_str());
        let ways: HashMap<&str, &Vec<Vec<usize>>> = known.zip(&records.rule_ways).collect();
        let of_rule = |name: &String| ways.get(name.as_str()).map(|ways| (*ways).clone()).unwrap_or_default();
        Self {
            thresholds: records.conditions.iter().map(of).collect(),
            texts,
            places,
            rule_ways: names.iter().map(of_rule).collect(),
            never_ways: records.never_ways.clone(),
        }
    }

    /// The number of a condition, by its text.
    pub fn condition(&self, text: &str) -> Option<usize> {
        self.places.get(text).copied()
    }

    /// Explains pairs; `place` gives the place of a record among those that were read.
    pub fn explain(
        &self,
        records: &InspectedRecords,
        asked: Vec<PairToExplain>,
        place: &dyn Fn(u32) -> usize,
        progress: Progress<'_>,
    ) -> Vec<ExplainedPair> {
        let places: Vec<(usize, usize)> =
            asked.iter().map(|asked| (place(asked.pair.left), place(asked.pair.right))).collect();
        let inspected = inspect_pairs(records, &places, progress);
        asked.into_iter().zip(inspected).map(|(asked, inspected)| self.judge(asked, inspected)).collect()
    }

    fn judge(&self, asked: PairToExplain, inspected: InspectedPair) -> ExplainedPair {
        let holds = |way: &Vec<usize>| way.iter().all(|condition| inspected.findings[*condition].holds);
        let rules = (0..self.rule_ways.len()).filter(|rule| self.rule_ways[*rule].iter().any(holds)).collect();
        let never = self.never_ways.iter().position(|ways| ways.iter().any(holds));
        let (rule, condition, slack) = match (asked.kind, asked.condition) {
            (PairKind::Result, _) => {
                let rule = asked.pair.rule as usize;
                (Some(rule), None, self.slack(rule, &inspected))
            }
            (PairKind::Together, _) => self.nearest(&inspected),
            (_, condition) => {
                let slack = condition.and_then(|condition| self.slack_of(condition, &inspected));
                (Some(asked.pair.rule as usize), condition, slack)
            }
        };
        ExplainedPair { asked, inspected: Some(inspected), rules, never, rule, condition, slack }
    }

    /// How far the value of a condition is from its threshold.
    fn slack_of(&self, condition: usize, inspected: &InspectedPair) -> Option<f64> {
        self.thresholds[condition].as_ref()?.slack(inspected.findings[condition].measured?)
    }

    /// How near a pair is to failing a rule: by its strongest way, and there by its weakest condition.
    fn slack(&self, rule: usize, inspected: &InspectedPair) -> Option<f64> {
        let holding = self.rule_ways.get(rule)?.iter();
        let holding = holding.filter(|way| way.iter().all(|condition| inspected.findings[*condition].holds));
        let of_way = |way: &Vec<usize>| {
            let slacks = way.iter().filter_map(|condition| self.slack_of(*condition, inspected));
            slacks.min_by(f64::total_cmp)
        };
        holding.filter_map(of_way).max_by(f64::total_cmp)
    }

    /// The rule that two records fail by the fewest conditions; where that is one, the condition, and how far it is missed.
    fn nearest(&self, inspected: &InspectedPair) -> (Option<usize>, Option<usize>, Option<f64>) {
        let ways = self.rule_ways.iter().enumerate().flat_map(|(rule, ways)| ways.iter().map(move |way| (rule, way)));
        let failed = ways.map(|(rule, way)| {
            let failed = way.iter().copied().filter(|condition| !inspected.findings[*condition].holds);
            (rule, failed.collect::<Vec<usize>>())
        });
        let Some((rule, failed)) = failed.min_by_key(|(_, failed)| failed.len()) else { return (None, None, None) };
        match failed[..] {
            [only] => (Some(rule), Some(only), self.slack_of(only, inspected)),
            _ => (Some(rule), None, None),
        }
    }
}

/// Pairs of a run whose inputs cannot be read: what the results say of them.
pub fn unexplained(asked: Vec<PairToExplain>) -> Vec<ExplainedPair> {
    let of = |asked: PairToExplain| ExplainedPair {
        rule: Some(asked.pair.rule as usize),
        asked,
        inspected: None,
        rules: Vec::new(),
        never: None,
        condition: None,
        slack: None,
    };
    asked.into_iter().map(of).collect()
}

impl ExplainedPair {
    /// Its score, if it has one.
    pub fn score(&self) -> Option<f64> {
        let made = self.inspected.as_ref().and_then(|inspected| {
            let weight = inspected.score.as_ref().map(|score| score.match_weight);
            weight.or(inspected.weighted.as_ref().map(|weighted| weighted.score))
        });
        made.or(Some(self.asked.pair.score).filter(|score| !score.is_nan()))
    }

    /// The probability that it is a match, if a model says it.
    pub fn probability(&self) -> Option<f64> {
        Some(self.inspected.as_ref()?.score.as_ref()?.match_probability)
    }
}
