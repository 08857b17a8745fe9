//! The text of the rule file: TOML that a person can read and change.

use std::fmt::Write;

use super::blocking::TakenRule;
use super::comparison::TakenComparison;
use crate::model::toml_text;
use crate::rules::LinkType;

/// What a rule file is made of.
pub struct RulesText<'a> {
    pub link_type: LinkType,
    pub unique_id: &'a str,
    pub rules: &'a [TakenRule],
    pub comparisons: &'a [TakenComparison],
    /// The prior, where no model has it.
    pub prior: Option<f64>,
    /// Whether pairs have the level of each comparison.
    pub has_levels: bool,
    /// Columns whose values pairs have.
    pub columns: &'a [String],
}

/// Columns that pairs have anyway.
const OWN: [&str; 3] = ["unique_id", "source_dataset", "match"];

impl RulesText<'_> {
    /// The file.
    pub fn text(&self) -> String {
        let mut text = format!(
            "# Made from the settings of Splink.\nlink_type = \"{}\"\nunique_id = {}\n",
            self.link_type.name(),
            toml_text(self.unique_id)
        );
        if !self.rules.is_empty() {
            text.push_str("\n# Blocking rules; the name of a rule is the match_key of its pairs.");
        }
        for rule in self.rules {
            let (name, when) = (toml_text(&rule.name), toml_text(&rule.text));
            let _ = writeln!(text, "\n[[rule]]\nname = {name}\nwhen = {when}");
        }
        self.comparisons.iter().for_each(|comparison| write_comparison(&mut text, comparison));
        if !self.comparisons.is_empty() {
            self.write_score(&mut text);
        }
        self.write_columns(&mut text);
        text
    }

    fn write_score(&self, text: &mut String) {
        text.push_str("\n[score]\n# Every pair of the rules is kept, as Splink does without a threshold. ");
        text.push_str("For likely pairs write: threshold = 0.9\nthreshold_weight = -1000.0\n");
        if let Some(prior) = self.prior {
            let _ = writeln!(text, "prior = {prior:?}");
        }
        if self.has_levels {
            text.push_str("levels = true\n");
        }
    }

    fn write_columns(&self, text: &mut String) {
        let is_free = |name: &&String| !OWN.iter().any(|own| name.eq_ignore_ascii_case(own));
        let mut columns = self.columns.iter().filter(is_free).peekable();
        if columns.peek().is_some() {
            text.push_str("\n# The values of both records, beside each pair.\n[columns]\n");
        }
        for name in columns {
            for side in ["l", "r"] {
                let value = format!("{side}.{}", crate::rules::written_name(name));
                let _ = writeln!(text, "{} = {}", key(&format!("{name}_{side}")), toml_text(&value));
            }
        }
    }
}

/// A key, in quotes where TOML wants them.
fn key(name: &str) -> String {
    let is_bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_bare { name.to_owned() } else { toml_text(name) }
}

fn write_comparison(text: &mut String, comparison: &TakenComparison) {
    let _ = writeln!(text, "\n[[compare]]\nname = {}\nlevels = [", toml_text(&comparison.name));
    for level in &comparison.levels {
        let label = level.label.as_deref().filter(|label| !label.chars().any(char::is_control));
        let label = label.map(|label| format!("  # {label}")).unwrap_or_default();
        let _ = writeln!(text, "    {},{label}", toml_text(&level.text));
    }
    text.push_str("]\n");
    if let Some(column) = &comparison.term_frequency {
        let _ = writeln!(text, "term_frequency = {}", toml_text(column));
    }
}
