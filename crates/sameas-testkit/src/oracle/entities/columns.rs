//! The columns of all inputs by name, and the value that a record has in one.

use arrow_schema::DataType;

use super::answer::EntityAnswer;
use super::convert::converted;
use crate::entities::{Item, common_type, is_text_list, kept_type};

impl EntityAnswer<'_> {
    /// The names of the columns of all inputs, in the order in which they appear.
    pub(super) fn all_columns(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for column in self.case.inputs.iter().flat_map(|input| &input.columns) {
            if !names.contains(&column.name) {
                names.push(column.name.clone());
            }
        }
        names
    }

    /// The same without columns of ids.
    pub(super) fn columns_without_ids(&self) -> Vec<String> {
        let is_id = |name: &String| self.case.inputs.iter().any(|input| input.columns[input.id].name == *name);
        self.all_columns().into_iter().filter(|name| !is_id(name)).collect()
    }

    /// The column that a name means: the one of exactly this name, else the one that differs in case alone.
    pub(super) fn column_called(&self, name: &str) -> Option<String> {
        let all = self.all_columns();
        let exact = all.iter().find(|column| *column == name);
        exact.or_else(|| all.iter().find(|column| column.to_lowercase() == name.to_lowercase())).cloned()
    }

    /// The type of a column: its own, or the one that its types in different inputs have in common.
    pub(super) fn type_of_column(&self, name: &str) -> DataType {
        let columns = self.case.inputs.iter().flat_map(|input| &input.columns).filter(|column| column.name == name);
        common_type(&columns.map(|column| kept_type(&column.physical)).collect::<Vec<_>>())
    }

    /// The value of a row in a column, in the type of the column; null where its input lacks it.
    pub(super) fn value_in(&self, row: usize, name: &str) -> Item {
        let (input, at) = self.rows[row];
        let Some(place) = self.case.inputs[input].place(name) else { return Item::Null };
        let kept = kept_type(&self.case.inputs[input].columns[place].physical);
        converted(&self.value_at(input, place, at), &kept, &self.type_of_column(name))
    }

    /// The same in the type that its input has for it.
    pub(super) fn own_value(&self, row: usize, name: &str) -> Item {
        let (input, at) = self.rows[row];
        self.case.inputs[input].place(name).map_or(Item::Null, |place| self.value_at(input, place, at))
    }

    /// The value of a record in a column of its input, in its own type.
    pub(super) fn value_at(&self, input: usize, place: usize, at: usize) -> Item {
        let column = &self.case.inputs[input].columns[place];
        let item = &column.items[at];
        if is_text_list(&kept_type(&column.physical)) { self.without_missing_texts(item) } else { item.clone() }
    }

    /// Null in place of texts that stand for it, in lists, too.
    fn without_missing_texts(&self, item: &Item) -> Item {
        match item {
            Item::Text(text) if self.is_missing_text(text) => Item::Null,
            Item::List(items) => Item::List(items.iter().map(|item| self.without_missing_texts(item)).collect()),
            other => other.clone(),
        }
    }

    fn is_missing_text(&self, text: &str) -> bool {
        let is_blank = text.chars().all(char::is_whitespace);
        text.is_empty() || self.case.nulls.iter().any(|null| null == text) || self.case.blank_is_null && is_blank
    }
}

/// Whether a rule sees no value: null, and what is no number.
pub(super) fn is_missing(item: &Item) -> bool {
    match item {
        Item::Null => true,
        Item::Float(value) => value.is_nan(),
        _ => false,
    }
}
