//! Comparisons of two values of one type, and membership.

use std::cmp::Ordering;

use crate::expr::eval::{Arg, Args, Cell, bools};
use crate::expr::{Function, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let holds: fn(Ordering) -> bool = match function {
        Function::NotEqual => Ordering::is_ne,
        Function::Less => Ordering::is_lt,
        Function::LessEqual => Ordering::is_le,
        Function::Greater => Ordering::is_gt,
        Function::GreaterEqual => Ordering::is_ge,
        Function::Equal => Ordering::is_eq,
        other => unreachable!("{other:?} belongs to another group"),
    };
    bools(args.rows(), |row| Some(holds(args.cell(0, row)?.cmp(&args.cell(1, row)?))))
}

/// `is [not] distinct from`: null equals null and nothing else.
pub(super) fn distinct(function: Function, args: &Args<'_>) -> Vector {
    let wanted = function == Function::Distinct;
    bools(args.rows(), |row| Some((args.cell(0, row) != args.cell(1, row)) == wanted))
}

/// `x in (...)`: true where a member equals x, else null where x or a member is null, else false.
/// Constants, which may be many, are sorted once and searched.
pub(super) fn is_in(args: &Args<'_>) -> Vector {
    let members = args.list().get(1..).unwrap_or_default();
    let (constants, columns): (Vec<&Arg>, Vec<&Arg>) = members.iter().partition(|member| member.is_constant());
    let mut sorted: Vec<Cell<'_>> = constants.iter().filter_map(|member| member.cell(0)).collect();
    sorted.sort_unstable();
    let null_constant = sorted.len() < constants.len();
    bools(args.rows(), |row| {
        let value = args.cell(0, row)?;
        let found =
            sorted.binary_search(&value).is_ok() || columns.iter().any(|member| member.cell(row) == Some(value));
        let open = null_constant || columns.iter().any(|member| member.cell(row).is_none());
        if found { Some(true) } else { (!open).then_some(false) }
    })
}

#[cfg(test)]
mod tests {
    use crate::expr::eval::testing::{b, check, d, f, n, null, t, tl};
    use crate::expr::{Function as F, Vector};

    fn compared(low: &Vector, high: &Vector) {
        for (function, less, equal, greater) in [
            (F::Equal, "false", "true", "false"),
            (F::NotEqual, "true", "false", "true"),
            (F::Less, "true", "false", "false"),
            (F::LessEqual, "true", "true", "false"),
            (F::Greater, "false", "false", "true"),
            (F::GreaterEqual, "false", "true", "true"),
        ] {
            check(function, [low.clone(), high.clone()], less);
            check(function, [low.clone(), low.clone()], equal);
            check(function, [high.clone(), low.clone()], greater);
            check(function, [low.clone(), null()], "null");
            check(function, [null(), low.clone()], "null");
        }
    }

    #[test]
    fn all_types_are_ordered() {
        compared(&b(false), &b(true));
        compared(&t(""), &t("a"));
        compared(&t("\u{ffff}"), &t("\u{10000}"));
        compared(&n(i64::MIN), &f(-1e18));
        compared(&f(9_007_199_254_740_992.0), &n(9_007_199_254_740_993));
        compared(&d(-1), &d(0));
        compared(&tl(&["a"]), &tl(&["a", "b"]));
        check(F::Equal, [n(3), f(3.0)], "true");
    }

    #[test]
    fn distinct_treats_null_as_a_value() {
        for (left, right, distinct, not) in [
            (n(1), f(1.0), "false", "true"),
            (n(1), n(2), "true", "false"),
            (n(1), null(), "true", "false"),
            (null(), t("x"), "true", "false"),
            (null(), null(), "false", "true"),
        ] {
            check(F::Distinct, [left.clone(), right.clone()], distinct);
            check(F::NotDistinct, [left, right], not);
        }
    }

    #[test]
    fn membership_follows_sql_for_nulls() {
        check(F::In, [t("b"), t("c"), t("a"), t("b")], "true");
        check(F::In, [t("b"), t("c"), null(), t("b")], "true");
        check(F::In, [t("x"), t("c"), t("a")], "false");
        check(F::In, [t("x"), t("c"), null()], "null");
        check(F::In, [null(), t("c")], "null");
        check(F::In, [n(3), n(5), f(3.0), n(i64::MIN)], "true");
    }
}
