//! The columns of records that are looked at: those of all inputs, and derived ones.

use std::collections::{BTreeSet, HashMap};

use crate::dataset::wanted_names;
use crate::expr::{derived_key, shown_name};
use crate::records::Table;
use crate::rules::RuleSet;

/// A column of inspected records.
#[derive(Clone, Debug)]
pub struct InspectedColumn {
    /// Its name.
    pub name: String,
    /// Whether it is computed, by `derive`.
    pub is_derived: bool,
    /// Whether rules read it, or columns that are derived from it.
    pub is_used: bool,
    /// Its name in expressions; nothing for inputs that do not have it.
    pub(super) keys: Vec<Option<String>>,
}

/// The columns of all tables, each name once, then the derived ones.
pub fn columns_of(tables: &[Table], rules: &RuleSet) -> Vec<InspectedColumn> {
    let names: Vec<BTreeSet<String>> = (0..tables.len()).map(|at| wanted_names(rules, at)).collect();
    let mut all: Vec<InspectedColumn> = Vec::new();
    let mut places: HashMap<(String, bool), usize> = HashMap::new();
    let mut add = |name: &str, is_derived: bool, at: usize, key: String| {
        let place = *places.entry((name.to_owned(), is_derived)).or_insert_with(|| {
            let keys = vec![None; tables.len()];
            all.push(InspectedColumn { name: name.to_owned(), is_derived, is_used: false, keys });
            all.len() - 1
        });
        all[place].is_used |= is_derived || names[at].contains(name);
        all[place].keys[at] = Some(key);
    };
    for (at, table) in tables.iter().enumerate() {
        table.schema.fields().iter().for_each(|field| add(field.name(), false, at, field.name().clone()));
    }
    for (at, derived) in rules.derived.iter().enumerate() {
        derived.iter().for_each(|column| add(shown_name(&column.name), true, at, derived_key(&column.name)));
    }
    all
}
