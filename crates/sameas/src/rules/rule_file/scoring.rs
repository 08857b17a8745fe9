//! `[[compare]]`, `[score]` and `[train]`: what makes a number of a pair, and how that is learned.

use toml::de::{DeArray, DeTable, DeValue};

use super::super::diagnostic::Origin;
use super::toml_value::{Placed, Reader, TomlKey, is_tables, span};
use super::{RuleFile, RuleText};

/// A comparison as text.
#[derive(Clone, Debug)]
pub struct CompareText {
    /// Its name, or `None` for `compare_N`.
    pub name: Option<String>,
    /// Where it begins, or where its name was written.
    pub at: Origin,
    /// The conditions of its levels, from the first that is looked at on.
    pub levels: Vec<Origin>,
    /// The column whose values weigh more the rarer they are.
    pub term_frequency: Option<Origin>,
}

/// What `[score]` says.
#[derive(Clone, Debug, Default)]
pub struct ScoreText {
    /// The least probability of a pair that is kept.
    pub threshold: Option<f64>,
    /// The least match weight of a pair that is kept.
    pub threshold_weight: Option<f64>,
    /// The probability that two random records match.
    pub prior: Option<f64>,
    /// Whether pairs have a column with the level of each comparison.
    pub levels: Option<bool>,
}

/// What `[train]` says.
#[derive(Clone, Debug, Default)]
pub struct TrainText {
    /// Rules whose pairs are learned from.
    pub rules: Vec<RuleText>,
    /// Rules whose pairs match for sure, for the prior: as certain rules, but they give no pairs.
    pub deterministic: Vec<RuleText>,
    /// The share of all matches that certain and deterministic rules find.
    pub recall: Option<f64>,
}

const COMPARE: &[&str] = &["name", "levels", "term_frequency"];
const SCORE: &[&str] = &["threshold", "threshold_weight", "prior", "levels"];
const TRAIN: &[&str] = &["rules", "deterministic", "recall"];
const LEVELS: &str = "levels = [\"l.name = r.name\", \"jaro_winkler(l.name, r.name) >= 0.9\"]";

impl RuleFile {
    /// Whether pairs have scores.
    pub fn has_comparisons(&self) -> bool {
        !self.compares.is_empty()
    }

    /// Takes over what another file says of scores where this one says nothing.
    pub(super) fn merge_scoring(&mut self, other: (Vec<CompareText>, ScoreText, TrainText)) {
        let (compares, score, train) = other;
        self.compares.extend(compares);
        let mine = &mut self.score;
        mine.threshold = mine.threshold.or(score.threshold);
        mine.threshold_weight = mine.threshold_weight.or(score.threshold_weight);
        mine.prior = mine.prior.or(score.prior);
        mine.levels = mine.levels.or(score.levels);
        self.train.rules.extend(train.rules);
        self.train.deterministic.extend(train.deterministic);
        self.train.recall = self.train.recall.or(train.recall);
    }
}

impl Reader {
    /// The comparisons of a file.
    pub(super) fn compares(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Vec<CompareText> {
        match value.get_ref() {
            DeValue::Array(items) if is_tables(items) => items.iter().filter_map(|item| self.compare(item)).collect(),
            DeValue::Array(items) if items.is_empty() => Vec::new(),
            _ => {
                let help = format!("write `[[compare]]`, and below it `{LEVELS}`");
                self.mistake(span(value.span()), format!("`{}` must be a list of tables", key.name), help);
                Vec::new()
            }
        }
    }

    fn compare(&mut self, value: Placed<'_>) -> Option<CompareText> {
        let DeValue::Table(table) = value.get_ref() else { return None };
        let (mut name, mut levels, mut term_frequency) = (None, Vec::new(), None);
        for (meant, key, value) in self.entries(table, COMPARE, advice) {
            match meant {
                "name" => name = self.text(key, value, "name = \"surname\"").map(|name| (name, value.span())),
                "levels" => levels = self.conditions("level", key, value, LEVELS),
                _ => {
                    let text = self.text(key, value, "term_frequency = \"surname\"");
                    term_frequency = text.map(|text| self.origin("term frequency".to_owned(), value.span(), &text));
                }
            }
        }
        let what = name.as_ref().map_or("comparison".to_owned(), |(name, _)| format!("comparison \"{name}\""));
        for (at, level) in levels.iter_mut().enumerate() {
            level.what = format!("{what}, level {}", at + 1);
        }
        if levels.is_empty() {
            self.mistake(
                span(value.span()),
                "this comparison has no level",
                format!("say what counts as alike: `{LEVELS}`"),
            );
            return None;
        }
        let at = name.as_ref().map_or(value.span(), |(_, at)| at.clone());
        let at = self.origin(what, at, name.as_ref().map_or("", |(name, _)| name));
        Some(CompareText { name: name.map(|(name, _)| name), at, levels, term_frequency })
    }

    /// A list of conditions, each with its place.
    fn conditions(&mut self, what: &str, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Vec<Origin> {
        let none = DeArray::new();
        let items = match value.get_ref() {
            DeValue::Array(items) if !is_tables(items) => items,
            other => {
                self.wrong_kind(key, value, "a list of conditions", other, example);
                &none
            }
        };
        let mut all = Vec::new();
        for item in items.iter() {
            if let Some(text) = self.text(key, item, example) {
                all.push(self.origin(what.to_owned(), item.span(), &text));
            }
        }
        all
    }

    /// `[score]`.
    pub(super) fn score(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> ScoreText {
        let mut score = ScoreText::default();
        let Some(table) = self.table(key, value, "threshold = 0.9") else { return score };
        for (meant, key, value) in self.entries(table, SCORE, |_| None) {
            match meant {
                "threshold" => score.threshold = self.share(key, value, "threshold = 0.9"),
                "threshold_weight" => score.threshold_weight = self.number(key, value, "threshold_weight = 5.0"),
                "prior" => score.prior = self.share(key, value, "prior = 0.0001"),
                _ => score.levels = self.truth(key, value),
            }
        }
        if let (Some(_), Some(_)) = (score.threshold, score.threshold_weight) {
            let help = "a threshold is a probability or a weight; leave one of them out";
            self.mistake(key.span, "`[score]` has two thresholds", help);
        }
        score
    }

    /// `[train]`.
    pub(super) fn train(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> TrainText {
        let mut train = TrainText::default();
        let Some(table) = self.table(key, value, "recall = 0.8") else { return train };
        for (meant, key, value) in self.entries(table, TRAIN, |_| None) {
            match meant {
                "rules" => train.rules = self.unnamed("training rule", key, value),
                "deterministic" => train.deterministic = self.unnamed("deterministic rule", key, value),
                _ => train.recall = self.share(key, value, "recall = 0.8"),
            }
        }
        train
    }

    /// A list of conditions as rules without names.
    fn unnamed(&mut self, what: &str, key: TomlKey<'_>, value: Placed<'_>) -> Vec<RuleText> {
        let conditions = self.conditions(what, key, value, &format!("{} = [\"l.email = r.email\"]", key.name));
        let rule = |origin| RuleText { name: None, named_at: None, origin, is_certain: false };
        conditions.into_iter().map(rule).collect()
    }

    fn table<'a>(&mut self, key: TomlKey<'_>, value: Placed<'a>, example: &str) -> Option<&'a DeTable<'a>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            other => {
                self.wrong_kind(key, value, "a table", other, &format!("[{}]` and below it `{example}", key.name));
                None
            }
        }
    }

    /// A number between 0 and 1.
    fn share(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Option<f64> {
        let number = self.number(key, value, example)?;
        if number > 0.0 && number < 1.0 {
            return Some(number);
        }
        let message = format!("`{}` is a probability: more than 0 and less than 1", key.name);
        self.mistake(span(value.span()), message, format!("write for example `{example}`"));
        None
    }

    fn number(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Option<f64> {
        let number = match value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) => integer.as_str().parse().ok(),
            _ => None,
        };
        match number {
            Some(number) if f64::is_finite(number) => Some(number),
            _ => {
                self.wrong_kind(key, value, "a number", value.get_ref(), example);
                None
            }
        }
    }
}

/// What others call the parts of a comparison.
fn advice(wrong: &str) -> Option<(Option<&'static str>, String)> {
    let (meant, help) = match wrong.to_lowercase().as_str() {
        "comparison_levels" | "level" | "when" => ("levels", "the conditions of a comparison are listed as `levels`"),
        "output_column_name" | "column" | "title" => ("name", "it is called `name`"),
        "tf" | "term_frequency_adjustments" | "tf_adjustment_column" => {
            ("term_frequency", "it is called `term_frequency`, and names a column")
        }
        _ => return None,
    };
    Some((Some(meant), help.to_owned()))
}
