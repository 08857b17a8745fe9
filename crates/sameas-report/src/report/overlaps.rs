//! What a sample of explained pairs says about all pairs: which rules hold together, and how many pairs are near each
//! threshold.

use std::collections::BTreeMap;

use super::condition::{bin_of, equal_parts};
use super::explained::{ExplainedPair, Explainer, PairKind};
use super::facts::{ReportThreshold, RuleOverlap, RuleThreshold, ThresholdBin, ValueBin};

/// Sets of rules that are listed.
const MOST_SETS: usize = 64;

/// Examples of a threshold.
const EXAMPLES: usize = 20;

/// Which rules hold together, the most frequent sets first, and the pairs of sets that are not listed.
pub fn overlaps(pairs: &[ExplainedPair]) -> (Vec<RuleOverlap>, f64) {
    let mut sets: BTreeMap<&[usize], f64> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.asked.weight > 0.0 && pair.asked.kind == PairKind::Result) {
        *sets.entry(&pair.rules).or_default() += pair.asked.weight;
    }
    sets.remove(&[][..]);
    let mut sets: Vec<RuleOverlap> =
        sets.into_iter().map(|(rules, pairs)| RuleOverlap { rules: rules.to_vec(), pairs }).collect();
    sets.sort_by(|a, b| b.pairs.total_cmp(&a.pairs).then_with(|| a.rules.cmp(&b.rules)));
    let others = sets.iter().skip(MOST_SETS).map(|set| set.pairs).sum();
    sets.truncate(MOST_SETS);
    (sets, others)
}

/// Where thresholds are looked at.
pub struct ThresholdLook<'a> {
    /// The pairs.
    pub pairs: &'a [ExplainedPair],
    /// The conditions.
    pub explainer: &'a Explainer,
    /// Whether all pairs of the run are among the pairs.
    pub is_complete: bool,
    /// Near pairs by rule and condition, if the run looked for them.
    pub near: Option<&'a BTreeMap<(usize, usize), u64>>,
    /// Whether all near pairs are among the pairs.
    pub near_is_complete: bool,
}

impl ThresholdLook<'_> {
    /// All thresholds of all rules; `shown` gives the number of a pair in the report.
    pub fn all(&self, shown: &dyn Fn(usize) -> Option<u32>) -> Vec<RuleThreshold> {
        let mut all = Vec::new();
        for (rule, ways) in self.explainer.rule_ways.iter().enumerate() {
            let mut conditions: Vec<usize> = Vec::new();
            for condition in ways.iter().flatten().filter(|at| self.explainer.thresholds[**at].is_some()) {
                if !conditions.contains(condition) {
                    conditions.push(*condition);
                }
            }
            all.extend(conditions.into_iter().filter_map(|condition| self.threshold(rule, condition, shown)));
        }
        all
    }

    fn threshold(&self, rule: usize, condition: usize, shown: &dyn Fn(usize) -> Option<u32>) -> Option<RuleThreshold> {
        let threshold = self.explainer.thresholds[condition].as_ref()?;
        let measured = |pair: &ExplainedPair| pair.inspected.as_ref()?.findings[condition].measured;
        let of_rule = |pair: &ExplainedPair| pair.asked.kind == PairKind::Result && pair.rules.contains(&rule);
        let beyond = |value: f64| threshold.slack(value).is_none_or(|slack| slack >= 0.0);
        let mut near_it: Vec<(f64, usize)> = Vec::new();
        let mut sampled: Vec<(f64, f64, bool)> = Vec::new();
        for (at, pair) in self.pairs.iter().enumerate().filter(|(_, pair)| of_rule(pair)) {
            let Some(value) = measured(pair).filter(|value| beyond(*value)) else { continue };
            near_it.push(((value - threshold.value).abs(), at));
            if pair.asked.weight > 0.0 {
                sampled.push((value, pair.asked.weight, self.is_lost_without(pair, rule, condition)));
            }
        }
        let missing = |pair: &ExplainedPair| {
            pair.asked.kind == PairKind::Near && pair.rule == Some(rule) && pair.condition == Some(condition)
        };
        let mut misses: Vec<(f64, usize)> = Vec::new();
        let mut missed: Vec<(f64, f64)> = Vec::new();
        for (at, pair) in self.pairs.iter().enumerate().filter(|(_, pair)| missing(pair)) {
            let Some(value) = measured(pair) else { continue };
            misses.push(((value - threshold.value).abs(), at));
            missed.push((value, pair.asked.weight));
        }
        let near = self.near.and_then(|near| near.get(&(rule, condition)).copied());
        Some(RuleThreshold {
            rule,
            condition,
            above: above(threshold, &sampled),
            below: near.map(|_| below(threshold, &missed)),
            near,
            exact: self.is_complete,
            below_exact: self.near_is_complete,
            examples: nearest(near_it, shown),
            misses: nearest(misses, shown),
        })
    }

    /// Whether nothing but this rule gives a pair, and in no way without this condition.
    fn is_lost_without(&self, pair: &ExplainedPair, rule: usize, condition: usize) -> bool {
        let Some(inspected) = &pair.inspected else { return false };
        let holds = |way: &&Vec<usize>| way.iter().all(|at| inspected.findings[*at].holds);
        let mut holding = self.explainer.rule_ways[rule].iter().filter(holds);
        pair.rules.iter().all(|other| *other == rule) && holding.all(|way| way.contains(&condition))
    }
}

fn nearest(mut by_distance: Vec<(f64, usize)>, shown: &dyn Fn(usize) -> Option<u32>) -> Vec<u32> {
    by_distance.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    by_distance.into_iter().filter_map(|(_, at)| shown(at)).take(EXAMPLES).collect()
}

fn above(threshold: &ReportThreshold, sampled: &[(f64, f64, bool)]) -> Vec<ThresholdBin> {
    let values: Vec<f64> = sampled.iter().map(|(value, ..)| *value).collect();
    let ends = threshold.ends(&values);
    let bin = |range: &[f64]| ThresholdBin { from: range[0], to: range[1], pairs: 0.0, lost: 0.0 };
    let mut bins: Vec<ThresholdBin> = ends.windows(2).map(bin).collect();
    for (value, weight, is_lost) in sampled {
        if let Some(at) = bin_of(&ends, *value) {
            bins[at].pairs += weight;
            bins[at].lost += if *is_lost { *weight } else { 0.0 };
        }
    }
    bins
}

fn below(threshold: &ReportThreshold, missed: &[(f64, f64)]) -> Vec<ValueBin> {
    let (least, most) = missed
        .iter()
        .fold((threshold.value, threshold.value), |(least, most), (value, _)| (value.min(least), value.max(most)));
    let ends: Vec<f64> = match threshold.whole {
        true => (least.floor() as i64..=most.floor() as i64 + 1).map(|at| at as f64).collect(),
        false if most > least => equal_parts(least, most, 10),
        false => Vec::new(),
    };
    let mut bins: Vec<ValueBin> =
        ends.windows(2).map(|range| ValueBin { from: range[0], to: range[1], pairs: 0.0 }).collect();
    for (value, weight) in missed {
        if let Some(at) = bin_of(&ends, *value) {
            bins[at].pairs += weight;
        }
    }
    // What is at the threshold itself is not missed.
    bins.retain(|bin| !(threshold.whole && bin.from == threshold.value && bin.pairs == 0.0));
    bins
}
