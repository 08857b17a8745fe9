//! TOML values with their places, and the mistakes in them.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::super::diagnostic::{Diagnostic, Origin};
use super::super::nearest;
use super::super::source_text::{SourceFile, WrittenText};
use crate::expr::Span;

/// A value with its place.
pub(super) type Placed<'a> = &'a Spanned<DeValue<'a>>;

/// A key with its place.
#[derive(Clone, Copy)]
pub(super) struct TomlKey<'a> {
    pub name: &'a str,
    pub span: Span,
}

/// The file that is read, and its mistakes so far.
pub(super) struct Reader {
    pub file: Arc<SourceFile>,
    pub mistakes: Vec<Diagnostic>,
}

impl Reader {
    pub(super) fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Diagnostic::new(span, message).with_help(help));
    }

    /// The entries of a table by the names of `known`; what is misspelt is reported and taken for what was meant.
    /// `advice` knows more about some wrong keys.
    pub(super) fn entries<'a>(
        &mut self,
        table: &'a DeTable<'a>,
        known: &[&'static str],
        advice: impl Fn(&str) -> Option<(Option<&'static str>, String)>,
    ) -> Vec<(&'static str, TomlKey<'a>, Placed<'a>)> {
        let mut entries = Vec::new();
        for (key, value) in table {
            let key = TomlKey { name: key.get_ref(), span: span(key.span()) };
            if let Some(name) = known.iter().find(|name| **name == key.name) {
                entries.push((*name, key, value));
                continue;
            }
            let near = nearest(key.name, known.iter().copied());
            let near = near.and_then(|near| known.iter().copied().find(|name| *name == near));
            let (meant, help) = advice(key.name).unwrap_or_else(|| match near {
                Some(near) => (Some(near), format!("did you mean `{near}`?")),
                None => (None, format!("what can stand here is: {}", known.join(", "))),
            });
            self.mistake(key.span, format!("unknown key `{}`", key.name), help);
            // What may come several times is read beside what is spelt well.
            let is_free = |name: &&str| {
                matches!(*name, "rule" | "never" | "compare" | "limit")
                    || !table.iter().any(|(other, _)| other.get_ref().as_ref() == *name)
            };
            if let Some(name) = meant.filter(is_free) {
                entries.push((name, key, value));
            }
        }
        entries
    }

    /// A text, or a mistake that shows how to write one.
    pub(super) fn text(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.as_ref().to_owned()),
            other => {
                self.wrong_kind(key, value, "a text in quotes", other, example);
                None
            }
        }
    }

    /// `true` or `false`.
    pub(super) fn truth(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(truth) => Some(*truth),
            other => {
                self.wrong_kind(key, value, "true or false, without quotes", other, &format!("{} = true", key.name));
                None
            }
        }
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Vec<String> {
        match value.get_ref() {
            DeValue::Array(items) if !is_tables(items) => {
                items.iter().filter_map(|item| self.text(key, item, example)).collect()
            }
            other => {
                self.wrong_kind(key, value, "a list of texts", other, example);
                Vec::new()
            }
        }
    }

    pub(super) fn wrong_kind(
        &mut self,
        key: TomlKey<'_>,
        at: Placed<'_>,
        wanted: &str,
        found: &DeValue<'_>,
        example: &str,
    ) {
        let message = format!("`{}` must be {wanted}; this is {}", key.name, kind(found));
        self.mistake(span(at.span()), message, format!("write for example `{example}`"));
    }

    /// Where a text was written.
    pub(super) fn origin(&self, what: String, at: Range<usize>, text: &str) -> Origin {
        let place = self.file.place(at.start);
        Origin { what, place, text: text.to_owned(), written: WrittenText::string(&self.file, at, text) }
    }

    /// Where something was written that is no text in quotes: a number, a word or a table.
    pub(super) fn value_origin(&self, what: &str, value: Placed<'_>) -> Origin {
        let at = value.span();
        let (place, written) = (self.file.place(at.start), Some(WrittenText::bare(&self.file, at.start)));
        let text = self.file.text.get(at).unwrap_or_default().to_owned();
        Origin { what: what.to_owned(), place, text, written }
    }

    /// Where a key was written, in quotes or not.
    pub(super) fn key_origin(&self, what: String, key: TomlKey<'_>) -> Origin {
        let mut origin = self.origin(what, key.span.start..key.span.end, key.name);
        if origin.written.is_none() {
            origin.written = Some(WrittenText::bare(&self.file, key.span.start));
        }
        origin
    }
}

pub(super) fn span(range: Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}

/// Whether a list was written as `[[name]]`.
pub(super) fn is_tables(items: &DeArray<'_>) -> bool {
    !items.is_empty() && items.iter().all(|item| matches!(item.get_ref(), DeValue::Table(_)))
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
