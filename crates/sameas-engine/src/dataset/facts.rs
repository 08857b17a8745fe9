//! What was found in the records of a dataset, for whichever job asks for it next.

use std::collections::BTreeMap;

use super::known_statistics::KnownStatistics;
use crate::records::encode::OperandKey;

/// What is computed of the records of a frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactKey {
    /// The expression.
    pub expression: OperandKey,
    /// By input, the columns of it that are missing there, because rules do not read them.
    pub missing: Vec<(usize, String)>,
}

/// A column that is read as a number or a date, and what is computed of it to know which values cannot be read.
pub type TextUseKey = (String, FactKey);

/// What was found.
#[derive(Default)]
pub struct FactCache {
    /// Values of columns that a use could not read.
    unreadable: BTreeMap<TextUseKey, BTreeMap<String, u64>>,
    /// By conversion, a value of the column where not one can be converted.
    examples: BTreeMap<FactKey, Option<String>>,
    /// What was counted, drawn and sampled.
    pub statistics: KnownStatistics,
}

impl FactCache {
    /// The values that a use could not read, if they were counted.
    pub fn unreadable(&self, of: &TextUseKey) -> Option<BTreeMap<String, u64>> {
        self.unreadable.get(of).cloned()
    }

    /// Keeps how many values a use could not read.
    pub fn put_unreadable(&mut self, of: TextUseKey, counts: BTreeMap<String, u64>) {
        self.unreadable.insert(of, counts);
    }

    /// Whether it was looked for values that can be converted, and one of the others where there is none.
    pub fn example(&self, conversion: &FactKey) -> Option<Option<String>> {
        self.examples.get(conversion).cloned()
    }

    /// Keeps one of the values that cannot be converted, where none can be.
    pub fn put_example(&mut self, conversion: FactKey, example: Option<String>) {
        self.examples.insert(conversion, example);
    }
}
