//! Mistakes in a rule, shown with the place underlined; all of a file are reported at once.

use std::collections::HashSet;
use std::sync::Arc;

use super::doubt::{Doubt, FoundDoubt};
use super::source_text::{SourceFile, WrittenText};
use crate::error::{Error, printable};
use crate::expr::Span;

/// The most characters of a line that are shown.
const LONGEST_LINE: usize = 200;

/// The most mistakes that are shown.
const MOST_SHOWN: usize = 50;

/// Where a text came from, for messages.
#[derive(Clone, Debug)]
pub struct Origin {
    /// What it is: `rule "same phone"`, `derive name`; nothing for a part of a file that is no SQL.
    pub what: String,
    /// Where it begins: `rules.toml:12`.
    pub place: String,
    /// The text: SQL, or a whole file.
    pub text: String,
    /// The file it stands in.
    pub written: Option<WrittenText>,
}

impl Origin {
    /// A text that stands in no file.
    pub fn without_file(what: &str, place: &str, text: &str) -> Self {
        Self { what: what.to_owned(), place: place.to_owned(), text: text.to_owned(), written: None }
    }

    /// A file, for mistakes in what is around the SQL.
    pub fn of_file(file: &Arc<SourceFile>) -> Self {
        let written = Some(WrittenText::whole(file));
        Self { what: String::new(), place: file.name.clone(), text: file.text.clone(), written }
    }

    /// All of the text but the white space around it.
    pub fn whole(&self) -> Span {
        whole(&self.text)
    }

    /// Where a part of the text stands.
    pub fn place_of(&self, span: Span) -> String {
        self.shown(span).2
    }

    /// The text that has the lines to show, the place in it, and its name.
    fn shown(&self, span: Span) -> (&str, Span, String) {
        match &self.written {
            Some(written) => {
                let span = written.span(span);
                (&written.file.text, span, written.file.place(span.start))
            }
            None => (&self.text, span, self.place.clone()),
        }
    }
}

/// All of a text but the white space around it.
pub fn whole(text: &str) -> Span {
    let end = text.trim_end().len();
    Span { start: end - text[..end].trim_start().len(), end }
}

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Bytes of the text it is about.
    pub span: Span,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake without advice.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, help: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message with the line of the text and the place underlined, all of it printable.
    pub fn render(&self, origin: &Origin) -> String {
        let (text, span, place) = origin.shown(self.span);
        let (number, line, column, width) = locate(text, span);
        let (line, column, width) = cut(&line, column, width);
        let gutter = " ".repeat(number.to_string().len());
        let what = if origin.what.is_empty() { String::new() } else { format!("{}, ", origin.what) };
        let [message, what, place] = [&self.message, &what, &place].map(|text| printable(text));
        let mut out = format!("{message}\n{gutter}--> {what}{place}\n");
        out += &format!("{gutter} |\n{number} | {line}\n");
        out += &format!("{gutter} | {}{}", " ".repeat(column), "^".repeat(width));
        if let Some(help) = &self.help {
            out += &format!("\n{gutter} = help: {}", printable(help));
        }
        out
    }
}

/// Line number, the line as it is shown, the first column (in characters) and the width of what to underline. Of a long line
/// only what is around the place counts.
fn locate(text: &str, span: Span) -> (usize, String, usize, usize) {
    let start = span.start.min(text.len());
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let stop = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let end = span.end.clamp(start, stop);
    let number = memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count() + 1;
    let (marked, after) = (first_characters(&text[start..end]), first_characters(text[end..stop].trim_end()));
    let [before, marked, after] = [last_characters(&text[begin..start]), marked, after].map(shown);
    let (column, width) = (before.chars().count(), marked.chars().count().max(1));
    (number, before + &marked + &after, column, width)
}

/// As much of a text as can be seen of it, from its beginning on: a line may be a whole file.
fn first_characters(text: &str) -> &str {
    text.char_indices().nth(2 * LONGEST_LINE).map_or(text, |(at, _)| &text[..at])
}

/// The same up to its end.
fn last_characters(text: &str) -> &str {
    text.char_indices().rev().nth(2 * LONGEST_LINE).map_or(text, |(at, _)| &text[at..])
}

/// A part of a line as it is shown. A tab is as wide as a blank, so that what is below it stays there.
fn shown(part: &str) -> String {
    printable(&part.replace('\t', " "))
}

/// A line with its place, or as much of a long line as is around the place.
fn cut(line: &str, column: usize, width: usize) -> (String, usize, usize) {
    let from = if column < LONGEST_LINE / 2 { 0 } else { column - LONGEST_LINE / 4 };
    let begin = line.char_indices().nth(from).map_or(line.len(), |(at, _)| at);
    let end = line[begin..].char_indices().nth(LONGEST_LINE).map_or(line.len(), |(at, _)| begin + at);
    let (before, after) = (if from > 0 { "... " } else { "" }, if end < line.len() { " ..." } else { "" });
    let column = column - from + before.len();
    let width = width.min((LONGEST_LINE + before.len()).saturating_sub(column)).max(1);
    (format!("{before}{}{after}", &line[begin..end]), column, width)
}

/// Collects the mistakes of one piece of SQL after another.
#[derive(Default)]
pub struct Report {
    rendered: Vec<String>,
    /// Mistakes that are not shown.
    more: usize,
    /// The places and messages of all of them: a derived column may be checked for several inputs.
    seen: HashSet<(String, Span, String)>,
    /// Conditions that are likely mistakes.
    doubts: Vec<Doubt>,
}

impl Report {
    /// Adds the mistakes of one piece.
    pub fn add(&mut self, origin: &Origin, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            if !self.seen.insert((origin.place.clone(), diagnostic.span, diagnostic.message.clone())) {
                continue;
            }
            if self.rendered.len() < MOST_SHOWN {
                self.rendered.push(format!("error: {}", diagnostic.render(origin)));
            } else {
                self.more += 1;
            }
        }
    }

    /// Adds the mistakes of another report.
    pub fn append(&mut self, other: Self) {
        self.rendered.extend(other.rendered);
        self.seen.extend(other.seen);
        self.more += other.more;
    }

    /// Adds doubts about one piece, each once.
    pub fn add_doubts(&mut self, origin: &Origin, found: impl IntoIterator<Item = FoundDoubt>) {
        for found in found {
            if self.seen.insert((origin.place.clone(), found.span, found.message.clone())) {
                let is_shown = self.doubts.len() < MOST_SHOWN;
                let doubt = if is_shown { Doubt::new(origin, found) } else { Doubt::in_short(origin, found) };
                self.doubts.push(doubt);
            }
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rendered.is_empty()
    }

    /// Adds a mistake that has no text to underline.
    pub fn add_plain(&mut self, message: impl Into<String>) {
        self.rendered.push(format!("error: {}", message.into()));
    }

    /// The error that reports them all, or the doubts.
    pub fn into_result(self) -> crate::error::Result<Vec<Doubt>> {
        let more = if self.more > 0 { format!("\n\nand {} more", self.more) } else { String::new() };
        match self.rendered.len() + self.more {
            0 => Ok(self.doubts),
            1 => Err(Error::mistakes(strip_prefix(&self.rendered[0]).to_owned())),
            n => Err(Error::mistakes(format!("{n} mistakes in the rules\n\n{}{more}", self.rendered.join("\n\n")))),
        }
    }
}

fn strip_prefix(rendered: &str) -> &str {
    rendered.strip_prefix("error: ").unwrap_or(rendered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn underlines_the_place_in_the_right_line() {
        let origin = Origin::without_file("rule \"a\"", "x.toml:3", "l.é = r.a\n and l.b = r.c");
        let shown = Diagnostic::new(Span { start: 16, end: 19 }, "unknown column").with_help("try `d`").render(&origin);
        assert_eq!(
            shown,
            "unknown column\n --> rule \"a\", x.toml:3\n  |\n2 |  and l.b = r.c\n  |      ^^^\n  = help: try `d`"
        );
    }

    #[test]
    fn of_a_long_line_the_part_around_the_place_is_shown() {
        let (before, after) = ("é or ".repeat(10_000), " or x".repeat(10_000));
        let origin = Origin::without_file("rule", "x.toml:1", &format!("{before}here{after}"));
        let start = before.len();
        let shown = Diagnostic::new(Span { start, end: start + 4 }, "no").render(&origin);
        let lines: Vec<&str> = shown.lines().collect();
        let (left, right) = ("é or ".repeat(10), " or x".repeat(100));
        let line = format!("... {left}here{right}").chars().take(4 + LONGEST_LINE).collect::<String>();
        assert_eq!(lines[3], format!("1 | {line} ..."));
        assert_eq!(lines[4], format!("  | {}^^^^", " ".repeat(4 + LONGEST_LINE / 4)));
    }

    #[test]
    fn names_and_texts_are_shown_in_a_line_each() {
        let origin = Origin::without_file("rule \"a\u{1b}[31m\n\"", "x\r.toml:3", "\tl.\u{202e}b = r.c\r");
        let shown = Diagnostic::new(Span { start: 8, end: 9 }, "no\ncolumn").with_help("try `d\u{7}`").render(&origin);
        assert_eq!(
            shown,
            "no\\ncolumn\n --> rule \"a\\u{1b}[31m\\n\", x\\r.toml:3\n  |\n1 |  l.\\u{202e}b = r.c\n  |              ^\n  \
             = help: try `d\\u{7}`"
        );
    }
}
