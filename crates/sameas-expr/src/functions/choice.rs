//! Choices among values of one type: first the argument to take is found for each row, then the values are copied.

use std::cmp::Ordering;

use arrow_array::Array;

use crate::expr::eval::{Args, numbers, texts};
use crate::expr::{Function, Type, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let ty = value_type(function, args);
    match function {
        Function::Case => pick(args, ty, |row| case(args, row)),
        Function::Coalesce => pick(args, ty, |row| (0..args.len()).find(|index| args.cell(*index, row).is_some())),
        Function::NullIf => unchanged(args).unwrap_or_else(|| {
            pick(args, ty, |row| {
                let value = args.cell(0, row);
                (value.is_some() && value != args.cell(1, row)).then_some(0)
            })
        }),
        Function::Least => pick(args, ty, |row| extreme(args, row, Ordering::Less)),
        Function::Greatest => pick(args, ty, |row| extreme(args, row, Ordering::Greater)),
        other => unreachable!("{other:?} belongs to another group"),
    }
}

/// The texts themselves, where `nullif` makes none of them null. Every derived text goes through `nullif(..., '')`, and
/// few are empty.
fn unchanged(args: &Args<'_>) -> Option<Vector> {
    let (column, other) = (args.text_column(0)?, args.texts(1));
    let same = |row: usize| !column.is_null(row) && other.get(row) == Some(column.value(row));
    (!(0..args.rows()).any(same)).then(|| Vector::Text(column.clone()))
}

/// The type of the values, each of which may be a plain `null`; in a `case`, every second argument is a condition.
fn value_type(function: Function, args: &Args<'_>) -> Type {
    let is_value = |index: usize| function != Function::Case || index % 2 == 1 || index + 1 == args.len();
    let types = args.list().iter().enumerate().filter(|(index, _)| is_value(*index)).map(|(_, arg)| arg.ty());
    types.into_iter().find(|ty| *ty != Type::Null).unwrap_or(Type::Null)
}

/// The argument after the first condition that is true, else the last.
fn case(args: &Args<'_>, row: usize) -> Option<usize> {
    let otherwise = args.len().checked_sub(1)?;
    let when = (0..otherwise).step_by(2).find(|index| args.bools(*index).get(row) == Some(&true));
    Some(when.map_or(otherwise, |index| index + 1))
}

/// The argument that is `wanted` compared with all others, nulls aside; the first of equals.
fn extreme(args: &Args<'_>, row: usize, wanted: Ordering) -> Option<usize> {
    let mut best = None;
    for index in 0..args.len() {
        let Some(value) = args.cell(index, row) else { continue };
        match best {
            Some((_, other)) if value.cmp(&other) != wanted => {}
            _ => best = Some((index, value)),
        }
    }
    best.map(|(index, _)| index)
}

/// The value of the chosen argument for each row; `None` is null.
fn pick(args: &Args<'_>, ty: Type, choose: impl Fn(usize) -> Option<usize>) -> Vector {
    let rows = args.rows();
    match ty {
        Type::Null => Vector::Null(rows),
        Type::Bool => Vector::Bool((0..rows).map(|row| args.bools(choose(row)?).get(row).copied()).collect()),
        Type::Number | Type::Decimal => numbers(rows, |row| args.numbers(choose(row)?).get(row)),
        Type::Date => Vector::Date((0..rows).map(|row| args.dates(choose(row)?).get(row).copied()).collect()),
        Type::TextList => {
            Vector::TextList((0..rows).map(|row| args.text_lists(choose(row)?).get(row).cloned()).collect())
        }
        Type::NumberList => {
            Vector::NumberList((0..rows).map(|row| args.number_lists(choose(row)?).get(row).cloned()).collect())
        }
        Type::Text => texts(args, args.texts(args.len() - 1).bytes(rows), |row, out| {
            out.push_str(args.texts(choose(row)?).get(row)?);
            Some(())
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::eval::testing::{b, check, d, f, n, null, t, tl};
    use crate::expr::{Function as F, Vector};

    /// Two values of each type, the smaller first, and how they are shown.
    fn values() -> Vec<([Vector; 2], [&'static str; 2])> {
        vec![
            ([b(false), b(true)], ["false", "true"]),
            ([t(""), t("é")], ["''", "'é'"]),
            ([n(-1), f(0.5)], ["-1", "0.5"]),
            ([d(1), d(2)], ["day 1", "day 2"]),
            ([tl(&["a"]), tl(&["b"])], ["[a]", "[b]"]),
        ]
    }

    #[test]
    fn choices_return_every_type() {
        for ([x, y], [shown_x, shown_y]) in values() {
            check(F::Case, [b(true), x.clone(), y.clone()], shown_x);
            check(F::Case, [b(false), x.clone(), y.clone()], shown_y);
            check(F::Case, [null(), x.clone(), b(true), y.clone(), null()], shown_y);
            check(F::Case, [b(false), x.clone(), null()], "null");
            check(F::Coalesce, [null(), x.clone(), y.clone()], shown_x);
            check(F::Coalesce, [null(), null()], "null");
            check(F::NullIf, [x.clone(), x.clone()], "null");
            check(F::NullIf, [x.clone(), y.clone()], shown_x);
            check(F::NullIf, [x.clone(), null()], shown_x);
            check(F::NullIf, [null(), x.clone()], "null");
            check(F::Least, [y.clone(), null(), x.clone()], shown_x);
            check(F::Greatest, [x, null(), y], shown_y);
            check(F::Greatest, [null()], "null");
        }
    }

    #[test]
    fn the_first_of_equals_is_taken() {
        check(F::Least, [f(3.0), n(3)], "3.0");
        check(F::Greatest, [n(3), f(3.0)], "3");
    }
}
