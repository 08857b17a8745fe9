//! Chunks as CSV by RFC 4180, in UTF-8.

use super::chunk::{Chunk, TextColumn};

/// The line with the names of the columns.
pub fn header(names: &[&str]) -> String {
    names.join(",") + "\n"
}

/// The rows of a chunk.
pub fn records(chunk: &Chunk) -> String {
    let columns: Vec<&TextColumn> = chunk.columns.iter().collect();
    lines(&columns, chunk.rows)
}

/// The id and the cluster of each row.
pub fn truth(chunk: &Chunk) -> String {
    lines(&[&chunk.columns[0], &chunk.clusters], chunk.rows)
}

fn lines(columns: &[&TextColumn], rows: usize) -> String {
    let bytes: usize = columns.iter().map(|column| column.text.len() + 2 * rows).sum();
    let mut text = String::with_capacity(bytes);
    for row in 0..rows {
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            push(column.get(row), &mut text);
        }
        text.push('\n');
    }
    text
}

/// Appends a field, in quotes where it needs them.
fn push(field: &str, text: &mut String) {
    if !field.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        text.push_str(field);
        return;
    }
    text.push('"');
    for (at, part) in field.split('"').enumerate() {
        if at > 0 {
            text.push_str("\"\"");
        }
        text.push_str(part);
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_where_needed() {
        let quoted = |field: &str| {
            let mut text = String::new();
            push(field, &mut text);
            text
        };
        assert_eq!(quoted("plain 'text'"), "plain 'text'");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
    }
}
