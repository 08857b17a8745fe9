//! One pair, inspected: each rule and predicate with its values, true or not, and by how much it missed.

use crate::candidates::Batch;
use serde::{Deserialize, Serialize};

use crate::expr::{
    Columns, Expr, ExprKind, FieldValue, Function, Num, Side, Value, Vector, evaluate, shown_member, shown_name,
};
use crate::records::Frame;
use crate::rules::{ConditionPart, Conjunction, Literal, LiteralRecord, Predicate, Rule, RuleSet, Test, compared};
use crate::threshold::{Check, Sides, Truth};

use super::program::Program;

/// The verdict on one condition of a rule, for one pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The condition.
    pub condition: LiteralRecord,
    /// Whether it is satisfied.
    pub holds: bool,
    /// Whether its predicate is true; `None` where that is null, because a value is missing.
    pub truth: Option<bool>,
    /// The values it has read.
    pub values: Vec<NamedValue>,
    /// The measure's value, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
    /// What the condition is made of, with its values: the parts of a sum, and the measures inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<NamedValue>,
    /// By how much the threshold was missed, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_by: Option<f64>,
}

/// A value by name: one that a condition has read, or that records are joined by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedValue {
    /// Of a condition: `l` or `r` for an operand of that record, or its column, as in `l.name`. Of a join: the expression
    /// of the left record.
    pub name: String,
    /// The value.
    pub value: FieldValue,
}

/// The verdict on one rule, for one pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
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

/// The verdict on one condition, for the pair of rows `l` and `r`.
pub fn finding(
    rules: &RuleSet,
    program: &Program,
    frames: &[Frame],
    (l, r): (u32, u32),
    condition: Literal,
) -> Finding {
    Inspector { rules, program, frames, l, r }.literal(condition)
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
        conjunction.literals.iter().map(|literal| self.literal(*literal)).collect()
    }

    fn literal(&self, literal: Literal) -> Finding {
        let predicate = &self.rules.predicates[literal.predicate];
        let check = &self.program.checks[literal.predicate];
        let truth = self.truth(check);
        let holds = truth == Truth::from(literal.want);
        let measured = check.compared_numbers(&self.program.encoded).number_of_pair(self.l, self.r);
        let measured = measured.or_else(|| self.compared(predicate));
        Finding {
            condition: LiteralRecord::new(literal, &self.rules.predicates),
            holds,
            truth: match truth {
                Truth::True => Some(true),
                Truth::False => Some(false),
                Truth::Null | Truth::Unknown => None,
            },
            values: self.values(predicate, check),
            parts: self.parts(predicate),
            measured: measured.map(Num::to_f64),
            missed_by: if holds { None } else { missed_by(predicate, measured) },
        }
    }

    /// The value that a residual condition compares with a number.
    fn compared(&self, predicate: &Predicate) -> Option<Num> {
        let Test::Residual(condition) = &predicate.test else { return None };
        let (value, _) = with_threshold(condition)?;
        match self.value(value) {
            Vector::Number(values) => values.get(0),
            _ => None,
        }
    }

    /// The parts of a residual condition.
    fn parts(&self, predicate: &Predicate) -> Vec<NamedValue> {
        let part = |part: &ConditionPart| NamedValue {
            name: part.text.clone(),
            value: FieldValue::from_row(&self.value(&part.expr), 0),
        };
        predicate.parts.iter().map(part).collect()
    }

    /// What an expression has for the two records, as a column of one row.
    fn value(&self, expr: &Expr) -> Vector {
        evaluate(expr, &PairColumns { frames: self.frames, l: self.l, r: self.r }, None)
    }

    fn truth(&self, check: &Check) -> Truth {
        let batch = Batch { l: vec![self.l], r: vec![self.r] };
        let mut truths = [Truth::Unknown];
        check.evaluate(&self.program.encoded, &batch, &[0], &mut truths);
        truths[0]
    }

    /// The compared values; where a condition does not compare two values, the columns it reads.
    fn values(&self, predicate: &Predicate, check: &Check) -> Vec<NamedValue> {
        let Some(Sides { left, right }) = check.operands() else { return self.columns(predicate) };
        let encoded = &self.program.encoded;
        let value = |side: Side, operand, row| NamedValue {
            name: side.letter().into(),
            value: as_read(&predicate.test, FieldValue::from_row(&encoded.value(operand, row), 0)),
        };
        vec![value(Side::Left, left, self.l), value(Side::Right, right, self.r)]
    }

    fn columns(&self, predicate: &Predicate) -> Vec<NamedValue> {
        let mut values: Vec<NamedValue> = Vec::new();
        let mut visit = |expr: &Expr, own: Option<Side>| {
            expr.each_column(&mut |side, key| {
                let side = own.unwrap_or(side);
                let (frame, row) = if side == Side::Left {
                    (&self.frames[0], self.l)
                } else {
                    (&self.frames[self.frames.len() - 1], self.r)
                };
                let named = NamedValue {
                    name: format!("{}.{}", side.letter(), shown_name(key)),
                    value: FieldValue::from_row(&frame.value(row, key), 0),
                };
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

/// The value that a reader knows: of the groups of a list, the value that is in them.
fn as_read(test: &Test, value: FieldValue) -> FieldValue {
    match (test, &value) {
        (Test::ListHasAny { left, .. }, FieldValue::TextList(set))
            if matches!(left.kind, ExprKind::Call(Function::ListGroups, _)) =>
        {
            shown_member(set).map_or(FieldValue::Null, |text| FieldValue::Text(text.to_owned()))
        }
        _ => value,
    }
}

/// The columns of one pair.
struct PairColumns<'a> {
    frames: &'a [Frame],
    l: u32,
    r: u32,
}

impl Columns for PairColumns<'_> {
    fn rows(&self) -> usize {
        1
    }

    fn column(&self, side: Side, name: &str) -> Vector {
        match side {
            Side::Left => self.frames[0].value(self.l, name),
            Side::Right => self.frames[self.frames.len() - 1].value(self.r, name),
        }
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("rules read columns until they are compiled")
    }
}

/// What a condition compares, and the number that it compares it with.
pub fn with_threshold(condition: &Expr) -> Option<(&Expr, Num)> {
    match compared(condition)[..] {
        [value, Expr { kind: ExprKind::Literal(Value::Number(threshold)), .. }]
        | [Expr { kind: ExprKind::Literal(Value::Number(threshold)), .. }, value] => Some((value, *threshold)),
        _ => None,
    }
}

fn missed_by(predicate: &Predicate, measured: Option<Num>) -> Option<f64> {
    match &predicate.test {
        Test::Residual(condition) => {
            let (_, threshold) = with_threshold(condition)?;
            measured.map(|value| (value.to_f64() - threshold.to_f64()).abs())
        }
        Test::Measure { threshold, .. } => measured.map(|value| (value.to_f64() - threshold.to_f64()).abs()),
        _ => None,
    }
}
