//! Cuts the text of a program into lexemes, with their places in bytes.

use crate::expr::Span;
use crate::rules::Diagnostic;

/// A lexeme and its place.
#[derive(Clone, Debug)]
pub(super) struct ProgramLexeme {
    pub kind: LexemeKind,
    pub span: Span,
}

/// What a lexeme is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LexemeKind {
    /// A name, or `_`.
    Word(String),
    Number(i64),
    Text(String),
    /// `.decl` and the like, without the point.
    Directive(String),
    Sign(&'static str),
    /// What could not be read; the mistake is reported.
    Wrong,
    End,
}

/// The directives that there are.
pub(super) const DIRECTIVES: [&str; 3] = ["decl", "input", "output"];

/// Signs, longer ones first.
const SIGNS: [&str; 23] = [
    ":-", "!=", "<=", ">=", "(", ")", "{", "}", ",", ".", ":", "!", "=", "<", ">", ";", "+", "-", "*", "/", "[", "]",
    "|",
];

/// The lexemes of a text, the last of them its end, and the mistakes in it.
pub(super) fn lexemes(text: &str) -> (Vec<ProgramLexeme>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, lexemes: Vec::new(), mistakes: Vec::new() };
    while lexer.step() {}
    let span = Span { start: text.trim_end().len(), end: text.trim_end().len() };
    lexer.lexemes.push(ProgramLexeme { kind: LexemeKind::End, span });
    (lexer.lexemes, lexer.mistakes)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    lexemes: Vec<ProgramLexeme>,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes the next lexeme, comment or white space; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        match first {
            _ if first.is_whitespace() || first == '\u{feff}' => self.at += first.len_utf8(),
            _ if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => self.comment(),
            '"' => self.text_constant(),
            '.' if self.is_directive() => {
                let length = 1 + word_length(&rest[1..]);
                self.push(length, LexemeKind::Directive(rest[1..length].to_owned()));
            }
            _ if is_word_start(first) => {
                let length = word_length(rest);
                self.push(length, LexemeKind::Word(rest[..length].to_owned()));
            }
            _ if first.is_ascii_digit() || first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                self.number();
            }
            _ => self.sign(first),
        }
        true
    }

    fn push(&mut self, length: usize, kind: LexemeKind) {
        let span = Span { start: self.at, end: self.at + length };
        self.at += length;
        self.lexemes.push(ProgramLexeme { kind, span });
    }

    fn wrong(&mut self, length: usize, message: impl Into<String>, help: &str) {
        let span = Span { start: self.at, end: self.at + length };
        let mistake = Diagnostic::new(span, message);
        self.mistakes.push(if help.is_empty() { mistake } else { mistake.with_help(help) });
        self.push(length, LexemeKind::Wrong);
    }

    /// A point with a word directly after it is the end of a rule too, where rules follow each other without a blank.
    fn is_directive(&self) -> bool {
        let rest = &self.rest()[1..];
        let word = &rest[..word_length(rest)];
        let begins_line = self.text[..self.at].trim_end_matches([' ', '\t']).ends_with('\n')
            || self.text[..self.at].trim().is_empty();
        !word.is_empty() && (begins_line || DIRECTIVES.contains(&word))
    }

    fn comment(&mut self) {
        match self.rest().find("*/") {
            Some(length) => self.at += length + 2,
            None => {
                let mistake = Diagnostic::new(Span { start: self.at, end: self.at + 2 }, "the comment has no end");
                self.mistakes.push(mistake.with_help("end it with `*/`"));
                self.at = self.text.len();
            }
        }
    }

    fn number(&mut self) {
        let rest = self.rest();
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |at| at + 1);
        let more = word_length_any(&rest[digits..]);
        if more > 0 || has_fraction(&rest[digits..]) {
            let length = digits + more.max(1 + digits_length(rest.get(digits + 1..).unwrap_or("")));
            let length = if more > 0 { digits + more } else { length };
            return self.wrong(length, format!("`{}` is not a number", &rest[..length]), WHOLE_NUMBERS);
        }
        match rest[..digits].parse() {
            Ok(number) => self.push(digits, LexemeKind::Number(number)),
            Err(_) => self.wrong(digits, format!("the number {} is too large", &rest[..digits]), WHOLE_NUMBERS),
        }
    }

    fn text_constant(&mut self) {
        let rest = self.rest();
        let (mut value, mut characters) = (String::new(), rest.char_indices().skip(1));
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => return self.push(at + 1, LexemeKind::Text(value)),
                '\n' => break,
                '\\' => match characters.next().map(|(_, c)| c) {
                    Some(c @ ('"' | '\\')) => value.push(c),
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('r') => value.push('\r'),
                    Some(c) if c != '\n' => return self.bad_escape(at, c),
                    _ => break,
                },
                c => value.push(c),
            }
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        self.wrong(length, "the text has no end", "end it with `\"` in the same line");
    }

    /// A text with an escape that means nothing: only this is underlined, and the text is passed over.
    fn bad_escape(&mut self, at: usize, c: char) {
        let start = self.at + at;
        let mistake = Diagnostic::new(Span { start, end: start + 1 + c.len_utf8() }, format!("unknown escape `\\{c}`"));
        self.mistakes.push(mistake.with_help("there are `\\\"`, `\\\\`, `\\n`, `\\t` and `\\r`"));
        let rest = self.rest();
        let end = rest[at + 1 + c.len_utf8()..].find(['"', '\n']).map(|found| found + at + 1 + c.len_utf8());
        let length = end.map_or(rest.len(), |end| if rest[end..].starts_with('"') { end + 1 } else { end });
        self.push(length, LexemeKind::Wrong);
    }

    fn sign(&mut self, first: char) {
        match SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
            Some(sign) => self.push(sign.len(), LexemeKind::Sign(sign)),
            None if first == '\'' => self.wrong(1, "unexpected `'`", "texts are in double quotes, as in \"a text\""),
            None => self.wrong(first.len_utf8(), format!("unexpected `{first}`"), ""),
        }
    }
}

const WHOLE_NUMBERS: &str = "numbers are whole and have 64 bits; other values are symbols, in double quotes";

fn has_fraction(rest: &str) -> bool {
    rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit())
}

fn digits_length(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Bytes of the name that a text begins with.
fn word_length(rest: &str) -> usize {
    if rest.starts_with(is_word_start) { word_length_any(rest) } else { 0 }
}

fn word_length_any(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<LexemeKind> {
        let (lexemes, mistakes) = lexemes(text);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        lexemes.into_iter().map(|lexeme| lexeme.kind).collect()
    }

    #[test]
    fn words_numbers_texts_and_signs() {
        use LexemeKind::*;
        let word = |text: &str| Word(text.to_owned());
        let found = kinds("a(_,-7):-b(\"x \\\"y\\\"\\n\"),x!=3.c(x)./* . */ // end\n.decl d");
        let expected = [
            word("a"),
            Sign("("),
            word("_"),
            Sign(","),
            Number(-7),
            Sign(")"),
            Sign(":-"),
            word("b"),
            Sign("("),
            Text("x \"y\"\n".into()),
            Sign(")"),
            Sign(","),
            word("x"),
            Sign("!="),
            Number(3),
            Sign("."),
            word("c"),
            Sign("("),
            word("x"),
            Sign(")"),
            Sign("."),
            Directive("decl".into()),
            word("d"),
            End,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn mistakes_have_their_places() {
        for (text, place, message) in [
            ("a(é)", "é", "unexpected `é`"),
            ("a('b')", "'", "unexpected `'`"),
            ("a(\"b)", "\"b)", "the text has no end"),
            ("a(\"b\\q\")", "\\q", "unknown escape `\\q`"),
            ("a(1.5)", "1.5", "`1.5` is not a number"),
            ("a(0x1f)", "0x1f", "`0x1f` is not a number"),
            ("a(9223372036854775808)", "9223372036854775808", "the number 9223372036854775808 is too large"),
            ("a(x) /* b", "/*", "the comment has no end"),
        ] {
            let (_, mistakes) = lexemes(text);
            let span = mistakes[0].span;
            assert_eq!((&text[span.start..span.end], mistakes[0].message.as_str()), (place, message));
        }
    }
}
