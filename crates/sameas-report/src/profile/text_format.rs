//! What one text is: a date, a number, an address, words; whether it stands for a missing value; whether it was garbled.

use super::characters::Characters;
use super::dates::{self, DateForm, DayOrMonth};
use crate::expr::parse_date;

/// What a text is, before the whole column is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueClass {
    /// `2024-05-31`, maybe with a time.
    IsoDate,
    /// `20240531`, which may be a date if the others are, too.
    CompactDate,
    /// Another date.
    Date(DateForm, DayOrMonth),
    /// Digits alone.
    Digits,
    /// Another number.
    Number,
    /// A number with a decimal comma.
    DecimalComma,
    /// An e-mail address.
    Email,
    /// Digits with signs between them.
    Phone,
    /// Letters.
    Words,
    /// Anything else.
    Other,
}

/// The class of a text.
pub fn class_of(text: &str, found: &Characters) -> ValueClass {
    if found.digits == 0 {
        return if is_email(text) {
            ValueClass::Email
        } else if found.are_words() {
            ValueClass::Words
        } else {
            ValueClass::Other
        };
    }
    let text = text.trim();
    if found.digits == found.all {
        return if dates::is_compact_date(text) { ValueClass::CompactDate } else { ValueClass::Digits };
    }
    if dates::is_written_as_iso(text) {
        // What rules do not read, such as 2024-02-30, is no date.
        return if parse_date(text).is_some() { ValueClass::IsoDate } else { ValueClass::Other };
    }
    if let Some((form, numbers)) = dates::date_form(text) {
        return ValueClass::Date(form, numbers);
    }
    match found.letters() {
        _ if is_email(text) => ValueClass::Email,
        0 if is_number(text) => ValueClass::Number,
        0 if has_decimal_comma(text) => ValueClass::DecimalComma,
        0 if is_phone(text, found) => ValueClass::Phone,
        _ => ValueClass::Other,
    }
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let is_part = |part: &str| !part.is_empty() && !part.contains(|c: char| c == '@' || c.is_whitespace());
    is_part(name) && is_part(host) && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
}

/// Digits with a sign and a point at most.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    !(whole.is_empty() && part.is_empty()) && are_digits(whole) && are_digits(part)
}

/// `12,5` or `1.234,56`. `1,234` is one thousand and more in as many files, so it is neither.
fn has_decimal_comma(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let Some((whole, part)) = text.split_once(',') else { return false };
    let mut groups = whole.split('.');
    let first = groups.next().unwrap_or_default();
    let grouped = whole.contains('.');
    let whole_is_number =
        are_digits(first) && !first.is_empty() && groups.all(|group| group.len() == 3 && are_digits(group));
    whole_is_number && !part.is_empty() && are_digits(part) && (part.len() != 3 || grouped)
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_phone(text: &str, found: &Characters) -> bool {
    let sign = |c: char| matches!(c, ' ' | '-' | '/' | '.' | '(' | ')' | '+');
    (7..=15).contains(&found.digits) && text.chars().all(|c| c.is_ascii_digit() || sign(c))
}

/// What people write where there is no value, in small letters.
const MISSING: [&str; 36] = [
    "null",
    "(null)",
    "<null>",
    "none",
    "nil",
    "nan",
    "#n/a",
    "n/a",
    "na",
    "n.a.",
    "n.a",
    "<na>",
    "-",
    "--",
    "---",
    ".",
    "..",
    "...",
    "?",
    "??",
    "???",
    "unknown",
    "unk",
    "unbekannt",
    "inconnu",
    "desconocido",
    "missing",
    "undefined",
    "not available",
    "not applicable",
    "not known",
    "keine angabe",
    "k.a.",
    "no data",
    "empty",
    "0000-00-00",
];

/// The longest of them.
const LONGEST_MISSING: usize = 14;

const FIRST_OF_MISSING: [char; 21] =
    ['n', 'N', '(', '<', '#', '-', '.', '?', 'u', 'U', 'i', 'I', 'd', 'D', 'm', 'M', 'k', 'K', 'e', 'E', '0'];

/// Whether a text looks as if it stood for a missing value.
pub fn is_missing_like(text: &str) -> bool {
    let text = text.trim();
    // Nearly all texts are none of these, as their first character shows.
    let may_be = text.len() <= LONGEST_MISSING && text.starts_with(FIRST_OF_MISSING);
    may_be && MISSING.iter().any(|missing| missing.eq_ignore_ascii_case(text))
}

/// Whether a text shows that its bytes were read in a wrong encoding: UTF-8 taken for Latin-1 (`Ã¼` for `ü`), a
/// replacement character, or controls that Latin-1 has where Windows-1252 has letters.
pub fn is_garbled(text: &str) -> bool {
    let mut last = ' ';
    for c in text.chars() {
        let pair = match last {
            'Ã' | 'Â' => is_continuation(c),
            'â' => matches!(c, '€' | '\u{80}' | '‚' | '\u{82}'),
            _ => false,
        };
        if pair || c == '\u{fffd}' || ('\u{80}'..'\u{a0}').contains(&c) {
            return true;
        }
        last = c;
    }
    false
}

/// What the second byte of a letter becomes: a sign of Latin-1 or of the part that Windows-1252 adds.
fn is_continuation(c: char) -> bool {
    ('\u{80}'..='\u{bf}').contains(&c) || WINDOWS.contains(&c)
}

/// The signs of Windows-1252 from byte 80 on; where it has none, the control that Latin-1 has.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text with every part whose UTF-8 was taken for Latin-1 or Windows-1252 set right, if there is such a part.
pub fn repaired(text: &str) -> Option<String> {
    let (mut out, mut part) = (String::new(), String::new());
    for c in text.chars().chain(['\0']) {
        if c.is_ascii() {
            out += &decoded(&part).unwrap_or_else(|| part.clone());
            part.clear();
            out.push(c);
        } else {
            part.push(c);
        }
    }
    out.pop();
    (out != text).then_some(out)
}

/// What the bytes that became these signs are as UTF-8.
fn decoded(signs: &str) -> Option<String> {
    let byte = |c: char| match WINDOWS.iter().position(|sign| *sign == c) {
        Some(place) => Some(0x80 + place as u8),
        None => u8::try_from(u32::from(c)).ok(),
    };
    let bytes: Option<Vec<u8>> = signs.chars().map(byte).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> ValueClass {
        class_of(text, &Characters::scan(text))
    }

    #[test]
    fn texts_have_a_class() {
        use ValueClass::*;
        let cases = [
            ("2024-05-31", IsoDate),
            ("2024-05-31T10:00", IsoDate),
            ("2024-02-30", Other),
            ("2024-05-311", Other),
            ("19570603", CompactDate),
            ("99999999", Digits),
            ("02134", Digits),
            ("-3.5", Number),
            ("1.234,56", DecimalComma),
            ("12,5", DecimalComma),
            ("1,234", Other),
            ("ann@example.org", Email),
            ("a9@b.co", Email),
            ("ann@", Other),
            ("+49 (0)30 123456", Phone),
            ("523-343-9623", Phone),
            ("Ann Smith", Words),
            ("40 Second Way", Other),
            ("-", Other),
        ];
        for (text, expected) in cases {
            assert_eq!(class(text), expected, "{text}");
        }
        assert!(matches!(class("31.12.1999"), Date(..)));
    }

    #[test]
    fn what_stands_for_a_missing_value() {
        assert!(["NULL", "n/a", " - ", "Unknown", "?"].iter().all(|text| is_missing_like(text)));
        assert!(!["Nullmann", "0", "Nana", "A-"].iter().any(|text| is_missing_like(text)));
        assert!(MISSING.iter().all(|text| is_missing_like(text) && is_missing_like(&text.to_uppercase())));
    }

    #[test]
    fn texts_that_were_read_in_a_wrong_encoding() {
        for (text, right) in
            [("MÃ¼ller", "Müller"), ("FranÃ§ois", "François"), ("itâ€™s", "it’s"), ("JÃ¼rgen Groß", "Jürgen Groß")]
        {
            assert!(is_garbled(text), "{text}");
            assert_eq!(repaired(text).as_deref(), Some(right));
        }
        assert!(is_garbled("M\u{fffd}ller") && repaired("M\u{fffd}ller").is_none());
        assert!(is_garbled("\u{93}Hi\u{94}"));
        assert!(!["Müller", "Ângela", "SÃO PAULO", "âge", "Ünal"].iter().any(|text| is_garbled(text)));
    }
}
