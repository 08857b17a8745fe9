//! Text functions, over characters.

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// The characters at the 1-based places `from <= place < to`.
fn window(text: &str, from: i64, to: i64) -> String {
    text.chars().zip(1_i64..).filter(|(_, place)| (from..to).contains(place)).map(|(c, _)| c).collect()
}

/// `substr(text, start[, length])`: places count from 1, negative ones from the end; a negative length is null.
pub fn substr(text: &str, start: i64, length: Option<i64>) -> Option<String> {
    let start = if start < 0 { text.chars().count() as i64 + 1 + start } else { start };
    match length {
        Some(length) if length < 0 => None,
        Some(length) => Some(window(text, start, start.saturating_add(length))),
        None => Some(window(text, start, i64::MAX)),
    }
}

/// `left(text, n)`
pub fn left(text: &str, n: i64) -> String {
    let length = text.chars().count() as i64;
    window(text, 1, 1 + if n < 0 { length + n } else { n.min(length) })
}

/// `right(text, n)`
pub fn right(text: &str, n: i64) -> String {
    let length = text.chars().count() as i64;
    window(text, if n < 0 { n.saturating_neg().saturating_add(1) } else { length - n.min(length) + 1 }, i64::MAX)
}

/// Removes characters that `drop` wants removed, at the start, at the end or at both.
pub fn trim(text: &str, drop: &dyn Fn(char) -> bool, start: bool, end: bool) -> String {
    let mut chars = chars(text);
    while end && chars.last().is_some_and(|c| drop(*c)) {
        chars.pop();
    }
    while start && chars.first().is_some_and(|c| drop(*c)) {
        chars.remove(0);
    }
    chars.into_iter().collect()
}

/// `replace(text, from, to)`; an empty `from` changes nothing.
pub fn replace(text: &str, from: &str, to: &str) -> String {
    if from.is_empty() { text.to_owned() } else { text.split(from).collect::<Vec<_>>().join(to) }
}

/// `split_part(text, separator, n)`
pub fn split_part(text: &str, separator: &str, n: i64) -> String {
    let mut parts: Vec<&str> = if separator.is_empty() { vec![text] } else { text.split(separator).collect() };
    if n < 0 {
        parts.reverse();
    }
    let place = n.unsigned_abs() as usize;
    if place == 0 { String::new() } else { parts.get(place - 1).copied().unwrap_or("").to_owned() }
}

/// `text like pattern`: `%` is anything, `_` one character, what follows `escape` is itself.
pub fn like(text: &[char], pattern: &[char], escape: Option<char>) -> bool {
    match pattern {
        [] => text.is_empty(),
        [first, literal, rest @ ..] if Some(*first) == escape => {
            text.first() == Some(literal) && like(&text[1..], rest, escape)
        }
        ['%', rest @ ..] => (0..=text.len()).any(|skipped| like(&text[skipped..], rest, escape)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest, escape),
        [first, rest @ ..] => text.first() == Some(first) && like(&text[1..], rest, escape),
    }
}

/// `strip_punctuation(text)`
pub fn strip_punctuation(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).collect()
}

/// `collapse_spaces(text)`
pub fn collapse_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `digits(text)`
pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        let substr = |start, length| substr("abc", start, length).unwrap();
        assert_eq!(substr(0, Some(2)), "a");
        assert_eq!(substr(-5, Some(3)), "a");
        assert_eq!(substr(-2, None), "bc");
        assert_eq!(substr(2, Some(9)), "bc");
        assert_eq!(super::substr("abc", 1, Some(-1)), None);
        assert_eq!((left("äbc", 2), left("äbc", -1), left("äbc", -5)), ("äb".into(), "äb".into(), String::new()));
        assert_eq!((right("äbc", 2), right("äbc", -1), right("äbc", 9)), ("bc".into(), "bc".into(), "äbc".into()));
    }

    #[test]
    fn parts() {
        assert_eq!(split_part("a-b-c", "-", 2), "b");
        assert_eq!(split_part("a-b-c", "-", -1), "c");
        assert_eq!(split_part("a-b-c", "-", 0), "");
        assert_eq!(split_part("a-b-c", "-", 4), "");
        assert_eq!(split_part("abc", "", 1), "abc");
    }

    #[test]
    fn patterns() {
        let like = |text: &str, pattern: &str, escape| like(&chars(text), &chars(pattern), escape);
        assert!(like("abc", "a%", None) && like("abc", "_b_", None) && like("", "%", None));
        assert!(!like("abc", "a_", None) && !like("abc", "", None));
        assert!(like("a%c", "a!%c", Some('!')) && !like("abc", "a!%c", Some('!')));
    }

    #[test]
    fn trims() {
        assert_eq!(trim(" a b ", &char::is_whitespace, true, true), "a b");
        assert_eq!(trim("xxaxx", &|c| c == 'x', false, true), "xxa");
    }
}
