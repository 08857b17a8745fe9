//! What of a condition is a threshold, and how far it is loosened.
//!
//! Similarities, which are between 0 and 1 (or -1 and 1), by the amount that was asked for; numbers of edits, of positions
//! and of common tokens by 1; days, ranks, kilometres and absolute differences by 1 where the bound is a whole number: what
//! 0.5 of something means, nobody knows but the user. The threshold is loosened in decimals as it is written, so that
//! 0.7 less 0.05 is 0.65 and not the float below it.

use crate::expr::{Decimal, Expr, ExprKind, Function, Num, Value};
use crate::measure::MeasureKind;
use crate::rules::predicate_text::{sign, whole};

/// A comparison with a looser threshold, and its text.
pub type LooserForm = (Expr, String);

/// The looser form for a condition that must be false, and for one that must be true.
pub type LooserForms = [LooserForm; 2];

/// The looser forms of a condition, if it compares a measure of both records with a threshold.
pub fn looser_forms(expr: &Expr, text: &str, amount: f64) -> Option<LooserForms> {
    let ExprKind::Call(comparison, args) = &expr.kind else { return None };
    let is_at_most = match comparison {
        Function::Less | Function::LessEqual => true,
        Function::Greater | Function::GreaterEqual => false,
        _ => return None,
    };
    let [a, b] = &args[..] else { return None };
    let (measure, threshold, at) = match (&a.kind, &b.kind) {
        (ExprKind::Call(..), ExprKind::Literal(Value::Number(threshold))) => (a, *threshold, 1),
        (ExprKind::Literal(Value::Number(threshold)), ExprKind::Call(..)) => (b, *threshold, 0),
        _ => return None,
    };
    let step = step(measure, threshold, amount)?;
    // `measure <= 2` and `2 >= measure` bound the measure from above.
    let bounds_above = is_at_most == (at == 1);
    let form = |want: bool| {
        let up = bounds_above == want;
        let value = exact(threshold)?;
        let value = if up { value.plus(step)? } else { value.minus(step)? }.stripped();
        with_threshold(expr, at, &value.to_text(), text)
    };
    Some([form(false)?, form(true)?])
}

/// By how much a threshold on this measure is loosened.
fn step(measure: &Expr, threshold: Num, amount: f64) -> Option<Decimal> {
    let ExprKind::Call(function, args) = &measure.kind else { return None };
    let is_difference =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Call(Function::Subtract | Function::DateDiffDays, _));
    let is_whole = matches!(threshold.canonical(), Num::Int(_));
    if let Some(facts) = function.measure() {
        return match facts.kind {
            MeasureKind::Distance | MeasureKind::Common => Some(1.into()),
            MeasureKind::Similarity => exact(Num::Float(amount)),
        };
    }
    match function {
        Function::CosineSimilarity => exact(Num::Float(amount)),
        Function::DateDiffDays | Function::HaversineKm if is_whole => Some(1.into()),
        Function::Abs if is_whole && is_difference(&args[0]) => Some(1.into()),
        _ => None,
    }
}

/// The number as it is written: of a float the shortest decimal that reads back as it.
fn exact(number: Num) -> Option<Decimal> {
    match number {
        Num::Int(value) => Some(value.into()),
        Num::Wide(value) => Some(value),
        Num::Float(value) => Decimal::parse(&value.to_string()),
    }
}

/// The comparison with another number in this place.
fn with_threshold(expr: &Expr, at: usize, number: &str, text: &str) -> Option<LooserForm> {
    let ExprKind::Call(comparison, args) = &expr.kind else { return None };
    let old = &args[at];
    let kind = ExprKind::Literal(Value::Number(Num::parse(number)?));
    let mut parts = args.clone();
    parts[at] = Expr { kind, ty: old.ty, span: old.span };
    let measure = &args[1 - at];
    // What stands for a call, as for `neighbours`, has the span of the call, and the number is one of its arguments.
    let shown = match sign(*comparison) {
        Some(sign) if measure.span != expr.span => {
            let mut sides = [whole(measure, text), number.to_owned()];
            if at == 0 {
                sides.swap(0, 1);
            }
            sides.join(&format!(" {sign} "))
        }
        _ => {
            let (before, after) = (text.get(expr.span.start..old.span.start)?, text.get(old.span.end..expr.span.end)?);
            format!("{before}{number}{after}").split_whitespace().collect::<Vec<_>>().join(" ")
        }
    };
    Some((Expr { kind: ExprKind::Call(*comparison, parts), ty: expr.ty, span: expr.span }, shown))
}
