//! A measure in an interval, as a condition to join on.

use super::interval::Interval;
use super::{Conclusion, FoundBounds, SumWalk};
use crate::expr::{Expr, Function, Num};
use crate::measure::MeasureKind;
use crate::rules::predicate::{Comparison, measured};

impl SumWalk {
    /// What follows from the value of a measure of both records; nothing, if this is none. An end that all values satisfy
    /// says nothing, and on texts far apart nothing can be joined.
    pub(super) fn measure(
        &self,
        expr: &Expr,
        function: Function,
        args: &[Expr],
        within: Interval,
    ) -> Option<FoundBounds> {
        let (is_distance, whole) = match function.measure() {
            Some(facts) => (facts.kind == MeasureKind::Distance, facts.kind.is_whole()),
            None if function == Function::Abs => (true, false),
            None => return None,
        };
        let range = self.range(expr);
        let (comparison, at) = match (is_distance, whole) {
            (true, true) => (Comparison::LessEqual, number(within.high.floor())),
            (false, true) => (Comparison::GreaterEqual, number(within.low.ceil())),
            (true, false) => shorter((Comparison::LessEqual, within.high), (Comparison::Less, within.high.next_up())),
            (false, false) => {
                shorter((Comparison::GreaterEqual, within.low), (Comparison::Greater, within.low.next_down()))
            }
        };
        let test = measured(function, args, comparison, at)?;
        let says_nothing = if is_distance { within.high >= range.high } else { within.low <= range.low };
        let is_none = whole && within.low.ceil() > within.high.floor();
        Some(match (is_none, says_nothing) {
            (true, _) => None,
            (false, true) => Some(Vec::new()),
            (false, false) => Some(vec![Conclusion { test, of: expr.clone(), bound: Some((comparison, at)) }]),
        })
    }
}

/// A bound that is much shorter, `< 5` rather than `<= 4.999999999999999`, is the one that was meant.
fn shorter(closed: (Comparison, f64), open: (Comparison, f64)) -> (Comparison, Num) {
    let [closed, open] = [closed, open].map(|(comparison, at)| (comparison, number(at)));
    let length = |bound: &(Comparison, Num)| bound.1.to_text().len();
    if length(&open) + 4 < length(&closed) { open } else { closed }
}

fn number(at: f64) -> Num {
    Num::Float(at).canonical()
}
