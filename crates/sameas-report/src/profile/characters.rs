//! The characters of a text, counted in one pass, and the pattern that they form.

use std::hash::BuildHasher;

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
    pub fn scan(text: &str) -> Self {
        if text.is_ascii() { Self::of_ascii(text.as_bytes()) } else { Self::of_any(text) }
    }

    /// The same for ASCII, without a branch for each character: all counters are in one number, eight bits each.
    fn of_ascii(text: &[u8]) -> Self {
        let mut counts = [0_u64; COUNTERS];
        let (mut words, mut was_blank) = (0, true);
        for some in text.chunks(usize::from(u8::MAX)) {
            let mut packed = 0_u64;
            for byte in some {
                let one = COUNTER_OF[usize::from(*byte & 0x7f)];
                let is_blank = one == 1 << (8 * BLANK);
                packed += one;
                words += u64::from(was_blank & !is_blank);
                was_blank = is_blank;
            }
            counts.iter_mut().enumerate().for_each(|(at, count)| *count += packed >> (8 * at) & 0xff);
        }
        let is_blank = |byte: Option<&u8>| byte.is_some_and(|byte| char::from(*byte).is_whitespace());
        Self {
            all: text.len() as u64,
            digits: counts[DIGIT],
            upper: counts[UPPER],
            lower: counts[LOWER],
            other_letters: 0,
            blanks: counts[BLANK],
            between_words: counts[BETWEEN_WORDS],
            words,
            is_padded: is_blank(text.first()) || is_blank(text.last()),
            is_ascii: true,
        }
    }

    fn of_any(text: &str) -> Self {
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

/// The counters of ASCII characters.
const COUNTERS: usize = 6;
const OTHER: usize = 0;
const DIGIT: usize = 1;
const UPPER: usize = 2;
const LOWER: usize = 3;
const BLANK: usize = 4;
const BETWEEN_WORDS: usize = 5;

/// For each ASCII character a one in the place of its counter.
const COUNTER_OF: [u64; 128] = {
    let mut one = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let counter = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'\t'..=b'\r' | b' ' => BLANK,
            b'.' | b'-' | b'\'' | b',' | b'&' => BETWEEN_WORDS,
            _ => OTHER,
        };
        one[byte] = 1 << (8 * counter);
        byte += 1;
    }
    one
};

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

/// A hash of the pattern; `scratch` is overwritten.
pub fn pattern_hash(text: &str, scratch: &mut Vec<u8>) -> u64 {
    scratch.clear();
    if text.is_ascii() {
        each_ascii_symbol(text.as_bytes(), |symbol| scratch.push(symbol));
    } else {
        each_symbol(text, |symbol| scratch.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes()));
    }
    FixedState::default().hash_one(&scratch[..])
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

fn each_ascii_symbol(text: &[u8], mut symbol: impl FnMut(u8)) {
    let mut letters = 0;
    for byte in text {
        letters = if byte.is_ascii_alphabetic() { letters + 1 } else { 0 };
        match byte {
            b'0'..=b'9' => symbol(b'9'),
            b'A'..=b'Z' | b'a'..=b'z' if letters > LETTERS_SHOWN => {}
            b'A'..=b'Z' => symbol(b'A'),
            b'a'..=b'z' => symbol(b'a'),
            other => symbol(*other),
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
        let hash = |text: &str| pattern_hash(text, &mut Vec::new());
        assert_eq!(hash("Smith"), hash("Jones"));
        assert_eq!(hash("Miller-9"), hash("Müller-1"));
        assert_ne!(hash("Smith"), hash("SMITH"));
    }

    #[test]
    fn ascii_has_the_same_counts_and_symbols_as_any_text() {
        let all: String = (0..128_u8).map(char::from).collect();
        let long = format!(" {}x", "Ab 9-".repeat(300));
        for text in ["", " ", "a", "\x0b", "a b", " a", "Bc9 ", "x--y", "\x1c\x1f", &all, &long, &all.repeat(5)] {
            assert_eq!(Characters::of_ascii(text.as_bytes()), Characters::of_any(text), "{text:?}");
            let mut symbols = Vec::new();
            each_ascii_symbol(text.as_bytes(), |symbol| symbols.push(symbol));
            assert_eq!(symbols, pattern(text).as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn characters_are_counted() {
        let found = Characters::scan(" Élan 12 ");
        assert_eq!((found.all, found.digits, found.upper, found.lower, found.words), (9, 2, 1, 3, 2));
        assert!(found.is_padded && !found.is_ascii && !Characters::scan("a b").is_padded);
        assert!(Characters::scan(" \t").are_blank() && Characters::scan("O'Neill-Smith, Jr.").are_words());
        assert!(!Characters::scan("Room 9").are_words() && !Characters::scan("-").are_words());
    }
}
