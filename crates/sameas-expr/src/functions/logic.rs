//! Three-valued logic and tests for null and truth.

use crate::expr::eval::{Args, bools};
use crate::expr::{Function, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let first = args.bools(0);
    match function {
        Function::And => fold(args, false),
        Function::Or => fold(args, true),
        Function::Not => bools(args.rows(), |row| first.get(row).map(|value| !value)),
        Function::IsNull => bools(args.rows(), |row| Some(args.cell(0, row).is_none())),
        Function::IsNotNull => bools(args.rows(), |row| Some(args.cell(0, row).is_some())),
        Function::IsTrue => bools(args.rows(), |row| Some(first.get(row) == Some(&true))),
        Function::IsFalse => bools(args.rows(), |row| Some(first.get(row) == Some(&false))),
        other => unreachable!("{other:?} belongs to another group"),
    }
}

/// `and` (`decisive` false) and `or` (`decisive` true): one decisive argument settles the result; without one,
/// one null makes it null.
fn fold(args: &Args<'_>, decisive: bool) -> Vector {
    let mut result = vec![Some(!decisive); args.rows()];
    for index in 0..args.len() {
        let values = args.bools(index);
        for (row, result) in result.iter_mut().enumerate() {
            match values.get(row) {
                Some(value) if *value == decisive => *result = Some(decisive),
                None if *result != Some(decisive) => *result = None,
                _ => {}
            }
        }
    }
    Vector::Bool(result)
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{b, check, d, n, null, t};

    #[test]
    fn and_or_not_follow_kleene() {
        let values = || [b(true), b(false), null()];
        let and = ["true", "false", "null", "false", "false", "false", "null", "false", "null"];
        let or = ["true", "true", "true", "true", "false", "null", "true", "null", "null"];
        for i in 0..9 {
            let pair = || vec![values()[i / 3].clone(), values()[i % 3].clone()];
            check(F::And, pair(), and[i]);
            check(F::Or, pair(), or[i]);
        }
        check(F::And, [null(), b(true), b(false)], "false");
        check(F::Or, [null(), b(false), b(true)], "true");
        for (value, not) in [(b(true), "false"), (b(false), "true"), (null(), "null")] {
            check(F::Not, [value], not);
        }
    }

    #[test]
    fn tests_are_never_null() {
        for value in [b(true), t(""), t("é"), n(0), d(0)] {
            check(F::IsNull, [value.clone()], "false");
            check(F::IsNotNull, [value], "true");
        }
        check(F::IsNull, [null()], "true");
        check(F::IsNotNull, [null()], "false");
        for (value, is_true, is_false) in
            [(b(true), "true", "false"), (b(false), "false", "true"), (null(), "false", "false")]
        {
            check(F::IsTrue, [value.clone()], is_true);
            check(F::IsFalse, [value], is_false);
        }
    }
}
