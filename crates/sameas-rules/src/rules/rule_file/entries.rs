//! `[[rule]]` and `[[never]]`.

use toml::de::{DeTable, DeValue};

use super::RuleText;
use super::parse::TOP;
use super::toml_value::{Placed, Reader, TomlKey, is_tables, span};

/// The keys of a rule.
const KEYS: &[&str] = &["name", "when", "certain"];

/// The keys of a `never` rule.
const NEVER_KEYS: &[&str] = &["name", "when"];

impl Reader {
    /// The rules, or `never` rules, of a file.
    pub(super) fn rules(&mut self, kind: &'static str, key: TomlKey<'_>, value: Placed<'_>) -> Vec<RuleText> {
        match value.get_ref() {
            DeValue::Array(items) if is_tables(items) => {
                items.iter().filter_map(|item| self.rule(kind, item)).collect()
            }
            DeValue::Array(items) if items.is_empty() => Vec::new(),
            DeValue::Table(table) => self.one_table(kind, key, value, table),
            _ => {
                let help = format!("write `[[{kind}]]`, and below it `when = \"l.email = r.email\"`");
                self.mistake(span(value.span()), format!("`{}` must be a list of tables", key.name), help);
                Vec::new()
            }
        }
    }

    /// `[rule]`, or `[rule.NAME]` for each rule: what they hold is read all the same.
    fn one_table(
        &mut self,
        kind: &'static str,
        key: TomlKey<'_>,
        value: Placed<'_>,
        table: &DeTable<'_>,
    ) -> Vec<RuleText> {
        let is_named = !table.is_empty() && table.iter().all(|(_, of)| matches!(of.get_ref(), DeValue::Table(_)));
        if is_named {
            let (first, _) = table.iter().next().expect("it is not empty");
            let help = format!("write `[[{kind}]]`, and below it `name = \"{}\"`", first.get_ref());
            self.mistake(span(first.span()), format!("a {kind} has its name inside"), help);
            return table.iter().filter_map(|(_, of)| self.rule(kind, of)).collect();
        }
        let help = format!("write `[[{kind}]]`, in two brackets: there can be several");
        self.mistake(span(value.span()), format!("`[{}]` is one table", key.name), help);
        self.rule(kind, value).into_iter().collect()
    }

    fn rule(&mut self, kind: &'static str, value: Placed<'_>) -> Option<RuleText> {
        let DeValue::Table(table) = value.get_ref() else { return None };
        let (mut name, mut when, mut has_when, mut is_certain) = (None, None, false, false);
        for (meant, key, value) in
            self.entries(table, if kind == "rule" { KEYS } else { NEVER_KEYS }, |wrong| advice(kind, wrong))
        {
            match meant {
                "name" => name = self.text(key, value, "name = \"same email\"").map(|name| (name, value.span())),
                "certain" => is_certain = self.truth(key, value).unwrap_or_default(),
                _ => {
                    has_when = true;
                    when = self.text(key, value, WHEN).map(|when| (when, value.span()));
                }
            }
        }
        if !has_when {
            let message = format!("this {kind} has no `when`");
            self.mistake(span(value.span()), message, format!("say what must hold: `{WHEN}`"));
        }
        let (when, at) = when?;
        let what = name.as_ref().map_or(kind.to_owned(), |(name, _)| format!("{kind} \"{name}\""));
        let named_at = name.as_ref().map(|(name, at)| self.origin(what.clone(), at.clone(), name));
        Some(RuleText { name: name.map(|(name, _)| name), named_at, origin: self.origin(what, at, &when), is_certain })
    }
}

const WHEN: &str = "when = \"l.email = r.email\"";

/// What others call the parts of a rule, and what belongs elsewhere.
fn advice(kind: &'static str, wrong: &str) -> Option<(Option<&'static str>, String)> {
    match wrong.to_lowercase().as_str() {
        "rule" | "condition" | "where" | "if" | "sql" | "expr" | "on" => {
            Some((Some("when"), "the condition is called `when`".to_owned()))
        }
        "title" | "label" | "id" | "match_key" => Some((Some("name"), "it is called `name`".to_owned())),
        own if TOP.contains(&own) => {
            Some((None, format!("what stands after `[[{kind}]]` belongs to it; move `{own}` to the top of the file")))
        }
        _ => None,
    }
}
