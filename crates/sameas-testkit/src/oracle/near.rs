//! Near pairs: those that no rule gives, and that one gives with one of its thresholds written a little looser.

use super::answer::evaluate;
use crate::case::{Case, Expr, Literal, MeasureKind, Op, Rule, Side, Type, compared};

/// A near pair.
#[derive(Clone, Debug, PartialEq)]
pub struct NearPair {
    /// Row of l.
    pub l: usize,
    /// Row of r.
    pub r: usize,
    /// The rule.
    pub rule: usize,
    /// The threshold that is loosened.
    pub threshold: Literal,
    /// Whether its condition must be true, or false.
    pub want: bool,
}

/// A comparison of a rule, and whether the rule wants it true or false.
type Atom = (Expr, bool);

/// The near pairs of a case: of the case with a rule more for each threshold, those that belong to no written rule.
pub fn near(case: &Case, amount: f64) -> Vec<NearPair> {
    let mut looser = case.clone();
    let mut loosened = Vec::new();
    for (rule, written) in case.job.rules.iter().enumerate() {
        let when = spelled_out(case, &written.when);
        let mut atoms: Vec<Atom> = Vec::new();
        collect(&when, true, &mut atoms);
        for (atom, want) in atoms {
            let Some((new, threshold)) = looser_atom(case, &atom, want, amount) else { continue };
            let when = replace(&when, true, &(atom, want), &new);
            looser.job.rules.push(Rule::new(when));
            loosened.push((rule, threshold, want));
        }
    }
    let written = case.job.rules.len();
    let near = evaluate(&looser).pairs.into_iter().filter(|(_, _, rule)| *rule >= written);
    let of = |(l, r, at): (usize, usize, usize)| {
        let (rule, threshold, want) = loosened[at - written].clone();
        NearPair { l, r, rule, threshold, want }
    };
    near.map(of).collect()
}

/// `between` as two comparisons, where these compare as it does: it reads all three as one type.
fn spelled_out(case: &Case, expr: &Expr) -> Expr {
    let Expr::Call(op, arguments) = expr else { return expr.clone() };
    let arguments: Vec<Expr> = match op {
        Op::And | Op::Or | Op::Not => arguments.iter().map(|part| spelled_out(case, part)).collect(),
        _ => arguments.clone(),
    };
    let both = |arguments: &[Expr]| {
        let above = Expr::binary(Op::GreaterEqual, arguments[0].clone(), arguments[1].clone());
        Expr::binary(Op::And, above, Expr::binary(Op::LessEqual, arguments[0].clone(), arguments[2].clone()))
    };
    let read_as = |of: &[usize]| compared(of.iter().map(|at| case.rule_type(&arguments[*at])));
    match op {
        Op::Between | Op::NotBetween if [read_as(&[0, 1]), read_as(&[0, 2])] != [read_as(&[0, 1, 2]); 2] => {
            Expr::Call(*op, arguments)
        }
        Op::Between => both(&arguments),
        Op::NotBetween => Expr::unary(Op::Not, both(&arguments)),
        _ => Expr::Call(*op, arguments),
    }
}

/// What `and`, `or` and `not` are made of, each once, in the order of writing.
fn collect(expr: &Expr, want: bool, atoms: &mut Vec<Atom>) {
    match expr {
        Expr::Call(Op::And | Op::Or, arguments) => arguments.iter().for_each(|part| collect(part, want, atoms)),
        Expr::Call(Op::Not, arguments) => collect(&arguments[0], !want, atoms),
        _ if atoms.contains(&(expr.clone(), want)) => {}
        _ => atoms.push((expr.clone(), want)),
    }
}

/// The rule with something else wherever it wants this comparison to have this truth.
fn replace(expr: &Expr, want: bool, old: &Atom, new: &Expr) -> Expr {
    match expr {
        Expr::Call(op @ (Op::And | Op::Or), arguments) => {
            Expr::Call(*op, arguments.iter().map(|part| replace(part, want, old, new)).collect())
        }
        Expr::Call(Op::Not, arguments) => Expr::unary(Op::Not, replace(&arguments[0], !want, old, new)),
        _ if *expr == old.0 && want == old.1 => new.clone(),
        _ => expr.clone(),
    }
}

/// The comparison with a looser threshold, and the threshold it has.
fn looser_atom(case: &Case, atom: &Expr, want: bool, amount: f64) -> Option<(Expr, Literal)> {
    let Expr::Call(op, arguments) = atom else { return None };
    if *op == Op::Neighbours {
        let Expr::Literal(width) = &arguments[2] else { return None };
        let looser = Expr::Literal(moved(width, 1.0, want));
        return Some((Expr::Call(*op, vec![arguments[0].clone(), arguments[1].clone(), looser]), width.clone()));
    }
    let at_most = match op {
        Op::Less | Op::LessEqual => true,
        Op::Greater | Op::GreaterEqual => false,
        _ => return None,
    };
    let (measure, threshold, place) = match &arguments[..] {
        [measure @ Expr::Call(..), Expr::Literal(threshold)] => (measure, threshold, 1),
        [Expr::Literal(threshold), measure @ Expr::Call(..)] => (measure, threshold, 0),
        _ => return None,
    };
    let sides: Vec<Side> = measure.columns().iter().map(|(side, _)| *side).collect();
    if !(sides.contains(&Side::Left) && sides.contains(&Side::Right)) {
        return None;
    }
    let step = step(case, measure, threshold, amount)?;
    let from_above = at_most == (place == 1);
    let mut looser = arguments.clone();
    looser[place] = Expr::Literal(moved(threshold, step, from_above == want));
    Some((Expr::Call(*op, looser), threshold.clone()))
}

/// By how much a threshold on this measure is loosened.
fn step(case: &Case, measure: &Expr, threshold: &Literal, amount: f64) -> Option<f64> {
    let Expr::Call(op, arguments) = measure else { return None };
    let is_difference = |expr: &Expr| matches!(expr, Expr::Call(Op::Subtract | Op::DateDiffDays, _));
    let is_whole = match threshold {
        Literal::Int(_) => true,
        Literal::Float(value) => value.fract() == 0.0,
        _ => return None,
    };
    if let Some(kind) = op.kind() {
        return Some(match kind {
            MeasureKind::Distance | MeasureKind::Common => 1.0,
            MeasureKind::TextSimilarity | MeasureKind::SetSimilarity => amount,
        });
    }
    match op {
        Op::CosineSimilarity => Some(amount),
        Op::HaversineKm | Op::DateDiffDays if is_whole => Some(1.0),
        Op::Subtract if is_whole && arguments.iter().all(|date| case.rule_type(date) == Type::Date) => Some(1.0),
        Op::Abs if is_whole && is_difference(&arguments[0]) => Some(1.0),
        _ => None,
    }
}

/// Digits behind the point that numbers are added with.
const DIGITS: usize = 17;

/// The number more or less a step, in decimals as both are written.
fn moved(number: &Literal, step: f64, up: bool) -> Literal {
    match number {
        Literal::Int(value) if step == 1.0 => {
            let next = if up { value.checked_add(1) } else { value.checked_sub(1) };
            // Beyond the integers of a case, where no value is: the float there bounds the same.
            next.map_or(Literal::Float(*value as f64), Literal::Int)
        }
        Literal::Int(value) => moved(&Literal::Float(*value as f64), step, up),
        Literal::Float(value) => {
            let sum = scaled(*value) + if up { scaled(step) } else { -scaled(step) };
            let (sign, digits) = (if sum < 0 { "-" } else { "" }, format!("{:018}", sum.abs()));
            let (whole, fraction) = digits.split_at(digits.len() - DIGITS);
            Literal::Float(format!("{sign}{whole}.{fraction}").parse().unwrap_or(f64::NAN))
        }
        other => other.clone(),
    }
}

/// A number times ten to the power of [`DIGITS`], exactly as it is written.
fn scaled(value: f64) -> i128 {
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{fraction:0<DIGITS$}").parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_move_as_they_are_written() {
        let float = |value| Literal::Float(value);
        assert_eq!(moved(&float(0.7), 0.05, false), float(0.65));
        assert_eq!(moved(&float(0.03), 0.05, false), float(-0.02));
        assert_eq!(moved(&float(-0.5), 0.1, true), float(-0.4));
        assert_eq!(moved(&float(0.666_666_666_666_666_6), 0.1, true), float(0.766_666_666_666_666_6));
        assert_eq!(moved(&Literal::Int(2), 1.0, true), Literal::Int(3));
        assert_eq!(moved(&Literal::Int(1), 0.05, false), float(0.95));
    }
}
