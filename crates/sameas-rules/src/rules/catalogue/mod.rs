//! The functions and operators of the language by name: what they take, what they mean, an example with its result.
//!
//! What the binder accepts and what the help says come from here alone.

mod entry;
mod information;
mod logic;
mod measures;
mod numbers;
mod sets;
mod text;

pub use entry::{Form, FunctionEntry};
pub use information::{FunctionGroup, FunctionInfo, function, functions};

use crate::expr::Function;

/// All entries, group by group.
const GROUPS: [(FunctionGroup, &[FunctionEntry]); 8] = [
    (FunctionGroup::TextMeasures, measures::OF_TEXTS),
    (FunctionGroup::SetMeasures, sets::ENTRIES),
    (FunctionGroup::OtherMeasures, measures::OF_OTHERS),
    (FunctionGroup::Keys, measures::KEYS),
    (FunctionGroup::Texts, text::ENTRIES),
    (FunctionGroup::NumbersAndDates, numbers::ENTRIES),
    (FunctionGroup::Choices, logic::CHOICES),
    (FunctionGroup::Operators, logic::OPERATORS),
];

fn entries() -> impl Iterator<Item = &'static FunctionEntry> {
    GROUPS.iter().flat_map(|(_, entries)| entries.iter())
}

/// Functions other systems have under another name, and what they are called here.
const ALIASES: &[(&str, &str)] = &[
    ("jaro_similarity", "jaro"),
    ("jaro_winkler_similarity", "jaro_winkler"),
    ("editdist3", "levenshtein"),
    ("edit_distance", "levenshtein"),
    ("ngrams", "qgrams"),
    ("tokens", "words"),
    ("neighbors", "neighbours"),
    ("datediff", "date_diff_days"),
    ("date_diff", "date_diff_days"),
    ("to_date", "strptime"),
    ("str_to_date", "strptime"),
    ("parse_date", "strptime"),
    ("to_number", "parse_number"),
    ("unaccent", "strip_accents"),
    ("ifnull", "coalesce"),
    ("nvl", "coalesce"),
    ("list_intersect", "list_has_any"),
    ("array_intersect", "list_has_any"),
    ("double_metaphone", "metaphone"),
    ("dmetaphone", "metaphone"),
    ("dmetaphone_alt", "metaphone_alternate"),
    ("cardinality", "array_length"),
    ("list_length", "array_length"),
];

const AGGREGATES: &[&str] = &["count", "sum", "avg", "min", "max", "median", "mode", "string_agg", "list", "array_agg"];

/// The function of that name; special forms and operators have no function.
pub fn find(name: &str) -> Option<&'static FunctionEntry> {
    let is_it =
        |entry: &&FunctionEntry| matches!(entry.form, Form::Function { .. }) && entry.names().any(|n| n == name);
    entries().find(is_it)
}

/// What a function is called.
pub fn name_of(function: Function) -> &'static str {
    let is_it = |entry: &&FunctionEntry| matches!(entry.form, Form::Function { function: of, .. } if of == function);
    entries().find(is_it).map_or("this function", |entry| entry.name)
}

/// What to write instead of an unknown function.
pub fn advice(name: &str) -> String {
    if AGGREGATES.contains(&name) {
        return "aggregates have no meaning for a pair of records; for the larger of two values use `greatest`".into();
    }
    if let Some((_, ours)) = ALIASES.iter().find(|(theirs, _)| *theirs == name) {
        return format!("it is called `{ours}` here");
    }
    let names = entries().filter(|entry| entry.is_called()).flat_map(FunctionEntry::names);
    match super::nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`sameas functions` lists them all".into(),
    }
}

#[cfg(test)]
mod tests;
