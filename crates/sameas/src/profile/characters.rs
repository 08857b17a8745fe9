//! The characters of a text, counted in one pass, and the pattern that they form.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

/// Longer texts have no pattern that helps anybody.
const LONGEST_PATTERN: u64 = 40;

/// Letters of a run that a pattern shows at most: four stand for four or more.
const LETTERS_SHOWN: usize = 4;

/// What a text is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Characters {
    /// All of them.
    pub all: u64,
    /// Digits from 0 to 9.
    pub digits: u64,
    /// Letters that have a small form.
    pub upper: u64,
    /// Other letters that have a capital form.
    pub lower: u64,
    /// Letters of scripts without case, and marks.
    pub other_letters: u64,
    /// White space.
    pub blanks: u64,
    /// What stands between the words of a name: `.`, `-`, `'`, `,`, `&`.
    pub between_words: u64,
    /// Words: what white space separates.
    pub words: u64,
    /// White space at the beginning or the end.
    pub is_padded: bool,
    /// Nothing but ASCII.
    pub is_ascii: bool,
}

impl Characters {
    /// Counts those of a text.
    pub fn of(text: &str) -> Self {
        let mut found = Self { is_ascii: text.is_ascii(), ..Self::default() };
        let (mut in_word, mut first) = (false, true);
        for c in text.chars() {
            let is_blank = found.count(c);
            found.words += u64::from(!is_blank && !in_word);
            found.is_padded |= first && is_blank;
            (in_word, first) = (!is_blank, false);
        }
        found.is_padded |= !in_word && !first;
        found
    }

    /// Counts a character; says whether it is white space.
    #[inline]
    fn count(&mut self, c: char) -> bool {
        self.all += 1;
        match c {
            '0'..='9' => self.digits += 1,
            'a'..='z' => self.lower += 1,
            'A'..='Z' => self.upper += 1,
            '.' | '-' | '\'' | ',' | '&' => self.between_words += 1,
            _ if c.is_whitespace() => self.blanks += 1,
            _ if c.is_ascii() => {}
            _ if c.is_lowercase() => self.lower += 1,
            _ if c.is_uppercase() => self.upper += 1,
            _ if c.is_alphabetic() || is_mark(c) => self.other_letters += 1,
            _ => {}
        }
        c.is_whitespace()
    }

    /// All letters.
    pub fn letters(&self) -> u64 {
        self.upper + self.lower + self.other_letters
    }

    /// Nothing but letters, blanks and what stands between words.
    pub fn are_words(&self) -> bool {
        self.letters() > 0 && self.letters() + self.blanks + self.between_words == self.all
    }

    /// Nothing but white space.
    pub fn are_blank(&self) -> bool {
        self.blanks == self.all
    }

    /// Whether the text is short enough for a pattern.
    pub fn have_pattern(&self) -> bool {
        self.all <= LONGEST_PATTERN
    }
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The pattern of a text: `9` for a digit, `A` for a capital letter, `a` for another one, and all else as it is. Four
/// letters of a run stand for four or more, whatever the case of those that follow.
pub fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    each_symbol(text, |symbol| pattern.push(symbol));
    pattern
}

/// A hash of the pattern, without writing it.
pub fn pattern_hash(text: &str) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    each_symbol(text, |symbol| hasher.write_u32(u32::from(symbol)));
    hasher.finish()
}

fn each_symbol(text: &str, mut symbol: impl FnMut(char)) {
    let mut letters = 0;
    for c in text.chars() {
        let is_letter = c.is_alphabetic() || !c.is_ascii() && is_mark(c);
        letters = if is_letter { letters + 1 } else { 0 };
        match c {
            '0'..='9' => symbol('9'),
            _ if is_letter && letters > LETTERS_SHOWN => {}
            _ if is_letter && c.is_uppercase() => symbol('A'),
            _ if is_letter => symbol('a'),
            other => symbol(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_show_what_repeats() {
        let patterns = [("37245", "99999"), ("Ann Müller-Lüdenscheidt", "Aaa Aaaa-Aaaa"), ("DE14 6FT", "AA99 9AA")];
        for (text, shown) in patterns {
            assert_eq!(pattern(text), shown);
        }
        assert_eq!(pattern_hash("Smith"), pattern_hash("Jones"));
        assert_ne!(pattern_hash("Smith"), pattern_hash("SMITH"));
    }

    #[test]
    fn characters_are_counted() {
        let found = Characters::of(" Élan 12 ");
        assert_eq!((found.all, found.digits, found.upper, found.lower, found.words), (9, 2, 1, 3, 2));
        assert!(found.is_padded && !found.is_ascii && !Characters::of("a b").is_padded);
        assert!(Characters::of(" \t").are_blank() && Characters::of("O'Neill-Smith, Jr.").are_words());
        assert!(!Characters::of("Room 9").are_words() && !Characters::of("-").are_words());
    }
}
