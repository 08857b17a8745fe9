//! `[columns]`: expressions of two records that pairs are written with.

use toml::de::DeValue;

use super::toml_value::{Placed, Reader, TomlKey, span};
use super::{DeriveText, RuleFile};

const EXAMPLE: &str = "name_similarity = \"jaro_winkler(l.name, r.name)\"";

impl Reader {
    /// The columns of pairs.
    pub(super) fn pair_columns(&mut self, result: &mut RuleFile, key: TomlKey<'_>, value: Placed<'_>) {
        let DeValue::Table(table) = value.get_ref() else {
            let message = format!("`{}` must be one table", key.name);
            self.mistake(span(value.span()), message, format!("write `[columns]`, and below it `{EXAMPLE}`"));
            return;
        };
        for (name, value) in table {
            let key = TomlKey { name: name.get_ref(), span: span(name.span()) };
            result.columns.extend(self.pair_column(key, value));
        }
    }

    fn pair_column(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<DeriveText> {
        let DeValue::String(sql) = value.get_ref() else {
            let message = format!("the column `{}` must be an SQL expression in quotes", key.name);
            self.mistake(span(value.span()), message, format!("write for example `{EXAMPLE}`"));
            return None;
        };
        let what = format!("column `{}`", key.name);
        let named_at = self.key_origin(what.clone(), key);
        Some(DeriveText { name: key.name.to_owned(), named_at, origin: self.origin(what, value.span(), sql) })
    }
}
