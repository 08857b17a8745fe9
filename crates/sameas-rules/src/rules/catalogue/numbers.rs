//! Numbers and dates.

use super::entry::Parameter::{Date as D, Number as N, Text as T};
use super::entry::{FunctionEntry, IF_ANY, IF_NULL, fixed, variadic};
use crate::expr::Function as F;

/// Texts are read as numbers or dates where a function needs them.
const IF_NO_DATE: &str = "null if the argument is null, or a text that is not a date such as '2024-05-31'";

pub const ENTRIES: &[FunctionEntry] = &[
    fixed("parse_number", F::ParseNumber, &[T, T], 2)
        .means(
            "parse_number(a, mark)",
            "a number as people write it, with ',' or '.' as the decimal mark. The other of the two, blanks and \
             apostrophes may stand between groups of three digits",
        )
        .null("null if an argument is null or the text is not such a number; `run.json` counts these")
        .example("parse_number('1.234,56', ',')", "1234.56"),
    fixed("abs", F::Abs, &[N], 1)
        .means("abs(x)", "without its sign; `abs(l.year - r.year) <= 1` finds numbers that lie close together")
        .null(IF_NULL)
        .example("abs(1980 - 1982)", "2"),
    fixed("round", F::Round, &[N, N], 1)
        .means("round(x[, digits])", "rounded, half away from zero")
        .null(IF_ANY)
        .example("round(2.345, 1)", "2.3"),
    fixed("floor", F::Floor, &[N], 1)
        .means("floor(x)", "the next whole number down")
        .null(IF_NULL)
        .example("floor(-2.5)", "-3"),
    fixed("ceil", F::Ceil, &[N], 1)
        .also(&["ceiling"])
        .means("ceil(x)", "the next whole number up")
        .null(IF_NULL)
        .example("ceil(2.1)", "3"),
    variadic("strptime", F::Strptime, &[T, T], 2)
        .means(
            "strptime(a, format[, format, ...])",
            "the date that a text means by the first of the formats that it fits, such as '%d.%m.%Y'. %d day, %m month, \
             %Y year, %y its last two digits (69 to 99 are 19xx, else 20xx), %b or %B name of the month in English, %j \
             day of the year; %H %I %M %S %f %p (time) and %a %A (weekday) are read and not kept; %% is a percent \
             sign, all else must be there as written. Zeros in front may be missing",
        )
        .null("null if the text is null, fits no format, or the calendar has no such day; `run.json` counts these")
        .example("strptime('31.5.2024', '%Y-%m-%d', '%d.%m.%Y')", "2024-05-31"),
    fixed("year", F::Year, &[D], 1)
        .means("year(d)", "year of a date")
        .null(IF_NO_DATE)
        .example("year('2024-05-31')", "2024"),
    fixed("month", F::Month, &[D], 1)
        .means("month(d)", "month of a date, 1 to 12")
        .null(IF_NO_DATE)
        .example("month('2024-05-31')", "5"),
    fixed("day", F::Day, &[D], 1)
        .means("day(d)", "day of the month of a date")
        .null(IF_NO_DATE)
        .example("day('2024-05-31')", "31"),
    fixed("date_diff_days", F::DateDiffDays, &[D, D], 2)
        .means("date_diff_days(a, b)", "days from the first date to the second")
        .null("null if one of the two is null or no date")
        .example("date_diff_days('2024-02-28', '2024-03-01')", "2"),
];
