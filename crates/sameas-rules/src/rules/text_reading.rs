//! Columns that rules read as numbers or dates, each with the first place that does.

use std::collections::BTreeMap;

use super::diagnostic::Origin;
use super::doubt::{Doubt, DoubtKind, FoundDoubt, Severity};
use crate::expr::{Expr, ExprKind, Function, Side, Type, shown_name};

/// A text column that is read as something else.
#[derive(Clone, Debug)]
pub struct TextReading {
    /// The conversion, as an expression of the column's own record.
    pub conversion: Expr,
    /// The column's name in expressions.
    pub key: String,
    /// The input: the left (or only) one, or the right one.
    pub side: Side,
    origin: Origin,
}

/// The readings of a job, each once.
#[derive(Debug, Default)]
pub struct TextReadings(BTreeMap<(Side, String, bool), TextReading>);

impl TextReadings {
    /// Adds what a condition reads; a `derive` reads its own record, which is of `side`.
    pub fn add(&mut self, expr: &Expr, side: Option<Side>, origin: &Origin) {
        let ExprKind::Call(function, args) = &expr.kind else { return };
        let converts =
            matches!(function, Function::ToNumber | Function::ToDate | Function::ToInteger | Function::ToFloat);
        if let ([Expr { kind: ExprKind::Column(of, key), ty: Type::Text, .. }], true) = (&args[..], converts) {
            let side = side.unwrap_or(*of);
            let reading = || TextReading { conversion: expr.own(), key: key.clone(), side, origin: origin.clone() };
            self.0.entry((side, key.clone(), *function == Function::ToDate)).or_insert_with(reading);
        }
        args.iter().for_each(|arg| self.add(arg, side, origin));
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<TextReading> {
        self.0.into_values().collect()
    }
}

impl TextReading {
    /// The doubt about a column of which no value could be read; one of them is `example`, and there are `records`.
    pub fn doubt(&self, example: &str, records: &str) -> Doubt {
        let name = shown_name(&self.key);
        let is_date = self.conversion.ty == Type::Date;
        let (kind, what) = match is_date {
            true => (DoubtKind::NoDates, "date"),
            false => (DoubtKind::NoNumbers, "number"),
        };
        let shown: String = example.chars().take(40).collect();
        let message = format!("no value of column `{name}` in {records} is a {what}: one is '{shown}'");
        let help = match (is_date, example.contains(',')) {
            (true, _) => format!(
                "dates are read as 2024-05-31; say how these are written, as in `strptime({name}, '%d.%m.%Y')`, or nothing \
                 that needs them ever holds"
            ),
            (false, true) => {
                "numbers are written with a point; what is none is null, and nothing that needs it ever holds"
                    .to_owned()
            }
            (false, false) => "what is not a number is null, and nothing that needs it ever holds".to_owned(),
        };
        let span = self.conversion.span;
        Doubt::new(&self.origin, FoundDoubt { kind, severity: Severity::Warning, span, message, help })
    }
}
