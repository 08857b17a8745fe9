//! Dates in the SQL of Splink: formats of its backends, and differences in seconds, which are days here.

use sqlparser::ast::{Expr, Value};

use super::note::NotExpressible;
use super::sql::unknown;
use super::term::SqlTerm;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// Directives of `strptime` that are about a day; all others are about a time.
const OF_A_DAY: &str = "YymdbBjaA%";

/// The date that a text means by one or several formats, each of which `translate` writes as `strptime` has it.
pub fn strptime(
    of: SqlTerm,
    formats: &Expr,
    translate: impl Fn(&str) -> Option<String>,
) -> Result<SqlTerm, NotExpressible> {
    let mut args = vec![of];
    for format in texts(formats).ok_or_else(|| unknown(formats))? {
        let ours = translate(&format).filter(|format| is_a_day(format)).ok_or_else(|| {
            let what = format!("the format '{format}' is not of a date alone, and sameas has no time of day");
            NotExpressible::new(what, "cut the time off in the data")
        })?;
        args.push(SqlTerm::text_literal(&ours));
    }
    Ok(SqlTerm::Call("strptime", args))
}

/// The texts that an expression lists.
fn texts(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(vec![text.clone()]),
            _ => None,
        },
        Expr::Array(array) => Some(array.elem.iter().map(texts).collect::<Option<Vec<_>>>()?.concat()),
        Expr::Nested(of) => texts(of),
        _ => None,
    }
}

/// Whether a format has nothing but a day in it.
fn is_a_day(format: &str) -> bool {
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character == '%' && !characters.next().is_some_and(|directive| OF_A_DAY.contains(directive)) {
            return false;
        }
    }
    format.contains('%')
}

/// A format of Java, which Spark uses: `yyyy-MM-dd`.
pub fn of_java(format: &str) -> Option<String> {
    by_letters(
        format,
        &[
            ("yyyy", "%Y"),
            ("yy", "%y"),
            ("MMMM", "%B"),
            ("MMM", "%b"),
            ("MM", "%m"),
            ("M", "%m"),
            ("dd", "%d"),
            ("d", "%d"),
        ],
    )
}

/// A format of Postgres: `YYYY-MM-DD`.
pub fn of_postgres(format: &str) -> Option<String> {
    by_letters(format, &[("YYYY", "%Y"), ("YY", "%y"), ("MM", "%m"), ("DD", "%d")])
}

/// A format whose letters are all in a list; what is no letter stays.
fn by_letters(format: &str, letters: &[(&str, &str)]) -> Option<String> {
    let (mut rest, mut ours) = (format, String::new());
    while let Some(first) = rest.chars().next() {
        let run = rest.chars().take_while(|c| *c == first).count();
        if first.is_alphanumeric() {
            let (_, directive) = letters.iter().find(|(theirs, _)| *theirs == &rest[..run * first.len_utf8()])?;
            ours.push_str(directive);
        } else if first == '%' || first == '\'' {
            return None;
        } else {
            ours.extend(std::iter::repeat_n(first, run));
        }
        rest = &rest[run * first.len_utf8()..];
    }
    Some(ours)
}

/// A value as a date, unless it is one.
pub fn as_date(of: SqlTerm) -> SqlTerm {
    match of {
        SqlTerm::Call("strptime", _) | SqlTerm::Cast(_, "date") => of,
        other => SqlTerm::Cast(Box::new(other), "date"),
    }
}

/// A difference in seconds, compared with a number of them, as a condition on days.
pub fn difference(operator: &'static str, left: &SqlTerm, right: &SqlTerm) -> Option<SqlTerm> {
    let SqlTerm::Call("abs", args) = left else { return None };
    let [SqlTerm::Infix("-", operands)] = &args[..] else { return None };
    let [SqlTerm::Seconds(a), SqlTerm::Seconds(b)] = &**operands else { return None };
    let days = right.constant()? / DAY;
    // Days are whole, so a limit can be, too.
    let days = if operator == "<=" { days.floor() } else { days };
    let between = SqlTerm::Call("date_diff_days", vec![(**a).clone(), (**b).clone()]);
    Some(SqlTerm::infix(operator, SqlTerm::Call("abs", vec![between]), SqlTerm::number(days)))
}

/// Two dates that are equal as far as a format shows them, as equal years, months and days.
pub fn same_parts(operator: &str, left: &SqlTerm, right: &SqlTerm) -> Option<SqlTerm> {
    let (SqlTerm::Call("strftime", a), SqlTerm::Call("strftime", b)) = (left, right) else { return None };
    let ([a, format], [b, other]) = (&a[..], &b[..]) else { return None };
    let text = format.literal_text().filter(|_| operator == "=" && format == other)?;
    let mut parts = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let part = match (character, if character == '%' { characters.next() } else { None }) {
            ('%', Some('Y')) => "year",
            ('%', Some('m')) => "month",
            ('%', Some('d')) => "day",
            ('%', _) => return None,
            _ => continue,
        };
        parts.push(SqlTerm::infix("=", SqlTerm::Call(part, vec![a.clone()]), SqlTerm::Call(part, vec![b.clone()])));
    }
    (!parts.is_empty()).then(|| SqlTerm::all(parts))
}
