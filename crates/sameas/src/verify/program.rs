//! A rule set flattened into checks over encoded columns.

use std::sync::OnceLock;

use crate::candidates::{Batch, JoinSource};
use crate::expr::{Expr, ExprKind, Function, Num, Reads, Side, Value, Vector};
use crate::records::InputRows;
use crate::records::encode::{Encoded, Encoder, Numbers, Texts, Tokenizer};
use crate::rules::{Conjunction, Predicate, RuleSet, Test};
use crate::threshold::{Check, Sides, TextFilter, TextTest, Truth};

use super::check::verdicts_of;
use super::pair_value::PairValue;
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
    /// Conjunctions of `never` rules that are only needed to say which is the first to forbid a pair.
    pub shadowed_nevers: Vec<Conjunction>,
    /// Number of rules.
    pub rules: usize,
    /// Number of `never` rules.
    pub never_rules: usize,
    /// What the checks read.
    pub encoded: Encoded,
    /// The inputs of which the two records of a pair must be different ones, where they lie in one frame.
    pub across: Option<InputRows>,
    /// Verdicts known for all pairs of distinct values, by predicate; made when a run begins.
    pub tables: Vec<OnceLock<VerdictTable>>,
    /// The values of pairs that are asked for.
    pub values: Vec<PairValue>,
}

impl Program {
    /// Writes the verdicts on a predicate for the selected candidates that have none yet into `truths`.
    pub fn evaluate(&self, predicate: usize, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
        match (self.tables[predicate].get(), self.checks[predicate].operands()) {
            (Some(table), Some(operands)) => table.evaluate(&self.encoded, operands, batch, selection, truths),
            _ => self.checks[predicate].evaluate(&self.encoded, batch, selection, truths),
        }
    }

    /// What its joins read.
    pub fn source(&self) -> JoinSource<'_> {
        JoinSource { checks: &self.checks, encoded: &self.encoded }
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

    /// The most bytes in which a thread compares two texts by their edits.
    pub fn scratch_bytes(&self) -> usize {
        let longest = |operand: usize| self.encoded.domain(operand).texts.as_ref().map_or(0, Texts::longest);
        let of_check = |check: &Check| match check {
            Check::Text { operands, test, .. } => {
                test.scratch_bytes(longest(operands.left).max(longest(operands.right)))
            }
            _ => 0,
        };
        self.checks.iter().map(of_check).max().unwrap_or(0)
    }
}

/// The checks of a rule set whose records are not encoded yet.
pub struct CompiledRules {
    checks: Vec<Check>,
    conditions: Vec<RecordCondition>,
    conjunctions: Vec<Conjunction>,
    nevers: Vec<Conjunction>,
    shadowed_nevers: Vec<Conjunction>,
    rules: usize,
    never_rules: usize,
    values: Vec<PairValue>,
}

/// A condition on one record, which is answered for every record of a frame.
struct RecordCondition {
    predicate: usize,
    frame: usize,
    condition: Expr,
}

/// Makes checks of the predicates of a rule set; the encoder says what must be encoded for them. There are one frame or,
/// for a link of two inputs, two; `borders` are the first rows of the inputs after the first where all lie in one frame.
pub fn compile_rules(rules: &RuleSet, frames: usize, borders: &[u32]) -> (CompiledRules, Encoder) {
    let mut compiler = CheckCompiler { encoder: Encoder::default(), conditions: Vec::new(), frames, borders };
    let checks = rules.predicates.iter().enumerate().map(|(at, predicate)| compiler.check(at, predicate)).collect();
    let values = rules.values.iter().map(|expr| compiler.value(expr)).collect();
    let compiled = CompiledRules {
        checks,
        conditions: compiler.conditions,
        conjunctions: rules.conjunctions.clone(),
        nevers: rules.never_conjunctions.clone(),
        shadowed_nevers: rules.shadowed_nevers.clone(),
        rules: rules.rules.len(),
        never_rules: rules.nevers.len(),
        values,
    };
    (compiled, compiler.encoder)
}

impl CompiledRules {
    /// The conditions on one record, each with the frame whose records it is about.
    pub fn conditions(&self) -> impl Iterator<Item = (usize, &Expr)> {
        self.conditions.iter().map(|of| (of.frame, &of.condition))
    }

    /// The program over encoded records; `values` are those of the [conditions](Self::conditions), block by block.
    pub fn into_program(mut self, encoded: Encoded, values: &[Vec<Vector>]) -> Program {
        assert_eq!(self.conditions.len(), values.len(), "every condition has its values");
        for (of, values) in self.conditions.iter().zip(values) {
            if let Check::OneSided { verdicts, .. } = &mut self.checks[of.predicate] {
                *verdicts = values.iter().flat_map(verdicts_of).collect();
            }
        }
        Program {
            tables: self.checks.iter().map(|_| OnceLock::new()).collect(),
            checks: self.checks,
            conjunctions: self.conjunctions,
            nevers: self.nevers,
            shadowed_nevers: self.shadowed_nevers,
            rules: self.rules,
            never_rules: self.never_rules,
            values: self.values,
            encoded,
            across: None,
        }
    }
}

struct CheckCompiler<'a> {
    encoder: Encoder,
    conditions: Vec<RecordCondition>,
    frames: usize,
    borders: &'a [u32],
}

impl CheckCompiler<'_> {
    fn check(&mut self, number: usize, predicate: &Predicate) -> Check {
        match &predicate.test {
            Test::Equal { left, right, null_safe } => {
                Check::Equal { operands: self.operands(left, right, Numbers::ByValue), null_safe: *null_safe }
            }
            Test::OneSided { side, condition } => {
                let (frame, condition) = (self.frame(*side), condition.clone());
                self.conditions.push(RecordCondition { predicate: number, frame, condition });
                Check::OneSided { side: *side, verdicts: Vec::new() }
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
                self.encoder.integers(operands.left);
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
            Test::SameSource => Check::SameSource { borders: self.borders.to_vec() },
            Test::Residual(expr) => Check::Residual { expr: self.residual(expr) },
        }
    }

    /// The frame that holds the records of a side: in a dedupe both sides are one.
    fn frame(&self, side: Side) -> usize {
        if side == Side::Right { self.frames - 1 } else { 0 }
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
