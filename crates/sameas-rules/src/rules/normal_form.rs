//! Disjunctive normal form that keeps three-valued truth.
//!
//! A condition is true exactly where one of its conjunctions has every literal satisfied. `not` is
//! pushed down to the predicates by De Morgan's laws, which hold in Kleene's logic; a negated
//! predicate requires *false*, so null satisfies neither it nor its opposite. No law that needs two
//! values (`p or not p`) is ever used.
//!
//! A conjunction of `p` and `not p` is never true, but null where `p` is: who asks only where a condition holds can
//! leave it out, who asks where it is null cannot.
//!
//! `p is true` holds where `p` does, and `p is false` where `p` is false, so their conjunctions are those of `p`, which can be
//! joined on. But neither is ever null. Who asks where a condition is null gets each of these conjunctions with the test
//! itself as its last literal: where `p` is null the test is false, and so is the conjunction; where `p` is as it is wanted,
//! the test is true, and one of the conjunctions holds. So none of them is null where none holds. What is `p is not true`,
//! false or null, has no conjunctions of literals that want true or false, and stays one step.

use std::collections::HashSet;

use crate::expr::{Expr, ExprKind, Function, Reads, Value};

use super::predicate::{Literal, Predicates};

/// More conjunctions than this are not made of one rule: an `or` that would exceed it stays one step.
pub const MAX_CONJUNCTIONS: usize = 64;

/// Turns conditions of one piece of text into conjunctions of literals.
pub struct NormalForm<'a> {
    /// Where the predicates are collected.
    pub predicates: &'a mut Predicates,
    /// The text the condition was written in.
    pub text: &'a str,
    /// Whether conjunctions that contradict themselves are kept.
    pub is_whole: bool,
}

impl NormalForm<'_> {
    /// The conjunctions of `expr`: it holds where one of them does. Where all are kept, it is null where none holds and one
    /// is null.
    pub fn conjunctions(&mut self, expr: &Expr) -> Vec<Vec<Literal>> {
        let mut conjunctions = self.expand(expr, true);
        for literals in &mut conjunctions {
            tidy(literals);
        }
        conjunctions.retain(|literals| self.is_whole || !contradicts_itself(literals));
        without_repeats(conjunctions)
    }

    fn expand(&mut self, expr: &Expr, want: bool) -> Vec<Vec<Literal>> {
        // A condition on one record is evaluated once per record, so it stays whole.
        if expr.sides() == Reads::Both
            && let ExprKind::Call(function, args) = &expr.kind
        {
            match (function, want) {
                (Function::Not, _) => return self.expand(&args[0], !want),
                (Function::IsTrue, true) => return self.known(expr, &args[0], true),
                (Function::IsFalse, true) => return self.known(expr, &args[0], false),
                (Function::And, true) | (Function::Or, false) => return self.product(args, want),
                (Function::And, false) | (Function::Or, true) => return self.union(expr, args, want),
                (Function::In, _) if args.len() <= MAX_CONJUNCTIONS => return self.expand(&in_as_or(expr, args), want),
                _ => {}
            }
        }
        vec![vec![self.predicates.literal(expr, want, self.text)]]
    }

    /// A test that `of` is `want`, and not null.
    fn known(&mut self, test: &Expr, of: &Expr, want: bool) -> Vec<Vec<Literal>> {
        let mut conjunctions = self.expand(of, want);
        if self.is_whole {
            let never_null = self.predicates.literal(test, true, self.text);
            conjunctions.iter_mut().for_each(|literals| literals.push(never_null));
        }
        conjunctions
    }

    fn union(&mut self, whole: &Expr, args: &[Expr], want: bool) -> Vec<Vec<Literal>> {
        // Each argument gives at least one.
        if args.len() > MAX_CONJUNCTIONS {
            return self.one_step(whole, want);
        }
        let all: Vec<Vec<Literal>> = args.iter().flat_map(|a| self.expand(a, want)).collect();
        if all.len() > MAX_CONJUNCTIONS { self.one_step(whole, want) } else { all }
    }

    /// Every choice of one conjunction from each argument; an argument that would exceed the limit stays one step.
    fn product(&mut self, args: &[Expr], want: bool) -> Vec<Vec<Literal>> {
        let mut result = vec![Vec::new()];
        for arg in args {
            let mut choices = self.expand(arg, want);
            if result.len() * choices.len() > MAX_CONJUNCTIONS {
                choices = self.one_step(arg, want);
            }
            if let [only] = &choices[..] {
                result.iter_mut().for_each(|head| head.extend(only));
                continue;
            }
            result =
                result.iter().flat_map(|head| choices.iter().map(move |tail| [&head[..], tail].concat())).collect();
        }
        result
    }

    fn one_step(&mut self, expr: &Expr, want: bool) -> Vec<Vec<Literal>> {
        vec![vec![self.predicates.literal(expr, want, self.text)]]
    }
}

/// `x in (a, b)` is `x = a or x = b`, nulls included; across two records that gives keys to join on.
fn in_as_or(expr: &Expr, args: &[Expr]) -> Expr {
    let equals = args[1..]
        .iter()
        .map(|candidate| {
            let pair = vec![args[0].clone(), candidate.clone()];
            Expr { kind: ExprKind::Call(Function::Equal, pair), ty: expr.ty, span: expr.span }
        })
        .collect();
    Expr { kind: ExprKind::Call(Function::Or, equals), ty: expr.ty, span: expr.span }
}

/// Whether a condition is true or false for every pair.
pub fn is_never_null(condition: &Expr) -> bool {
    use Function as F;
    match &condition.kind {
        ExprKind::Literal(Value::Bool(_)) => true,
        ExprKind::Call(F::IsTrue | F::IsFalse | F::IsNull | F::IsNotNull | F::NotDistinct | F::Distinct, _) => true,
        ExprKind::Call(F::Not | F::And | F::Or, args) => args.iter().all(is_never_null),
        _ => false,
    }
}

/// Repeated literals say nothing new. The order of writing is kept: it is the order of evaluation.
fn tidy(literals: &mut Vec<Literal>) {
    let mut seen = HashSet::with_capacity(literals.len());
    literals.retain(|literal| seen.insert(*literal));
}

/// Whether literals require something and its opposite.
pub fn contradicts_itself(literals: &[Literal]) -> bool {
    let all: HashSet<Literal> = literals.iter().copied().collect();
    literals.iter().any(|literal| all.contains(&Literal { want: !literal.want, ..*literal }))
}

/// A conjunction that repeats an earlier one, in whatever order of literals, can own no pair.
pub fn without_repeats(mut conjunctions: Vec<Vec<Literal>>) -> Vec<Vec<Literal>> {
    let mut seen = HashSet::with_capacity(conjunctions.len());
    conjunctions.retain(|literals| seen.insert(as_set(literals)));
    conjunctions
}

/// The literals in a fixed order, to compare conjunctions as sets.
pub fn as_set(literals: &[Literal]) -> Vec<Literal> {
    let mut sorted = literals.to_vec();
    sorted.sort_unstable();
    sorted
}
