//! The oracle with one seeded fault: stand-ins for engines with the mistakes that engines make.
//!
//! A comparison of an engine with the oracle is useful if it detects these. A fault of a condition rewrites
//! the conditions, a fault of the result edits the answer; the few that need the evaluation itself are switches in it.

use super::answer::{Answer, answer, clusters_of};
use super::coverage::Coverage;
pub use super::fault::Fault;
use crate::case::{Case, Expr, Op, Type, compared};

/// The answer to a case of an engine with this fault.
pub fn evaluate(case: &Case, fault: Fault) -> Answer {
    let changed = with_faulty_conditions(case, fault);
    let sound = answer(&changed, Some(fault), &mut Coverage::default());
    edited(case, sound, fault)
}

/// The case with every condition as the fault understands it.
fn with_faulty_conditions(case: &Case, fault: Fault) -> Case {
    let mut changed = case.clone();
    for condition in changed.job.conditions_mut() {
        *condition = rewritten(condition, &|op, arguments| faulty_call(case, fault, op, arguments));
    }
    if fault == Fault::NeverForgotten {
        changed.job.nevers.clear();
    }
    changed
}

/// The expression with `rewrite` applied to every call, innermost first.
fn rewritten(expr: &Expr, rewrite: &dyn Fn(Op, Vec<Expr>) -> Expr) -> Expr {
    match expr {
        Expr::Call(op, arguments) => rewrite(*op, arguments.iter().map(|a| rewritten(a, rewrite)).collect()),
        other => other.clone(),
    }
}

fn faulty_call(case: &Case, fault: Fault, op: Op, arguments: Vec<Expr>) -> Expr {
    let about_a_measure = || arguments.iter().any(|argument| !argument.measures().is_empty());
    match (fault, op) {
        (Fault::NotNullIsTrue, Op::Not) => Expr::Call(Op::IsNotTrue, arguments),
        (Fault::BoundOffByOne, Op::GreaterEqual) if about_a_measure() => Expr::Call(Op::Greater, arguments),
        (Fault::BoundOffByOne, Op::LessEqual) if about_a_measure() => Expr::Call(Op::Less, arguments),
        (Fault::NullEqualsNull, Op::Equal) => Expr::Call(Op::NotDistinct, arguments),
        (Fault::NumbersComparedAsText, _) if (Op::Equal..=Op::GreaterEqual).contains(&op) => {
            let numbers = compared(arguments.iter().map(|a| case.rule_type(a))) == Type::Number;
            let as_text = |a: Expr| if numbers { Expr::unary(Op::CastText, a) } else { a };
            Expr::Call(op, arguments.into_iter().map(as_text).collect())
        }
        (Fault::OrOfNullIsNull, Op::Or) => {
            let known = arguments.iter().map(|a| Expr::unary(Op::IsNotNull, a.clone())).collect();
            Expr::Call(Op::Case, vec![Expr::Call(Op::And, known), Expr::Call(Op::Or, arguments)])
        }
        _ => Expr::Call(op, arguments),
    }
}

/// The answer with the fault.
fn edited(case: &Case, mut answer: Answer, fault: Fault) -> Answer {
    let records = answer.clusters.len();
    match fault {
        Fault::OrEmitsTwice => answer.pairs = emitted_twice(case, answer.pairs),
        Fault::LostLastRow => answer.pairs.retain(|(_, b, _)| b + 1 < records),
        Fault::MatchKeyOfLastRule => answer.pairs = with_last_rule(case),
        Fault::ClusterMissesAPair => {
            let known = answer.pairs.len().saturating_sub(1);
            answer.clusters = clusters_of(&answer.pairs[..known], records);
            return answer;
        }
        _ => {}
    }
    answer.clusters = clusters_of(&answer.pairs, records);
    answer
}

/// The pairs with those repeated that their rule, an `or`, finds by two of its parts.
fn emitted_twice(case: &Case, pairs: Vec<(usize, usize, usize)>) -> Vec<(usize, usize, usize)> {
    let parts = |rule: usize| match &case.job.rules[rule].when {
        Expr::Call(Op::Or, parts) => parts.clone(),
        _ => Vec::new(),
    };
    let of_part = |part: Expr| {
        let mut alone = case.clone();
        alone.job.rules.truncate(1);
        alone.job.rules[0].when = part;
        super::evaluate(&alone).pairs
    };
    let found: Vec<Vec<Vec<_>>> =
        (0..case.job.rules.len()).map(|rule| parts(rule).into_iter().map(of_part).collect()).collect();
    let times = |(a, b, rule): (usize, usize, usize)| {
        found[rule].iter().filter(|pairs| pairs.contains(&(a, b, 0))).count().clamp(1, 2)
    };
    pairs.into_iter().flat_map(|pair| std::iter::repeat_n(pair, times(pair))).collect()
}

/// The pairs with the last rule that holds: the first one of the reversed rules.
fn with_last_rule(case: &Case) -> Vec<(usize, usize, usize)> {
    let mut turned = case.clone();
    turned.job.rules.reverse();
    let last = case.job.rules.len() - 1;
    super::evaluate(&turned).pairs.into_iter().map(|(a, b, rule)| (a, b, last - rule)).collect()
}
