//! Days of the proleptic Gregorian calendar, counted from 1970-01-01, and their texts.

/// Days of 400 years, after which the calendar repeats.
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01. Years are counted from March, so that a leap day is a year's last.
const EPOCH: i64 = 719_468;

/// Year, month and day of a day number.
pub(super) fn civil(days: i32) -> (i64, i64, i64) {
    let days = i64::from(days) + EPOCH;
    let (era, day_of_era) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    // Taking out the leap days that have passed (one in 1461 days, none in a century's last, one in an era's last)
    // leaves years of 365 days.
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - days_before_year(year_of_era);
    // From March on, five months have 153 days: 31 30 31 30 31.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - days_before_month(month_from_march) + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// The day number of a date that the calendar has.
pub(super) fn day_number(year: i64, month: i64, day: i64) -> i32 {
    let year = year - i64::from(month <= 2);
    let month_from_march = (month + 9) % 12;
    let day_of_era = days_before_year(year.rem_euclid(400)) + days_before_month(month_from_march) + day - 1;
    (year.div_euclid(400) * ERA_DAYS + day_of_era - EPOCH) as i32
}

/// Days of an era before one of its years.
fn days_before_year(year: i64) -> i64 {
    365 * year + year / 4 - year / 100
}

/// Days of a year that starts in March before one of its months, from 0.
fn days_before_month(month: i64) -> i64 {
    (153 * month + 2) / 5
}

/// Reads `2024-05-31` or `20240531`, optionally followed by a time, which is ignored.
pub fn parse_date(text: &str) -> Option<i32> {
    let text = text.trim().as_bytes();
    let (date, rest) = if text.get(4) == Some(&b'-') { text.split_at_checked(10)? } else { text.split_at_checked(8)? };
    if !is_time(rest) {
        return None;
    }
    match *date {
        [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] | [y1, y2, y3, y4, m1, m2, d1, d2] => {
            valid(digits(&[y1, y2, y3, y4])?, digits(&[m1, m2])?, digits(&[d1, d2])?)
        }
        _ => None,
    }
}

/// Nothing, or `T` or a blank and what starts with a digit.
fn is_time(rest: &[u8]) -> bool {
    matches!(rest, [] | [b'T' | b' ', b'0'..=b'9', ..])
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

/// The day number, if the calendar has this day: any other day converts back to another date.
pub(super) fn valid(year: i64, month: i64, day: i64) -> Option<i32> {
    let possible = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let days = possible.then(|| day_number(year, month, day))?;
    (civil(days) == (year, month, day)).then_some(days)
}

/// A date as `2024-05-31`.
pub fn date_text(days: i32) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_strictly() {
        for (text, days) in [
            ("1970-01-01", Some(0)),
            (" 2024-05-31 ", Some(19_874)),
            ("20240531", Some(19_874)),
            ("2024-05-31T23:59:59Z", Some(19_874)),
            ("20240531 7", Some(19_874)),
            ("2000-02-29", Some(11_016)),
            ("1900-02-29", None),
            ("2023-02-29", None),
            ("0001-01-01", Some(-719_162)),
            ("9999-12-31", Some(2_932_896)),
            ("0000-12-31", None),
            ("2024-13-01", None),
            ("2024-00-10", None),
            ("2024-04-31", None),
            ("2024-5-31", None),
            ("24-05-31", None),
            ("2024-0531", None),
            ("202405-31", None),
            ("2024/05/31", None),
            ("2024-05-31x", None),
            ("2024-05-31T", None),
            ("2024-05-311", None),
            ("202405311", None),
            ("-024-05-31", None),
            ("２０２４0531", None),
            ("2024-05-3é", None),
            ("", None),
        ] {
            assert_eq!(parse_date(text), days, "{text}");
        }
    }

    #[test]
    fn calendar_and_day_numbers_agree_day_by_day() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut days = day_number(1599, 12, 31);
        for year in 1600_i64..=2400 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for month in 1..=12_i64 {
                let length = lengths[month as usize - 1] + i64::from(leap && month == 2);
                for day in 1..=length {
                    days += 1;
                    assert_eq!((civil(days), day_number(year, month, day)), ((year, month, day), days));
                }
            }
        }
    }
}
