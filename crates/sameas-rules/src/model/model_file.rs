//! The file of a model: TOML that a person can read and change.

use std::fmt::Write;
use std::path::Path;

use super::learned::{ComparisonModel, LearnedFrom, LevelModel, Model, TrainingPass};
use super::places::ModelPlaces;
use super::warning_text::write_warning;
use super::weight::MatchWeight;
use crate::error::{Error, Result, printable};
use crate::rules::text_of;

impl Model {
    /// Reads the file of a model, of at most 16 MiB.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&text_of(path, "the model")?, &path.display().to_string())
    }

    /// Parses the text of a model; `file` is its name in messages. Numbers that no model can have are refused, and weights
    /// that are not those of their m and u.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        let wrong =
            |line: usize, message: &str| Error::rules(printable(&format!("{file}:{line}: not a model: {message}")));
        let model: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |at| text[..at.start.min(text.len())].matches('\n').count() + 1);
            wrong(line, error.message().lines().next().unwrap_or_default())
                .with_help("a model has `prior`, and a `[[comparison]]` with its levels for each comparison")
        })?;
        let places = ModelPlaces::new(text);
        match model.implausible(|comparison, outcome| places.slack(comparison, outcome)) {
            Some(found) => Err(wrong(places.line(found.place), &found.message).with_help(found.help)),
            None => Ok(model),
        }
    }

    /// The text of its file.
    pub fn to_text(&self) -> String {
        let mut text =
            String::from("# A model of sameas: m is the share of matching pairs with a level, u that of others.\n");
        let _ = writeln!(text, "prior = {}", number(self.prior));
        if let Some(from) = &self.prior_from {
            let _ = writeln!(text, "prior_from = {}", toml_text(from));
        }
        if let Some(smoothing) = self.smoothing {
            let _ = writeln!(text, "smoothing = {}", number(smoothing));
        }
        self.comparisons.iter().for_each(|comparison| write_comparison(&mut text, comparison));
        self.passes.iter().for_each(|pass| write_pass(&mut text, pass));
        self.warnings.iter().for_each(|warning| write_warning(&mut text, warning));
        text
    }
}

fn write_comparison(text: &mut String, comparison: &ComparisonModel) {
    let _ = writeln!(text, "\n[[comparison]]\nname = {}", toml_text(&comparison.name));
    if let Some([first, second]) = &comparison.combines {
        let _ = writeln!(text, "combines = [{}, {}]", toml_text(first), toml_text(second));
    }
    let settings = [
        ("term_frequency_weight", comparison.term_frequency_weight),
        ("term_frequency_minimum", comparison.term_frequency_minimum),
        ("null_share", comparison.null_share),
    ];
    for (key, value) in settings {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", number(value));
        }
    }
    for level in &comparison.levels {
        let _ = writeln!(text, "\n[[comparison.level]]");
        write_level(text, level);
    }
    let _ = writeln!(text, "\n[comparison.else]");
    write_level(text, &comparison.otherwise);
}

fn write_pass(text: &mut String, pass: &TrainingPass) {
    let without: Vec<String> = pass.without.iter().map(|name| toml_text(name)).collect();
    let changes: Vec<String> = pass.changes.iter().map(|change| format!("{change:.1e}")).collect();
    let _ = writeln!(text, "\n[[pass]]\nrule = {}\npairs = {}", toml_text(&pass.rule), pass.pairs);
    if let Some(share) = pass.sampled {
        let _ = writeln!(text, "sampled = {}", number(share));
    }
    let _ = writeln!(text, "matches = {}", number(pass.matches));
    if let Some(error) = pass.matches_error {
        let _ = writeln!(text, "matches_error = {}", number(error));
    }
    let _ = writeln!(text, "without = [{}]", without.join(", "));
    let _ = writeln!(text, "has_converged = {}\nchanges = [{}]", pass.has_converged, changes.join(", "));
}

fn write_level(text: &mut String, level: &LevelModel) {
    if let Some(when) = &level.when {
        let _ = writeln!(text, "when = {}", toml_text(when));
    }
    let _ = writeln!(text, "m = {}", number(level.m));
    let _ = writeln!(text, "u = {}", number(level.u));
    let _ = writeln!(text, "weight = {:.4}", MatchWeight::of_ratio(level.m, level.u).bits());
    for (key, from) in [("m_from", level.m_from), ("u_from", level.u_from)] {
        if let Some(from) = from {
            let _ = writeln!(text, "{key} = \"{}\"", from.name());
        }
    }
    let evidence = [
        ("m_pairs", level.m_pairs),
        ("m_error", level.m_error),
        ("u_pairs", level.u_pairs),
        ("u_error", level.u_error),
        ("weight_error", level.weight_error),
    ];
    for (key, value) in evidence {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", number(value));
        }
    }
}

impl LearnedFrom {
    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Sampled => "sampled",
            Self::Trained => "trained",
            Self::Certain => "certain",
            Self::Unseen => "unseen",
            Self::Default => "default",
        }
    }
}

/// A number that reads back as the same, and that TOML takes for a float.
pub(super) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// A text as TOML writes it.
pub fn toml_text(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let level = |when, m, u| LevelModel {
            m_from: Some(LearnedFrom::Trained),
            u_from: Some(LearnedFrom::Sampled),
            u_error: Some(1e-7),
            ..LevelModel::new(when, m, u)
        };
        let mut model = Model::new(
            1.5e-5,
            vec![
                ComparisonModel::new("a \"b\"", vec![level(Some("l.a = 'x\\'"), 0.9, 1e-9)], level(None, 0.1, 0.99)),
                ComparisonModel::new("c", vec![level(Some("l.c = r.c"), 0.5, 0.25)], level(None, 0.5, 0.75)),
            ],
        );
        model.comparisons[1].term_frequency_weight = Some(0.5);
        model.comparisons[1].null_share = Some(0.25);
        let mut read = Model::parse(&model.to_text(), "model.toml").unwrap();
        assert_eq!(read.comparisons[1].levels[0].weight, Some(1.0));
        for comparison in &mut read.comparisons {
            comparison.levels.iter_mut().for_each(|level| level.weight = None);
            comparison.otherwise.weight = None;
        }
        assert_eq!(read, model);
        let error = Model::parse("prior = 0.1\ncomparisons = 3\n", "model.toml").unwrap_err();
        assert!(error.message().starts_with("model.toml:2: not a model: unknown field"), "{error}");
    }
}
