//! `[[compare]]`, `[score]` and `[train]`: what makes a number of a pair, and how that is learned.

use toml::de::{DeArray, DeTable, DeValue};

use super::super::diagnostic::{Diagnostic, Origin};
use super::toml_value::{Placed, Reader, TomlKey, is_tables, span};
use super::weighted::{SIMILARITY, WeightedText};
use super::{RuleFile, RulePart, RuleText};
use crate::error::{Error, ErrorCode, Result};

/// Combinations of levels are fewer than this: each is a number.
pub const MOST_COMBINATIONS: u64 = 1 << 63;

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
    /// The file that has the frequencies of these values, where they are not counted.
    pub term_frequencies: Option<Origin>,
    /// Its similarity, where it has no levels.
    pub weighted: Option<WeightedText>,
}

impl CompareText {
    /// Its name, where it is the comparison at this place.
    pub fn name_at(&self, at: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("compare_{}", at + 1))
    }
}

/// What `[score]` says.
#[derive(Clone, Debug, Default)]
pub struct ScoreText {
    /// The least probability, weighted average or score of a pair that is kept.
    pub threshold: Option<f64>,
    /// The precision that the model is to expect of the pairs that are kept: the threshold is the lowest that gives it.
    pub precision: Option<f64>,
    /// Where one of these was written.
    pub threshold_at: Option<Origin>,
    /// The file of pairs with scores that others have given.
    pub pairs: Option<Origin>,
    /// The column of that file that has the scores.
    pub column: Option<Origin>,
    /// The least match weight of a pair that is kept.
    pub threshold_weight: Option<f64>,
    /// Where that was written.
    pub threshold_weight_at: Option<Origin>,
    /// The probability that two random records match.
    pub prior: Option<f64>,
    /// Where that was written.
    pub prior_at: Option<Origin>,
    /// Whether pairs have a column with the level, or similarity, of each comparison.
    pub levels: Option<bool>,
    /// Where that was written.
    pub levels_at: Option<Origin>,
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

const COMPARE: &[&str] =
    &["name", "levels", "term_frequency", "term_frequencies", "similarity", "within", "at_least", "weight"];
const SCORE: &[&str] = &["threshold", "threshold_weight", "prior", "levels", "pairs", "column"];
const TRAIN: &[&str] = &["rules", "deterministic", "recall"];
const PRECISION: &str = "threshold = { precision = 0.99 }";
const LEVELS: &str = "levels = [\"l.name = r.name\", \"jaro_winkler(l.name, r.name) >= 0.9\"]";

impl RuleFile {
    /// Whether pairs have scores.
    pub fn has_comparisons(&self) -> bool {
        !self.compares.is_empty()
    }

    /// The columns whose values comparisons weigh by their frequency, each once.
    pub fn term_frequency_columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        for (name, _) in self.term_frequencies().flatten() {
            if !columns.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                columns.push(name.to_owned());
            }
        }
        columns
    }

    /// The same rules where others have given scores to pairs, which come with the job.
    #[doc(hidden)]
    pub fn with_outside_scores(mut self) -> Self {
        let given = || Origin::without_file("pairs with scores", "given with the job", "");
        self.score.pairs.get_or_insert_with(given);
        self
    }

    /// The same rules without comparisons, and all that belongs to scores: their pairs are the candidates of another
    /// matcher, whose scores come back by `Job::with_scores`.
    #[must_use]
    pub fn without_scores(mut self) -> Self {
        (self.compares, self.score, self.train) = (Vec::new(), ScoreText::default(), TrainText::default());
        self.parts.push(RulePart::WithoutScores);
        self
    }

    /// Refuses comparisons with more combinations of levels than a number holds.
    pub(in crate::rules) fn check_combinations(&self) -> Result<()> {
        let mut combinations: u64 = 1;
        for compare in self.compares.iter().filter(|compare| compare.weighted.is_none()) {
            // Beside its levels a comparison has two outcomes: none of them, and null.
            let outcomes = compare.levels.len() as u64 + 2;
            combinations = combinations.saturating_mul(outcomes);
            if combinations >= MOST_COMBINATIONS {
                return Err(too_many_levels(&compare.at));
            }
        }
        Ok(())
    }

    /// Takes over what another file says of scores where this one says nothing.
    pub(super) fn merge_scoring(&mut self, compares: Vec<CompareText>, score: ScoreText, train: TrainText) {
        self.compares.extend(compares);
        self.score.merge(score);
        self.train.rules.extend(train.rules);
        self.train.deterministic.extend(train.deterministic);
        self.train.recall = self.train.recall.or(train.recall);
    }
}

impl ScoreText {
    /// The precision that is asked for, where the threshold that it takes is not known yet: one that was found is there as
    /// the least match weight.
    pub fn open_precision(&self) -> Option<f64> {
        self.precision.filter(|_| self.threshold_weight.is_none())
    }

    /// Takes over what another file says where this one says nothing.
    fn merge(&mut self, other: Self) {
        // A threshold of either kind is a threshold.
        if self.threshold.is_none() && self.precision.is_none() && self.threshold_weight.is_none() {
            (self.threshold, self.precision, self.threshold_at) =
                (other.threshold, other.precision, other.threshold_at);
            (self.threshold_weight, self.threshold_weight_at) = (other.threshold_weight, other.threshold_weight_at);
        }
        self.pairs = self.pairs.take().or(other.pairs);
        self.column = self.column.take().or(other.column);
        if self.prior.is_none() {
            (self.prior, self.prior_at) = (other.prior, other.prior_at);
        }
        if self.levels.is_none() {
            (self.levels, self.levels_at) = (other.levels, other.levels_at);
        }
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
        let entries = self.entries(table, COMPARE, advice);
        let (mut name, mut levels, mut term_frequency, mut term_frequencies) = (None, Vec::new(), None, None);
        for (meant, key, value) in &entries {
            let (key, value) = (*key, *value);
            match *meant {
                "name" => name = self.text(key, value, "name = \"surname\"").map(|name| (name, value.span())),
                "levels" => levels = self.conditions("level", key, value, LEVELS),
                "term_frequency" => {
                    let text = self.text(key, value, "term_frequency = \"surname\"");
                    term_frequency = text.map(|text| self.origin("term frequency".to_owned(), value.span(), &text));
                }
                "term_frequencies" => {
                    let text = self.text(key, value, "term_frequencies = \"surnames.parquet\"");
                    term_frequencies = text.map(|text| self.origin("term frequencies".to_owned(), value.span(), &text));
                }
                _ => {}
            }
        }
        let what = name.as_ref().map_or("comparison".to_owned(), |(name, _)| format!("comparison \"{name}\""));
        for (at, level) in levels.iter_mut().enumerate() {
            level.what = format!("{what}, level {}", at + 1);
        }
        let weighted = self.weighted(&what, &entries);
        self.check_kind(value, &entries, levels.is_empty())?;
        let at = match &name {
            Some((name, at)) => self.origin(what, at.clone(), name),
            None => self.value_origin(&what, value),
        };
        let name = name.map(|(name, _)| name);
        Some(CompareText { name, at, levels, term_frequency, term_frequencies, weighted })
    }

    /// A comparison has levels or a similarity, and of the rest only what belongs to that.
    fn check_kind(
        &mut self,
        value: Placed<'_>,
        entries: &[(&'static str, TomlKey<'_>, Placed<'_>)],
        has_no_level: bool,
    ) -> Option<()> {
        let key_of = |name: &str| entries.iter().find(|(meant, ..)| *meant == name).map(|(_, key, _)| *key);
        let (levels, similarity) = (key_of("levels"), key_of("similarity"));
        match (levels, similarity) {
            (Some(_), Some(key)) => {
                let help = "leave one of them out: levels are learned about, a similarity has a weight";
                self.mistake(key.span, "this comparison has levels and a similarity", help);
                return None;
            }
            (Some(_), None) if has_no_level => {
                let help = format!("say what counts as alike: `{LEVELS}`");
                self.mistake(span(value.span()), "this comparison has no level", help);
                return None;
            }
            (None, None) => {
                let help = format!("say what counts as alike: `{LEVELS}`, or `{SIMILARITY}`");
                self.mistake(span(value.span()), "this comparison has neither levels nor a similarity", help);
                return None;
            }
            _ => {}
        }
        let others: &[&str] = match levels {
            Some(_) => &["within", "at_least", "weight"],
            None => &["term_frequency", "term_frequencies"],
        };
        for key in others.iter().filter_map(|name| key_of(name)) {
            let (has, of) = if levels.is_some() { ("levels", "a similarity") } else { ("a similarity", "levels") };
            let message = format!("`{}` belongs to {of}, and this comparison has {has}", key.name);
            self.mistake(key.span, message, "leave it out");
        }
        if let (Some(_), Some(key), None) = (levels, key_of("term_frequencies"), key_of("term_frequency")) {
            let help = "say which column has these values: `term_frequency = \"surname\"`";
            self.mistake(key.span, "`term_frequencies` names a file, and no column has term frequencies", help);
        }
        Some(())
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
                "threshold" => {
                    match value.get_ref() {
                        DeValue::Table(table) => score.precision = self.precision(key, table, value),
                        _ => score.threshold = self.number(key, value, "threshold = 0.9"),
                    }
                    score.threshold_at = Some(self.value_origin("threshold", value));
                }
                "pairs" => {
                    let text = self.text(key, value, "pairs = \"scored.parquet\"");
                    score.pairs = text.map(|text| self.origin("pairs with scores".to_owned(), value.span(), &text));
                }
                "column" => {
                    let text = self.text(key, value, "column = \"score\"");
                    score.column = text.map(|text| self.origin("column of scores".to_owned(), value.span(), &text));
                }
                "threshold_weight" => {
                    score.threshold_weight = self.number(key, value, "threshold_weight = 5.0");
                    score.threshold_weight_at = Some(self.value_origin("threshold", value));
                }
                "prior" => {
                    score.prior = self.share(key, value, "prior = 0.0001");
                    score.prior_at = Some(self.value_origin("prior", value));
                }
                _ => {
                    score.levels = self.truth(key, value);
                    score.levels_at = Some(self.value_origin("levels", value));
                }
            }
        }
        if let (Some(_), Some(_)) = (score.threshold.or(score.precision), score.threshold_weight) {
            let help = "a threshold is a probability or a weight; leave one of them out";
            self.mistake(key.span, "`[score]` has two thresholds", help);
        }
        score
    }

    /// What `threshold = { precision = 0.99 }` asks for.
    fn precision(&mut self, key: TomlKey<'_>, table: &DeTable<'_>, value: Placed<'_>) -> Option<f64> {
        let mut precision = None;
        let entries = self.entries(table, &["precision"], |_| None);
        if entries.is_empty() {
            let message = format!("`{}` asks for nothing", key.name);
            self.mistake(span(value.span()), message, format!("write `{PRECISION}`"));
        }
        for (_, key, value) in entries {
            precision = self.number(key, value, PRECISION);
            if precision.is_some_and(|share| !(0.5..1.0).contains(&share)) {
                let help = format!(
                    "write for example `{PRECISION}`: every pair that is kept has a probability of at least 0.5"
                );
                self.mistake(span(value.span()), "`precision` is a share: at least 0.5 and less than 1", help);
                precision = None;
            }
        }
        precision
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

    pub(super) fn table<'a>(&mut self, key: TomlKey<'_>, value: Placed<'a>, example: &str) -> Option<&'a DeTable<'a>> {
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

    pub(super) fn number(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Option<f64> {
        let number = match value.get_ref() {
            DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(integer) => integer.as_str().replace('_', "").parse().ok(),
            _ => None,
        };
        match number {
            Some(number) if f64::is_finite(number) => Some(number),
            Some(_) => {
                let message = format!("`{}` must be a finite number", key.name);
                self.mistake(span(value.span()), message, format!("write for example `{example}`"));
                None
            }
            _ => {
                self.wrong_kind(key, value, "a number", value.get_ref(), example);
                None
            }
        }
    }
}

fn too_many_levels(at: &Origin) -> Error {
    let message = "with this comparison there are more than 2^63 combinations of levels";
    let mistake = Diagnostic::new(at.whole(), message).with_help("leave out comparisons, or levels");
    Error::mistakes(mistake.render(at)).with_code(ErrorCode::TooManyLevels)
}

/// What others call the parts of a comparison.
fn advice(wrong: &str) -> Option<(Option<&'static str>, String)> {
    let (meant, help) = match wrong.to_lowercase().as_str() {
        "comparison_levels" | "level" | "when" => ("levels", "the conditions of a comparison are listed as `levels`"),
        "output_column_name" | "column" | "title" => ("name", "it is called `name`"),
        "tf" | "term_frequency_adjustments" | "tf_adjustment_column" => {
            ("term_frequency", "it is called `term_frequency`, and names a column")
        }
        "tf_table" | "term_frequency_table" | "term_frequency_file" | "frequencies" => {
            ("term_frequencies", "it is called `term_frequencies`, and names a file")
        }
        "measure" | "function" => ("similarity", "it is called `similarity`, and is an expression from 0 to 1"),
        "window" | "candidates" | "blocking" => ("within", "it is called `within`, and is a condition"),
        "minimum" | "least" => ("at_least", "the least similarity that counts is called `at_least`"),
        _ => return None,
    };
    Some((Some(meant), help.to_owned()))
}
