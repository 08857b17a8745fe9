//! The text of a rule file to what it says. All mistakes are reported at once, each at its place; what is misspelt is
//! taken for what was meant, so that one mistake does not look like several.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::super::diagnostic::{Diagnostic, Origin, Report};
use super::super::nearest;
use super::super::source_text::SourceFile;
use super::toml_value::{Placed, Reader, TomlKey, span};
use super::{LinkType, RuleFile};
use crate::error::printable;
use crate::expr::Span;

/// What can stand at the top of a file.
pub(super) const TOP: &[&str] = &[
    "link_type",
    "unique_id",
    "encoding",
    "null",
    "blank_is_null",
    "skip_null_ids",
    "derive",
    "rule",
    "never",
    "compare",
    "score",
    "train",
    "columns",
    "clusters",
    "limit",
    "entity",
];

impl RuleFile {
    /// What a text says; what is wrong goes to the report.
    pub(super) fn parse_into(text: &str, file: &str, report: &mut Report) -> Self {
        let mut reader = Reader { file: Arc::new(SourceFile::new(file, text)), mistakes: Vec::new() };
        let mut result = Self::default();
        match DeTable::parse(text) {
            Ok(table) => reader.file(&mut result, table.get_ref()),
            Err(error) if error.message() == REPEATED => reader.repeated_keys(&mut result, text),
            Err(error) => match syntax_error(&error) {
                Ok(mistake) => reader.mistakes.push(mistake),
                Err(message) => report.add_plain(printable(&format!("{file}: {message}"))),
            },
        }
        // Tables are in the order of their keys; a reader goes through the file from its beginning.
        reader.mistakes.sort_by_key(|mistake| mistake.span.start);
        report.add(&Origin::of_file(&reader.file), &reader.mistakes);
        result
    }
}

/// What the parser calls a key that comes twice. The rest of the file can be read then.
const REPEATED: &str = "duplicate key";

/// What is wrong, with its place if the parser gives one.
fn syntax_error(error: &toml::de::Error) -> Result<Diagnostic, String> {
    let message = match error.message().trim() {
        message if message.contains("recurs") => "tables or lists are nested too deeply for a rule file",
        message => message,
    };
    error.span().map(|at| Diagnostic::new(span(at), message)).ok_or_else(|| message.to_owned())
}

impl Reader {
    /// A file in which keys come twice; if nothing else is wrong with its syntax, the rest of it is read.
    fn repeated_keys(&mut self, result: &mut RuleFile, text: &str) {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let at = error.span().map_or(Span::default(), span);
            if error.message() == REPEATED {
                self.mistake(at, "this name stands twice in one table", "leave one of them out or rename it");
            }
        }
        match errors.iter().find(|error| error.message() != REPEATED) {
            Some(error) => self.mistakes.extend(syntax_error(error)),
            None => self.file(result, table.get_ref()),
        }
    }

    fn file(&mut self, result: &mut RuleFile, table: &DeTable<'_>) {
        for (meant, key, value) in self.entries(table, TOP, advice) {
            match meant {
                "link_type" => result.link_type = self.link_type(key, value),
                "unique_id" => self.unique_id(result, key, value),
                "encoding" => result.encoding = self.text(key, value, "encoding = \"windows-1252\""),
                "null" => result.null = self.texts(key, value, "null = [\"NULL\", \"N/A\"]"),
                "blank_is_null" => result.blank_is_null = self.truth(key, value),
                "skip_null_ids" => result.skip_null_ids = self.truth(key, value),
                "derive" => self.derives(result, key, value),
                "rule" => result.rules.extend(self.rules("rule", key, value)),
                "never" => result.nevers.extend(self.rules("never", key, value)),
                "compare" => result.compares.extend(self.compares(key, value)),
                "score" => result.score = self.score(key, value),
                "columns" => self.pair_columns(result, key, value),
                "clusters" => self.clusters(&mut result.clusters, key, value),
                "limit" => self.limits(&mut result.clusters, key, value),
                "entity" => self.entity(&mut result.entity, key, value),
                _ => result.train = self.train(key, value),
            }
        }
    }

    fn link_type(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Option<LinkType> {
        let text = self.text(key, value, "link_type = \"dedupe_only\"")?;
        let found = LinkType::ALL.into_iter().find(|ty| ty.name() == text);
        if found.is_none() {
            let names = LinkType::ALL.map(LinkType::name);
            let all = format!("the link types are: {}", names.join(", "));
            let near =
                nearest(&text, names.into_iter()).map_or(all.clone(), |near| format!("did you mean `{near}`? {all}"));
            self.mistake(span(value.span()), format!("unknown link type `{text}`"), near);
        }
        found
    }

    /// One column for all inputs, or one for each.
    fn unique_id(&mut self, result: &mut RuleFile, key: TomlKey<'_>, value: Placed<'_>) {
        let DeValue::Table(columns) = value.get_ref() else {
            result.unique_id = self.text(key, value, "unique_id = \"id\"");
            return;
        };
        let mut ids = BTreeMap::new();
        for (input, column) in columns {
            let own = TomlKey { name: input.get_ref(), span: span(input.span()) };
            let column = self.text(own, column, "unique_id = { left = \"id\", right = \"key\" }");
            ids.extend(column.map(|column| (own.name.to_owned(), column)));
        }
        result.unique_ids = ids;
    }
}

/// What others call the parts of a file.
fn advice(wrong: &str) -> Option<(Option<&'static str>, String)> {
    let (meant, help) = match wrong.to_lowercase().as_str() {
        "rules" => ("rule", "each rule has a table of its own: `[[rule]]`"),
        "nevers" | "not" | "exclude" => ("never", "each has a table of its own: `[[never]]`"),
        "derived" | "derives" => ("derive", "derived columns stand below `[derive]`"),
        "id" | "ids" | "id_column" | "unique_ids" => ("unique_id", "the column of ids is named by `unique_id`"),
        "nulls" | "null_values" | "na_values" => ("null", "texts that mean null are listed as `null = [\"NULL\"]`"),
        "comparison" | "comparisons" | "compares" => ("compare", "each has a table of its own: `[[compare]]`"),
        "column" | "pair_columns" => ("columns", "columns of pairs stand below `[columns]`"),
        "training" => ("train", "it is called `[train]`"),
        "scores" | "scoring" => ("score", "it is called `[score]`"),
        "cluster" | "clustering" => ("clusters", "it is called `[clusters]`"),
        "entities" | "golden" | "golden_record" | "survivorship" => ("entity", "it is called `[entity]`"),
        "limits" => ("limit", "each has a table of its own: `[[limit]]`"),
        "charset" | "codepage" => ("encoding", "it is called `encoding`"),
        _ => return None,
    };
    Some((Some(meant), help.to_owned()))
}
