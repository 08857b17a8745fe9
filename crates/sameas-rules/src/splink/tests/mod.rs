//! What each kind of level, blocking rule and setting becomes.

mod conditions;
mod jobs;
mod levels;

use serde_json::{Value, json};

use super::{SplinkNoteKind, SplinkSettings};
use crate::rules::RuleFile;

/// Settings for a dialect with one comparison of these levels, from the null level to `ELSE`.
fn settings(dialect: &str, levels: &Value) -> String {
    json!({
        "link_type": "dedupe_only",
        "sql_dialect": dialect,
        "blocking_rules_to_generate_predictions": ["l.id = r.id"],
        "comparisons": [{"output_column_name": "c", "comparison_levels": levels}],
    })
    .to_string()
}

fn level(sql: &str) -> Value {
    json!({"sql_condition": sql})
}

fn null_level(sql: &str) -> Value {
    json!({"sql_condition": sql, "is_null_level": true})
}

/// The levels of the only comparison, as texts; the file must be one that our own reader takes.
fn taken(json: &str) -> Vec<String> {
    let settings = SplinkSettings::read(json).unwrap_or_else(|error| panic!("{error}"));
    levels_of(&settings)
}

fn levels_of(settings: &SplinkSettings) -> Vec<String> {
    let file = parsed(settings);
    file.compares.iter().flat_map(|compare| compare.levels.iter().map(|level| level.text.clone())).collect()
}

/// The rule file, which must have no mistakes.
fn parsed(settings: &SplinkSettings) -> RuleFile {
    let text = &settings.rules_text;
    let file = settings.rules().unwrap_or_else(|error| panic!("{error}\n{text}"));
    file.check_syntax().unwrap_or_else(|error| panic!("{error}\n{text}"));
    file
}

/// The notes of a kind, as texts.
fn notes(settings: &SplinkSettings, kind: SplinkNoteKind) -> Vec<String> {
    settings.notes.iter().filter(|note| note.kind == kind).map(ToString::to_string).collect()
}

/// Why the settings are refused.
fn refusal(json: &str) -> String {
    SplinkSettings::read(json).map(|settings| settings.rules_text).unwrap_err().to_string()
}
