//! The profile of inputs as text: each column, then the keys.

mod advice;
mod keys;
mod rules;

use std::fmt::Write;

use sameas::printable;
use sameas::profile::{
    ColumnLook, ColumnProfile, ColumnType, FormatCount, InputProfile, Profile, TextFormat, TextProfile, ValueCount,
};

pub use rules::first_rules;

use super::values;
use crate::text::{count, counted, cut, percent, wrap};

/// Characters of a value that are shown at most.
const VALUE: usize = 40;

/// Where the names of facts begin, and the facts.
const INDENT: usize = 4;
const FACTS: usize = 14;

/// Formats of a column that are listed.
const FORMATS: usize = 4;

/// The profile for people.
pub fn profile(profile: &Profile) -> String {
    let inputs: Vec<String> = profile.inputs.iter().map(input).collect();
    inputs.join("\n") + "\n" + &keys::keys(profile)
}

fn input(input: &InputProfile) -> String {
    let mut out = format!(
        "{}: {}, {}\n",
        printable(&input.name),
        counted(input.rows, "record"),
        counted(input.columns.len() as u64, "column")
    );
    for column in &input.columns {
        let _ = write!(out, "\n{}", described(column, input.rows));
    }
    out
}

fn described(column: &ColumnProfile, rows: u64) -> String {
    let mut out = format!("{}: {}\n", printable(&column.name), in_short(column, rows));
    for (name, fact) in facts(column, rows) {
        let indent = INDENT + FACTS;
        let _ = writeln!(out, "{:INDENT$}{name:FACTS$}{}", "", wrap_items(&fact, indent));
    }
    out
}

/// Breaks a fact between words, but not within an [`item`].
fn wrap_items(fact: &str, indent: usize) -> String {
    wrap(fact, indent, indent).replace(GLUE, " ")
}

/// A blank where no line may end.
const GLUE: char = '\u{1}';

/// A text that stays on one line.
fn item(text: &str) -> String {
    text.replace(' ', &GLUE.to_string())
}

/// One sentence: what it looks like, how much is missing, how many values there are.
fn in_short(column: &ColumnProfile, rows: u64) -> String {
    let present = rows - column.nulls;
    let missing = match column.nulls {
        0 => "none missing".into(),
        nulls => format!("{} missing ({})", count(nulls), percent(nulls, rows)),
    };
    match column.column_type {
        ColumnType::Unusable => return "nested objects or binary data, which rules cannot use".into(),
        _ if present == 0 => return format!("{}, no value at all", type_text(column.column_type)),
        _ => {}
    }
    let distinct = match column.distinct {
        1 => "one value only".into(),
        _ if column.can_be_id => "every value once: can be the id".into(),
        distinct => format!("{} different values", count(distinct)),
    };
    format!("{}, {missing}, {distinct}", kind(column))
}

/// The type, and what the values look like where that says more.
fn kind(column: &ColumnProfile) -> String {
    let look = match (column.look, column.column_type) {
        (ColumnLook::Identifier, _) => "like ids",
        (ColumnLook::Date, ColumnType::Text) => "like dates",
        (ColumnLook::Email, _) => "like e-mail addresses",
        (ColumnLook::Phone, _) => "like phone numbers",
        (ColumnLook::Number, ColumnType::Text) => "like numbers",
        (ColumnLook::Code, ColumnType::Text) if is_digits(column) => "of digits",
        (ColumnLook::Code, _) => "like codes",
        (ColumnLook::Category, _) => "of a few values",
        (ColumnLook::Name, _) => "like names",
        (ColumnLook::Text, _) => "of several words",
        _ => return type_text(column.column_type).into(),
    };
    format!("{} {look}", type_text(column.column_type))
}

fn is_digits(column: &ColumnProfile) -> bool {
    let first = column.text.as_ref().and_then(|text| text.formats.first());
    first.is_some_and(|first| first.format == TextFormat::Digits)
}

fn type_text(column_type: ColumnType) -> &'static str {
    match column_type {
        ColumnType::Text => "text",
        ColumnType::Number => "numbers",
        ColumnType::Date => "dates",
        ColumnType::Bool => "true or false",
        ColumnType::TextList => "lists of texts",
        ColumnType::NumberList => "lists of numbers",
        _ => "nothing but null",
    }
}

fn facts(column: &ColumnProfile, rows: u64) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let present = rows - column.nulls;
    let frequent: Vec<String> =
        column.frequent.iter().filter(|value| value.records > 1).map(|value| frequency(value, rows)).collect();
    if !frequent.is_empty() && column.distinct > 1 {
        facts.push(("frequent", frequent.join(", ")));
    } else if let Some(first) = column.frequent.first() {
        facts.push(("such as", values::value_in_short(&first.value, VALUE)));
    }
    if let Some(text) = &column.text {
        facts.extend(of_texts(text, present));
        facts.extend(advice::of_texts(column, text));
    }
    facts
}

fn frequency(value: &ValueCount, rows: u64) -> String {
    format!(
        "{} {} ({})",
        values::value_in_short(&value.value, VALUE),
        count(value.records),
        percent(value.records, rows)
    )
}

fn of_texts(text: &TextProfile, present: u64) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let is_plain = matches!(&text.formats[..], [FormatCount { format: TextFormat::Words | TextFormat::Other, .. }]);
    if !is_plain {
        let formats = text.formats.iter().take(FORMATS).map(|format| format_text(format, present));
        facts.push(("formats", formats.collect::<Vec<_>>().join(", ")));
    }
    // Where every text has a pattern of its own, none of them says anything.
    let patterns = text.patterns.iter().filter(|pattern| 50 * pattern.records >= present && pattern.records > 1);
    let patterns: Vec<String> =
        patterns.map(|p| item(&format!("`{}` {}", printable(&p.pattern), percent(p.records, present)))).collect();
    if !patterns.is_empty() {
        facts.push(("patterns", patterns.join(", ")));
    }
    let lengths = match (text.shortest, text.longest) {
        (a, b) if a == b => counted(a, "character"),
        (a, b) => format!("{} to {} characters, {:.1} on average", count(a), count(b), text.mean_length),
    };
    facts.push(("length", lengths));
    facts
}

fn format_text(format: &FormatCount, present: u64) -> String {
    let name = match &format.format {
        TextFormat::IsoDate => "ISO dates".into(),
        TextFormat::Date { formats } => format!("dates as {}", formats.join(" or ")),
        TextFormat::Digits => "digits".into(),
        TextFormat::Number => "numbers".into(),
        TextFormat::DecimalComma => "numbers with a decimal comma".into(),
        TextFormat::Email => "e-mail addresses".into(),
        TextFormat::Phone => "phone-like".into(),
        TextFormat::Words => "words".into(),
        _ => "other".to_owned(),
    };
    let example = cut(&printable(&format.example), VALUE);
    item(&format!("{name} {} ('{example}')", percent(format.records, present)))
}

/// The name of a column in rules, in quotes where it needs them.
fn in_rules(name: &str) -> String {
    let plain = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let bare = name.chars().all(plain) && name.starts_with(|c: char| plain(c) && !c.is_ascii_digit());
    if bare { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
