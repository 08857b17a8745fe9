//! Verdicts of a predicate for all pairs of distinct values: computed once by a join of the values, read by every branch.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::candidates::{AccessPath, Batch, ValueLists};
use crate::records::encode::{Encoded, NULL, Texts};
use crate::threshold::{Check, Sides, Truth};

use super::check::{codes, each_codes};
use super::program::Program;

/// One bit for each pair of values of a domain; values that make the predicate null are marked.
#[derive(Debug)]
pub struct VerdictTable {
    /// Set by all cores at once; read as quickly as plain words.
    bits: Vec<AtomicU64>,
    /// Words of a left value's row.
    words: usize,
    /// Whether a value makes the predicate null: on the left, on the right.
    nulls: [Vec<bool>; 2],
}

impl VerdictTable {
    /// Bytes of a table of `left` times `right` values.
    pub fn bytes(left: usize, right: usize) -> usize {
        left.saturating_mul(right.div_ceil(64)).saturating_mul(8).saturating_add(left + right)
    }

    /// A table in which the predicate holds for nothing. `nulls` marks, for each side, the values without a verdict.
    pub fn new(nulls: [Vec<bool>; 2]) -> Self {
        let words = nulls[1].len().div_ceil(64);
        let bits = (0..nulls[0].len() * words).map(|_| AtomicU64::new(0)).collect();
        Self { bits, words, nulls }
    }

    /// The predicate holds for a left and a right value.
    pub fn set(&self, left: u32, right: u32) {
        self.word(left, right).fetch_or(1 << (right % 64), Relaxed);
    }

    fn word(&self, left: u32, right: u32) -> &AtomicU64 {
        &self.bits[left as usize * self.words + right as usize / 64]
    }

    /// Its words, one left value's row after the other.
    pub fn words(&self) -> Vec<u64> {
        self.bits.iter().map(|word| word.load(Relaxed)).collect()
    }

    /// Words of a left value's row.
    pub fn row_words(&self) -> usize {
        self.words
    }

    /// Whether a value makes the predicate null: on the left, on the right.
    pub fn nulls(&self) -> &[Vec<bool>; 2] {
        &self.nulls
    }

    /// Memory it takes.
    pub fn size(&self) -> usize {
        size_of_val(&self.bits[..]) + self.nulls[0].len() + self.nulls[1].len()
    }

    /// The verdict on two values.
    #[inline]
    fn verdict(&self, left: u32, right: u32) -> Truth {
        if left == NULL || right == NULL || self.nulls[0][left as usize] || self.nulls[1][right as usize] {
            return Truth::Null;
        }
        Truth::from(self.word(left, right).load(Relaxed) >> (right % 64) & 1 == 1)
    }

    /// Writes the verdicts of the selected candidates that have none yet into `truths`.
    pub(super) fn evaluate(
        &self,
        encoded: &Encoded,
        operands: Sides<usize>,
        batch: &Batch,
        selection: &[u32],
        truths: &mut [Truth],
    ) {
        each_codes(codes(encoded, operands), batch, selection, truths, |a, b| self.verdict(a, b));
    }
}

/// The verdicts of a predicate on all pairs of values: those that the join of the values finds.
///
/// No loss: the join finds exactly the pairs of values that satisfy the predicate; a value without a verdict (the empty
/// text, a set without tokens) is marked and takes no part.
pub fn verdict_table(program: &Program, predicate: usize, memory: usize, cancel: Cancel<'_>) -> VerdictTable {
    let check = &program.checks[predicate];
    let Some(operands) = check.operands() else { unreachable!("a table is one of values") };
    let size = |operand: usize| program.encoded.domain(operand).dictionary.len();
    let mut nulls = [operands.left, operands.right].map(|operand| vec![false; size(operand)]);
    mark_nulls(program, check, &mut nulls);
    let codes = |nulls: &[bool]| (0..nulls.len() as u32).filter(|code| !nulls[*code as usize]).collect::<Vec<u32>>();
    let right = (!check.has_one_value_list()).then(|| codes(&nulls[1]));
    let values = ValueLists { left: codes(&nulls[0]), right };
    let path = AccessPath::serving(check).and_then(|path| path.declaration().over_values());
    let Some(path) = path else { unreachable!("a table is one of values that can be joined") };
    let mut join = path.join(check, &program.encoded, &values, memory);
    let table = VerdictTable::new(nulls);
    for round in 0..join.any_rounds() {
        join.any_prepare(round);
        (0..join.any_tasks()).into_par_iter().with_max_len(1).for_each(|task| {
            cancel.check();
            join.any_run(task, &mut |a, b| {
                table.set(a, b);
                if values.right.is_none() {
                    table.set(b, a);
                }
            });
        });
    }
    table
}

fn mark_nulls(program: &Program, check: &Check, nulls: &mut [Vec<bool>; 2]) {
    match check {
        Check::Set { tokens, .. } | Check::Elements { tokens, .. } | Check::ListHasAny { tokens, .. } => {
            for (nulls, side) in nulls.iter_mut().zip([tokens.left, tokens.right]) {
                let sets = program.encoded.tokens[side].view();
                nulls.iter_mut().enumerate().for_each(|(code, null)| *null = sets.set(code as u32).is_empty());
            }
        }
        Check::Text { operands, .. } => {
            let texts = program.encoded.domain(operands.left).texts.as_ref();
            if let Some(empty) = texts.and_then(Texts::empty) {
                nulls.iter_mut().for_each(|nulls| nulls[empty as usize] = true);
            }
        }
        Check::Equal { .. } | Check::OneSided { .. } | Check::Difference { .. } => {}
        Check::SameSource { .. } | Check::Residual { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_those_that_were_set() {
        let table = VerdictTable::new([vec![false, true, false], (0..130).map(|code| code == 7).collect()]);
        table.set(2, 129);
        table.set(0, 64);
        assert_eq!(table.verdict(2, 129), Truth::True);
        assert_eq!(table.verdict(0, 64), Truth::True);
        assert_eq!(table.verdict(0, 65), Truth::False);
        assert_eq!(
            (table.verdict(1, 64), table.verdict(0, 7), table.verdict(NULL, 3)),
            (Truth::Null, Truth::Null, Truth::Null)
        );
        assert!(table.size() <= VerdictTable::bytes(3, 130));
    }
}
