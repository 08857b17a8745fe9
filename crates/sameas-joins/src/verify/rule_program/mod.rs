//! A rule set flattened into checks over numbered operands. It knows no record: it can be bound to the records of any inputs
//! with the same columns.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::expr::{Expr, ExprKind, Function, Num, Reads, Side, Value};
use crate::measure::SetForm;
use crate::records::encode::{Encoded, Numbers, Tokenizer, WantedOperands};
use crate::records::{Frame, InputRows};
use crate::rules::{Conjunction, Predicate, RuleSet, Test};
use crate::threshold::{Check, ElementTest, Sides, TextFilter, TextTest, Truth};

use super::check::verdicts_of;
use super::pair_value::PairValue;
use super::program::Program;

/// Checks and conjunctions of a rule set, and what must be encoded for them.
#[derive(Debug)]
pub struct RuleProgram {
    /// One check for each predicate of the rule set. Those of one record have no verdicts yet, and those of one input no
    /// borders.
    pub checks: Vec<Check>,
    /// The conjunctions of all rules, in order of ownership.
    pub conjunctions: Vec<Conjunction>,
    /// The conjunctions of all `never` rules.
    pub nevers: Vec<Conjunction>,
    /// Conjunctions of `never` rules that are only needed to say which is the first to forbid a pair.
    pub shadowed_nevers: Vec<Conjunction>,
    /// Number of rules.
    pub rules: usize,
    /// Number of `never` rules.
    pub never_rules: usize,
    /// The values of pairs that are asked for.
    pub values: Vec<PairValue>,
    /// What must be encoded.
    pub wanted: WantedOperands,
    /// The conditions on one record.
    pub conditions: Vec<RecordCondition>,
}

/// A condition on one record, which is answered for every record of a frame.
#[derive(Debug)]
pub struct RecordCondition {
    /// The predicate that it is.
    pub predicate: usize,
    /// The frame whose records it is about.
    pub frame: usize,
    /// The condition.
    pub condition: Expr,
}

impl RecordCondition {
    /// The verdicts on the records of frames.
    pub fn verdicts(&self, frames: &[Frame], cancel: Cancel<'_>) -> Arc<Vec<Truth>> {
        let values = frames[self.frame].evaluate(&self.condition, cancel);
        Arc::new(values.iter().flat_map(verdicts_of).collect())
    }
}

impl RuleProgram {
    /// Makes checks of the predicates of a rule set. There are one frame or, for a link of two inputs, two.
    pub fn compile(rules: &RuleSet, frames: usize) -> Self {
        let mut compiler = CheckCompiler { wanted: WantedOperands::default(), conditions: Vec::new(), frames };
        let checks = rules.predicates.iter().enumerate().map(|(at, predicate)| compiler.check(at, predicate)).collect();
        let values = rules.values.iter().map(|expr| compiler.value(expr)).collect();
        Self {
            checks,
            conjunctions: rules.conjunctions.clone(),
            nevers: rules.never_conjunctions.clone(),
            shadowed_nevers: rules.shadowed_nevers.clone(),
            rules: rules.rules.len(),
            never_rules: rules.nevers.len(),
            values,
            wanted: compiler.wanted,
            conditions: compiler.conditions,
        }
    }

    /// The verdicts of its conditions on the records of frames.
    pub fn verdicts(&self, frames: &[Frame], cancel: Cancel<'_>) -> Vec<Arc<Vec<Truth>>> {
        self.conditions.iter().map(|of| of.verdicts(frames, cancel)).collect()
    }

    /// The program over encoded records, with the [verdicts](Self::verdicts) on them. `borders` are the first rows of the
    /// inputs after the first where all lie in one frame; `across` says which rows are of which input where only pairs of
    /// different inputs count.
    pub fn bind(
        &self,
        encoded: Encoded,
        verdicts: Vec<Arc<Vec<Truth>>>,
        borders: &[u32],
        across: Option<InputRows>,
    ) -> Program {
        Program {
            checks: self.checks_of(verdicts, borders),
            conjunctions: self.conjunctions.clone(),
            nevers: self.nevers.clone(),
            shadowed_nevers: self.shadowed_nevers.clone(),
            rules: self.rules,
            never_rules: self.never_rules,
            encoded,
            across,
            tables: self.checks.iter().map(|_| Arc::default()).collect(),
            values: self.values.clone(),
        }
    }

    /// The checks with what is known of records.
    fn checks_of(&self, verdicts: Vec<Arc<Vec<Truth>>>, borders: &[u32]) -> Vec<Check> {
        assert_eq!(self.conditions.len(), verdicts.len(), "every condition is answered");
        let mut checks = self.checks.clone();
        for check in &mut checks {
            if let Check::SameSource { borders: of_check } = check {
                *of_check = borders.to_vec();
            }
        }
        for (of, answered) in self.conditions.iter().zip(verdicts) {
            if let Check::OneSided { verdicts, .. } = &mut checks[of.predicate] {
                *verdicts = answered;
            }
        }
        checks
    }
}

struct CheckCompiler {
    wanted: WantedOperands,
    conditions: Vec<RecordCondition>,
    frames: usize,
}

impl CheckCompiler {
    fn check(&mut self, number: usize, predicate: &Predicate) -> Check {
        match &predicate.test {
            Test::Equal { left, right, null_safe } => {
                Check::Equal { operands: self.operands(left, right, Numbers::ByValue), null_safe: *null_safe }
            }
            Test::OneSided { side, condition } => {
                let (frame, condition) = (self.frame(*side), condition.clone());
                self.conditions.push(RecordCondition { predicate: number, frame, condition });
                Check::OneSided { side: *side, verdicts: Arc::default() }
            }
            Test::Measure { measure, first, left, right, comparison, threshold } => match measure {
                Function::Text(measure) => {
                    let operands = self.operands(left, right, Numbers::ByValue);
                    self.wanted.texts(operands.left);
                    let test = TextTest::new(*measure, *comparison, *threshold);
                    Check::Text { operands, test, measure: *measure, filter: TextFilter::default() }
                }
                Function::Set(measure) => {
                    let (operands, tokens) = self.sets(left, right);
                    let (comparison, threshold) = (*comparison, *threshold);
                    match measure.form() {
                        SetForm::Shared(formula) => Check::Set { operands, tokens, formula, comparison, threshold },
                        SetForm::BestMatches(inner) => {
                            self.wanted.elements(tokens.left);
                            let test = ElementTest { inner, comparison, threshold };
                            Check::Elements { operands, tokens, first: *first, test }
                        }
                    }
                }
                Function::Abs => {
                    let operands = self.operands(left, right, Numbers::AsWritten);
                    self.wanted.integers(operands.left);
                    Check::Difference { operands, comparison: *comparison, threshold: *threshold }
                }
                other => unreachable!("{other:?} is no measure of two records"),
            },
            Test::ListHasAny { left, right } => {
                let (operands, tokens) = self.sets(left, right);
                Check::ListHasAny { operands, tokens }
            }
            Test::SameSource => Check::SameSource { borders: Vec::new() },
            Test::Residual(expr) => Check::Residual { expr: self.residual(expr) },
        }
    }

    /// The frame that holds the records of a side: in a dedupe both sides are one.
    fn frame(&self, side: Side) -> usize {
        if side == Side::Right { self.frames - 1 } else { 0 }
    }

    fn operand(&mut self, side: Side, expr: &Expr, numbers: Numbers) -> usize {
        let frame = self.frame(side);
        self.wanted.operand(frame, expr, numbers)
    }

    fn operands(&mut self, left: &Expr, right: &Expr, numbers: Numbers) -> Sides<usize> {
        let operands =
            Sides { left: self.operand(Side::Left, left, numbers), right: self.operand(Side::Right, right, numbers) };
        self.wanted.compare(operands.left, operands.right);
        operands
    }

    fn sets(&mut self, left: &Expr, right: &Expr) -> (Sides<usize>, Sides<usize>) {
        let mut side = |side: Side, expr: &Expr| {
            let (source, tokenizer) = token_source(expr);
            let operand = self.operand(side, source, Numbers::ByValue);
            (operand, self.wanted.tokens(operand, tokenizer))
        };
        let (left, right) = (side(Side::Left, left), side(Side::Right, right));
        self.wanted.compare_tokens(left.1, right.1);
        (Sides { left: left.0, right: right.0 }, Sides { left: left.1, right: right.1 })
    }

    /// How a value of two records is found.
    fn value(&mut self, expr: &Expr) -> PairValue {
        match PairValue::predicate_of(expr) {
            Some(predicate) => PairValue::Measured(self.check(usize::MAX, &predicate)),
            None => PairValue::Computed(self.residual(expr)),
        }
    }

    /// The largest parts that read one record only become operands, computed once per record.
    fn residual(&mut self, expr: &Expr) -> Expr {
        let kind = match (&expr.kind, expr.sides()) {
            (_, Reads::One(side)) => {
                let operand = self.operand(side, &expr.own(), Numbers::AsWritten);
                ExprKind::Operand(side, operand)
            }
            (ExprKind::Call(function, args), _) => {
                ExprKind::Call(*function, args.iter().map(|arg| self.residual(arg)).collect())
            }
            (other, _) => other.clone(),
        };
        Expr { kind, ty: expr.ty, span: expr.span }
    }
}

/// The text or list a set is made from, and how. Tokenising distinct texts is cheaper than keeping lists of tokens.
fn token_source(expr: &Expr) -> (&Expr, Tokenizer) {
    if let ExprKind::Call(function, args) = &expr.kind {
        match (function, args.get(1).map(|q| &q.kind)) {
            (Function::Words, _) => return (&args[0], Tokenizer::Words),
            (Function::Qgrams, Some(ExprKind::Literal(Value::Number(q)))) => {
                if let Num::Int(q @ 1..) = q.canonical() {
                    return (&args[0], Tokenizer::Qgrams(q as usize));
                }
            }
            _ => {}
        }
    }
    (expr, Tokenizer::Elements)
}
