//! The catalogue for readers and programs.

use serde::Serialize;

use super::entry::FunctionEntry;
use super::{ALIASES, GROUPS, entries};
use crate::error::{Error, Result};

/// What functions are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FunctionGroup {
    /// How similar two texts are.
    TextMeasures,
    /// Sets of words and q-grams, and how similar two sets are.
    SetMeasures,
    /// Numbers, places, vectors and neighbours.
    OtherMeasures,
    /// Codes and keys to compare for equality.
    Keys,
    /// Texts made of texts.
    Texts,
    /// Numbers and dates.
    NumbersAndDates,
    /// Choices between values, and conversions.
    Choices,
    /// Operators.
    Operators,
}

/// A function or operator of the rule language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FunctionInfo {
    /// Its name.
    pub name: &'static str,
    /// Other names for the same.
    pub also: &'static [&'static str],
    /// Its group.
    pub group: FunctionGroup,
    /// How it is written.
    pub signature: &'static str,
    /// What it gives.
    pub summary: &'static str,
    /// When it is null.
    pub nulls: &'static str,
    /// An expression with it.
    pub example: &'static str,
    /// The value of that expression.
    pub result: &'static str,
}

/// Every function and operator of the rule language, group by group.
///
/// ```
/// # mod sameas { pub use sameas_core::error::*; pub use sameas_rules::{rules::*, splink::*}; }
/// let levenshtein = sameas::functions().into_iter().find(|function| function.name == "levenshtein").unwrap();
/// assert_eq!(levenshtein.signature, "levenshtein(a, b)");
/// ```
pub fn functions() -> Vec<FunctionInfo> {
    GROUPS.iter().flat_map(|(group, entries)| entries.iter().map(|entry| information(*group, entry))).collect()
}

/// The function or operator of a name, in any case, or an error that names the nearest.
pub fn function(name: &str) -> Result<FunctionInfo> {
    let wanted = name.trim().trim_end_matches("()").to_lowercase();
    let found = functions().into_iter().find(|one| one.name == wanted || one.also.contains(&wanted.as_str()));
    found.ok_or_else(|| {
        let error = Error::usage(format!("there is no function or operator `{name}`"));
        let known = ALIASES.iter().find(|(theirs, _)| *theirs == wanted).map(|(_, ours)| *ours);
        match known.or_else(|| super::super::nearest(&wanted, entries().flat_map(FunctionEntry::names))) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help("without a name, all functions and operators are listed"),
        }
    })
}

fn information(group: FunctionGroup, entry: &FunctionEntry) -> FunctionInfo {
    let FunctionEntry { name, also, signature, summary, nulls, example, result, .. } = *entry;
    FunctionInfo { name, also, group, signature, summary, nulls, example, result }
}
