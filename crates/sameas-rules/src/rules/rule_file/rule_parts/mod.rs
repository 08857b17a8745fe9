//! How rules were made, part by part: what is stored of them, and what they are made of again.
//!
//! The parts are texts and not what was understood of them, so rules that are made again have every place and message of the
//! first ones.

use std::iter::once;

use serde::{Deserialize, Serialize};

/// The text of a rule file, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFileText {
    /// The path of the file, as it was given.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// A step in which rules were made. [`RuleFile::of_parts`](crate::rules::RuleFile::of_parts) takes such steps again, in
/// their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RulePart {
    /// A rule file that was read. Files that it names are looked for in its folder first.
    File(RuleFileText),
    /// The text of a rule file that was not read; messages call it by its path.
    Text(RuleFileText),
    /// A rule that is in no file.
    Rule {
        /// The condition.
        when: String,
        /// Where it was written, for messages.
        place: String,
    },
    /// A column of pairs that is in no file.
    Column {
        /// Its name.
        name: String,
        /// The expression.
        expression: String,
        /// Where it was written, for messages.
        place: String,
    },
    /// Files that the rules before this part name are looked for in this folder first.
    Folder {
        /// The folder.
        path: String,
    },
    /// Comparisons, and all that belongs to scores, of the rules before this part are left out.
    WithoutScores,
    /// Rules that were made by themselves and then added to those before.
    Added {
        /// How they were made.
        parts: Vec<RulePart>,
    },
}

impl RulePart {
    /// Itself, or the parts that were added as one.
    pub(in crate::rules) fn each(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Added { parts } => Box::new(parts.iter().flat_map(Self::each)),
            one => Box::new(once(one)),
        }
    }

    /// The rule file that it is.
    pub(super) fn file(&self) -> Option<&RuleFileText> {
        match self {
            Self::File(file) | Self::Text(file) => Some(file),
            _ => None,
        }
    }

    /// Whether it says something of all parts before it.
    pub(super) fn is_of_all_before(&self) -> bool {
        matches!(self, Self::Folder { .. } | Self::WithoutScores)
    }
}

#[cfg(test)]
mod tests;
