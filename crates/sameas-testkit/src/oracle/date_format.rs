//! Dates by a format, read character by character.

use super::date::{day_of, parts};

const MONTHS: &str = "january february march april may june july august september october november december";
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

/// The day that the text means, if it fits the format.
pub fn read(text: &str, format: &str) -> Option<i64> {
    let text: Vec<char> = text.trim().chars().collect();
    let format: Vec<char> = format.trim().chars().collect();
    let (mut year, mut month, mut day, mut of_year) = (None, None, None, None);
    let (mut at, mut next) = (0, 0);
    while next < format.len() {
        let c = format[next];
        next += 1;
        if c.is_whitespace() {
            let before = at;
            while text.get(at).is_some_and(|c| c.is_whitespace()) {
                at += 1;
            }
            while format.get(next).is_some_and(|c| c.is_whitespace()) {
                next += 1;
            }
            if at == before {
                return None;
            }
            continue;
        }
        if c != '%' {
            if text.get(at) != Some(&c) {
                return None;
            }
            at += 1;
            continue;
        }
        if format.get(next) == Some(&'-') {
            next += 1;
        }
        let name = *format.get(next)?;
        next += 1;
        match name {
            'd' | 'e' => {
                while text.get(at) == Some(&' ') {
                    at += 1;
                }
                day = Some(number(&text, &mut at, 1, 2)?);
            }
            'm' => month = Some(number(&text, &mut at, 1, 2)?),
            'b' | 'B' => month = Some(word(&text, &mut at, MONTHS)?),
            'Y' => year = Some(number(&text, &mut at, 4, 4)?),
            'y' => year = number(&text, &mut at, 2, 2).map(|y| if y < 69 { 2000 + y } else { 1900 + y }),
            'j' => of_year = Some(number(&text, &mut at, 1, 3)?),
            'H' => _ = number(&text, &mut at, 1, 2).filter(|hour| *hour < 24)?,
            'M' => _ = number(&text, &mut at, 1, 2).filter(|minute| *minute < 60)?,
            'a' | 'A' => _ = word(&text, &mut at, WEEKDAYS)?,
            _ => return None,
        }
    }
    if at < text.len() {
        return None;
    }
    let (year, first) = (year?, day_of(year?, 1, 1)?);
    match of_year {
        None => day_of(year, month.unwrap_or(1), day.unwrap_or(1)),
        Some(number) => {
            let (same_year, _, _) = parts((first + number - 1).max(first));
            (number > 0 && same_year == year && month.is_none() && day.is_none()).then_some(first + number - 1)
        }
    }
}

fn number(text: &[char], at: &mut usize, least: usize, most: usize) -> Option<i64> {
    let mut digits = String::new();
    while digits.len() < most && text.get(*at).is_some_and(char::is_ascii_digit) {
        digits.push(text[*at]);
        *at += 1;
    }
    if digits.len() < least { None } else { digits.parse().ok() }
}

/// The place of a name in a list, from 1: the whole name if it is there, else its first three letters.
fn word(text: &[char], at: &mut usize, names: &str) -> Option<i64> {
    let rest: String = text[*at..].iter().collect::<String>().to_ascii_lowercase();
    for short in [false, true] {
        for (name, place) in names.split(' ').zip(1..) {
            let name = if short { &name[..3] } else { name };
            if rest.starts_with(name) {
                *at += name.len();
                return Some(place);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_formats() {
        for (text, format) in [
            ("31.05.2024", "%d.%m.%Y"),
            (" 5/31/24 ", "%m/%d/%y"),
            ("31  May 2024", "%d %b %Y"),
            ("2024-152", "%Y-%j"),
            ("Fri 31.5.2024 10:30", "%a %d.%m.%Y %H:%M"),
        ] {
            assert_eq!(read(text, format), day_of(2024, 5, 31), "{text}");
        }
        for (text, format) in [("30.02.2024", "%d.%m.%Y"), ("2023-366", "%Y-%j"), ("1.1.24", "%d.%m.%Y")] {
            assert_eq!(read(text, format), None, "{text}");
        }
    }
}
