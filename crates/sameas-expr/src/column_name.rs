//! The names of columns: derived columns have names in expressions that no input column can have, and columns that share
//! a name cannot be used.

use std::collections::HashMap;

use arrow_schema::Field;

/// What says of a field that several columns have its name.
const REPEATED: &str = "sameas.repeated";

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

/// The field of columns that share its name; `places` says which, as in `columns 1 and 3 of people.csv`.
pub fn repeated_field(field: Field, places: String) -> Field {
    field.with_metadata(HashMap::from([(REPEATED.to_owned(), places)]))
}

/// The columns that share the name of a field, if several do.
pub fn repetition(field: &Field) -> Option<&str> {
    field.metadata().get(REPEATED).map(String::as_str)
}
