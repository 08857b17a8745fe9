//! What an entry is about: its columns, and which records count for it.

use super::answer::EntityAnswer;
use super::columns::is_missing;
use super::expression::ColumnOf;
use crate::entities::{EntityEntry, Item, SurvivorRule};

/// A column of the table of entities.
pub(super) struct EntityColumnOf {
    /// Its name.
    pub(super) name: String,
    /// What gives its values.
    pub(super) values: ColumnOf,
    /// The entry that decides it.
    pub(super) entry: EntityEntry,
    /// The columns that are taken from one record with it: their names, and itself.
    pub(super) group: Option<Vec<String>>,
}

impl EntityAnswer<'_> {
    /// The columns of the table of entities, each with its entry.
    pub(super) fn entity_columns(&self) -> Vec<EntityColumnOf> {
        let inputs = self.columns_without_ids();
        let of_inputs = self.all_columns().into_iter().filter_map(|name| {
            let named = self.entry_naming(&name);
            let is_wanted = named.is_some() || inputs.contains(&name) && !self.leaves_rest_out();
            is_wanted.then(|| self.entity_column(&name, named.unwrap_or_else(|| self.entry_of_rest())))
        });
        let mut columns: Vec<EntityColumnOf> = of_inputs.collect();
        for entry in self.entries() {
            if entry.value.is_some() && self.column_called(&entry.key).is_none() {
                columns.push(self.entity_column(&entry.key, entry.clone()));
            }
        }
        columns
    }

    fn entity_column(&self, name: &str, entry: EntityEntry) -> EntityColumnOf {
        let values = self.column_of(name, entry.value.as_ref());
        let group = entry.columns.as_ref().map(|_| self.columns_of_group(&entry));
        EntityColumnOf { name: name.to_owned(), values, entry, group }
    }

    pub(super) fn entries(&self) -> &[EntityEntry] {
        self.case.section.as_ref().map_or(&[], |section| &section.entries)
    }

    fn leaves_rest_out(&self) -> bool {
        self.case.section.as_ref().is_some_and(|section| section.leaves_rest_out)
    }

    /// The group of the whole record, else the entry `"*"`, else the most frequent value.
    fn entry_of_rest(&self) -> EntityEntry {
        let whole = self.entries().iter().find(|entry| entry.is_whole_record());
        let rest = whole.or_else(|| self.entries().iter().find(|entry| entry.key == "*"));
        rest.cloned().unwrap_or_else(|| EntityEntry::plain("*", SurvivorRule::MostFrequent))
    }

    /// The entry that names a column of the inputs: as its key, or in its group.
    fn entry_naming(&self, name: &str) -> Option<EntityEntry> {
        let means_it = |written: &String| written != "*" && self.column_called(written).as_deref() == Some(name);
        let names_it = |entry: &&EntityEntry| match &entry.columns {
            Some(columns) => columns.iter().any(means_it),
            None => means_it(&entry.key),
        };
        self.entries().iter().find(names_it).cloned()
    }

    /// The columns of a group; of the whole record those that no other entry names.
    pub(super) fn columns_of_group(&self, entry: &EntityEntry) -> Vec<String> {
        if entry.is_whole_record() {
            let mut names = self.columns_without_ids();
            names.retain(|name| self.entry_naming(name).is_none());
            return names;
        }
        let columns = entry.columns.iter().flatten();
        columns.filter_map(|name| self.column_called(name)).collect()
    }

    /// The rows of a cluster whose `where` is true.
    pub(super) fn allowed(&self, rows: &[usize], entry: &EntityEntry) -> Vec<usize> {
        rows.iter().copied().filter(|row| self.is_true(*row, entry.condition.as_ref())).collect()
    }

    /// What a row has in a column of the table: of a group in all its columns.
    pub(super) fn values_for(&self, row: usize, column: &EntityColumnOf) -> Vec<Item> {
        let missing_as_null = |item: Item| if is_missing(&item) { Item::Null } else { item };
        match &column.group {
            None => vec![missing_as_null(self.value_of(row, &column.values))],
            Some(names) => names.iter().map(|name| missing_as_null(self.value_in(row, name))).collect(),
        }
    }

    /// The rows that count: `where` is true, and there is a value.
    pub(super) fn counting(&self, rows: &[usize], column: &EntityColumnOf) -> Vec<usize> {
        let has_value = |row: &usize| !self.values_for(*row, column).iter().all(Item::is_null);
        self.allowed(rows, &column.entry).into_iter().filter(has_value).collect()
    }
}
