//! Values of expressions of two records, for pairs that are written or scored.

use crate::candidates::{BATCH, Batch};
use crate::expr::{Expr, ExprKind, Function, Num, Vector};
use crate::rules::{Comparison, Predicate, Test};
use crate::threshold::Check;

use super::check::{GatheredOperands, affordable};
use super::program::Program;
use crate::expr::evaluate;
use crate::memory::MemoryBudget;

/// How a value of two records is found.
#[derive(Clone, Debug)]
pub enum PairValue {
    /// A measure of encoded values: the number that this check compares.
    Measured(Check),
    /// Any other expression, over operands.
    Computed(Expr),
}

impl PairValue {
    /// The predicate on the same measure, where an expression is one.
    pub(super) fn predicate_of(expr: &Expr) -> Option<Predicate> {
        let ExprKind::Call(function, args) = &expr.kind else { return None };
        let test = crate::rules::measured(*function, args, Comparison::GreaterEqual, Num::Int(0))?;
        let is_measured = matches!(&test, Test::Measure { measure: Function::Text(_) | Function::Set(_), .. });
        is_measured.then(|| Predicate { test, text: String::new(), parts: Vec::new() })
    }
}

impl Program {
    /// Calls `take` with the place and the number of each selected pair of a batch; null is no number.
    pub fn numbers(&self, value: usize, batch: &Batch, selection: &[u32], mut take: impl FnMut(u32, Option<Num>)) {
        match &self.values[value] {
            PairValue::Measured(check) => {
                let numbers = check.compared_numbers(&self.encoded);
                for at in selection {
                    let (l, r) = (batch.l[*at as usize], batch.r[*at as usize]);
                    take(*at, numbers.number_of_pair(l, r));
                }
            }
            PairValue::Computed(expr) => self.computed(expr, batch, selection, |some, values| {
                for (row, at) in some.iter().enumerate() {
                    let number = if let Vector::Number(numbers) = values { numbers.get(row) } else { None };
                    take(*at, number);
                }
            }),
        }
    }

    /// The values of pairs of rows, as columns of some of them one after the other.
    pub fn columns_of(&self, value: usize, pairs: impl Iterator<Item = (u32, u32)>, mut take: impl FnMut(&Vector)) {
        let mut batch = Batch::default();
        let pairs: Vec<(u32, u32)> = pairs.collect();
        for some in pairs.chunks(BATCH) {
            batch.set(some.iter().copied());
            let selection: Vec<u32> = (0..some.len() as u32).collect();
            match &self.values[value] {
                PairValue::Computed(expr) => self.computed(expr, &batch, &selection, |_, values| take(values)),
                PairValue::Measured(_) => {
                    let mut numbers = Vec::with_capacity(some.len());
                    self.numbers(value, &batch, &selection, |_, number| numbers.push(number));
                    take(&Vector::Number(numbers.into_iter().collect()));
                }
            }
        }
    }

    /// An expression over the selected pairs of a batch, some at a time, so that long texts do not fill the memory.
    fn computed(&self, expr: &Expr, batch: &Batch, selection: &[u32], mut take: impl FnMut(&[u32], &Vector)) {
        let budget = MemoryBudget::of_pair_expression();
        let mut rest = selection;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(affordable(expr, &self.encoded, batch, rest));
            let gathered = GatheredOperands::gather(&self.encoded, batch, now, &budget);
            take(now, &evaluate(expr, &gathered, None));
            rest = later;
        }
    }
}
