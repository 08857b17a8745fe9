//! Where a text stands in the file it was written in, so that mistakes are shown there.

use std::ops::Range;
use std::sync::Arc;

use crate::expr::Span;

/// A rule file as it was written.
#[derive(Debug)]
pub struct SourceFile {
    /// Its name in messages.
    pub name: String,
    /// All of it.
    pub text: String,
    /// Where lines end.
    line_ends: Vec<usize>,
}

impl SourceFile {
    /// A file of that name and text.
    pub fn new(name: &str, text: &str) -> Self {
        let line_ends = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        Self { name: name.to_owned(), text: text.to_owned(), line_ends }
    }

    /// The number of the line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.line_ends.partition_point(|end| *end < at) + 1
    }

    /// The file with the number of the line of a byte: `rules.toml:12`.
    pub fn place(&self, at: usize) -> String {
        format!("{}:{}", self.name, self.line(at))
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.line_ends.capacity() * size_of::<usize>()
    }
}

/// The place of a text in a file. In quotes a text may have been written with escapes, so its bytes need not follow
/// each other there.
#[derive(Clone, Debug)]
pub struct WrittenText {
    /// The file.
    pub file: Arc<SourceFile>,
    /// From these bytes of the text on, its bytes are those of the file from there on.
    pieces: Vec<(usize, usize)>,
}

impl WrittenText {
    /// The file itself as the text.
    pub fn whole(file: &Arc<SourceFile>) -> Self {
        Self::bare(file, 0)
    }

    /// A text that stands at byte `start` as it is.
    pub fn bare(file: &Arc<SourceFile>, start: usize) -> Self {
        Self { file: file.clone(), pieces: vec![(0, start)] }
    }

    /// A TOML string of that value, which is at `at` with its quotes.
    pub fn string(file: &Arc<SourceFile>, at: Range<usize>, value: &str) -> Option<Self> {
        let raw = file.text.get(at.clone())?;
        let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| raw.starts_with(quotes))?;
        let inside = raw.get(quotes.len()..raw.len().checked_sub(quotes.len())?)?;
        let line_break = if quotes.len() == 1 { 0 } else { first_line_break(inside) };
        let start = at.start + quotes.len() + line_break;
        let pieces = aligned(&inside[line_break..], value, start, quotes.starts_with('"'))?;
        Some(Self { file: file.clone(), pieces })
    }

    /// Bytes of the text as bytes of the file.
    pub fn span(&self, span: Span) -> Span {
        let start = self.byte(span.start, span.start);
        let end = if span.end > span.start { self.byte(span.end - 1, span.end) } else { start };
        Span { start, end }
    }

    /// Byte `at` of the text, counted from the piece that has byte `inside`.
    fn byte(&self, inside: usize, at: usize) -> usize {
        let piece = self.pieces.partition_point(|(text, _)| *text <= inside).saturating_sub(1);
        self.pieces.get(piece).map_or(0, |(text, file)| file + (at - text))
    }
}

/// Bytes of the line break with which a string in three quotes may begin: it is no part of it.
fn first_line_break(inside: &str) -> usize {
    ["\n", "\r\n"].into_iter().find(|end| inside.starts_with(end)).map_or(0, str::len)
}

/// The pieces that `value` and what is written, from byte `start` of the file on, have in common.
fn aligned(written: &str, value: &str, start: usize, has_escapes: bool) -> Option<Vec<(usize, usize)>> {
    let mut pieces = vec![(0, start)];
    let (mut at, mut rest) = (0, value);
    while at < written.len() {
        let here = &written[at..];
        let next = here.chars().next()?;
        let (width, is_one_character) = match next {
            '\\' if has_escapes => escape_width(here)?,
            '\r' if here.starts_with("\r\n") && !rest.starts_with('\r') => (1, false),
            _ => (next.len_utf8(), true),
        };
        let own = if is_one_character { rest.chars().next()?.len_utf8() } else { 0 };
        at += width;
        rest = &rest[own..];
        if own != width {
            pieces.push((value.len() - rest.len(), start + at));
        }
    }
    rest.is_empty().then_some(pieces)
}

/// Bytes of an escape, and whether it stands for a character: at the end of a line it stands for none, with all white
/// space after it.
fn escape_width(here: &str) -> Option<(usize, bool)> {
    let after = here.chars().nth(1)?;
    Some(match after {
        'x' => (4, true),
        'u' => (6, true),
        'U' => (10, true),
        white if white.is_ascii_whitespace() => (here.len() - here[1..].trim_ascii_start().len(), false),
        _ => (2, true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in the file where `part` of the value is.
    fn found(raw: &str, value: &str, part: &str) -> String {
        let text = format!("a = 1\nwhen = {raw}\n");
        let file = Arc::new(SourceFile::new("f", &text));
        let written = WrittenText::string(&file, 13..13 + raw.len(), value).unwrap();
        let start = value.find(part).unwrap();
        let span = written.span(Span { start, end: start + part.len() });
        text[span.start..span.end].to_owned()
    }

    #[test]
    fn texts_are_found_in_any_quotes() {
        assert_eq!(found("\"l.a = r.b\"", "l.a = r.b", "r.b"), "r.b");
        assert_eq!(found("'l.a = r.b'", "l.a = r.b", "r.b"), "r.b");
        assert_eq!(found("\"\"\"\n  l.a\n  = r.b\"\"\"", "  l.a\n  = r.b", "r.b"), "r.b");
        assert_eq!(found("'''\r\nl.a\r\n= r.b'''", "l.a\n= r.b", "r.b"), "r.b");
        assert_eq!(found("'''\r\nl.a\r\n= r.b'''", "l.a\r\n= r.b", "r.b"), "r.b");
    }

    #[test]
    fn escapes_move_what_follows_them() {
        assert_eq!(found(r#""l.\"a\" = r.\u00e9b""#, "l.\"a\" = r.éb", "b"), "b");
        assert_eq!(found(r#""l.\"a\" = r.b""#, "l.\"a\" = r.b", "\"a\""), "\\\"a\\");
        assert_eq!(found("\"\"\"l.a \\\n   = r.b\"\"\"", "l.a = r.b", "= r"), "= r");
    }
}
