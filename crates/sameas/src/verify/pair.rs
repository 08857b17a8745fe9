//! One pair, inspected: each rule and predicate with its values, true or not, and by how much it missed.

use crate::candidates::Batch;
use crate::expr::{Expr, Num, Side, Vector, shown_name};
use crate::records::Frame;
use crate::rules::{Conjunction, Predicate, Rule, RuleSet, Test};
use crate::threshold::{Check, Sides, Truth};

use super::program::Program;

/// What became of one predicate.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The predicate as it was written, under `not` where it must be false.
    pub text: String,
    /// Whether the literal is satisfied.
    pub holds: bool,
    /// The predicate's own verdict.
    pub truth: Truth,
    /// The values it saw, by name.
    pub values: Vec<(String, String)>,
    /// The measure's value, where there is one.
    pub measured: Option<Num>,
    /// By how much the threshold was missed, where it was.
    pub missed_by: Option<f64>,
}

/// What became of one rule.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// The ways it could hold, one for each conjunction.
    pub ways: Vec<Vec<Finding>>,
}

/// Inspects the pair of rows `l` and `r`. Gives the rules and the `never` rules.
pub fn inspect(
    rules: &RuleSet,
    program: &Program,
    frames: &[Frame],
    l: u32,
    r: u32,
) -> (Vec<Inspection>, Vec<Inspection>) {
    let inspector = Inspector { rules, program, frames, l, r };
    let all = |list: &[Rule], conjunctions: &[Conjunction]| -> Vec<Inspection> {
        list.iter().map(|rule| inspector.rule(rule, conjunctions)).collect()
    };
    (all(&rules.rules, &program.conjunctions), all(&rules.nevers, &program.nevers))
}

struct Inspector<'a> {
    rules: &'a RuleSet,
    program: &'a Program,
    frames: &'a [Frame],
    l: u32,
    r: u32,
}

impl Inspector<'_> {
    fn rule(&self, rule: &Rule, conjunctions: &[Conjunction]) -> Inspection {
        let mine = &conjunctions[rule.conjunctions.clone()];
        let ways: Vec<Vec<Finding>> = mine.iter().map(|c| self.conjunction(c)).collect();
        let holds = ways.iter().any(|way| way.iter().all(|f| f.holds));
        Inspection { name: rule.name.clone(), text: rule.text.clone(), holds, ways }
    }

    fn conjunction(&self, conjunction: &Conjunction) -> Vec<Finding> {
        let of_literal = |literal: &crate::rules::Literal| {
            let predicate = &self.rules.predicates[literal.predicate];
            let check = &self.program.checks[literal.predicate];
            let truth = self.truth(check);
            let holds = truth == Truth::from(literal.want);
            let measured = check.value(&self.program.encoded, self.l, self.r);
            let text = if literal.want { predicate.text.clone() } else { format!("not ({})", predicate.text) };
            let missed_by = if holds { None } else { missed_by(predicate, measured) };
            Finding { text, holds, truth, values: self.values(predicate, check), measured, missed_by }
        };
        conjunction.literals.iter().map(of_literal).collect()
    }

    fn truth(&self, check: &Check) -> Truth {
        let batch = Batch { l: vec![self.l], r: vec![self.r] };
        let mut truths = [Truth::Unknown];
        check.evaluate(&self.program.encoded, &batch, &[0], &mut truths);
        truths[0]
    }

    /// The compared values, or, where a condition compares none, the columns it reads.
    fn values(&self, predicate: &Predicate, check: &Check) -> Vec<(String, String)> {
        let Some(Sides { left, right }) = check.operands() else { return self.columns(predicate) };
        let encoded = &self.program.encoded;
        vec![("l".into(), shown(&encoded.value(left, self.l))), ("r".into(), shown(&encoded.value(right, self.r)))]
    }

    fn columns(&self, predicate: &Predicate) -> Vec<(String, String)> {
        let mut values: Vec<(String, String)> = Vec::new();
        let mut visit = |expr: &Expr, own: Option<Side>| {
            expr.each_column(&mut |side, key| {
                let side = own.unwrap_or(side);
                let (frame, row) = if side == Side::Left {
                    (&self.frames[0], self.l)
                } else {
                    (&self.frames[self.frames.len() - 1], self.r)
                };
                let named = (format!("{}.{}", side.letter(), shown_name(key)), shown(&frame.value(row, key)));
                if !values.contains(&named) {
                    values.push(named);
                }
            });
        };
        match &predicate.test {
            Test::OneSided { side, condition } => visit(condition, Some(*side)),
            Test::Residual(expr) => visit(expr, None),
            _ => {}
        }
        values
    }
}

fn missed_by(predicate: &Predicate, measured: Option<Num>) -> Option<f64> {
    match &predicate.test {
        Test::Measure { threshold, .. } => measured.map(|value| (value.to_f64() - threshold.to_f64()).abs()),
        _ => None,
    }
}

/// The one value of a column of one row.
fn shown(vector: &Vector) -> String {
    match (vector, vector.shown(0)) {
        (_, None) => "null".into(),
        (Vector::Text(_), Some(text)) => format!("'{text}'"),
        (_, Some(text)) => text,
    }
}
