//! `[derive]`, and `[derive.NAME]` for single inputs.

use toml::de::{DeTable, DeValue};

use super::toml_value::{Placed, Reader, TomlKey, span};
use super::{DeriveText, LinkType, RuleFile};

/// How a derived column is written.
const EXAMPLE: &str = "name = \"lower(given_name)\"";

impl Reader {
    /// All derived columns of a file. Common expressions come first, so that an input's own can replace them.
    pub(super) fn derives(&mut self, result: &mut RuleFile, key: TomlKey<'_>, value: Placed<'_>) {
        let table = match value.get_ref() {
            DeValue::Table(table) => table,
            other => {
                let message = format!("`{}` must be one table", key.name);
                self.mistake(span(value.span()), message, format!("write `[derive]`, and below it `{EXAMPLE}`"));
                if let DeValue::Array(items) = other {
                    items.iter().filter(|item| item.get_ref().is_table()).for_each(|i| self.derives_of(result, i));
                }
                return;
            }
        };
        self.derive_table(result, table);
    }

    fn derives_of(&mut self, result: &mut RuleFile, value: Placed<'_>) {
        if let DeValue::Table(table) = value.get_ref() {
            self.derive_table(result, table);
        }
    }

    fn derive_table(&mut self, result: &mut RuleFile, table: &DeTable<'_>) {
        let common = self.columns(table, |value| !value.is_table());
        result.derive[0].extend(common.iter().cloned());
        result.derive[1].extend(common);
        for (name, value) in table {
            let DeValue::Table(own) = value.get_ref() else { continue };
            let own = self.columns(own, |_| true);
            match name.get_ref().as_ref() {
                "left" => replace(&mut result.derive[0], own),
                "right" => replace(&mut result.derive[1], own),
                input => result.derive_of.entry(input.to_owned()).or_default().extend(own),
            }
        }
    }

    /// The columns of a table whose values are chosen.
    fn columns(&mut self, table: &DeTable<'_>, chosen: impl Fn(&DeValue<'_>) -> bool) -> Vec<DeriveText> {
        let mut columns = Vec::new();
        for (name, value) in table.iter().filter(|(_, value)| chosen(value.get_ref())) {
            let key = TomlKey { name: name.get_ref(), span: span(name.span()) };
            columns.extend(self.derived_column(key, value));
        }
        columns
    }

    fn derived_column(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<DeriveText> {
        let example = "lower(given_name)";
        let DeValue::String(sql) = value.get_ref() else {
            let message = format!("the derived column `{}` must be an SQL expression in quotes", key.name);
            self.mistake(span(value.span()), message, format!("write for example `{} = \"{example}\"`", key.name));
            return None;
        };
        // What follows a header belongs to it, also where a setting of the file was meant.
        if key.name == "link_type" && LinkType::ALL.iter().any(|ty| ty.name() == sql.as_ref()) {
            let help = "what stands after `[derive]` belongs to it; move `link_type` to the top of the file";
            self.mistake(key.span, "`link_type` is not a derived column", help);
            return None;
        }
        let what = format!("derive `{}`", key.name);
        let named_at = self.key_origin(what.clone(), key);
        Some(DeriveText { name: key.name.to_owned(), named_at, origin: self.origin(what, value.span(), sql) })
    }
}

/// A side's own expression replaces the common one of that name.
fn replace(derives: &mut Vec<DeriveText>, own: Vec<DeriveText>) {
    let names: std::collections::HashSet<&str> = own.iter().map(|d| d.name.as_str()).collect();
    derives.retain(|d| !names.contains(d.name.as_str()));
    derives.extend(own);
}
