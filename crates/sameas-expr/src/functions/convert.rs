//! Conversions between types; what fails is null.

use super::arithmetic::to_integer;
use crate::expr::calendar::{date_text, parse_date};
use crate::expr::eval::{Args, Cell, bools, numbers, texts};
use crate::expr::{Function, Num, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let rows = args.rows();
    match function {
        Function::ToNumber => numbers(rows, |row| number(args.cell(0, row)?)),
        Function::ToInteger => numbers(rows, |row| to_integer(number(args.cell(0, row)?)?).map(Num::Int)),
        Function::ToFloat => numbers(rows, |row| Num::from_f64(number(args.cell(0, row)?)?.to_f64())),
        Function::ToDate => Vector::Date((0..rows).map(|row| date(args.cell(0, row)?)).collect()),
        Function::ToBool => bools(rows, |row| condition(args.cell(0, row)?)),
        Function::ToText => to_text(args),
        other => unreachable!("{other:?} belongs to another group"),
    }
}

fn number(value: Cell<'_>) -> Option<Num> {
    match value {
        Cell::Text(text) => Num::parse(text),
        Cell::Number(number) => Some(number),
        Cell::Bool(value) => Some(Num::Int(value.into())),
        _ => None,
    }
}

fn date(value: Cell<'_>) -> Option<i32> {
    match value {
        Cell::Text(text) => parse_date(text),
        Cell::Date(days) => Some(days),
        _ => None,
    }
}

fn condition(value: Cell<'_>) -> Option<bool> {
    match value {
        Cell::Bool(value) => Some(value),
        Cell::Number(number) => Some(number != Num::Int(0)),
        Cell::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "1" => Some(true),
            "false" | "f" | "no" | "n" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn to_text(args: &Args<'_>) -> Vector {
    if let Some(array) = args.text_column(0) {
        return Vector::Text(array.clone());
    }
    texts(args, 8 * args.rows(), |row, out| {
        match args.cell(0, row)? {
            Cell::Text(text) => out.push_str(text),
            Cell::Number(number) => out.push_str(&number.to_text()),
            Cell::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Cell::Date(days) => out.push_str(&date_text(days)),
            Cell::TextList(_) | Cell::NumberList(_) => return None,
        }
        Some(())
    })
}

/// The numbers of a list as texts.
pub(super) fn to_text_list(args: &Args<'_>) -> Vector {
    let text = |number: Num| number.to_element().into_boxed_str();
    let list = |row| match args.cell(0, row)? {
        Cell::NumberList(list) => Some(list.iter().map(text).collect()),
        Cell::TextList(list) => Some(list.into()),
        _ => None,
    };
    Vector::TextList((0..args.rows()).map(list).collect())
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{b, check, d, f, n, nl, null, t, tl};

    #[test]
    fn lists_of_numbers_become_lists_of_texts() {
        check(F::ToTextList, [nl(&[3.0, 0.5, -0.0, 1e300])], "[3, 0.5, 0, 1e300]");
        check(F::ToTextList, [nl(&[])], "[]");
        check(F::ToTextList, [tl(&["b", "a"])], "[b, a]");
        check(F::ToTextList, [null()], "null");
    }

    #[test]
    fn texts_numbers_and_conditions_become_numbers() {
        for (value, number, integer, float) in [
            (t(" 42 "), "42", "42", "42.0"),
            (t("-2.5"), "-2.5", "-3", "-2.5"),
            (t("2.4999"), "2.4999", "2", "2.4999"),
            (t("1e19"), "1e19", "null", "1e19"),
            (t("-9223372036854775808"), "-9223372036854775808", "-9223372036854775808", "-9.223372036854776e18"),
            (t("12a"), "null", "null", "null"),
            (t("NaN"), "null", "null", "null"),
            (t("-inf"), "null", "null", "null"),
            (t(""), "null", "null", "null"),
            (t("٣"), "null", "null", "null"),
            (n(7), "7", "7", "7.0"),
            (f(0.5), "0.5", "1", "0.5"),
            (b(true), "1", "1", "1.0"),
            (b(false), "0", "0", "0.0"),
            (null(), "null", "null", "null"),
        ] {
            check(F::ToNumber, [value.clone()], number);
            check(F::ToInteger, [value.clone()], integer);
            check(F::ToFloat, [value], float);
        }
    }

    #[test]
    fn every_scalar_has_a_text() {
        for (value, text) in [
            (t("é"), "'é'"),
            (t(""), "''"),
            (n(i64::MIN), "'-9223372036854775808'"),
            (f(3.0), "'3.0'"),
            (f(1e300), "'1e300'"),
            (b(false), "'false'"),
            (d(19_874), "'2024-05-31'"),
            (d(-719_162), "'0001-01-01'"),
            (tl(&["a"]), "null"),
            (null(), "null"),
        ] {
            check(F::ToText, [value], text);
        }
    }

    #[test]
    fn conditions_are_read_from_words_and_numbers() {
        for (value, condition) in [
            (t("Yes"), "true"),
            (t(" T "), "true"),
            (t("1"), "true"),
            (t("FALSE"), "false"),
            (t("n"), "false"),
            (t("0"), "false"),
            (t("2"), "null"),
            (t(""), "null"),
            (n(-3), "true"),
            (f(-0.0), "false"),
            (b(true), "true"),
            (null(), "null"),
        ] {
            check(F::ToBool, [value], condition);
        }
    }

    #[test]
    fn dates_are_read_from_iso_texts() {
        check(F::ToDate, [t("2024-05-31")], "day 19874");
        check(F::ToDate, [d(-5)], "day -5");
        check(F::ToDate, [t("31.05.2024")], "null");
        check(F::ToDate, [null()], "null");
    }
}
