//! Typed predicates: what a conjunction tests of a pair, sorted by how it can be evaluated.

use std::collections::HashMap;

use super::condition_parts::{ConditionPart, condition_parts};
use super::near::{LooserForms, looser_forms};
use super::predicate_text::{exchanged, predicate_text, whole};
use super::sums::conclusions;
use crate::expr::{Expr, ExprKind, Function, Num, Reads, Side, Type, Value};

/// A comparison of a number with a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// Whether the comparison of `value` with `threshold` holds. A call of it would take longer than itself.
    #[inline(always)]
    pub fn holds(self, value: Num, threshold: Num) -> bool {
        let order = value.cmp(&threshold);
        match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
        }
    }

    /// The sign as SQL writes it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    /// The same comparison with its sides exchanged.
    fn mirrored(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
        }
    }
}

/// What a predicate tests. Expressions of one side are written as expressions of their own record (`Expr::own`).
#[derive(Clone, Debug)]
pub enum Test {
    /// The two values are equal; with `null_safe`, two nulls are.
    Equal {
        /// Value of the left record.
        left: Expr,
        /// Value of the right record.
        right: Expr,
        /// `is not distinct from`.
        null_safe: bool,
    },
    /// A condition on one record alone.
    OneSided {
        /// Which record.
        side: Side,
        /// The condition.
        condition: Expr,
    },
    /// A measure of two texts, two sets or two numbers (`abs(a - b)`) against a constant.
    Measure {
        /// The measure; `Abs` stands for the absolute difference of numbers or dates.
        measure: Function,
        /// The record whose value is the first argument, where that makes a difference; else the left one.
        first: Side,
        /// Value of the left record.
        left: Expr,
        /// Value of the right record.
        right: Expr,
        /// How it is compared.
        comparison: Comparison,
        /// With what.
        threshold: Num,
    },
    /// The two sets share an element.
    ListHasAny {
        /// Set of the left record.
        left: Expr,
        /// Set of the right record.
        right: Expr,
    },
    /// Both records come from the same input of a job that links and dedupes.
    SameSource,
    /// Any other condition on both records.
    Residual(Expr),
}

impl Test {
    /// The expressions it reads its values from.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Equal { left, right, .. } | Self::Measure { left, right, .. } | Self::ListHasAny { left, right } => {
                vec![left, right]
            }
            Self::OneSided { condition: expr, .. } | Self::Residual(expr) => vec![expr],
            Self::SameSource => Vec::new(),
        }
    }

    /// The columns that it reads, each with its record: expressions of one side do not say whose they are.
    pub fn each_column(&self, visit: &mut dyn FnMut(Side, &str)) {
        match self {
            Self::Equal { left, right, .. } | Self::Measure { left, right, .. } | Self::ListHasAny { left, right } => {
                left.each_column(&mut |_, name| visit(Side::Left, name));
                right.each_column(&mut |_, name| visit(Side::Right, name));
            }
            Self::OneSided { side, condition } => condition.each_column(&mut |_, name| visit(*side, name)),
            Self::Residual(expr) => expr.each_column(visit),
            Self::SameSource => {}
        }
    }

    /// What it tests of the pair with its records exchanged.
    fn mirrored(&self) -> Self {
        let mut mirrored = self.clone();
        match &mut mirrored {
            Self::Measure { measure, first, left, right, .. } => {
                std::mem::swap(left, right);
                *first = if is_symmetric(*measure) { Side::Left } else { first.other() };
            }
            Self::Equal { left, right, .. } | Self::ListHasAny { left, right } => std::mem::swap(left, right),
            Self::OneSided { side, .. } => *side = side.other(),
            Self::Residual(expr) => *expr = expr.swapped(),
            Self::SameSource => {}
        }
        mirrored
    }
}

/// A predicate and the text it was written as.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// What it tests.
    pub test: Test,
    /// How the user wrote it.
    pub text: String,
    /// What a residual condition is made of.
    pub parts: Vec<ConditionPart>,
}

impl Predicate {
    /// Equal texts mean predicates with equal values for every pair of the same derived columns.
    pub fn identity(&self) -> String {
        identity(&self.test)
    }
}

/// A predicate that must be true, or, under `not`, false. Null satisfies neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Literal {
    /// Index of the predicate.
    pub predicate: usize,
    /// The value it must have.
    pub want: bool,
}

/// All distinct predicates of a job: one that occurs in several rules is evaluated once per pair.
#[derive(Default)]
pub struct Predicates {
    all: Vec<Predicate>,
    known: HashMap<String, usize>,
    /// By how much thresholds are loosened, if near rules are wanted.
    near: Option<f64>,
    /// The looser forms of those with a threshold.
    looser: HashMap<usize, Option<LooserForms>>,
    mirrors: HashMap<usize, usize>,
    /// What can be joined on where a literal on a sum holds.
    joinable: HashMap<Literal, Vec<usize>>,
}

impl Predicates {
    /// None yet; with an amount, thresholds can be loosened by it.
    pub fn new(near: Option<f64>) -> Self {
        Self { near, ..Self::default() }
    }

    /// The predicates in the order of their first use, and for literals on sums those that follow and can be joined on.
    pub fn into_parts(self) -> (Vec<Predicate>, HashMap<Literal, Vec<usize>>) {
        (self.all, self.joinable)
    }

    /// All of them, in the order of their first use.
    pub fn all(&self) -> &[Predicate] {
        &self.all
    }

    /// One of them.
    pub fn get(&self, predicate: usize) -> &Predicate {
        &self.all[predicate]
    }

    /// The literal that says `expr` is `want`.
    pub fn literal(&mut self, expr: &Expr, want: bool, text: &str) -> Literal {
        let (test, positive) = classify(expr);
        let shown = match &test {
            // A condition on one record stays as it is, `not` included.
            Test::OneSided { .. } => whole(expr, text),
            _ => predicate_text(expr, text),
        };
        let predicate = self.intern(test, shown);
        let known = &mut self.all[predicate];
        if matches!(known.test, Test::Residual(_)) && known.parts.is_empty() {
            known.parts = condition_parts(expr, text);
        }
        if let Some(amount) = self.near {
            let is_across = !matches!(self.all[predicate].test, Test::OneSided { .. });
            self.looser
                .entry(predicate)
                .or_insert_with(|| is_across.then(|| looser_forms(expr, text, amount)).flatten());
        }
        let literal = Literal { predicate, want: want == positive };
        self.conclude(literal, expr, text);
        literal
    }

    /// Adds what follows from a literal on a sum, so that it can be joined on.
    fn conclude(&mut self, literal: Literal, expr: &Expr, text: &str) {
        if !matches!(self.all[literal.predicate].test, Test::Residual(_)) || self.joinable.contains_key(&literal) {
            return;
        }
        let found = conclusions(expr, literal.want).into_iter();
        let found = found.map(|one| (one.text(text), one.test)).map(|(text, test)| self.intern(test, text)).collect();
        self.joinable.insert(literal, found);
    }

    /// The literal with its threshold loosened, if it has one.
    pub fn looser(&mut self, literal: Literal) -> Option<Literal> {
        let (expr, text) = self.looser.get(&literal.predicate)?.as_ref()?[usize::from(literal.want)].clone();
        let (test, positive) = classify(&expr);
        Some(Literal { predicate: self.intern(test, text), want: literal.want == positive })
    }

    /// The literal of the exchanged pair.
    pub fn mirrored(&mut self, literal: Literal) -> Literal {
        if let Some(predicate) = self.mirrors.get(&literal.predicate) {
            return Literal { predicate: *predicate, ..literal };
        }
        let Predicate { test, text, .. } = &self.all[literal.predicate];
        let (test, text) = (test.mirrored(), exchanged(text));
        let predicate = self.intern(test, text);
        self.mirrors.insert(literal.predicate, predicate);
        Literal { predicate, ..literal }
    }

    /// The literal that both records come from one input.
    pub fn same_source(&mut self) -> Literal {
        let predicate = self.intern(Test::SameSource, "l.source_dataset = r.source_dataset".into());
        Literal { predicate, want: true }
    }

    /// The predicate that both records have one value of an expression of their own.
    pub fn equality(&mut self, left: Expr, right: Expr, text: String) -> usize {
        self.intern(Test::Equal { left, right, null_safe: false }, text)
    }

    fn intern(&mut self, test: Test, text: String) -> usize {
        let all = &mut self.all;
        *self.known.entry(identity(&test)).or_insert_with(|| {
            all.push(Predicate { test, text, parts: Vec::new() });
            all.len() - 1
        })
    }
}

/// Equal texts mean predicates with equal values for every pair.
fn identity(test: &Test) -> String {
    match test {
        Test::Equal { left, right, null_safe } => {
            format!("equal {null_safe} {} {}", left.canonical(), right.canonical())
        }
        Test::OneSided { side, condition } => format!("one {} {}", side.letter(), condition.canonical()),
        Test::Measure { measure, first, left, right, comparison, threshold } => {
            let threshold = threshold.canonical().to_text();
            let of_right = if *first == Side::Right { "of r " } else { "" };
            format!("{measure:?} {of_right}{} {} {comparison:?} {threshold}", left.canonical(), right.canonical())
        }
        Test::ListHasAny { left, right } => format!("any {} {}", left.canonical(), right.canonical()),
        Test::SameSource => "same source".into(),
        Test::Residual(expr) => format!("residual {}", expr.canonical()),
    }
}

/// What kind of predicate a condition is, and whether it is that predicate or its negation.
pub(super) fn classify(expr: &Expr) -> (Test, bool) {
    if let Reads::One(side) = expr.sides() {
        return (Test::OneSided { side, condition: expr.own() }, true);
    }
    let ExprKind::Call(function, args) = &expr.kind else {
        return (Test::OneSided { side: Side::Left, condition: expr.own() }, true);
    };
    match function {
        Function::Equal | Function::NotEqual | Function::NotDistinct | Function::Distinct => {
            let null_safe = matches!(function, Function::NotDistinct | Function::Distinct);
            let positive = matches!(function, Function::Equal | Function::NotDistinct);
            if let Some((left, right)) = across(&args[0], &args[1]) {
                return (Test::Equal { left, right, null_safe }, positive);
            }
            if !null_safe && let Some(test) = measure(Comparison::Equal, &args[0], &args[1]) {
                return (test, positive);
            }
        }
        Function::ListHasAny => {
            if let Some((left, right)) = across(&args[0], &args[1]) {
                return (Test::ListHasAny { left, right }, true);
            }
        }
        _ => {
            if let Some(test) = comparison_of(*function).and_then(|c| measure(c, &args[0], &args[1])) {
                return (test, true);
            }
        }
    }
    (Test::Residual(expr.clone()), true)
}

fn comparison_of(function: Function) -> Option<Comparison> {
    match function {
        Function::Less => Some(Comparison::Less),
        Function::LessEqual => Some(Comparison::LessEqual),
        Function::Greater => Some(Comparison::Greater),
        Function::GreaterEqual => Some(Comparison::GreaterEqual),
        _ => None,
    }
}

/// A measure compared with a constant, whichever side the constant is on.
fn measure(comparison: Comparison, a: &Expr, b: &Expr) -> Option<Test> {
    match (&a.kind, &b.kind) {
        (ExprKind::Call(f, args), ExprKind::Literal(Value::Number(t))) => measured(*f, args, comparison, *t),
        (ExprKind::Literal(Value::Number(t)), ExprKind::Call(f, args)) => measured(*f, args, comparison.mirrored(), *t),
        _ => None,
    }
}

/// A measure of what each of two records has, compared with a constant.
pub fn measured(function: Function, args: &[Expr], comparison: Comparison, threshold: Num) -> Option<Test> {
    let [a, b] = match function {
        Function::Text(_) | Function::Set(_) => [&args[0], &args[1]],
        Function::Abs => match &args[0].kind {
            ExprKind::Call(Function::Subtract | Function::DateDiffDays, parts) => [&parts[0], &parts[1]],
            _ => return None,
        },
        _ => return None,
    };
    let (left, right) = across(a, b)?;
    let is_exchanged = !is_symmetric(function) && a.sides() == Reads::One(Side::Right);
    let first = if is_exchanged { Side::Right } else { Side::Left };
    Some(Test::Measure { measure: function, first, left, right, comparison, threshold })
}

/// Whether the arguments of a measure may be exchanged: an absolute difference, and all measures that say so themselves.
fn is_symmetric(measure: Function) -> bool {
    measure.measure().is_none_or(|facts| facts.is_symmetric)
}

/// The two as (left, right), if one reads only `l` and the other only `r`.
fn across(a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
    debug_assert!(a.ty == b.ty || a.ty.is_number() && b.ty.is_number() || a.ty == Type::Null || b.ty == Type::Null);
    match (a.sides(), b.sides()) {
        (Reads::One(Side::Left), Reads::One(Side::Right)) => Some((a.own(), b.own())),
        (Reads::One(Side::Right), Reads::One(Side::Left)) => Some((b.own(), a.own())),
        _ => None,
    }
}
