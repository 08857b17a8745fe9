//! Comparisons with a similarity and a weight, and what does not go together with them.

use super::super::diagnostic::{Diagnostic, Origin, Report};
use super::toml_value::{Placed, Reader, TomlKey, span};
use super::{CompareText, RuleFile};

/// A comparison by similarity as text.
#[derive(Clone, Debug)]
pub struct WeightedText {
    /// The similarity: a number from 0 to 1.
    pub similarity: Origin,
    /// The condition without which it does not count.
    pub within: Option<Origin>,
    /// The least similarity that counts.
    pub at_least: f64,
    /// How much it counts.
    pub weight: f64,
}

/// How a similarity is written.
pub(super) const SIMILARITY: &str = "similarity = \"jaro_winkler(l.name, r.name)\"";

/// What makes scores of pairs.
const COMPARE_OR_NAME: &str =
    "add a comparison, `[[compare]]` with `levels`, or name a file with scores: `pairs = \"scored.parquet\"`";

/// Comparisons by similarity at most.
const MOST_WEIGHTED: usize = 64;

impl Reader {
    /// The similarity of a comparison, where it has one; `what` names the comparison in messages.
    pub(super) fn weighted(
        &mut self,
        what: &str,
        entries: &[(&'static str, TomlKey<'_>, Placed<'_>)],
    ) -> Option<WeightedText> {
        let (mut similarity, mut within, mut at_least, mut weight) = (None, None, 0.0, 1.0);
        for (meant, key, value) in entries {
            match *meant {
                "similarity" => similarity = self.expression(&format!("{what}, similarity"), *key, value, SIMILARITY),
                "within" => {
                    let example = "within = \"neighbours(l.key, r.key, 20)\"";
                    within = self.expression(&format!("{what}, within"), *key, value, example);
                }
                "at_least" => at_least = self.least(*key, value).unwrap_or(0.0),
                "weight" => weight = self.weight(*key, value).unwrap_or(1.0),
                _ => {}
            }
        }
        similarity.map(|similarity| WeightedText { similarity, within, at_least, weight })
    }

    fn expression(&mut self, what: &str, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Option<Origin> {
        let text = self.text(key, value, example)?;
        Some(self.origin(what.to_owned(), value.span(), &text))
    }

    fn least(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<f64> {
        let number = self.number(key, value, "at_least = 0.6")?;
        if (0.0..=1.0).contains(&number) {
            return Some(number);
        }
        let message = "`at_least` is a similarity: from 0 to 1";
        self.mistake(span(value.span()), message, "write for example `at_least = 0.6`");
        None
    }

    fn weight(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<f64> {
        let number = self.number(key, value, "weight = 20")?;
        if number >= 0.0 {
            return Some(number);
        }
        let help = "a comparison that does not count has the weight 0, or is left out";
        self.mistake(span(value.span()), "`weight` cannot be negative", help);
        None
    }
}

impl RuleFile {
    /// Whether pairs are scored by similarities and weights.
    pub fn has_weights(&self) -> bool {
        self.compares.iter().any(|compare| compare.weighted.is_some())
    }

    /// What is wrong with the comparisons and their threshold taken together.
    pub(in crate::rules) fn add_scoring_mistakes(&self, report: &mut Report) {
        let is_first = report.is_empty();
        let mut add = |at: &Origin, message: &str, help: &str| {
            report.add(at, &[Diagnostic::new(at.whole(), message).with_help(help)]);
        };
        if self.has_comparisons() {
            self.add_threshold_mistakes(&mut add);
        } else if is_first {
            // A comparison with a mistake is left out, and that is no other mistake.
            self.add_unused_mistakes(&mut add);
        }
        match (&self.score.pairs, self.compares.first()) {
            (Some(_), Some(compare)) => {
                let help = "leave out the comparisons, or `pairs` of `[score]`";
                add(&compare.at, "this compares records, and `[score]` names a file with scores", help);
            }
            (None, _) => {
                if let Some(column) = &self.score.column {
                    let help = "name the file, too: `pairs = \"scored.parquet\"`";
                    add(column, "`column` belongs to `pairs`, a file with scores", help);
                }
            }
            _ => {}
        }
        if self.has_weights() {
            self.add_weight_mistakes(&mut add);
        }
    }

    /// A threshold must be one that pairs can reach and can miss.
    fn add_threshold_mistakes(&self, add: &mut dyn FnMut(&Origin, &str, &str)) {
        let score = &self.score;
        let (Some(at), Some(threshold), None) = (&score.threshold_at, score.threshold, &score.pairs) else { return };
        let help = "write for example `threshold = 0.9`";
        if self.has_weights() {
            if !(threshold > 0.0 && threshold <= 1.0) {
                add(at, "`threshold` is a weighted average: more than 0 and at most 1", help);
            }
        } else if !(threshold > 0.0 && threshold < 1.0) {
            add(at, "`threshold` is a probability: more than 0 and less than 1", help);
        }
    }

    /// What of `[score]` says nothing where nothing is compared. A score that others give may be any number, so their
    /// threshold may be, too.
    fn add_unused_mistakes(&self, add: &mut dyn FnMut(&Origin, &str, &str)) {
        let score = &self.score;
        let given = score.pairs.is_some();
        let unused = [
            ("threshold", score.threshold_at.as_ref().filter(|_| !given)),
            ("precision", score.threshold_at.as_ref().filter(|_| given && score.precision.is_some())),
            ("threshold_weight", score.threshold_weight_at.as_ref()),
            ("prior", score.prior_at.as_ref()),
            ("levels", score.levels_at.as_ref()),
        ];
        for (key, at) in unused.into_iter().filter_map(|(key, at)| Some((key, at?))) {
            let (why, help) = match (given, key) {
                (false, _) => ("nothing is compared", COMPARE_OR_NAME),
                (true, "threshold_weight" | "precision") => {
                    ("the scores are given", "write the least of them as `threshold`")
                }
                (true, _) => ("the scores are given", "leave it out"),
            };
            add(at, &format!("`{key}` has no meaning here: {why}"), help);
        }
    }

    fn add_weight_mistakes(&self, add: &mut dyn FnMut(&Origin, &str, &str)) {
        let (weighted, levelled): (Vec<&CompareText>, Vec<&CompareText>) =
            self.compares.iter().partition(|compare| compare.weighted.is_some());
        if let Some(other) = levelled.first() {
            let help = "all comparisons of a job have levels, or all have a similarity and a weight";
            add(&other.at, "this comparison has levels, and another has a similarity", help);
        }
        let sum: f64 = weighted.iter().filter_map(|of| of.weighted.as_ref()).map(|of| of.weight).sum();
        if sum <= 0.0 || !sum.is_finite() {
            let message =
                if sum <= 0.0 { "the weights add up to zero" } else { "the weights add up to no finite number" };
            add(&weighted[0].at, message, "give the comparisons weights such as `weight = 20`");
        }
        if weighted.len() > MOST_WEIGHTED {
            let message = format!("there are more than {MOST_WEIGHTED} comparisons with a similarity");
            add(&weighted[MOST_WEIGHTED].at, &message, "leave some out");
        }
        let unlearned = "a weighted average is not learned: leave it out";
        if let (Some(at), Some(_)) = (&self.score.prior_at, self.score.prior) {
            add(at, "`prior` belongs to comparisons with levels", unlearned);
        }
        if let (Some(at), Some(_)) = (&self.score.threshold_at, self.score.precision) {
            let help = "write the least weighted average as `threshold`";
            add(at, "`precision` belongs to comparisons with levels: a model says how likely a pair matches", help);
        }
        if let (Some(at), Some(_)) = (&self.score.threshold_weight_at, self.score.threshold_weight) {
            let help = "write the least weighted average as `threshold`";
            add(at, "`threshold_weight` belongs to comparisons with levels", help);
        }
        if let Some(rule) = self.train.rules.iter().chain(&self.train.deterministic).next() {
            add(&rule.origin, "`[train]` belongs to comparisons with levels", unlearned);
        }
    }
}
