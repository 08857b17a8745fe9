//! What a condition is made of, for those who ask why it holds or not: the parts of sums, and the measures inside.

use std::collections::HashSet;

use super::predicate_text::whole;
use crate::expr::{Expr, ExprKind, Function, Reads, Value};

/// A part of a condition, in the words of its rule.
#[derive(Clone, Debug)]
pub struct ConditionPart {
    /// As it is written.
    pub text: String,
    /// What it computes of the two records.
    pub expr: Expr,
}

/// The parts of a condition that compares computed values: of a sum its terms, of anything else that is no measure by
/// itself what is compared, where both sides are computed, and the measures inside.
pub fn condition_parts(condition: &Expr, text: &str) -> Vec<ConditionPart> {
    let mut parts = Vec::new();
    let sides = compared(condition);
    let computed: Vec<&&Expr> = sides.iter().filter(|side| !is_constant(side)).collect();
    for side in &computed {
        let first = parts.len();
        terms(side, false, text, &mut parts);
        // One term is the whole of it: what was measured says the same, unless there are two sides to tell apart.
        if parts.len() == first + 1 && computed.len() == 1 {
            parts.truncate(first);
        }
    }
    let mut measures = Vec::new();
    let whole_sides = |measure: &Expr| computed.len() == 1 && computed[0].span == measure.span;
    collect_measures(condition, &mut |measure| {
        if !whole_sides(measure) {
            measures.push(measure.clone());
        }
    });
    let mut known: HashSet<String> =
        parts.iter().map(|part: &ConditionPart| part.text.trim_start_matches("- ").to_owned()).collect();
    for expr in measures {
        let text = whole(&expr, text);
        if known.insert(text.clone()) {
            parts.push(ConditionPart { text, expr });
        }
    }
    parts
}

/// What a condition compares: nothing, where it is no comparison.
pub fn compared(condition: &Expr) -> Vec<&Expr> {
    use Function as F;
    match &condition.kind {
        ExprKind::Call(
            F::Less
            | F::LessEqual
            | F::Greater
            | F::GreaterEqual
            | F::Equal
            | F::NotEqual
            | F::Distinct
            | F::NotDistinct,
            sides,
        ) => sides.iter().collect(),
        _ => Vec::new(),
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Value::Number(_) | Value::Text(_) | Value::Bool(_) | Value::Null))
}

/// A column, read as a number or a date or as it is: its value is shown anyway.
fn is_column(expr: &Expr) -> bool {
    use Function as F;
    match &expr.kind {
        ExprKind::Column(..) => true,
        ExprKind::Call(F::ToNumber | F::ToDate, args) => is_column(&args[0]),
        _ => false,
    }
}

/// The terms of a sum, with their signs; an expression that is none is its own only term.
fn terms(expr: &Expr, negative: bool, text: &str, parts: &mut Vec<ConditionPart>) {
    match &expr.kind {
        _ if is_column(expr) => {}
        ExprKind::Call(Function::Add, args) => args.iter().for_each(|arg| terms(arg, negative, text, parts)),
        ExprKind::Call(Function::Subtract, args) => {
            terms(&args[0], negative, text, parts);
            args[1..].iter().for_each(|arg| terms(arg, !negative, text, parts));
        }
        _ if negative => {
            let kind = ExprKind::Call(Function::Negate, vec![expr.clone()]);
            let text = format!("- {}", whole(expr, text));
            parts.push(ConditionPart { text, expr: Expr { kind, ty: expr.ty, span: expr.span } });
        }
        _ => parts.push(ConditionPart { text: whole(expr, text), expr: expr.clone() }),
    }
}

/// The measures of two records inside, the outermost only.
fn collect_measures(expr: &Expr, take: &mut dyn FnMut(&Expr)) {
    let ExprKind::Call(function, args) = &expr.kind else { return };
    let is_difference =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Call(Function::Subtract | Function::DateDiffDays, _));
    let is_measure = match function {
        Function::CosineSimilarity | Function::HaversineKm | Function::DateDiffDays => true,
        Function::Abs => is_difference(&args[0]),
        function => function.measure().is_some(),
    };
    if is_measure && expr.sides() == Reads::Both {
        return take(expr);
    }
    args.iter().for_each(|arg| collect_measures(arg, take));
}
