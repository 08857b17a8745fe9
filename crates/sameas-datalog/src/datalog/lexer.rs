//! Cuts the text of a program into lexemes, with their places in bytes, one after the other: a program may have millions of
//! facts, and its lexemes take many times as much memory as its text.

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

/// Bytes of a name at most, and of a text: what is longer was not written by anybody.
const LONGEST_WORD: usize = 1_000;
const LONGEST_TEXT: usize = 1 << 20;

/// After this many mistakes the rest of a program is not read: another kind of file may have one in each character.
pub(super) const MOST_MISTAKES: usize = 1_000;

/// Characters of a wrong number that are shown.
const SHOWN: usize = 40;

/// Reads a text from its beginning.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// The last lexeme, until [`Self::take`] hands it out.
    found: Option<ProgramLexeme>,
    /// Whether nothing but white space is before this place in its line.
    begins_line: bool,
    /// The mistakes so far.
    pub mistakes: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    /// Nothing is read yet.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, found: None, begins_line: true, mistakes: Vec::new() }
    }

    /// The next lexeme; the end again and again, once it is reached.
    pub fn take(&mut self) -> ProgramLexeme {
        while self.mistakes.len() < MOST_MISTAKES && self.step() {
            if let Some(lexeme) = self.found.take() {
                self.begins_line = false;
                return lexeme;
            }
        }
        let end = self.text.trim_end().len();
        ProgramLexeme { kind: LexemeKind::End, span: Span { start: end, end } }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes the next lexeme, comment or white space; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        match first {
            _ if first.is_whitespace() || first == '\u{feff}' => {
                self.begins_line |= first == '\n';
                self.at += first.len_utf8();
            }
            _ if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => self.comment(),
            '"' => self.text_constant(),
            '.' if self.is_directive() => {
                let length = 1 + word_length(&rest[1..]);
                self.word(length, LexemeKind::Directive(shortened(&rest[1..length], LONGEST_WORD)));
            }
            _ if is_word_start(first) => {
                let length = word_length(rest);
                self.word(length, LexemeKind::Word(shortened(&rest[..length], LONGEST_WORD)));
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
        self.found = Some(ProgramLexeme { kind, span });
    }

    /// A name, or a mistake if it is too long.
    fn word(&mut self, length: usize, kind: LexemeKind) {
        match length <= LONGEST_WORD {
            true => self.push(length, kind),
            false => self.wrong(length, format!("the name has more than {LONGEST_WORD} characters"), ""),
        }
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
        !word.is_empty() && (self.begins_line || DIRECTIVES.contains(&word))
    }

    fn comment(&mut self) {
        self.begins_line = false;
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
            let message = format!("`{}` is not a number", shortened(&rest[..length], SHOWN));
            return self.wrong(length, message, WHOLE_NUMBERS);
        }
        match rest[..digits].parse() {
            Ok(number) => self.push(digits, LexemeKind::Number(number)),
            Err(_) => {
                let message = format!("the number {} is too large", shortened(&rest[..digits], SHOWN));
                self.wrong(digits, message, WHOLE_NUMBERS);
            }
        }
    }

    fn text_constant(&mut self) {
        let rest = self.rest();
        let (mut value, mut characters) = (String::new(), rest.char_indices().skip(1));
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => return self.push(at + 1, LexemeKind::Text(value)),
                _ if value.len() > LONGEST_TEXT => return self.long_text(at),
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

    /// A text that is too long: it is underlined, and passed over to its end.
    fn long_text(&mut self, at: usize) {
        let rest = self.rest();
        let end = rest[at..].find(['"', '\n']).map_or(rest.len(), |found| at + found);
        let length = if rest[end..].starts_with('"') { end + 1 } else { end };
        let help = "read such values from a file, with `.input`";
        self.wrong(length, format!("the text has more than {LONGEST_TEXT} bytes"), help);
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

/// The beginning of a text of ASCII characters.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most { text.to_owned() } else { format!("{}...", &text[..most]) }
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

    /// All lexemes of a text, the last of them its end, and the mistakes in it.
    fn lexemes(text: &str) -> (Vec<LexemeKind>, Vec<Diagnostic>) {
        let (mut lexer, mut kinds) = (Lexer::new(text), Vec::new());
        while kinds.last() != Some(&LexemeKind::End) {
            kinds.push(lexer.take().kind);
        }
        (kinds, lexer.mistakes)
    }

    fn kinds(text: &str) -> Vec<LexemeKind> {
        let (kinds, mistakes) = lexemes(text);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        kinds
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

    #[test]
    fn directives_begin_a_line() {
        let directive = |name: &str| LexemeKind::Directive(name.to_owned());
        assert_eq!(kinds(" \n\t.new")[0], directive("new"));
        assert_eq!(kinds(".new")[0], directive("new"));
        assert_eq!(kinds("/* x */ .new")[0], LexemeKind::Sign("."));
        assert_eq!(kinds("/* x */ .decl")[0], directive("decl"));
        assert_eq!(kinds("a.new")[1], LexemeKind::Sign("."));
    }

    #[test]
    fn what_is_too_long_is_not_kept() {
        let said = |text: &str| lexemes(text).1.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>();
        assert_eq!(said(&"a".repeat(1_001)), ["the name has more than 1000 characters"]);
        assert_eq!(said(&format!("a(\"{}\").", "x".repeat(2 << 20))), ["the text has more than 1048576 bytes"]);
        let digits = "9".repeat(100);
        assert_eq!(said(&digits), [format!("the number {}... is too large", &digits[..40])]);
        assert_eq!(said(&"\0".repeat(1 << 20)).len(), MOST_MISTAKES, "the rest is not read");
    }
}
