//! `[entity]`: how the records of a cluster become one.

use serde::{Deserialize, Serialize};
use toml::de::DeValue;

use super::super::diagnostic::Origin;
use super::toml_value::{Placed, Reader, TomlKey, is_tables, span};

/// How the value of an entity is taken from its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// Of the earliest record, or of the one with the smallest value of an expression.
    First,
    /// Of the record with the largest value of an expression.
    Newest,
    /// Of the record with the smallest value of an expression.
    Oldest,
    /// What most records have.
    MostFrequent,
    /// The text or list that is longest.
    Longest,
    /// Of the record with most columns filled.
    MostComplete,
    /// Of the record whose source comes first.
    Priority,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// Of the record whose pairs weigh most.
    Strongest,
    /// The sum of all values.
    Sum,
    /// Their mean.
    Mean,
    /// All different values, as a list.
    Union,
}

impl Take {
    /// All of them, by their names in a rule file.
    pub const NAMED: [(&'static str, Self); 13] = [
        ("most_frequent", Self::MostFrequent),
        ("first", Self::First),
        ("newest", Self::Newest),
        ("oldest", Self::Oldest),
        ("longest", Self::Longest),
        ("most_complete", Self::MostComplete),
        ("priority", Self::Priority),
        ("min", Self::Min),
        ("max", Self::Max),
        ("strongest", Self::Strongest),
        ("sum", Self::Sum),
        ("mean", Self::Mean),
        ("union", Self::Union),
    ];

    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(_, take)| *take == self).map_or("", |(name, _)| name)
    }

    /// Whether it is made of all values, and comes from no single record.
    pub fn is_of_all(self) -> bool {
        matches!(self, Self::Sum | Self::Mean | Self::Union)
    }

    /// Whether it chooses a record without a look at one column alone.
    pub fn is_for_groups(self) -> bool {
        !self.is_of_all() && !matches!(self, Self::Longest | Self::Min | Self::Max)
    }
}

/// What `[entity]` says, and where.
#[derive(Clone, Debug, Default)]
pub struct EntityText {
    /// Whether it is there.
    pub is_given: bool,
    /// What it says of each column, in the order of the file.
    pub entries: Vec<EntryText>,
}

/// What is said of a column, of several, or of all others.
#[derive(Clone, Debug)]
pub struct EntryText {
    /// The column, [`OTHERS`], or the name of a group.
    pub name: String,
    /// Where the name was written.
    pub named_at: Origin,
    /// How values are taken; nothing where columns are left out.
    pub take: Option<Take>,
    /// Where that was written.
    pub taken_at: Origin,
    /// What records are ordered by.
    pub by: Option<Origin>,
    /// Which records count.
    pub condition: Option<Origin>,
    /// What the values are, where they are no column of this name.
    pub value: Option<ValueText>,
    /// The columns of a group.
    pub columns: Option<GroupText>,
    /// The sources, the preferred one first.
    pub sources: Vec<Origin>,
}

/// What stands for all columns that nothing else is said of.
pub const OTHERS: &str = "*";

/// An expression for the values of a column.
#[derive(Clone, Debug)]
pub enum ValueText {
    /// For the records of all inputs.
    Everywhere(Origin),
    /// For those of some inputs: where each name and each expression was written.
    ByInput(Vec<(Origin, Origin)>),
}

impl ValueText {
    /// All expressions.
    pub fn expressions(&self) -> Vec<&Origin> {
        match self {
            Self::Everywhere(origin) => vec![origin],
            Self::ByInput(inputs) => inputs.iter().map(|(_, origin)| origin).collect(),
        }
    }
}

/// Columns that are taken from one record.
#[derive(Clone, Debug)]
pub enum GroupText {
    /// These, with the places of their names.
    Named(Vec<Origin>),
    /// All that nothing else is said of.
    Others,
}

impl EntryText {
    /// The same record for all columns that nothing else is said of.
    pub fn is_others(&self) -> bool {
        self.name == OTHERS || matches!(self.columns, Some(GroupText::Others))
    }

    /// All expressions of it.
    pub fn expressions(&self) -> impl Iterator<Item = &Origin> {
        let values = self.value.iter().flat_map(ValueText::expressions);
        self.by.iter().chain(&self.condition).chain(values)
    }
}

const KEYS: &[&str] = &["take", "by", "sources", "where", "value", "columns"];
const EXAMPLE: &str = "name = \"most_frequent\"";
const BY: &str = "by = \"updated_at\"";

impl Reader {
    /// `[entity]`.
    pub(super) fn entity(&mut self, entity: &mut EntityText, key: TomlKey<'_>, value: Placed<'_>) {
        let Some(table) = self.table(key, value, EXAMPLE) else { return };
        entity.is_given = true;
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in entries {
            let key = TomlKey { name: name.get_ref(), span: span(name.span()) };
            entity.entries.extend(self.entity_entry(key, value));
        }
    }

    fn entity_entry(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<EntryText> {
        let mut entry = EntryText {
            name: key.name.to_owned(),
            named_at: self.key_origin(format!("entity `{}`", key.name), key),
            take: None,
            taken_at: self.value_origin("entity", value),
            by: None,
            condition: None,
            value: None,
            columns: None,
            sources: Vec::new(),
        };
        match value.get_ref() {
            DeValue::Table(table) => {
                let mut has_take = false;
                for (meant, key, value) in self.entries(table, KEYS, advice) {
                    has_take |= meant == "take";
                    self.entry_key(&mut entry, meant, key, value);
                }
                if !has_take {
                    let help = "say how the value is chosen: `take = \"most_frequent\"`";
                    self.mistake(key.span, format!("`{}` has no `take`", key.name), help);
                    return None;
                }
            }
            _ => entry.take = self.take(&entry.name, key, value)?,
        }
        self.check_entry(&entry, key);
        Some(entry)
    }

    fn entry_key(&mut self, entry: &mut EntryText, meant: &str, key: TomlKey<'_>, value: Placed<'_>) {
        match meant {
            "take" => {
                entry.taken_at = self.value_origin("entity", value);
                entry.take = self.take(&entry.name, key, value).unwrap_or(Some(Take::MostFrequent));
            }
            "by" => entry.by = self.entity_expression(entry, "by", key, value),
            "where" => entry.condition = self.entity_expression(entry, "where", key, value),
            "value" => entry.value = self.entity_value(entry, key, value),
            "columns" => entry.columns = self.group(key, value),
            _ => entry.sources = self.names(key, value, "sources = [\"crm\", \"web\"]"),
        }
    }

    /// What `take` says; `none` only of columns that nothing else is said of.
    fn take(&mut self, name: &str, key: TomlKey<'_>, value: Placed<'_>) -> Option<Option<Take>> {
        let mut named: Vec<(&'static str, Option<Take>)> =
            Take::NAMED.iter().map(|(name, take)| (*name, Some(*take))).collect();
        if name == OTHERS {
            named.push(("none", None));
        }
        self.named(key, value, &named)
    }

    fn entity_expression(
        &mut self,
        entry: &EntryText,
        of: &str,
        key: TomlKey<'_>,
        value: Placed<'_>,
    ) -> Option<Origin> {
        let text = self.text(key, value, &format!("{of} = \"updated_at\""))?;
        Some(self.origin(format!("entity `{}`, {of}", entry.name), value.span(), &text))
    }

    fn entity_value(&mut self, entry: &EntryText, key: TomlKey<'_>, value: Placed<'_>) -> Option<ValueText> {
        let DeValue::Table(inputs) = value.get_ref() else {
            return self.entity_expression(entry, "value", key, value).map(ValueText::Everywhere);
        };
        let mut by_input = Vec::new();
        for (name, value) in inputs {
            let key = TomlKey { name: name.get_ref(), span: span(name.span()) };
            let named_at = self.key_origin(format!("entity `{}`, value", entry.name), key);
            by_input.extend(self.entity_expression(entry, "value", key, value).map(|of| (named_at, of)));
        }
        Some(ValueText::ByInput(by_input))
    }

    fn group(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<GroupText> {
        if matches!(value.get_ref(), DeValue::String(text) if text.as_ref() == OTHERS) {
            return Some(GroupText::Others);
        }
        let columns = self.names(key, value, "columns = [\"street\", \"city\"]");
        if columns.is_empty() {
            let help = "name some, or write `columns = \"*\"` for all that nothing else is said of";
            self.mistake(span(value.span()), "this group has no columns", help);
            return None;
        }
        Some(GroupText::Named(columns))
    }

    /// Texts of a list, each with its place.
    fn names(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Vec<Origin> {
        match value.get_ref() {
            DeValue::Array(items) if !is_tables(items) => {
                let name = |reader: &mut Self, item: Placed<'_>| {
                    let text = reader.text(key, item, example)?;
                    Some(reader.origin(key.name.to_owned(), item.span(), &text))
                };
                items.iter().filter_map(|item| name(self, item)).collect()
            }
            other => {
                self.wrong_kind(key, value, "a list of texts", other, example);
                Vec::new()
            }
        }
    }

    /// What does not fit together in an entry.
    fn check_entry(&mut self, entry: &EntryText, key: TomlKey<'_>) {
        let Some(take) = entry.take else { return };
        let mut wrong = |message: String, help: &str| self.mistake(key.span, message, help);
        let name = take.name();
        match (take, &entry.by) {
            (Take::Newest | Take::Oldest, None) => wrong(format!("`{name}` has no `by`"), &format!("write `{BY}`")),
            (Take::Newest | Take::Oldest | Take::First, _) | (_, None) => {}
            _ => wrong(format!("`{name}` needs no `by`"), "leave it out, or take the newest, oldest or first"),
        }
        match (take, entry.sources.is_empty()) {
            (Take::Priority, true) => {
                wrong(
                    "`priority` has no `sources`".to_owned(),
                    "list the preferred one first: `sources = [\"crm\", \"web\"]`",
                );
            }
            (Take::Priority, false) | (_, true) => {}
            _ => wrong(format!("`{name}` needs no `sources`"), "leave them out, or write `take = \"priority\"`"),
        }
        if entry.columns.is_some() && entry.value.is_some() {
            wrong("a group has no `value`".to_owned(), "leave it out, or give each column an entry of its own");
        }
        if entry.name == OTHERS && (entry.columns.is_some() || entry.value.is_some()) {
            wrong("`*` has no `columns` and no `value`".to_owned(), "give a group of all others a name");
        }
        if (entry.columns.is_some() || entry.name == OTHERS) && !take.is_for_groups() {
            let of = if entry.name == OTHERS { "all other columns" } else { "a group" };
            wrong(format!("`{name}` is not for {of}"), "it looks at the values of one column: give that one an entry");
        }
    }
}

/// What others call the parts of an entry.
fn advice(wrong: &str) -> Option<(Option<&'static str>, String)> {
    let (meant, help) = match wrong.to_lowercase().as_str() {
        "strategy" | "rule" | "method" | "how" | "survivorship" => ("take", "it is called `take`"),
        "order_by" | "sort" | "order" | "date" => ("by", "what records are ordered by is called `by`"),
        "when" | "if" | "condition" | "filter" | "valid" => ("where", "the condition is called `where`"),
        "expression" | "expr" | "sql" | "from" => ("value", "the expression is called `value`"),
        "source" | "priority" | "order_of_sources" => ("sources", "they are listed in `sources`"),
        "column" | "group" | "fields" => ("columns", "the columns of a group are listed in `columns`"),
        _ => return None,
    };
    Some((Some(meant), help.to_owned()))
}
