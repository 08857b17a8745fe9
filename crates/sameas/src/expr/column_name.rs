//! The names of columns in expressions: derived columns have names that no input column can have.

/// The column that says which input a record came from.
pub const SOURCE_DATASET: &str = "source_dataset";

/// The name of a derived column in expressions; no input column can have it, header names hold no control characters.
pub fn derived_key(name: &str) -> String {
    format!("\u{1}{name}")
}

/// The name of a column as the user knows it, from its name in expressions.
pub fn shown_name(key: &str) -> &str {
    key.strip_prefix('\u{1}').unwrap_or(key)
}
