//! The columns of records, the conditions and the rules of a report.

use serde::Serialize;

/// A column of the records in a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportColumn {
    /// Its name.
    pub name: String,
    /// Its name in the table of records.
    pub key: String,
    /// Whether rules compute it.
    pub derived: bool,
    /// How, where all inputs have the same expression.
    pub expression: Option<String>,
    /// Whether its values are masked.
    pub masked: bool,
    /// Whether it seems to hold personal data.
    pub personal: bool,
    /// Whether rules read it.
    pub used: bool,
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportCondition {
    /// As rules have it.
    pub text: String,
    /// Its threshold, if it has one.
    pub threshold: Option<ReportThreshold>,
}

/// What a condition compares with a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportThreshold {
    /// What is measured.
    pub measure: String,
    /// The number.
    pub value: f64,
    /// Which values satisfy the condition.
    pub direction: ThresholdDirection,
    /// Whether the number itself does.
    pub inclusive: bool,
    /// Whether values are whole numbers.
    pub whole: bool,
    /// How far it is loosened for near pairs, if it can be.
    pub step: Option<f64>,
}

/// Which values satisfy a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ThresholdDirection {
    /// Larger ones.
    AtLeast,
    /// Smaller ones.
    AtMost,
}

/// The rules and what they gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportRules {
    /// In order, certain ones first.
    pub list: Vec<ReportRule>,
    /// Whether the numbers of rules and `never` rules are of pairs before their scores are known. Those of a rule that
    /// stands for the score are always of the result.
    pub before_scores: bool,
    /// The `never` rules.
    pub nevers: Vec<ReportNever>,
    /// Which rules hold together.
    pub overlaps: Vec<RuleOverlap>,
    /// Whether all pairs were looked at for that.
    pub overlaps_exact: bool,
    /// Pairs in sets of rules that are not listed.
    pub other_overlaps: f64,
    /// Near pairs, if the run looked for them.
    pub near: Option<ReportNear>,
    /// The thresholds of the rules.
    pub thresholds: Vec<RuleThreshold>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportRule {
    /// Its name.
    pub name: String,
    /// Whether somebody named it.
    pub named: bool,
    /// Whether nobody wrote it: it stands for the score.
    pub made: bool,
    /// Its condition.
    pub when: String,
    /// Pairs it gives by itself.
    pub alone: u64,
    /// Pairs that no rule before it gives.
    pub marginal: u64,
    /// Pairs of all rules up to it.
    pub cumulative: u64,
    /// Pairs of the result that have it as their `match_key`.
    pub pairs: u64,
    /// Those of them that were explained.
    pub explained: u64,
    /// The ways in which it can hold, as numbers of conditions.
    pub ways: Vec<Vec<usize>>,
    /// Numbers of pairs, the weakest first.
    pub examples: Vec<u32>,
}

/// A `never` rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportNever {
    /// Its name.
    pub name: String,
    /// Its condition.
    pub when: String,
    /// Pairs that a rule gives and that it takes away.
    pub removed: u64,
    /// The ways in which it can hold, as numbers of conditions.
    pub ways: Vec<Vec<usize>>,
}

/// Pairs for which exactly these rules hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RuleOverlap {
    /// Numbers of rules.
    pub rules: Vec<usize>,
    /// The pairs.
    pub pairs: f64,
}

/// Near pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportNear {
    /// By how much similarities were loosened.
    pub amount: f64,
    /// All of them.
    pub pairs: u64,
    /// By rule and condition.
    pub conditions: Vec<ReportNearCondition>,
}

/// Near pairs of a condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportNearCondition {
    /// The number of the rule.
    pub rule: usize,
    /// The number of the condition, where it is known.
    pub condition: Option<usize>,
    /// The condition as it was loosened.
    pub looser: String,
    /// Its near pairs.
    pub pairs: u64,
}

/// A threshold of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RuleThreshold {
    /// The number of the rule.
    pub rule: usize,
    /// The number of the condition.
    pub condition: usize,
    /// The pairs of the rule by measured value.
    pub above: Vec<ThresholdBin>,
    /// The near pairs of the threshold by measured value.
    pub below: Option<Vec<ValueBin>>,
    /// The number of these.
    pub near: Option<u64>,
    /// Whether all pairs were looked at.
    pub exact: bool,
    /// Whether all near pairs were looked at.
    pub below_exact: bool,
    /// Numbers of pairs, the nearest to the threshold first.
    pub examples: Vec<u32>,
    /// Numbers of near pairs, the nearest to the threshold first.
    pub misses: Vec<u32>,
}

/// Pairs with a value in a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ThresholdBin {
    /// From here.
    pub from: f64,
    /// To here.
    pub to: f64,
    /// The pairs.
    pub pairs: f64,
    /// Those that nothing else gives.
    pub lost: f64,
}

/// How often values lie in a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ValueBin {
    /// From here.
    pub from: f64,
    /// To here.
    pub to: f64,
    /// The pairs.
    pub pairs: f64,
}
