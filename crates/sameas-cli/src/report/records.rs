//! The two records of a pair, side by side.

use std::fmt::Write;

use sameas::rules::RecordField;
use sameas::{FieldValue, Why, printable};

use super::values::value;
use crate::text::{self, cut};

/// Characters between columns.
const GAP: usize = 3;

/// Characters that the names of columns take at most.
const NAMES: usize = 30;

/// Both records, a column in each line; what differs is marked. Long values are cut, or, in full, fill several lines.
pub fn records(why: &Why, full: bool) -> String {
    let names: Vec<String> = why.records.iter().map(name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(NAMES);
    let room = (text::width() - 2 - width - 2 * GAP) / 2;
    let mut out = String::from("\nRecords, with * where they differ\n");
    line(&mut out, "", "", &why.ids.each_ref().map(|id| printable(id)), (width, room), full);
    for (field, name) in why.records.iter().zip(&names) {
        let mark = if field.values[0] == field.values[1] { "" } else { "*" };
        line(&mut out, mark, name, &field.values.each_ref().map(shown), (width, room), full);
    }
    out
}

fn name(field: &RecordField) -> String {
    let derived = if field.is_derived { " (derived)" } else { "" };
    format!("{}{derived}", printable(&field.name))
}

/// A value; nothing where the record has no such column.
fn shown(field: &Option<FieldValue>) -> String {
    field.as_ref().map_or_else(String::new, value)
}

fn line(out: &mut String, mark: &str, name: &str, values: &[String; 2], (width, room): (usize, usize), full: bool) {
    let pieces = values.each_ref().map(|value| {
        let text = if full { value.clone() } else { cut(value, room) };
        let characters: Vec<char> = text.chars().collect();
        characters.chunks(room).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    });
    let lines = pieces.iter().map(Vec::len).max().unwrap_or(0).max(1);
    for at in 0..lines {
        let [left, right] = pieces.each_ref().map(|pieces| pieces.get(at).map_or("", String::as_str));
        let (mark, name) = if at == 0 { (mark, cut(name, width)) } else { ("", String::new()) };
        let text = format!("{mark:<2}{name:<width$}{:GAP$}{left:<room$}{:GAP$}{right}", "", "");
        let _ = writeln!(out, "{}", text.trim_end());
    }
}
