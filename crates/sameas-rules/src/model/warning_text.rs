//! Warnings in the file of a model: a table each, as serde names its parts.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::model_file::{number, toml_text};
use super::training_warning::TrainingWarning;

/// Writes a warning as `[[warning]]`, its kind first.
pub fn write_warning(text: &mut String, warning: &TrainingWarning) {
    let Ok(Value::Object(mut parts)) = serde_json::to_value(warning) else { return };
    let _ = writeln!(text, "\n[[warning]]");
    if let Some(kind) = parts.remove("kind") {
        let _ = writeln!(text, "kind = {}", toml_value(&kind));
    }
    for (name, value) in &parts {
        let _ = writeln!(text, "{name} = {}", toml_value(value));
    }
}

/// A value as TOML writes it in one line. There is no null: what is not there is left out.
fn toml_value(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) if value.is_f64() => number(value.as_f64().unwrap_or_default()),
        Value::Number(value) => value.to_string(),
        Value::String(value) => toml_text(value),
        Value::Array(values) => format!("[{}]", values.iter().map(toml_value).collect::<Vec<_>>().join(", ")),
        Value::Object(parts) => inline_table(parts),
    }
}

fn inline_table(parts: &Map<String, Value>) -> String {
    let parts = parts.iter().filter(|(_, value)| !value.is_null());
    format!(
        "{{ {} }}",
        parts.map(|(name, value)| format!("{name} = {}", toml_value(value))).collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::learned::Model;
    use super::super::training_warning::{NotCombinedReason, PairClass, PassShare, SharedColumns};
    use super::*;

    #[test]
    fn warnings_are_read_as_they_are_written() {
        let pass = |rule: &str, m: f64| PassShare { rule: rule.to_owned(), m, weight: m.log2() };
        let name = |name: &str| name.to_owned();
        let mut model = Model::new(0.25, Vec::new());
        model.warnings = vec![
            TrainingWarning::PriorGuessed { prior: 1e-4 },
            TrainingWarning::NotConverged { rule: name("l.a = 'x\"\n'"), rounds: 1000, change: 1e-3 },
            TrainingWarning::NotSettled { comparison: name("a"), level: name("else"), rounds: 25, change: 0.25 },
            TrainingWarning::NotLearned {
                comparison: name("title"),
                rules: vec![SharedColumns { rule: name("r"), columns: vec![name("a"), name("b")] }],
            },
            TrainingWarning::PassesDisagree {
                comparison: name("a"),
                level: name("else"),
                least: pass("x", 0.5),
                most: pass("y", 1.0),
            },
            TrainingWarning::MissingColumn { comparison: name("a"), column: name("b \"c"), share: 0.75 },
            TrainingWarning::NotCombined {
                comparisons: [name("a"), name("b")],
                bits: 1.5,
                because: NotCombinedReason::TermFrequencies,
            },
            TrainingWarning::ShareUncertain { rule: name("r"), share: 0.0, error: None, matches: 2.0 },
            TrainingWarning::Dependent {
                rule: name("r"),
                comparisons: [name("a"), name("b")],
                levels: [name("l.a = r.a"), name("else")],
                among: PairClass::Others,
                strength: 1.0,
                bits: 4.5,
            },
        ];
        // A model without comparisons has no line for them.
        let text = format!("comparison = []\n{}", model.to_text());
        assert_eq!(Model::parse(&text, "model.toml").unwrap(), model, "{text}");
    }
}
