//! Comparisons with a similarity and a weight, compiled: what they add to a weighted average, and what holds of every pair to
//! which they add much.
//!
//! A pair is kept if its weighted average reaches a threshold t. Let s be the share of a comparison of all weights. The others
//! add at most 1 - s, so a similarity below (t - (1 - s)) / s keeps a pair from t: where that is large, a join may demand it.
//! Where it is not, a join may demand a similarity of nearly t: if no comparison has as much, neither has the average.

use super::compile::RuleCompiler;
use super::diagnostic::{Diagnostic, Origin};
use super::doubt::{Role, exceeds_one};
use super::normal_form::MAX_CONJUNCTIONS;
use super::predicate::Literal;
use super::rule_file::{CompareText, RuleFile, WeightedText};
use super::rule_set::WeightedRules;
use crate::expr::{Expr, ExprKind, Type, Value};

/// The least weighted average where none is given.
pub const DEFAULT_AVERAGE: f64 = 0.5;

/// A weighted average is rounded; what it may lose by that.
const ROUNDED: f64 = 2e-8;

/// Thresholds that were computed have this many steps between 0 and 1.
const STEPS: f64 = 1e6;

/// A similarity of at least this share of the threshold is worth a join by itself.
const WORTH_A_JOIN: f64 = 0.75;

/// What a join may demand of a similarity.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SimilarityBound {
    at_least: f64,
    otherwise: f64,
}

impl RuleFile {
    /// The least weighted average of a pair that is kept.
    #[doc(hidden)]
    pub fn least_average(&self) -> f64 {
        self.score.threshold.unwrap_or(DEFAULT_AVERAGE)
    }
}

impl RuleCompiler<'_> {
    /// The comparisons of the file that have a similarity.
    pub(super) fn weighted_rules(&mut self) -> Vec<WeightedRules> {
        let file: &RuleFile = self.file;
        let all: Vec<(usize, &CompareText, &WeightedText)> = file
            .compares
            .iter()
            .enumerate()
            .filter_map(|(at, text)| Some((at, text, text.weighted.as_ref()?)))
            .collect();
        let sum: f64 = all.iter().map(|(.., of)| of.weight).sum();
        let share = |of: &WeightedText| if sum > 0.0 && sum.is_finite() { of.weight / sum } else { 0.0 };
        let compiled = all.into_iter().map(|(at, text, of)| self.weighted_rule(text.name_at(at), of, share(of)));
        compiled.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    fn weighted_rule(&mut self, name: String, text: &WeightedText, share: f64) -> Option<WeightedRules> {
        let within = text.within.as_ref().map(|within| self.rule(within, Role::Rule).0);
        let similarity = self.similarity(&text.similarity)?;
        let demand = demand(text, share, self.file.least_average()).filter(|_| similarity.ty != Type::Decimal);
        let joined = self.joined(text, within.as_ref(), demand);
        let swapped = similarity.swapped();
        let is_symmetric = !self.has_one_kind_of_record() || similarity.canonical() == swapped.canonical();
        let exchanged = (!is_symmetric).then(|| self.value(swapped));
        let one_line = |origin: &Origin| origin.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let otherwise = demand.map_or(0.0, |demand| demand.otherwise);
        Some(WeightedRules {
            name,
            text: one_line(&text.similarity),
            value: self.value(similarity),
            exchanged,
            same_source: exchanged.and_then(|_| self.same_source()),
            within,
            within_text: text.within.as_ref().map(one_line),
            at_least: text.at_least,
            weight: text.weight,
            joined,
            otherwise,
        })
    }

    /// A similarity is a number, and not one that is obviously no similarity.
    fn similarity(&mut self, origin: &Origin) -> Option<Expr> {
        let bound = self.expression(origin)?;
        let mistake = match &bound.kind {
            ExprKind::Literal(Value::Null) => {
                Some(("this is null for every pair".to_owned(), "compare columns of `l` and `r`"))
            }
            _ if !bound.ty.is_number() => Some((
                format!("a similarity is a number from 0 to 1; this is {}", bound.ty.name()),
                "write for example `jaro_winkler(l.name, r.name)`, or `case when l.a = r.a then 1 else 0 end`",
            )),
            _ if exceeds_one(&bound) => Some((
                "a similarity is a number from 0 to 1; this can be far more".to_owned(),
                "use a similarity such as `levenshtein_similarity` or `jaro_winkler`, or make one of it: `1 - x / 10`",
            )),
            _ => None,
        };
        match mistake {
            Some((message, help)) => {
                self.report.add(origin, &[Diagnostic::new(origin.whole(), message).with_help(help)]);
                None
            }
            None => Some(bound),
        }
    }

    /// What holds of a pair to which the comparison adds more than it must: `within`, and a least similarity.
    fn joined(
        &mut self,
        text: &WeightedText,
        within: Option<&Vec<Vec<Literal>>>,
        demand: Option<SimilarityBound>,
    ) -> Vec<Vec<Literal>> {
        let everything = || vec![Vec::new()];
        let within = within.cloned().unwrap_or_else(everything);
        let similar = demand.filter(|demand| demand.at_least > 0.0).and_then(|demand| {
            let condition = format!("{}\n>= {:?}", text.similarity.text, demand.at_least);
            self.made_condition(&condition, &text.similarity)
        });
        let similar = similar.unwrap_or_else(everything);
        if within.len() * similar.len() > MAX_CONJUNCTIONS {
            return within;
        }
        let both = |within: &Vec<Literal>| -> Vec<Vec<Literal>> {
            similar.iter().map(|similar| [&within[..], similar].concat()).collect()
        };
        within.iter().flat_map(both).collect()
    }
}

/// The least similarity that a join may demand of a comparison with this share of the weights.
fn demand(text: &WeightedText, share: f64, threshold: f64) -> Option<SimilarityBound> {
    if share <= 0.0 {
        return None;
    }
    let needed = rounded_down((threshold - (1.0 - share) - ROUNDED) / share);
    let at_least = text.at_least.max(needed);
    if text.within.is_some() || at_least >= WORTH_A_JOIN * threshold {
        return Some(SimilarityBound { at_least, otherwise: 0.0 });
    }
    let cut = rounded_down(threshold - ROUNDED);
    Some(SimilarityBound { at_least: cut, otherwise: cut })
}

fn rounded_down(similarity: f64) -> f64 {
    (similarity * STEPS).floor() / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(at_least: f64, within: bool) -> WeightedText {
        let origin = || Origin::without_file("similarity", "", "x");
        WeightedText { similarity: origin(), within: within.then(origin), at_least, weight: 1.0 }
    }

    #[test]
    fn a_join_demands_what_no_pair_above_the_threshold_lacks() {
        let close = |demand: Option<SimilarityBound>, at_least: f64, otherwise: f64| {
            let demand = demand.unwrap();
            assert!((demand.at_least - at_least).abs() < 3e-6 && demand.at_least <= at_least, "{demand:?}");
            assert!((demand.otherwise - otherwise).abs() < 3e-6, "{demand:?}");
        };
        close(demand(&text(0.6, true), 0.2, 0.66), 0.6, 0.0);
        // The other half adds at most 0.5, so this one must have 0.8.
        close(demand(&text(0.0, false), 0.5, 0.9), 0.8, 0.0);
        close(demand(&text(0.3, true), 0.5, 0.9), 0.8, 0.0);
        // One of five must have the average.
        close(demand(&text(0.0, false), 0.2, 0.75), 0.75, 0.75);
        assert_eq!(demand(&text(0.0, false), 0.0, 0.75), None);
    }
}
