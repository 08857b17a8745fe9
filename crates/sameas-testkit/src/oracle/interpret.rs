//! The interpreter: the value of an expression for one pair of records, by recursion.

use super::coverage::Coverage;
use super::fault::Fault;
use super::neighbours::Ranks;
use super::records::Record;
use super::value::Value;
use super::{functions, number};
use crate::case::{Expr, Op, Side, Type, case_values, chosen, compared, type_of};
use std::cmp::Ordering;

/// What an expression is evaluated on: two records, and what depends on all records. In a derive both are the one
/// record it sees.
pub struct Pair<'a> {
    /// The record that `l` means, and a bare column.
    pub left: &'a Record,
    /// The record that `r` means.
    pub right: &'a Record,
    /// The ranks for `neighbours`.
    pub ranks: &'a Ranks,
    /// The fault that a test has seeded; the oracle itself has none.
    pub fault: Option<Fault>,
}

impl Pair<'_> {
    fn record(&self, side: Side) -> &Record {
        if side == Side::Right { self.right } else { self.left }
    }

    fn type_of(&self, expr: &Expr) -> Type {
        type_of(expr, &|side, name| self.record(side).type_of(name))
    }

    /// The value of an expression; notes in `coverage` the values of its measures.
    pub fn value(&self, expr: &Expr, coverage: &mut Coverage) -> Value {
        let value = match expr {
            Expr::Column(side, name) => self.record(*side).value_of(name),
            Expr::Literal(literal) => Value::of_literal(literal),
            Expr::Call(op, arguments) => self.call(*op, arguments, coverage),
        };
        if let Expr::Call(op, arguments) = expr {
            record(*op, arguments, &value, coverage);
        }
        value
    }

    fn call(&self, op: Op, arguments: &[Expr], coverage: &mut Coverage) -> Value {
        match op {
            Op::Case => return self.case(arguments, coverage),
            Op::Neighbours => return self.neighbours(arguments),
            _ => {}
        }
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument, coverage)).collect();
        let types = || arguments.iter().map(|argument| self.type_of(argument));
        match op {
            _ if (Op::And..=Op::IsNotFalse).contains(&op) => logic(op, &values),
            _ if (Op::Equal..=Op::NotBetween).contains(&op) => {
                let common = compared(types());
                let values = beside(arguments, values, common);
                comparison(op, &values.iter().map(|value| value.read_as(common)).collect::<Vec<_>>())
            }
            Op::NullIf => {
                let common = compared(types());
                let values = beside(arguments, values, common);
                let same = equal(&values[0].read_as(common), &values[1].read_as(common));
                if same == Some(true) { Value::Null } else { values[0].clone() }
            }
            Op::Coalesce | Op::Least | Op::Greatest => {
                let common = chosen(types());
                let values = beside(arguments, values, common);
                choice(op, values.iter().map(|value| value.read_as(common)).filter(|value| !value.is_null()).collect())
            }
            _ if self.fault == Some(Fault::BytesForCharacters) => functions::call(op, &in_bytes(op, values)),
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo => {
                functions::call(op, &beside(arguments, values, compared(types())))
            }
            _ => functions::call(op, &values),
        }
    }

    /// The first branch whose condition is true.
    fn case(&self, arguments: &[Expr], coverage: &mut Coverage) -> Value {
        let common = chosen(case_values(arguments).map(|value| self.type_of(value)));
        for branch in arguments.chunks(2) {
            let taken = match branch {
                [when, then] => (self.value(when, coverage) == Value::Bool(true)).then_some(then),
                _ => Some(&branch[0]),
            };
            if let Some(value) = taken {
                let taken = beside(std::slice::from_ref(value), vec![self.value(value, coverage)], common);
                return taken[0].read_as(common);
            }
        }
        Value::Null
    }

    fn neighbours(&self, arguments: &[Expr]) -> Value {
        let width = self.value(&arguments[2], &mut Coverage::default()).to_integer();
        let ranks = [self.left, self.right].map(|record| self.ranks.rank(arguments, record.row));
        match (ranks, width) {
            ([Some(a), Some(b)], Some(width)) => Value::Bool((a.abs_diff(b) as i64) < width),
            _ => Value::Null,
        }
    }
}

/// The values, whose common type is given: constants beside a decimal are decimals.
fn beside(arguments: &[Expr], values: Vec<Value>, common: Type) -> Vec<Value> {
    let value = |(argument, value): (&Expr, Value)| {
        let is_constant = common == Type::Decimal && argument.columns().is_empty();
        if is_constant { value.beside_decimals() } else { value }
    };
    arguments.iter().zip(values).map(value).collect()
}

/// Notes the truth of a predicate under every measure that it compares. A predicate inside another notes itself.
fn record(op: Op, arguments: &[Expr], value: &Value, coverage: &mut Coverage) {
    if matches!(op, Op::Neighbours | Op::ListHasAny | Op::InList) {
        coverage.record(op, value.as_bool());
    } else if (Op::Equal..=Op::NotBetween).contains(&op) {
        for measure in arguments.iter().flat_map(Expr::measures) {
            coverage.record(measure, value.as_bool());
        }
    }
}

/// `and`, `or`, `not` and the tests for null and truth, three-valued.
fn logic(op: Op, values: &[Value]) -> Value {
    let first = &values[0];
    let (any_true, any_false) = (values.contains(&Value::Bool(true)), values.contains(&Value::Bool(false)));
    let any_null = values.contains(&Value::Null);
    match op {
        Op::And if any_false => Value::Bool(false),
        Op::Or if any_true => Value::Bool(true),
        Op::And | Op::Or if any_null => Value::Null,
        Op::And => Value::Bool(true),
        Op::Or => Value::Bool(false),
        Op::Not => Value::truth(first.as_bool().map(|value| !value)),
        Op::IsNull => Value::Bool(first.is_null()),
        Op::IsNotNull => Value::Bool(!first.is_null()),
        Op::IsTrue => Value::Bool(any_true),
        Op::IsNotTrue => Value::Bool(!any_true),
        Op::IsFalse => Value::Bool(any_false),
        _ => Value::Bool(!any_false),
    }
}

/// The comparisons, of values of one type.
fn comparison(op: Op, values: &[Value]) -> Value {
    let order = order(&values[0], &values[1]);
    let not = |value: Value| logic(Op::Not, &[value]);
    let both_null = values[0].is_null() && values[1].is_null();
    match op {
        Op::Equal => Value::truth(order.map(Ordering::is_eq)),
        Op::NotEqual => Value::truth(order.map(Ordering::is_ne)),
        Op::Less => Value::truth(order.map(Ordering::is_lt)),
        Op::LessEqual => Value::truth(order.map(Ordering::is_le)),
        Op::Greater => Value::truth(order.map(Ordering::is_gt)),
        Op::GreaterEqual => Value::truth(order.map(Ordering::is_ge)),
        Op::NotDistinct => Value::Bool(both_null || order == Some(Ordering::Equal)),
        Op::Distinct => Value::Bool(!both_null && order != Some(Ordering::Equal)),
        Op::In => {
            let each: Vec<Value> = values[1..].iter().map(|item| Value::truth(equal(&values[0], item))).collect();
            logic(Op::Or, &each)
        }
        Op::NotIn => not(comparison(Op::In, values)),
        Op::Between => {
            let low = comparison(Op::GreaterEqual, &values[..2]);
            let high = comparison(Op::LessEqual, &[values[0].clone(), values[2].clone()]);
            logic(Op::And, &[low, high])
        }
        _ => not(comparison(Op::Between, values)),
    }
}

/// The order of two values of one type; `None` if one is null.
pub fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.chars().cmp(b.chars())),
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        _ => number::order(a, b),
    }
}

/// Whether two values of one type are equal; `None` if one is null.
pub fn equal(a: &Value, b: &Value) -> Option<bool> {
    order(a, b).map(Ordering::is_eq)
}

/// The first, least or greatest of values of one type, none of them null.
fn choice(op: Op, values: Vec<Value>) -> Value {
    let wanted = if op == Op::Least { Ordering::Less } else { Ordering::Greater };
    let better = |best: Value, next: Value| {
        if op != Op::Coalesce && order(&next, &best) == Some(wanted) { next } else { best }
    };
    values.into_iter().reduce(better).unwrap_or(Value::Null)
}

/// The value of an expression without columns, if it is a number.
pub fn number_of(expr: &Expr) -> Option<f64> {
    let (no_record, ranks) = (Record::default(), Ranks::default());
    let pair = Pair { left: &no_record, right: &no_record, ranks: &ranks, fault: None };
    pair.value(expr, &mut Coverage::default()).to_float()
}

/// The arguments of a string measure with a character for each byte of a text; other arguments as they are.
fn in_bytes(op: Op, values: Vec<Value>) -> Vec<Value> {
    let bytes = |value: Value| match value {
        Value::Text(text) => Value::Text(text.bytes().map(char::from).collect()),
        other => other,
    };
    if (Op::Levenshtein..=Op::JaroWinkler).contains(&op) { values.into_iter().map(bytes).collect() } else { values }
}
