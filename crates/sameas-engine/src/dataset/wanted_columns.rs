//! Which columns of an input are read: those that rules read, or all that can be shown.

use std::cell::RefCell;
use std::collections::BTreeSet;

use arrow_schema::Field;

use crate::expr::{Expr, Side, repetition, type_of};
use crate::records::OpenSource;
use crate::rules::{RuleSet, Test};

/// The places of all input columns whose values can be shown.
pub fn readable_columns(source: &OpenSource, id: Option<usize>) -> Vec<usize> {
    let fields = source.schema().fields();
    (0..fields.len()).filter(|at| Some(*at) == id || is_readable(&fields[*at])).collect()
}

/// Whether the values of a column can be shown.
pub fn is_readable(field: &Field) -> bool {
    type_of(field.data_type()).is_some() && repetition(field).is_none()
}

/// The places of all input columns that the rules read, and of the id.
pub fn wanted_columns(rules: &RuleSet, side: usize, source: &OpenSource, id: Option<usize>) -> Vec<usize> {
    let names = wanted_names(rules, side);
    let fields = source.schema().fields();
    (0..fields.len()).filter(|at| Some(*at) == id || names.contains(fields[*at].name())).collect()
}

/// The names in expressions of all columns of an input that the rules read.
pub fn wanted_names(rules: &RuleSet, side: usize) -> BTreeSet<String> {
    let names = RefCell::new(BTreeSet::new());
    let this_side = |s: Side| !rules.has_two_sides() || (s == Side::Right) == (side == 1);
    let collect = |expr: &Expr, own: Option<Side>| {
        expr.each_column(&mut |of, key| {
            if this_side(own.unwrap_or(of)) {
                names.borrow_mut().insert(key.to_owned());
            }
        });
    };
    let here = if side == 1 { Side::Right } else { Side::Left };
    rules.derived[side].iter().for_each(|d| collect(&d.expr, Some(here)));
    rules.rankings.iter().for_each(|r| collect(&r.keys[side.min(1)], Some(here)));
    for predicate in &rules.predicates {
        match &predicate.test {
            Test::Equal { left, right, .. } | Test::Measure { left, right, .. } | Test::ListHasAny { left, right } => {
                collect(left, Some(Side::Left));
                collect(right, Some(Side::Right));
            }
            Test::OneSided { side, condition } => collect(condition, Some(*side)),
            Test::Residual(expr) => collect(expr, None),
            Test::SameSource => {}
        }
    }
    rules.values.iter().for_each(|value| collect(value, None));
    names.into_inner()
}
