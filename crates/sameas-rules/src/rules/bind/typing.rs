//! Types belong to a use: where a use needs another type, the conversion is written out as a call.

use super::Binder;
use crate::expr::{Decimal, Expr, ExprKind, Function, Num, Span, Type, Value};
use crate::measure::MeasureKind;

impl Binder<'_> {
    /// The condition itself, or a mistake that says how to make one of it.
    pub(super) fn expect_bool(&mut self, expr: Expr) -> Option<Expr> {
        match expr.ty {
            Type::Bool => Some(expr),
            Type::Null => Some(retyped(expr, Type::Bool)),
            ty => {
                let shown = self.text[expr.span.start..expr.span.end].trim().to_owned();
                let (message, help) = match &expr.kind {
                    ExprKind::Call(function, _) if is_measure(*function) => {
                        (format!("`{shown}` is a number without a threshold"), threshold_advice(*function, &shown))
                    }
                    _ => (
                        format!("`{shown}` is {}, but a condition is needed here", ty.name()),
                        "compare it with something: `=`, `<>`, `<`, `>=`, `is null`".to_owned(),
                    ),
                };
                self.mistake(expr.span, message, help);
                None
            }
        }
    }

    /// The expression as a value of type `want`, converted where the language does so, for the use `what`.
    pub(super) fn convert(&mut self, expr: Expr, want: Type, what: &str) -> Option<Expr> {
        let span = expr.span;
        let function = match (expr.ty, want) {
            (have, want) if have == want => return Some(expr),
            (Type::Null, _) => return Some(retyped(expr, want)),
            (Type::Number, Type::Decimal) => return Some(self.as_decimal(expr)),
            (Type::Decimal, Type::Number) => return Some(expr),
            (Type::Number | Type::Decimal | Type::Date | Type::Bool, Type::Text) => Function::ToText,
            (Type::Text, Type::Number | Type::Decimal) => Function::ToNumber,
            (Type::Text, Type::Date) => Function::ToDate,
            (Type::Text, Type::Bool) => Function::ToBool,
            (Type::NumberList, Type::TextList) => Function::ToTextList,
            (have, want) => {
                let help = match (have, want) {
                    (Type::Text, Type::TextList) => "make a set of it: `words(...)` or `qgrams(..., 3)`".to_owned(),
                    (Type::TextList, Type::Text) => "compare lists with `list_has_any` or a set measure".to_owned(),
                    _ => format!("convert it first; {what} works on {}", want.name()),
                };
                self.mistake(span, format!("{what} needs {}, this is {}", want.name(), have.name()), help);
                return None;
            }
        };
        self.call(function, vec![expr], span)
    }

    /// A number with a point that is written beside a decimal is one, too: as a float, `0.1` would equal no decimal.
    fn as_decimal(&self, expr: Expr) -> Expr {
        let ExprKind::Literal(Value::Number(number @ Num::Float(_))) = expr.kind else { return expr };
        // A constant that was computed has no digits of its own; those of its float stand for it.
        let written: String = self.text[expr.span.start..expr.span.end].split_whitespace().collect();
        let own = Decimal::parse(&written).filter(|own| own.to_f64() == number.to_f64());
        match own.or_else(|| Decimal::parse(&number.to_text())) {
            Some(own) => {
                Expr { kind: ExprKind::Literal(Value::Number(Num::Wide(own))), ty: Type::Decimal, span: expr.span }
            }
            None => expr,
        }
    }

    /// Values to be compared with each other, converted to one type: numbers, dates and conditions
    /// win over text, which is read as such.
    pub(super) fn comparable(&mut self, args: Vec<Expr>, span: Span) -> Option<Vec<Expr>> {
        let mut common = Type::Null;
        for arg in &args {
            common = match (common, arg.ty) {
                (_, Type::TextList | Type::NumberList) => {
                    self.mistake(
                        arg.span,
                        "lists cannot be compared",
                        "use `list_has_any`, a set measure or `cosine_similarity`",
                    );
                    return None;
                }
                (Type::Null, ty) | (ty, Type::Null) => ty,
                (a, b) if a == b => a,
                (a, b) if a.is_number() && b.is_number() => Type::Decimal,
                (Type::Text, ty) | (ty, Type::Text) => ty,
                (a, b) => {
                    self.mistake(
                        span,
                        format!("{} cannot be compared with {}", a.name(), b.name()),
                        "convert one side with `cast`",
                    );
                    return None;
                }
            };
        }
        args.into_iter().map(|arg| self.convert(arg, common, "this comparison")).collect()
    }

    /// Values to choose from, converted to one type: text wins.
    pub(super) fn with_common_type(&mut self, args: Vec<Expr>, span: Span) -> Option<Vec<Expr>> {
        let mut common = Type::Null;
        for arg in &args {
            common = match (common, arg.ty) {
                (Type::Null, ty) | (ty, Type::Null) => ty,
                (a, b) if a == b => a,
                (a, b) if a.is_number() && b.is_number() => Type::Decimal,
                (a, b) if is_scalar(a) && is_scalar(b) => Type::Text,
                (a, b) => {
                    self.mistake(span, format!("this gives {} or {}", a.name(), b.name()), "give all values one type");
                    return None;
                }
            };
        }
        args.into_iter().map(|arg| self.convert(arg, common, "this choice")).collect()
    }
}

fn is_scalar(ty: Type) -> bool {
    !matches!(ty, Type::TextList | Type::NumberList)
}

fn retyped(expr: Expr, ty: Type) -> Expr {
    match expr.kind {
        ExprKind::Literal(Value::Null) => Expr { ty, ..expr },
        _ => expr,
    }
}

/// True for functions whose number says how similar or how far apart two values are.
pub(super) fn is_measure(function: Function) -> bool {
    function.measure().is_some() || matches!(function, Function::HaversineKm | Function::CosineSimilarity)
}

fn threshold_advice(function: Function, shown: &str) -> String {
    match function.measure().map(|facts| facts.kind) {
        Some(MeasureKind::Distance) => format!("say how near: `{shown} <= 2`"),
        Some(MeasureKind::Common) => format!("say how many: `{shown} >= 2`"),
        None if function == Function::HaversineKm => format!("say how near: `{shown} <= 1.0`"),
        Some(MeasureKind::Similarity) | None => format!("say how similar: `{shown} >= 0.9`"),
    }
}
