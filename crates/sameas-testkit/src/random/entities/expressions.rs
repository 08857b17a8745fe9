//! Expressions about the columns that every job has in some input.

use crate::case::{Expr, Op};
use crate::rng::Rng;

/// Columns computed of each record, which expressions may name.
pub(super) fn derives(rng: &mut Rng) -> Vec<(String, Expr)> {
    let derived = [("folded", own(Op::Lower, "name")), ("size", own(Op::Length, "name"))];
    let many = rng.below(derived.len() + 1);
    derived.into_iter().take(many).map(|(name, expr)| (name.to_owned(), expr)).collect()
}

fn own(op: Op, column: &str) -> Expr {
    Expr::unary(op, Expr::own(column))
}

fn with(op: Op, column: &str, constant: Expr) -> Expr {
    Expr::binary(op, Expr::own(column), constant)
}

/// A condition on one record.
pub(super) fn condition(rng: &mut Rng) -> Expr {
    let all = [
        own(Op::IsNotNull, "name"),
        own(Op::IsNull, "city"),
        with(Op::Like, "name", Expr::text("%nn%")),
        with(Op::NotLike, "name", Expr::text("_nn_")),
        with(Op::Greater, "num", Expr::int(1)),
        Expr::binary(Op::Or, own(Op::IsNull, "num"), with(Op::Less, "num", Expr::int(4))),
        Expr::binary(Op::GreaterEqual, own(Op::Length, "name"), Expr::int(3)),
        own(Op::IsNotTrue, "flag"),
        Expr::own("flag"),
        with(Op::NotEqual, "name", Expr::own("city")),
        with(Op::Distinct, "city", Expr::own("name")),
        with(Op::GreaterEqual, "day", Expr::text("2000-01-01")),
        Expr::Call(Op::In, vec![Expr::own("name"), Expr::text("ann"), Expr::text("Ann"), Expr::text("10")]),
        own(Op::Not, "flag"),
    ];
    rng.pick(&all).clone()
}

/// What records are ordered by, besides columns as they are.
pub(super) fn order(rng: &mut Rng) -> Expr {
    let all = [
        own(Op::Length, "name"),
        with(Op::Multiply, "num", Expr::int(-1)),
        Expr::Call(Op::Coalesce, vec![Expr::own("city"), Expr::own("name")]),
        own(Op::Year, "day"),
        with(Op::Greater, "num", Expr::int(2)),
    ];
    rng.pick(&all).clone()
}

/// A text, a number or a truth value that is computed of a record.
pub(super) fn value(rng: &mut Rng) -> Expr {
    let blank = Expr::text(" ");
    let all = [
        Expr::Call(Op::Concat, vec![Expr::own("name"), blank.clone(), Expr::own("city")]),
        Expr::Call(Op::ConcatWs, vec![blank, Expr::own("name"), Expr::own("city")]),
        own(Op::Lower, "name"),
        own(Op::Trim, "name"),
        Expr::Call(Op::Coalesce, vec![Expr::own("name"), Expr::own("city")]),
        with(Op::Greater, "num", Expr::int(2)),
        own(Op::CastText, "day"),
        number(rng),
    ];
    rng.pick(&all).clone()
}

/// A number that is computed of a record.
pub(super) fn number(rng: &mut Rng) -> Expr {
    let all = [
        with(Op::Add, "num", Expr::int(1)),
        own(Op::Length, "name"),
        own(Op::CastDouble, "num"),
        own(Op::CastDouble, "name"),
        own(Op::Year, "day"),
        with(Op::Multiply, "amount", Expr::float(2.0)),
    ];
    rng.pick(&all).clone()
}
