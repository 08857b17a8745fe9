//! Mistakes in a rule, shown with the place underlined; all of a file are reported at once.

use crate::error::{Error, printable};
use crate::expr::Span;

/// The most characters of a line that are shown.
const LONGEST_LINE: usize = 200;

/// The most mistakes that are shown.
const MOST_SHOWN: usize = 50;

/// Where a piece of SQL came from, for messages.
#[derive(Clone, Debug)]
pub struct Origin {
    /// What it is: `rule "same phone"`, `derive name`.
    pub what: String,
    /// Where it was written: `rules.toml:12`.
    pub place: String,
    /// The SQL text.
    pub text: String,
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
        let (number, line, column, width) = locate(&origin.text, self.span);
        let (line, column, width) = cut(&line, column, width);
        let gutter = " ".repeat(number.to_string().len());
        let [message, what, place] = [&self.message, &origin.what, &origin.place].map(|text| printable(text));
        let mut out = format!("{message}\n{gutter}--> {what}, {place}\n");
        out += &format!("{gutter} |\n{number} | {line}\n");
        out += &format!("{gutter} | {}{}", " ".repeat(column), "^".repeat(width));
        if let Some(help) = &self.help {
            out += &format!("\n{gutter} = help: {}", printable(help));
        }
        out
    }
}

/// Line number, the line as it is shown, the first column (in characters) and the width of what to underline.
fn locate(text: &str, span: Span) -> (usize, String, usize, usize) {
    let start = span.start.min(text.len());
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let stop = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let end = span.end.clamp(start, stop);
    let number = text[..start].matches('\n').count() + 1;
    let [before, marked, after] = [&text[begin..start], &text[start..end], text[end..stop].trim_end()].map(shown);
    let (column, width) = (before.chars().count(), marked.chars().count().max(1));
    (number, before + &marked + &after, column, width)
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
}

impl Report {
    /// Adds the mistakes of one piece.
    pub fn add(&mut self, origin: &Origin, diagnostics: &[Diagnostic]) {
        let shown = diagnostics.len().min(MOST_SHOWN.saturating_sub(self.rendered.len()));
        self.rendered.extend(diagnostics[..shown].iter().map(|d| format!("error: {}", d.render(origin))));
        self.more += diagnostics.len() - shown;
    }

    /// Adds a mistake that has no text to underline.
    pub fn add_plain(&mut self, message: impl Into<String>) {
        self.rendered.push(format!("error: {}", message.into()));
    }

    /// Whether there is no mistake yet.
    pub fn is_empty(&self) -> bool {
        self.rendered.is_empty()
    }

    /// The error that reports them all, or nothing.
    pub fn into_result(self) -> crate::error::Result<()> {
        let more = if self.more > 0 { format!("\n\nand {} more", self.more) } else { String::new() };
        match self.rendered.len() + self.more {
            0 => Ok(()),
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
        let origin =
            Origin { what: "rule \"a\"".into(), place: "x.toml:3".into(), text: "l.é = r.a\n and l.b = r.c".into() };
        let shown = Diagnostic::new(Span { start: 16, end: 19 }, "unknown column").with_help("try `d`").render(&origin);
        assert_eq!(
            shown,
            "unknown column\n --> rule \"a\", x.toml:3\n  |\n2 |  and l.b = r.c\n  |      ^^^\n  = help: try `d`"
        );
    }

    #[test]
    fn names_and_texts_are_shown_in_a_line_each() {
        let origin = Origin {
            what: "rule \"a\u{1b}[31m\n\"".into(),
            place: "x\r.toml:3".into(),
            text: "\tl.\u{202e}b = r.c\r".into(),
        };
        let shown = Diagnostic::new(Span { start: 8, end: 9 }, "no\ncolumn").with_help("try `d\u{7}`").render(&origin);
        assert_eq!(
            shown,
            "no\\ncolumn\n --> rule \"a\\u{1b}[31m\\n\", x\\r.toml:3\n  |\n1 |  l.\\u{202e}b = r.c\n  |              ^\n  \
             = help: try `d\\u{7}`"
        );
    }
}
