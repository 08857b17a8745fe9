//! Names of columns that need quotes, because there are dots, blanks or other signs in them.

use super::scope::{Column, Scope};
use crate::expr::Span;

/// What says how such names are written.
const NEEDS_QUOTES: &str = "a name with dots, blanks or other signs needs double quotes, and in a rule file the rule is then \
                            written between '...'";

/// A name that lacks its quotes.
pub struct Unquoted {
    /// Where it stands, with the letter of its record.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// A name as it is written in a rule or a derive.
pub fn written(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Whether a name needs no quotes: letters of any script and the digits from 0 to 9, as the lexer reads them. Other signs for
/// numbers are no letters.
fn is_plain(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || c == '_';
    name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) && !name.starts_with(|c: char| c.is_ascii_digit())
}

impl Scope<'_> {
    /// The column that stands at this byte of a text without the quotes that it needs.
    pub fn unquoted(&self, text: &str, at: usize) -> Option<Unquoted> {
        let found = |columns: &[Column], letter: &str, from: usize| {
            let column = longest(columns, &text[from..])?;
            let (shown, end) = (written(&column.name), from + column.name.len());
            Some(Unquoted {
                span: Span { start: at, end },
                message: format!("the name of column `{}` needs quotes", column.name),
                help: format!("did you mean `{letter}{shown}`? {NEEDS_QUOTES}"),
            })
        };
        match self {
            Self::Record { columns, input, .. } => found(columns.all(), "", at).or_else(|| found(input.all(), "", at)),
            Self::Pair([left, right], _) => match text.get(at..at + 2) {
                Some("l." | "L.") => found(left.all(), "l.", at + 2),
                Some("r." | "R.") => found(right.all(), "r.", at + 2),
                _ => found(left.all(), "l.", at).or_else(|| found(right.all(), "r.", at)),
            },
            Self::AnyRecord | Self::AnyPair => None,
        }
    }

    /// The same for a text that cannot be parsed from `at` on: the name begins before that.
    pub fn unquoted_before(&self, text: &str, at: usize) -> Option<Unquoted> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let before = text.get(..at)?.trim_end();
        self.unquoted(text, before.trim_end_matches(is_part).len())
    }
}

/// The column with the longest name, of those that need quotes, with which a text begins.
fn longest<'c>(columns: &'c [Column], text: &str) -> Option<&'c Column> {
    let begins = |name: &str| {
        let here = text.get(..name.len());
        let ends =
            text.get(name.len()..).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        ends && here.is_some_and(|here| here.to_lowercase() == name.to_lowercase())
    };
    columns
        .iter()
        .filter(|column| !is_plain(&column.name) && begins(&column.name))
        .max_by_key(|column| column.name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_they_need_it() {
        assert_eq!(["name", "Straße_2", "_x"].map(written), ["name", "Straße_2", "_x"]);
        assert_eq!(["NACH.NAME", "e-mail", "2nd"].map(written), ["\"NACH.NAME\"", "\"e-mail\"", "\"2nd\""]);
        assert_eq!(["ᚠ𐄇", "m²", "x½"].map(written), ["\"ᚠ𐄇\"", "\"m²\"", "\"x½\""]);
        assert_eq!(written("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
