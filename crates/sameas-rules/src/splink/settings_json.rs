//! The JSON of Splink's settings, as Splink 4 and 5 save it and as people write it.

use serde::Deserialize;
use serde_json::Value;

use super::note::NoteList;
use crate::error::{Error, Result};

/// Bytes of the JSON at most.
pub const MOST_BYTES: usize = 16 << 20;

/// All of the settings that matter.
#[derive(Debug, Deserialize)]
pub struct SettingsJson {
    pub link_type: Option<String>,
    pub comparisons: Option<Vec<ComparisonJson>>,
    pub blocking_rules_to_generate_predictions: Option<Vec<BlockingJson>>,
    pub probability_two_random_records_match: Option<f64>,
    pub retain_matching_columns: Option<bool>,
    pub retain_intermediate_calculation_columns: Option<bool>,
    pub additional_columns_to_retain: Option<Vec<String>>,
    pub unique_id_column_name: Option<String>,
    pub source_dataset_column_name: Option<String>,
    pub em_convergence: Option<f64>,
    pub max_iterations: Option<f64>,
    pub sql_dialect: Option<String>,
}

/// A comparison.
#[derive(Debug, Deserialize)]
pub struct ComparisonJson {
    pub output_column_name: Option<String>,
    pub comparison_levels: Vec<LevelJson>,
}

/// A level of a comparison.
#[derive(Debug, Deserialize)]
pub struct LevelJson {
    pub sql_condition: String,
    pub label_for_charts: Option<String>,
    pub is_null_level: Option<bool>,
    pub m_probability: Option<Value>,
    pub u_probability: Option<Value>,
    pub tf_adjustment_column: Option<String>,
    pub tf_adjustment_weight: Option<f64>,
    pub tf_minimum_u_value: Option<f64>,
    pub disable_tf_exact_match_detection: Option<bool>,
    pub fix_m_probability: Option<bool>,
    pub fix_u_probability: Option<bool>,
}

/// A blocking rule.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum BlockingJson {
    Sql(String),
    Table { blocking_rule: String, sql_dialect: Option<String>, arrays_to_explode: Option<Vec<String>> },
}

/// Settings that say nothing about results, or that are read elsewhere.
const OTHERS: [&str; 5] = [
    "linker_uid",
    "bayes_factor_column_prefix",
    "match_weight_column_prefix",
    "term_frequency_adjustment_column_prefix",
    "comparison_vector_value_column_prefix",
];

const KNOWN: [&str; 12] = [
    "link_type",
    "comparisons",
    "blocking_rules_to_generate_predictions",
    "probability_two_random_records_match",
    "retain_matching_columns",
    "retain_intermediate_calculation_columns",
    "additional_columns_to_retain",
    "unique_id_column_name",
    "source_dataset_column_name",
    "em_convergence",
    "max_iterations",
    "sql_dialect",
];

impl SettingsJson {
    /// What a text says; settings that nobody knows are noted.
    pub fn read(text: &str, notes: &mut NoteList) -> Result<Self> {
        let help = "give the JSON that Splink's `save_model_to_json` writes, or settings of its form";
        if text.len() > MOST_BYTES {
            let what = format!("the settings of Splink are longer than {} MiB", MOST_BYTES >> 20);
            return Err(Error::data(what).with_help(help));
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Error::data(format!("the settings of Splink are not JSON: {error}")).with_help(help))?;
        let Some(table) = value.as_object() else {
            return Err(Error::data("the settings of Splink must be a JSON object").with_help(help));
        };
        if !["comparisons", "blocking_rules_to_generate_predictions"].iter().any(|key| table.contains_key(*key)) {
            let message = "these are not settings of Splink: they have neither comparisons nor blocking rules";
            return Err(Error::data(message).with_help(help));
        }
        for key in table.keys().filter(|key| !KNOWN.contains(&key.as_str()) && !OTHERS.contains(&key.as_str())) {
            notes.differs("settings", format!("`{key}` is not known"), "see whether it matters for your results");
        }
        serde_json::from_value(value)
            .map_err(|error| Error::data(format!("the settings of Splink cannot be read: {error}")).with_help(help))
    }
}

impl LevelJson {
    /// Whether it is for missing values.
    pub fn is_null(&self) -> bool {
        self.is_null_level == Some(true)
    }

    /// Whether it is for all pairs that reach no other.
    pub fn is_else(&self) -> bool {
        self.sql_condition.trim().eq_ignore_ascii_case("else")
    }
}

impl BlockingJson {
    /// Its condition, the dialect of that, and the lists that are taken apart.
    pub fn parts(&self) -> (&str, Option<&str>, &[String]) {
        match self {
            Self::Sql(sql) => (sql, None, &[]),
            Self::Table { blocking_rule, sql_dialect, arrays_to_explode } => {
                (blocking_rule, sql_dialect.as_deref(), arrays_to_explode.as_deref().unwrap_or_default())
            }
        }
    }
}
