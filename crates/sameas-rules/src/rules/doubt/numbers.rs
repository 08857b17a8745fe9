//! Numbers compared with constants that they never reach, or hardly in the way that is meant.

use super::DoubtKind;
use super::constant::number;
use super::range::{Range, is_count, range_of};
use super::walk::{DoubtWalk, wanted};
use crate::expr::{Expr, ExprKind, Function, Num, Reads, Side, Span};
use crate::measure::MeasureKind;

impl DoubtWalk<'_> {
    /// `of` compared with a number, `of` on the left of the sign.
    pub(super) fn with_number(&mut self, function: Function, of: &Expr, with: &Expr, want: bool, span: Span) {
        let Some(number) = number(with) else { return };
        if self.unquoted_date(with.span) {
            return;
        }
        if matches!(of.kind, ExprKind::Literal(_)) {
            return;
        }
        let function = wanted(function, want);
        let _ = self.narrow_window(function, of, number, span)
            || self.out_of_range(function, of, number, span)
            || self.fraction_of_count(function, of, number, span)
            || self.equal_to_fraction(function, of, number, span)
            || self.short_year(function, of, number, span);
    }

    fn out_of_range(&mut self, function: Function, of: &Expr, number: Num, span: Span) -> bool {
        let range = range_of(of);
        let Some(holds) = decided(function, range, number).filter(|_| range.is_known()) else { return false };
        let (kind, shown) = (if holds { DoubtKind::WholeRange } else { DoubtKind::OutOfRange }, self.shown(of.span));
        let why = format!("`{shown}` is {}", range_text(range));
        let help = self.range_advice(of, range, number, holds);
        self.decided(kind, holds, span, &why, help);
        true
    }

    fn range_advice(&self, of: &Expr, range: Range, number: Num, holds: bool) -> String {
        let value = number.to_f64();
        let is_share = (range.low, range.high.floor()) == (0.0, 1.0);
        if is_share && (10.0..=100.0).contains(&value) {
            return format!("did you mean {}?", shortest(value / 100.0));
        }
        if of_function(of) == Some(Function::Length) && value <= 0.0 {
            return "an empty text is null: write `is null` or `is not null`".to_owned();
        }
        match holds {
            true => "leave it out, or compare with a number inside that range".to_owned(),
            false => "compare with a number inside that range".to_owned(),
        }
    }

    /// A number of edits that is to be at most 0.8, as a similarity would be at least.
    fn fraction_of_count(&mut self, function: Function, of: &Expr, number: Num, span: Span) -> bool {
        let (ExprKind::Call(counted, args), value) = (&of.kind, number.to_f64()) else { return false };
        if is_count(*counted) && value.fract() != 0.0 && matches!(function, Function::Equal | Function::NotDistinct) {
            let why = format!("`{}` is a whole number", self.shown(of.span));
            self.never(DoubtKind::FractionOfCount, span, &why, "compare with a whole number".to_owned());
            return true;
        }
        if !is_count(*counted) || value <= 0.0 || value >= 1.0 {
            return false;
        }
        let Some(facts) = counted.measure() else { return false };
        let Some(similarity) = facts.similarity else { return false };
        let shown: Vec<String> = args.iter().map(|arg| self.shown(arg.span)).collect();
        let what = if facts.kind == MeasureKind::Common { "common elements" } else { "edits" };
        let message = format!("this compares a number of {what} with {}", shortest(value));
        // A share of edits is small where a similarity is large.
        let is_share_of_edits = matches!(function, Function::Less | Function::LessEqual) && value < 0.5;
        let least = if is_share_of_edits { rounded(1.0 - value) } else { value };
        let help = format!(
            "{what} are counted: 0, 1, 2, ...; did you mean `{similarity}({}) >= {}`?",
            shown.join(", "),
            shortest(least)
        );
        self.warn(DoubtKind::FractionOfCount, span, message, help);
        true
    }

    fn equal_to_fraction(&mut self, function: Function, of: &Expr, number: Num, span: Span) -> bool {
        let Some(facts) = of_function(of).and_then(Function::measure) else { return false };
        let value = number.to_f64();
        if function != Function::Equal || facts.kind.is_whole() || value <= 0.0 || value >= 1.0 {
            return false;
        }
        let shown = self.shown(of.span);
        let message = format!("`{shown}` is almost never exactly {}", shortest(value));
        self.warn(DoubtKind::EqualToFraction, span, message, format!("did you mean `{shown} >= {}`?", shortest(value)));
        true
    }

    fn short_year(&mut self, function: Function, of: &Expr, number: Num, span: Span) -> bool {
        let value = number.to_f64();
        let is_test = !matches!(function, Function::NotEqual | Function::Distinct);
        if of_function(of) != Some(Function::Year) || !is_test || !(1.0..=99.0).contains(&value) {
            return false;
        }
        let message = format!("`{}` has four digits", self.shown(of.span));
        self.warn(DoubtKind::ShortYear, span, message, format!("write the year in full, such as {}", 1900.0 + value));
        true
    }

    /// `neighbours` is a difference of ranks, and no two records have the same.
    fn narrow_window(&mut self, function: Function, of: &Expr, number: Num, span: Span) -> bool {
        let is_less = matches!(function, Function::Less) && number.to_f64() <= 1.0;
        if of_function(of) != Some(Function::Abs) || !is_less || !self.slice(span).trim_start().starts_with("neigh") {
            return false;
        }
        let why = "the window holds one record, and a pair needs two";
        self.never(DoubtKind::NarrowWindow, span, why, "write at least 2 as its last argument".to_owned());
        true
    }

    /// A date without quotes is a difference: 2024-05-31 is 1988.
    fn unquoted_date(&mut self, span: Span) -> bool {
        let written: String = self.slice(span).split_whitespace().collect();
        let parts: Vec<&str> = written.split('-').collect();
        let is_date = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
            && matches!(parts[..], [year, month, day] if year.len() == 4 && (1..=2).contains(&month.len()) && (1..=2).contains(&day.len()));
        if is_date {
            let message = format!("{written} without quotes is a difference of numbers");
            self.warn(DoubtKind::UnquotedDate, span, message, format!("write `date '{written}'`"));
        }
        is_date
    }
}

fn of_function(expr: &Expr) -> Option<Function> {
    match &expr.kind {
        ExprKind::Call(function, _) => Some(*function),
        _ => None,
    }
}

/// Whether every number of a range, or none, satisfies a comparison.
fn decided(function: Function, range: Range, number: Num) -> Option<bool> {
    use Function as F;
    let at = number.to_f64();
    // A decimal may lie beside the float nearest to it.
    let exact = !matches!(number, Num::Wide(_));
    let below = range.high < at || (exact && range.high == at);
    let above = range.low > at || (exact && range.low == at);
    let outside = range.high < at || range.low > at;
    match function {
        F::Equal | F::NotDistinct => outside.then_some(false),
        F::NotEqual | F::Distinct => outside.then_some(true),
        F::Less => either(range.high < at, above),
        F::LessEqual => either(below, range.low > at),
        F::Greater => either(range.low > at, below),
        F::GreaterEqual => either(above, range.high < at),
        _ => None,
    }
}

fn either(always: bool, never: bool) -> Option<bool> {
    if always { Some(true) } else { never.then_some(false) }
}

fn range_text(range: Range) -> String {
    match (range.low.is_finite(), range.high.is_finite()) {
        (true, true) if range.low == range.high => format!("always {}", shortest(range.low)),
        (true, true) => format!("between {} and {}", shortest(rounded(range.low)), shortest(rounded(range.high))),
        (true, false) => format!("at least {}", shortest(range.low)),
        _ => format!("at most {}", shortest(range.high)),
    }
}

/// Without the room for rounding.
fn rounded(end: f64) -> f64 {
    (end * 1e4).round() / 1e4
}

fn shortest(value: f64) -> String {
    format!("{value}")
}

/// A difference of a value of one record and one of the other, both as they are written.
pub(super) fn difference(expr: &Expr) -> Option<[&Expr; 2]> {
    let ExprKind::Call(Function::Subtract | Function::DateDiffDays, parts) = &expr.kind else { return None };
    let [a, b] = &parts[..] else { return None };
    let across = matches!(
        (a.sides(), b.sides()),
        (Reads::One(Side::Left), Reads::One(Side::Right)) | (Reads::One(Side::Right), Reads::One(Side::Left))
    );
    across.then_some([a, b])
}
