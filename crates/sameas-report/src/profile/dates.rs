//! Dates that are not ISO: which format reads them.

use crate::expr::{MONTHS, parse_date};

/// The separators that stand between the parts of dates, longer ones first.
const SEPARATORS: [&str; 7] = [". ", ", ", ".", "/", "-", " ", "_"];

/// What stands in a place of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DatePart {
    /// One or two digits from 1 to 31.
    Short(u8),
    /// Four digits, a likely year.
    Year,
    /// The short name of a month in English.
    MonthName,
    /// The whole name.
    LongMonthName,
}

/// The form of a date: the same form is read by the same format, but for the order of day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateForm {
    /// What `strptime` calls the parts; day and month stand for each other in `DayMonth`.
    order: DateOrder,
    separators: [&'static str; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateOrder {
    YearMonthDay,
    /// Two numbers and a year of four or two digits.
    DayMonth {
        long_year: bool,
    },
    DayNamedMonth {
        long_name: bool,
        long_year: bool,
    },
    NamedMonthDay {
        long_name: bool,
        long_year: bool,
    },
}

/// The numbers before the year, where either could be the day.
pub type DayOrMonth = [u8; 2];

/// The form of a text that looks like a date.
pub fn date_form(text: &str) -> Option<(DateForm, DayOrMonth)> {
    let text = text.trim();
    if text.len() > 20 || !text.is_ascii() {
        return None;
    }
    let (first, rest) = part(text)?;
    let (one, rest) = separator(rest)?;
    let (second, rest) = part(rest)?;
    let (two, rest) = separator(rest)?;
    let last_length = rest.len();
    let (third, rest) = part_at_end(rest)?;
    if !rest.is_empty() {
        return None;
    }
    let (order, numbers) = order(first, second, third)?;
    // Numbers have the same sign between them, and a year has two digits or four: 3.5-1 is something else.
    let are_numbers = matches!(order, DateOrder::DayMonth { .. } | DateOrder::YearMonthDay);
    let is_short = last_length < if order == DateOrder::YearMonthDay { 1 } else { 2 };
    if are_numbers && one != two || is_short {
        return None;
    }
    Some((DateForm { order, separators: [one, two] }, numbers))
}

/// Whether a text of digits may be a date such as `20240531`.
pub fn is_compact_date(text: &str) -> bool {
    text.len() == 8
        && text.get(0..4).and_then(|year| year.parse().ok()).is_some_and(is_likely_year)
        && parse_date(text).is_some()
}

/// Whether a text is written as `2024-05-31` is.
pub fn is_written_as_iso(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-' && bytes[..4].iter().all(u8::is_ascii_digit)
}

fn is_likely_year(year: u16) -> bool {
    (1500..2200).contains(&year)
}

fn part(text: &str) -> Option<(DatePart, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return month_name(text);
    }
    let (number, rest) = text.split_at(digits);
    let value: u16 = if digits <= 4 { number.parse().ok()? } else { return None };
    match digits {
        1 | 2 if (1..=31).contains(&value) => Some((DatePart::Short(value as u8), rest)),
        4 if is_likely_year(value) => Some((DatePart::Year, rest)),
        _ => None,
    }
}

/// The last part may be a year of two digits, 00 and 99 included.
fn part_at_end(text: &str) -> Option<(DatePart, &str)> {
    match text.as_bytes() {
        [a, b] if a.is_ascii_digit() && b.is_ascii_digit() => Some((DatePart::Short((a - b'0') * 10 + b - b'0'), "")),
        _ => part(text),
    }
}

fn month_name(text: &str) -> Option<(DatePart, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = text.split_at(letters);
    if letters < 3 {
        return None;
    }
    let is = |month: &&str| month.eq_ignore_ascii_case(word);
    let begins = |month: &&str| month[..3].eq_ignore_ascii_case(word);
    match (MONTHS.iter().any(begins), MONTHS.iter().any(is)) {
        (true, _) => Some((DatePart::MonthName, rest)),
        (_, true) => Some((DatePart::LongMonthName, rest)),
        _ => None,
    }
}

fn separator(text: &str) -> Option<(&'static str, &str)> {
    SEPARATORS.iter().find_map(|separator| Some((*separator, text.strip_prefix(separator)?)))
}

fn order(first: DatePart, second: DatePart, third: DatePart) -> Option<(DateOrder, DayOrMonth)> {
    use DatePart::{LongMonthName, MonthName, Short, Year};
    let is_month = |part: DatePart| matches!(part, MonthName | LongMonthName);
    let (long_year, none) = (third == Year, [0, 0]);
    match (first, second, third) {
        (Year, Short(month), Short(day)) if month <= 12 && (1..=31).contains(&day) => {
            Some((DateOrder::YearMonthDay, none))
        }
        (Short(a), Short(b), Year | Short(_)) if a.min(b) <= 12 => Some((DateOrder::DayMonth { long_year }, [a, b])),
        (Short(_), month, Year | Short(_)) if is_month(month) => {
            Some((DateOrder::DayNamedMonth { long_name: month == LongMonthName, long_year }, none))
        }
        (month, Short(_), Year | Short(_)) if is_month(month) => {
            Some((DateOrder::NamedMonthDay { long_name: month == LongMonthName, long_year }, none))
        }
        _ => None,
    }
}

/// The dates of one form.
#[derive(Clone, Debug)]
pub struct DateTally {
    form: DateForm,
    /// Records.
    pub records: u64,
    /// Records whose first number, or second number, cannot be a month.
    above_twelve: [u64; 2],
    /// The code of one of the values.
    pub example: u32,
}

/// Counts a date among those of its form. There are few forms.
pub fn tally(tallies: &mut Vec<DateTally>, (form, numbers): (DateForm, DayOrMonth), records: u64, example: u32) {
    let above_twelve = numbers.map(|number| if number > 12 { records } else { 0 });
    merge(tallies, DateTally { form, records, above_twelve, example });
}

/// Adds what was counted elsewhere.
pub fn merge(tallies: &mut Vec<DateTally>, other: DateTally) {
    match tallies.iter_mut().find(|known| known.form == other.form) {
        Some(known) => {
            known.records += other.records;
            known.example = known.example.min(other.example);
            known.above_twelve = [0, 1].map(|at| known.above_twelve[at] + other.above_twelve[at]);
        }
        None => tallies.push(other),
    }
}

impl DateTally {
    /// The formats of `strptime` that read these dates: two where no day is above 12.
    pub fn formats(&self) -> Vec<String> {
        let [one, two] = self.form.separators;
        let written = |parts: [&str; 3]| format!("{}{one}{}{two}{}", parts[0], parts[1], parts[2]);
        let year = |long: bool| if long { "%Y" } else { "%y" };
        let month = |long: bool| if long { "%B" } else { "%b" };
        match self.form.order {
            DateOrder::YearMonthDay => vec![written(["%Y", "%m", "%d"])],
            DateOrder::DayNamedMonth { long_name, long_year } => {
                vec![written(["%d", month(long_name), year(long_year)])]
            }
            DateOrder::NamedMonthDay { long_name, long_year } => {
                vec![written([month(long_name), "%d", year(long_year)])]
            }
            DateOrder::DayMonth { long_year } => {
                let day_first = written(["%d", "%m", year(long_year)]);
                let month_first = written(["%m", "%d", year(long_year)]);
                match self.above_twelve {
                    // Where points stand between, the day comes first everywhere.
                    [0, 0] if one.starts_with('.') => vec![day_first],
                    [0, 0] => vec![day_first, month_first],
                    [first, second] if first >= second => vec![day_first],
                    _ => vec![month_first],
                }
            }
        }
    }

    /// An expression that gives the year of such a date, where its place alone tells; `{}` stands for the column.
    pub fn year_template(&self) -> Option<&'static str> {
        match self.form.order {
            DateOrder::YearMonthDay => Some("left({}, 4)"),
            DateOrder::DayMonth { long_year: true }
            | DateOrder::DayNamedMonth { long_year: true, .. }
            | DateOrder::NamedMonthDay { long_year: true, .. } => Some("right({}, 4)"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats(texts: &[&str]) -> Vec<String> {
        let mut tallies = Vec::new();
        for text in texts {
            let form = date_form(text).unwrap_or_else(|| panic!("{text} is no date"));
            tally(&mut tallies, form, 1, 0);
        }
        assert_eq!(tallies.len(), 1, "{texts:?}");
        tallies[0].formats()
    }

    #[test]
    fn formats_that_read_the_dates() {
        assert_eq!(formats(&["1.2.2003", "31.12.1999"]), ["%d.%m.%Y"]);
        assert_eq!(formats(&["01.02.2003"]), ["%d.%m.%Y"], "with points the day comes first");
        assert_eq!(formats(&["1/2/2003", "3/4/2005"]), ["%d/%m/%Y", "%m/%d/%Y"]);
        assert_eq!(formats(&["1/2/2003", "3/14/2005"]), ["%m/%d/%Y"]);
        assert_eq!(formats(&["13/2/03"]), ["%d/%m/%y"]);
        assert_eq!(formats(&["1987/02/26"]), ["%Y/%m/%d"]);
        assert_eq!(formats(&["31-Mar-15", "01-may-00"]), ["%d-%b-%y"]);
        assert_eq!(formats(&["September 18, 2015"]), ["%B %d, %Y"]);
        assert_eq!(formats(&["5. March 2015"]), ["%d. %B %Y"]);
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "523-343-9623",
            "1.2",
            "192.168.0.1",
            "13.13.2000",
            "12-34",
            "Marchand 5 2000",
            "1999",
            "",
            "3.5-1",
            "1/2-03",
            "1.2.3",
        ] {
            assert!(date_form(text).is_none(), "{text}");
        }
        assert!(is_written_as_iso("2024-05-31T10:00") && !is_written_as_iso("2024-5-31"));
        assert!(is_compact_date("20240531") && !is_compact_date("20241331") && !is_compact_date("2024053"));
        assert!(!is_compact_date("20230229"), "no year but a leap year has this day");
    }
}
