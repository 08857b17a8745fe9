//! `parse_number(text, mark)`: numbers as people write them, `1.234,56` or `1,234.56`.

use crate::expr::eval::{Args, numbers};
use crate::expr::{Num, Vector};

pub(super) fn apply(args: &Args<'_>) -> Vector {
    let (text, mark) = (args.texts(0), args.texts(1));
    let mut plain = String::new();
    numbers(args.rows(), |row| {
        let mark = match mark.get(row)? {
            "," => ',',
            "." => '.',
            _ => return None,
        };
        plain.clear();
        write_plain(text.get(row)?.trim(), mark, &mut plain)?;
        Num::parse(&plain)
    })
}

/// Writes the number as SQL writes it; `None` where it is none.
fn write_plain(text: &str, mark: char, plain: &mut String) -> Option<()> {
    let (sign, rest) = match text.chars().next()? {
        c @ ('-' | '+' | '\u{2212}') => (if c == '+' { "" } else { "-" }, &text[c.len_utf8()..]),
        _ => ("", text),
    };
    let (number, power) = rest.split_at(rest.find(['e', 'E']).unwrap_or(rest.len()));
    let (whole, fraction) = number.split_once(mark).unwrap_or((number, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    plain.push_str(sign);
    write_whole(whole, mark, plain)?;
    if !is_digits(fraction) || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    if whole.len() < number.len() {
        plain.push('.');
        plain.push_str(fraction);
    }
    // What stands behind `e` is checked when the number is read.
    plain.push_str(power);
    Some(())
}

/// Digits alone, or groups of three with one and the same mark between them.
fn write_whole(whole: &str, mark: char, plain: &mut String) -> Option<()> {
    let Some(between) = whole.chars().find(|c| !c.is_ascii_digit()) else {
        plain.push_str(whole);
        return Some(());
    };
    if between == mark || !matches!(between, '.' | ',' | '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}') {
        return None;
    }
    for (at, group) in whole.split(between).enumerate() {
        let fits = if at == 0 { (1..=3).contains(&group.len()) } else { group.len() == 3 };
        if !fits || !group.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        plain.push_str(group);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, null, t};

    #[test]
    fn decimal_commas_and_groups_are_read() {
        for (text, number) in [
            ("1.234,56", "1234.56"),
            ("1234,5", "1234.5"),
            ("1 234 567", "1234567"),
            ("1\u{a0}234,5", "1234.5"),
            ("12\u{202f}345", "12345"),
            ("1'234'567,25", "1234567.25"),
            ("12.345.678.901.234.567.890", "12345678901234567890"),
            (" -1.000 ", "-1000"),
            ("\u{2212}0,5", "-0.5"),
            ("+7", "7"),
            (",5", "0.5"),
            ("5,", "5.0"),
            ("1,5e3", "1500.0"),
            ("1.23", "null"),
            ("1234.567", "null"),
            ("1.2345", "null"),
            ("1.234 567", "null"),
            (".234", "null"),
            ("1,2,3", "null"),
            ("1,234.5", "null"),
            ("12 €", "null"),
            ("1e", "null"),
            ("e5", "null"),
            (",", "null"),
            ("-", "null"),
            ("nan", "null"),
            ("", "null"),
        ] {
            check(F::ParseNumber, [t(text), t(",")], number);
        }
    }

    #[test]
    fn the_mark_may_be_a_point() {
        for (text, number) in [("1,234.56", "1234.56"), ("1,234", "1234"), ("1.234", "1.234"), ("1.234,5", "null")] {
            check(F::ParseNumber, [t(text), t(".")], number);
        }
        check(F::ParseNumber, [t("1"), t(";")], "null");
        check(F::ParseNumber, [t("1"), null()], "null");
        check(F::ParseNumber, [null(), t(",")], "null");
    }
}
