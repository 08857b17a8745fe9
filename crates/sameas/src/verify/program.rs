//! A rule set flattened into checks over encoded columns.

use std::sync::OnceLock;

use crate::candidates::Batch;
use crate::expr::{Expr, ExprKind, Function, Num, Side, Sides as Reads, Value};
use crate::records::Frame;
use crate::records::encode::{Encoded, Encoder, Numbers, Tokenizer};
use crate::rules::{Conjunction, Predicate, RuleSet, Test};

use super::check::{Check, Sides, Truth, verdicts_of};
use super::text_filter::TextFilter;
use super::text_test::TextTest;
use super::verdict_table::VerdictTable;

/// Checks and conjunctions of a rule set over the encoded columns of its records.
#[derive(Debug)]
pub struct Program {
    /// One check for each predicate of the rule set.
    pub checks: Vec<Check>,
    /// The conjunctions of all rules, in order of ownership.
    pub conjunctions: Vec<Conjunction>,
    /// The conjunctions of all `never` rules.
    pub nevers: Vec<Conjunction>,
    /// Number of rules.
    pub rules: usize,
    /// What the checks read.
    pub encoded: Encoded,
    /// Verdicts known for all pairs of distinct values, by predicate; made when a run begins.
    pub tables: Vec<OnceLock<VerdictTable>>,
}

impl Program {
    /// Writes the verdicts on a predicate for the selected candidates that have none yet into `truths`.
    pub fn evaluate(&self, predicate: usize, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
        match (self.tables[predicate].get(), self.checks[predicate].operands()) {
            (Some(table), Some(operands)) => table.evaluate(&self.encoded, operands, batch, selection, truths),
            _ => self.checks[predicate].evaluate(&self.encoded, batch, selection, truths),
        }
    }

    /// Memory that its tables take.
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().filter_map(OnceLock::get).map(VerdictTable::size).sum()
    }

    /// Memory it takes, without tables.
    pub fn bytes(&self) -> usize {
        let verdicts = |check: &Check| match check {
            Check::OneSided { verdicts, .. } => verdicts.len(),
            _ => 0,
        };
        self.encoded.bytes() + self.checks.iter().map(verdicts).sum::<usize>()
    }
}

/// Encodes what the predicates read and flattens the rule set. `frames` holds one frame or, for `link`, two; `border`
/// is the first row of the second input where both lie in one frame.
pub fn compile_program(rules: &RuleSet, frames: &[Frame], border: u32) -> Program {
    let mut compiler = Compiler { encoder: Encoder::default(), frames, border };
    let checks = rules.predicates.iter().map(|p| compiler.check(p)).collect();
    Program {
        tables: rules.predicates.iter().map(|_| OnceLock::new()).collect(),
        checks,
        conjunctions: rules.conjunctions.clone(),
        nevers: rules.never_conjunctions.clone(),
        rules: rules.rules.len(),
        encoded: compiler.encoder.encode(frames),
    }
}

struct Compiler<'a> {
    encoder: Encoder,
    frames: &'a [Frame],
    border: u32,
}

impl Compiler<'_> {
    fn check(&mut self, predicate: &Predicate) -> Check {
        match &predicate.test {
            Test::Equal { left, right, null_safe } => {
                Check::Equal { operands: self.operands(left, right, Numbers::ByValue), null_safe: *null_safe }
            }
            Test::OneSided { side, condition } => {
                let verdicts = self.frames[self.frame(*side)].evaluate(condition);
                Check::OneSided { side: *side, verdicts: verdicts.iter().flat_map(verdicts_of).collect::<Vec<Truth>>() }
            }
            Test::Measure { measure, left, right, comparison, threshold } if measure.is_text_measure() => {
                let operands = self.operands(left, right, Numbers::ByValue);
                self.encoder.texts(operands.left);
                let test = TextTest::new(*measure, *comparison, *threshold);
                let filter = TextFilter::new(&test);
                Check::Text { operands, test, measure: *measure, filter }
            }
            Test::Measure { measure: Function::Abs, left, right, comparison, threshold } => {
                let operands = self.operands(left, right, Numbers::AsWritten);
                Check::Difference { operands, comparison: *comparison, threshold: *threshold }
            }
            Test::Measure { measure, left, right, comparison, threshold } => {
                let (operands, tokens) = self.sets(left, right);
                Check::Set { operands, tokens, measure: *measure, comparison: *comparison, threshold: *threshold }
            }
            Test::ListHasAny { left, right } => {
                let (operands, tokens) = self.sets(left, right);
                Check::ListHasAny { operands, tokens }
            }
            Test::SameSource => Check::SameSource { border: self.border },
            Test::Residual(expr) => Check::Residual { expr: self.residual(expr) },
        }
    }

    /// The frame that holds the records of a side: in a dedupe both sides are one.
    fn frame(&self, side: Side) -> usize {
        if side == Side::Right { self.frames.len() - 1 } else { 0 }
    }

    fn operand(&mut self, side: Side, expr: &Expr, numbers: Numbers) -> usize {
        let frame = self.frame(side);
        self.encoder.operand(frame, expr, numbers)
    }

    fn operands(&mut self, left: &Expr, right: &Expr, numbers: Numbers) -> Sides<usize> {
        let operands =
            Sides { left: self.operand(Side::Left, left, numbers), right: self.operand(Side::Right, right, numbers) };
        self.encoder.compare(operands.left, operands.right);
        operands
    }

    fn sets(&mut self, left: &Expr, right: &Expr) -> (Sides<usize>, Sides<usize>) {
        let mut side = |side: Side, expr: &Expr| {
            let (source, tokenizer) = token_source(expr);
            let operand = self.operand(side, source, Numbers::ByValue);
            (operand, self.encoder.tokens(operand, tokenizer))
        };
        let (left, right) = (side(Side::Left, left), side(Side::Right, right));
        self.encoder.compare_tokens(left.1, right.1);
        (Sides { left: left.0, right: right.0 }, Sides { left: left.1, right: right.1 })
    }

    /// The largest parts that read one record only become operands, computed once a record.
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
