//! `strptime(text, format, ...)`: dates as people write them, by formats such as `%d.%m.%Y`.
//!
//! Numbers may lack their leading zeros, names of months and weekdays are English, in any case, whole or as three
//! letters, and white space in a format stands for any white space. A time of day is read and not kept.

use std::ops::Range;

use super::memo::Memo;
use crate::expr::Vector;
use crate::expr::calendar::{civil, day_number, valid};
use crate::expr::eval::Args;

/// The directives that a format may have, for messages.
pub const DIRECTIVES: &str = "%d %e (day), %m (month), %b %B (its name), %Y (year), %y (two digits of it), \
     %j (day of the year), %H %I %M %S %f %p (time, ignored), %a %A (weekday, ignored), %%";

/// The names of the months, which formats know in full and by their first three letters.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A piece of a format.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FormatPiece {
    /// This character.
    Plain(char),
    /// White space, at least one character.
    Blank,
    Day,
    Month,
    MonthName,
    Year,
    /// 69 to 99 are of the twentieth century, 00 to 68 of the next.
    ShortYear,
    DayOfYear,
    /// A number of at most two digits in this range.
    Time(i64, i64),
    Fraction,
    Meridiem,
    Weekday,
}

/// What is wrong with a format.
#[derive(Debug, PartialEq)]
pub enum FormatMistake {
    /// These bytes of it are a directive that is not known.
    Unknown(Range<usize>),
    /// These bytes say once more what an earlier directive says.
    Repeated(Range<usize>),
    /// It has no year.
    NoYear,
    /// It has a day without a month.
    NoMonth,
}

/// What is wrong with a format, if anything is.
pub fn format_mistake(format: &str) -> Option<FormatMistake> {
    pieces(format).err()
}

/// The date of each text, by the first format that it fits.
pub(super) fn strptime(args: &Args<'_>) -> Vector {
    let text = args.texts(0);
    let mut formats: Vec<_> = (1..args.len()).map(|at| (args.texts(at), Memo::new())).collect();
    let date = |row| {
        let text = text.get(row)?.trim();
        formats.iter_mut().find_map(|(format, known)| {
            let format = format.get(row)?;
            read(text, known.get(format, "", || pieces(format).ok()).as_deref()?)
        })
    };
    Vector::Date((0..args.rows()).map(date).collect())
}

/// Reads a format.
fn pieces(format: &str) -> Result<Vec<FormatPiece>, FormatMistake> {
    let mut pieces: Vec<FormatPiece> = Vec::new();
    let mut chars = format.char_indices();
    while let Some((at, c)) = chars.next() {
        let piece = match c {
            '%' => {
                let rest = chars.as_str();
                let name = rest.strip_prefix('-').unwrap_or(rest).chars().next();
                let flagged = rest.starts_with('-');
                let end = at + 1 + usize::from(flagged) + name.map_or(0, char::len_utf8);
                let piece = name.and_then(directive).filter(|piece| !flagged || is_number(*piece));
                let piece = piece.ok_or(FormatMistake::Unknown(at..end))?;
                if field(piece).is_some_and(|of| pieces.iter().any(|other| field(*other) == Some(of))) {
                    return Err(FormatMistake::Repeated(at..end));
                }
                let _ = chars.nth(usize::from(flagged));
                piece
            }
            c if c.is_whitespace() => FormatPiece::Blank,
            c => FormatPiece::Plain(c),
        };
        if !(piece == FormatPiece::Blank && matches!(pieces.last(), None | Some(FormatPiece::Blank))) {
            pieces.push(piece);
        }
    }
    // Blanks around a text are ignored, and so are those around a format.
    pieces.pop_if(|last| *last == FormatPiece::Blank);
    complete(pieces)
}

/// A format that says which day is meant: missing months and days are the first.
fn complete(pieces: Vec<FormatPiece>) -> Result<Vec<FormatPiece>, FormatMistake> {
    let has = |wanted: u8| pieces.iter().any(|piece| field(*piece) == Some(wanted));
    match () {
        () if !has(YEAR) => Err(FormatMistake::NoYear),
        () if has(DAY) && !has(MONTH) => Err(FormatMistake::NoMonth),
        () => Ok(pieces),
    }
}

fn directive(name: char) -> Option<FormatPiece> {
    Some(match name {
        'd' | 'e' => FormatPiece::Day,
        'm' => FormatPiece::Month,
        'b' | 'B' => FormatPiece::MonthName,
        'Y' => FormatPiece::Year,
        'y' => FormatPiece::ShortYear,
        'j' => FormatPiece::DayOfYear,
        'H' => FormatPiece::Time(0, 23),
        'I' => FormatPiece::Time(1, 12),
        'M' => FormatPiece::Time(0, 59),
        'S' => FormatPiece::Time(0, 60),
        'f' => FormatPiece::Fraction,
        'p' => FormatPiece::Meridiem,
        'a' | 'A' => FormatPiece::Weekday,
        '%' => FormatPiece::Plain('%'),
        _ => return None,
    })
}

/// Whether `%-d`, which other programs need for numbers without leading zeros, means the same as `%d`.
fn is_number(piece: FormatPiece) -> bool {
    use FormatPiece as P;
    matches!(piece, P::Day | P::Month | P::ShortYear | P::DayOfYear | P::Time(..))
}

const DAY: u8 = 0;
const MONTH: u8 = 1;
const YEAR: u8 = 2;
const DAY_OF_YEAR: u8 = 3;

/// What of a date a piece says.
fn field(piece: FormatPiece) -> Option<u8> {
    match piece {
        FormatPiece::Day => Some(DAY),
        FormatPiece::Month | FormatPiece::MonthName => Some(MONTH),
        FormatPiece::Year | FormatPiece::ShortYear => Some(YEAR),
        FormatPiece::DayOfYear => Some(DAY_OF_YEAR),
        _ => None,
    }
}

/// The day that a text without blanks around it means, if it fits the format and the calendar has the day.
fn read(text: &str, pieces: &[FormatPiece]) -> Option<i32> {
    let mut rest = text;
    let mut said: [Option<i64>; 4] = [None; 4];
    for piece in pieces {
        let value;
        (value, rest) = take(rest, *piece)?;
        if let Some(field) = field(*piece) {
            said[usize::from(field)] = Some(value);
        }
    }
    let [day, month, year, day_of_year] = said;
    let year = year.filter(|_| rest.is_empty())?;
    let by_month = || valid(year, month.unwrap_or(1), day.unwrap_or(1));
    match day_of_year {
        None => by_month(),
        Some(number) => {
            let date = by_number(year, number)?;
            let (_, in_month, of_month) = civil(date);
            (month.is_none_or(|month| month == in_month) && day.is_none_or(|day| day == of_month)).then_some(date)
        }
    }
}

/// The day of that number in a year.
fn by_number(year: i64, number: i64) -> Option<i32> {
    let date = (1..=9999).contains(&year).then(|| day_number(year, 1, 1))? + (number - 1) as i32;
    (number >= 1 && civil(date).0 == year).then_some(date)
}

/// What a piece takes from the beginning of a text: its value, if it has one, and the rest.
fn take(text: &str, piece: FormatPiece) -> Option<(i64, &str)> {
    match piece {
        FormatPiece::Plain(c) => Some((0, text.strip_prefix(c)?)),
        FormatPiece::Blank => {
            let rest = text.trim_start();
            (rest.len() < text.len()).then_some((0, rest))
        }
        // `%e` is written with a blank before one digit.
        FormatPiece::Day => digits(text.trim_start_matches(' '), 1, 2),
        FormatPiece::Month => digits(text, 1, 2),
        FormatPiece::MonthName => name(text, &MONTHS),
        FormatPiece::Year => digits(text, 4, 4),
        FormatPiece::ShortYear => {
            let (year, rest) = digits(text, 2, 2)?;
            Some((year + if year >= 69 { 1900 } else { 2000 }, rest))
        }
        FormatPiece::DayOfYear => digits(text, 1, 3),
        FormatPiece::Time(least, most) => digits(text, 1, 2).filter(|(value, _)| (least..=most).contains(value)),
        FormatPiece::Fraction => digits(text, 1, 9),
        FormatPiece::Meridiem => ["am", "pm"].iter().find_map(|half| Some((0, after(text, half)?))),
        FormatPiece::Weekday => name(text, &WEEKDAYS),
    }
}

/// A number of at least `least` and at most `most` digits.
fn digits(text: &str, least: usize, most: usize) -> Option<(i64, &str)> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(count);
    (count >= least).then(|| number.parse().ok().map(|number| (number, rest)))?
}

/// The number of a name, from 1, whole or as its first three letters.
fn name<'t>(text: &'t str, names: &[&str]) -> Option<(i64, &'t str)> {
    let numbered = || names.iter().zip(1..);
    let whole = numbered().find_map(|(name, number)| Some((number, after(text, name)?)));
    whole.or_else(|| numbered().find_map(|(name, number)| Some((number, after(text, &name[..3])?))))
}

/// What follows a word, in any case.
fn after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, null, t};

    fn date(text: &str, format: &str) -> Option<String> {
        read(text.trim(), &pieces(format).unwrap()).map(crate::expr::date_text)
    }

    #[test]
    fn dates_are_read_by_their_format() {
        for (text, format, expected) in [
            ("31.05.2024", "%d.%m.%Y", "2024-05-31"),
            (" 1.5.2024 ", "%d.%m.%Y", "2024-05-01"),
            ("31052024", "%d%m%Y", "2024-05-31"),
            ("5/31/24", "%m/%d/%y", "2024-05-31"),
            ("5/31/69", "%-m/%-d/%y", "1969-05-31"),
            ("5/31/68", "%m/%d/%y", "2068-05-31"),
            ("31 May 2024", "%d %b %Y", "2024-05-31"),
            ("3 sept 2024", "%d %bt %Y", "2024-09-03"),
            ("SEPTEMBER  3, 2024", "%B %e, %Y", "2024-09-03"),
            ("Jun  7 1999", "%b %e %Y", "1999-06-07"),
            ("Fri, 31 May 2024", "%a, %d %B %Y", "2024-05-31"),
            ("2024-152", "%Y-%j", "2024-05-31"),
            ("2023-365", "%Y-%j", "2023-12-31"),
            ("31.05.2024 23:59:60", "%d.%m.%Y %H:%M:%S", "2024-05-31"),
            ("5/31/2024 1:05 PM", "%m/%d/%Y %I:%M %p", "2024-05-31"),
            ("2024-05-31T01:02:03.123456Z", "%Y-%m-%dT%H:%M:%S.%fZ", "2024-05-31"),
            ("2024", "%Y", "2024-01-01"),
            ("05/2024", "%m/%Y", "2024-05-01"),
            ("100% 2024", "100%% %Y", "2024-01-01"),
        ] {
            assert_eq!(date(text, format).as_deref(), Some(expected), "{text} as {format}");
        }
    }

    #[test]
    fn what_does_not_fit_is_no_date() {
        for (text, format) in [
            ("30.02.2024", "%d.%m.%Y"),
            ("31.13.2024", "%d.%m.%Y"),
            ("31.05.24", "%d.%m.%Y"),
            ("31.05.20245", "%d.%m.%Y"),
            ("31-05-2024", "%d.%m.%Y"),
            ("31.05.2024 x", "%d.%m.%Y"),
            ("31.05.", "%d.%m.%Y"),
            ("0.5.2024", "%d.%m.%Y"),
            ("1.1.0000", "%d.%m.%Y"),
            ("31 Mai 2024", "%d %b %Y"),
            ("31May2024", "%d %b %Y"),
            ("2023-366", "%Y-%j"),
            ("2024-000", "%Y-%j"),
            ("0000-001", "%Y-%j"),
            ("24:00 2024", "%H:%M %Y"),
            ("13 am 2024", "%I %p %Y"),
            ("152 06 2024", "%j %m %Y"),
            ("٣1.05.2024", "%d.%m.%Y"),
            ("", "%Y"),
        ] {
            assert_eq!(date(text, format), None, "{text} as {format}");
        }
    }

    #[test]
    fn the_first_format_that_fits_decides() {
        let formats = [t("%d.%m.%Y"), t("%Y-%m-%d")];
        for (text, result) in
            [(t("31.05.2024"), "day 19874"), (t("2024-05-31"), "day 19874"), (t("5/31"), "null"), (null(), "null")]
        {
            check(F::Strptime, [text, formats[0].clone(), formats[1].clone()], result);
        }
        check(F::Strptime, [t("2024"), null(), t("%Y")], "day 19723");
        check(F::Strptime, [t("2024"), t("%Q")], "null");
    }

    #[test]
    fn wrong_formats_are_known() {
        for (format, mistake) in [
            ("%d.%m.%Y", None),
            ("%d.%Q.%Y", Some(FormatMistake::Unknown(3..5))),
            ("%d.%-B.%Y", Some(FormatMistake::Unknown(3..6))),
            ("%Y %", Some(FormatMistake::Unknown(3..4))),
            ("%Y %é", Some(FormatMistake::Unknown(3..6))),
            ("%m %b %Y", Some(FormatMistake::Repeated(3..5))),
            ("%y %Y", Some(FormatMistake::Repeated(3..5))),
            ("%d.%m.", Some(FormatMistake::NoYear)),
            ("%d %Y", Some(FormatMistake::NoMonth)),
            ("", Some(FormatMistake::NoYear)),
        ] {
            assert_eq!(format_mistake(format), mistake, "{format}");
        }
    }
}
