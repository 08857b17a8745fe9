//! Days of the Gregorian calendar, counted one by one.

/// Whether a year has a 29 February.
fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days before 1 January of a year, from 1 January of year 1.
fn days_before_year(year: i64) -> i64 {
    let whole = year - 1;
    whole * 365 + whole / 4 - whole / 100 + whole / 400
}

/// The day as a count from 1970-01-01, if it exists in years 1 to 9999.
pub fn day_of(year: i64, month: i64, day: i64) -> Option<i64> {
    let exists =
        (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_of_month(year, month)).contains(&day);
    let months: i64 = (1..month).map(|month| days_of_month(year, month)).sum();
    exists.then(|| days_before_year(year) + months + day - 1 - days_before_year(1970))
}

/// Year, month and day of a count.
pub fn parts(day: i64) -> (i64, i64, i64) {
    let mut rest = day + days_before_year(1970);
    let mut year = 1;
    while rest >= days_before_year(year + 1) {
        year += 1;
    }
    rest -= days_before_year(year);
    let mut month = 1;
    while rest >= days_of_month(year, month) {
        rest -= days_of_month(year, month);
        month += 1;
    }
    (year, month, rest + 1)
}

/// Reads `YYYY-MM-DD` or `YYYYMMDD`, with blanks around it and perhaps a time after it.
pub fn parse(text: &str) -> Option<i64> {
    let text: Vec<char> = text.trim().chars().collect();
    let (places, length) = if text.get(4) == Some(&'-') { ([0, 5, 8], 10) } else { ([0, 4, 6], 8) };
    let dashes = length == 8 || text.get(7) == Some(&'-');
    let day = day_of(
        number(text.get(places[0]..places[0] + 4)?)?,
        number(text.get(places[1]..places[1] + 2)?)?,
        number(text.get(places[2]..places[2] + 2)?)?,
    );
    let time = match &text[length..] {
        [] => true,
        [separator, digit, ..] => matches!(separator, 'T' | ' ') && digit.is_ascii_digit(),
        _ => false,
    };
    day.filter(|_| dashes && time)
}

fn number(digits: &[char]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, digit| Some(sum * 10 + i64::from(digit.to_digit(10)?)))
}

/// The day as `YYYY-MM-DD`.
pub fn text(day: i64) -> String {
    let (year, month, day) = parts(day);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        assert_eq!(parse("1970-01-01"), Some(0));
        assert_eq!(parse("20000301"), Some(11017));
        assert_eq!(parse(" 2024-02-29T10:00 "), Some(19782));
        assert_eq!(parse("2024-02-29 1"), Some(19782));
        assert_eq!(parse("0001-01-01"), Some(-719_162));
        for wrong in ["2023-02-29", "2023-13-01", "2023-1-01", "0000-01-01", "2024-02-29x", "2024-02-29 x", "", "1e3"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_day_and_its_parts() {
        for day in (-719_162..2_932_896).step_by(997) {
            let (year, month, of_month) = parts(day);
            assert_eq!(day_of(year, month, of_month), Some(day));
        }
        assert_eq!(text(19782), "2024-02-29");
    }
}
