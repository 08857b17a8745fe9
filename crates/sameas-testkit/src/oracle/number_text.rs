//! Numbers as people write them.

/// The number with a point and without marks between its digits, if it is a number with this decimal mark.
pub fn plain(text: &str, mark: char) -> Option<String> {
    let mut chars: Vec<char> = text.trim().chars().collect();
    let negative = matches!(chars.first(), Some('-' | '\u{2212}'));
    if matches!(chars.first(), Some('-' | '+' | '\u{2212}')) {
        chars.remove(0);
    }
    let mantissa: Vec<char> = chars.iter().copied().take_while(|c| !matches!(c, 'e' | 'E')).collect();
    let exponent: String = chars[mantissa.len()..].iter().collect();
    let whole: Vec<char> = mantissa.iter().copied().take_while(|c| *c != mark).collect();
    let fraction: String = mantissa.iter().skip(whole.len() + 1).collect();
    let digits = ungrouped(&whole, mark)?;
    if !fraction.chars().all(|c| c.is_ascii_digit()) || digits.is_empty() && fraction.is_empty() {
        return None;
    }
    let point = if mantissa.len() > whole.len() { "." } else { "" };
    Some(format!("{}{digits}{point}{fraction}{exponent}", if negative { "-" } else { "" }))
}

/// The digits of a whole number. From its end, every fourth place is a mark, always the same, or no place is.
fn ungrouped(whole: &[char], mark: char) -> Option<String> {
    if whole.iter().all(char::is_ascii_digit) {
        return Some(whole.iter().collect());
    }
    let between = [',', '.', ' ', '\'', '\u{2019}', '\u{a0}', '\u{2009}', '\u{202f}'];
    let used = *whole.iter().find(|c| between.contains(c) && **c != mark)?;
    let fits = |(place, c): (usize, &char)| if place % 4 == 3 { *c == used } else { c.is_ascii_digit() };
    let complete = whole.first().is_some_and(char::is_ascii_digit);
    (complete && whole.iter().rev().enumerate().all(fits)).then(|| whole.iter().filter(|c| **c != used).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_people() {
        for (text, mark, expected) in [
            ("1.234,56", ',', Some("1234.56")),
            ("12'345", '.', Some("12345")),
            (" -,5 ", ',', Some("-.5")),
            ("1,234", ',', Some("1.234")),
            ("1.23", ',', None),
            ("1.234.56", ',', None),
            ("1.234 567", ',', None),
            (".123", ',', None),
            ("x", ',', None),
        ] {
            assert_eq!(plain(text, mark).as_deref(), expected, "{text}");
        }
    }
}
