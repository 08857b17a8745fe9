//! The scores of a report.

use serde::Serialize;

use super::rules::ValueBin;

/// What kind of scores a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ScoreKind {
    /// Match weights, by a model.
    Weight,
    /// Weighted averages of similarities.
    Average,
    /// Scores that others have given.
    Outside,
}

/// Scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportScores {
    /// What they are.
    pub kind: ScoreKind,
    /// What they are called.
    pub unit: &'static str,
    /// The least score that is kept.
    pub threshold: f64,
    /// The probability that belongs to it.
    pub threshold_probability: Option<f64>,
    /// The precision that the model was to expect of the pairs that are kept, where the threshold was found by that.
    pub precision: Option<f64>,
    /// What the model itself expects of them: its own opinion.
    pub expected: Option<ReportExpectation>,
    /// The probability that two random records match.
    pub prior: Option<f64>,
    /// Its weight.
    pub prior_weight: Option<f64>,
    /// Pairs that were scored.
    pub scored: u64,
    /// Pairs that were kept.
    pub kept: u64,
    /// All pairs of the result by score.
    pub histogram: Vec<ValueBin>,
    /// The comparisons.
    pub comparisons: Vec<ReportComparison>,
    /// Numbers of the pairs with the lowest scores.
    pub weakest: Vec<u32>,
}

/// What a model expects of the pairs that are kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportExpectation {
    /// Matches among all pairs of records.
    pub matches: f64,
    /// Whether that is by the prior; else the pairs of the result have more than the prior allows.
    pub by_prior: bool,
    /// Pairs of certain rules, which are matches whatever their score.
    pub certain: u64,
    /// From the threshold of the run on, ascending.
    pub thresholds: Vec<ReportExpectedThreshold>,
}

/// What a model expects of the pairs from a threshold on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportExpectedThreshold {
    /// The least match weight.
    pub threshold: f64,
    /// The probability that belongs to it.
    pub probability: f64,
    /// The pairs from it on, without those of certain rules.
    pub pairs: u64,
    /// Those of them that match.
    pub true_pairs: f64,
    /// The share of these.
    pub precision: Option<f64>,
    /// The share of all matches that are found.
    pub recall: Option<f64>,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportComparison {
    /// Its name.
    pub name: String,
    /// Its levels, *else* and *null*.
    pub levels: Vec<ReportLevel>,
    /// Its similarity, where it has no levels.
    pub similarity: Option<ReportSimilarity>,
    /// What rare values are worth.
    pub term_frequency: Option<ReportTermFrequency>,
}

/// A level of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportLevel {
    /// Its condition.
    pub text: String,
    /// Its share among pairs that match.
    pub m: Option<f64>,
    /// Its share among pairs that do not.
    pub u: Option<f64>,
    /// Where m is from.
    pub m_from: Option<&'static str>,
    /// Where u is from.
    pub u_from: Option<&'static str>,
    /// Its weight.
    pub weight: f64,
    /// The standard error of that, where it is known.
    pub weight_error: Option<f64>,
    /// The matches with the level that m was learned from.
    pub m_pairs: Option<f64>,
    /// About how many pairs of the result have it.
    pub pairs: f64,
}

/// A similarity with a weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportSimilarity {
    /// What is measured.
    pub of: String,
    /// The condition without which it does not count.
    pub within: Option<String>,
    /// Its share of all weights.
    pub share: f64,
    /// The least similarity that counts.
    pub at_least: f64,
}

/// What rare values of a comparison are worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportTermFrequency {
    /// The column.
    pub column: String,
    /// The table that gives frequencies, by its path or its name; nothing where they are counted.
    pub given: Option<String>,
    /// Values that the table lacks.
    pub lacking: u64,
    /// Different values.
    pub values: u64,
    /// The most frequent ones.
    pub frequent: Vec<FrequentTerm>,
    /// What the rarest value adds.
    pub rarest_adds: f64,
    /// Values by what they add.
    pub histogram: Vec<TermBin>,
}

/// A frequent value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FrequentTerm {
    /// The value.
    pub value: String,
    /// The records that have it.
    pub records: u64,
    /// What it adds to a score.
    pub adds: f64,
}

/// Values that add about the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TermBin {
    /// From here.
    pub from: f64,
    /// To here.
    pub to: f64,
    /// The values.
    pub values: u64,
    /// The records that have them.
    pub records: u64,
}
