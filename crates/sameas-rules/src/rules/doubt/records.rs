//! Conditions in which a record is compared with itself, and sets that are made in different ways.

use super::DoubtKind;
use super::walk::{DoubtWalk, wanted};
use crate::expr::{Expr, ExprKind, Function, Reads, Side, Span};

impl DoubtWalk<'_> {
    /// A value compared with itself.
    pub(super) fn same_value(&mut self, function: Function, sides: [&Expr; 2], want: bool, span: Span) -> bool {
        use Function as F;
        if sides[0].sides() == Reads::None || sides[0].canonical() != sides[1].canonical() {
            return false;
        }
        let holds = matches!(wanted(function, want), F::Equal | F::NotDistinct | F::LessEqual | F::GreaterEqual);
        let help = match one_record(sides).filter(|_| self.is_pair) {
            Some(side) => {
                let (own, other) = (self.shown(sides[0].span), self.of_other(sides[1], side));
                format!("did you mean `{own}` and `{other}`?")
            }
            None => "compare it with another value".to_owned(),
        };
        self.decided(DoubtKind::SameValue, holds, span, "both sides are the same value", help);
        true
    }

    /// The text of an expression with the other record in it.
    fn of_other(&self, expr: &Expr, side: Side) -> String {
        let (own, other) = (format!("{}.", side.letter()), format!("{}.", side.other().letter()));
        let shown = self.shown(expr.span);
        match shown.to_lowercase().strip_prefix(&own) {
            Some(_) => format!("{other}{}", &shown[own.len()..]),
            None => shown.replace(&format!("({own}"), &format!("({other}")),
        }
    }

    /// A measure of two values of one record, or of sets that have little in common by how they are made.
    pub(super) fn measure(&mut self, function: Function, args: &[Expr], span: Span) {
        if function.measure().is_none() && !matches!(function, Function::ListHasAny | Function::CosineSimilarity) {
            return;
        }
        let [a, b] = args else { return };
        if let Some(side) = one_record([a, b]).filter(|_| self.is_pair) {
            let message = "this compares two values of one record".to_owned();
            let help = format!("did you mean `{}` in place of `{}`?", self.of_other(b, side), self.shown(b.span));
            self.warn(DoubtKind::OneRecordMeasure, span, message, help);
        }
        self.mixed_tokens(a, b, span);
    }

    fn mixed_tokens(&mut self, a: &Expr, b: &Expr, span: Span) {
        let (Some(first), Some(second)) = (token_size(a), token_size(b)) else { return };
        if first == second {
            return;
        }
        let message = match (first, second) {
            (TokenSize::Characters(p), TokenSize::Characters(q)) => {
                format!("substrings of {p} characters are never substrings of {q}: the sets have nothing in common")
            }
            _ => "words are compared with substrings of words".to_owned(),
        };
        let help = "make both sets in the same way: `qgrams(..., 3)` or `words(...)`".to_owned();
        self.warn(DoubtKind::MixedTokens, span, message, help);
    }

    /// A rule, or one way in which it holds, that reads one record only: that record is paired with all others.
    pub(super) fn one_record(&mut self, condition: &Expr) {
        if let ExprKind::Call(Function::Or, args) = &condition.kind
            && condition.sides() == Reads::Both
        {
            args.iter().for_each(|arg| self.one_record(arg));
            return;
        }
        if let Reads::One(side) = condition.sides() {
            let message = format!(
                "this reads `{}` only: a record that satisfies it is paired with every other record",
                side.letter()
            );
            let help = format!("compare it with something of `{}`", side.other().letter());
            self.warn(DoubtKind::OneRecordRule, condition.span, message, help);
        }
    }
}

/// The record that both sides read.
fn one_record(sides: [&Expr; 2]) -> Option<Side> {
    match sides.map(Expr::sides) {
        [Reads::One(a), Reads::One(b)] if a == b => Some(a),
        _ => None,
    }
}

/// What the tokens of a set are.
#[derive(Clone, Copy, PartialEq)]
enum TokenSize {
    Words,
    Characters(i64),
}

fn token_size(expr: &Expr) -> Option<TokenSize> {
    match &expr.kind {
        ExprKind::Call(Function::Words, _) => Some(TokenSize::Words),
        ExprKind::Call(Function::Qgrams, args) => {
            super::constant::number(args.get(1)?).map(|q| TokenSize::Characters(q.to_f64().round() as i64))
        }
        _ => None,
    }
}
