//! One predicate over the selected candidates of a batch.

use sameas_kernels::layout::set_join::SetSummary;

use crate::cancel::Cancel;
use crate::candidates::Batch;
use crate::expr::{Columns, Expr, ExprKind, Num, Side, Type, Vector, evaluate};
use crate::measure::set;
use crate::memory::MemoryBudget;
use crate::records::encode::{Dictionary, Domain, Encoded, Integers, NULL, TokenSets, most_common};
use crate::rules::Comparison;
use crate::threshold::{Check, SetTest, Sides, Truth, difference};

use super::text_check::TextCheck;

impl Check {
    /// Writes the verdicts of the selected candidates that have none yet into `truths`.
    pub fn evaluate(&self, encoded: &Encoded, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
        match self {
            Self::Equal { operands, null_safe } => {
                let (l, r) = codes(encoded, *operands);
                let null_safe = *null_safe;
                each_codes((l, r), batch, selection, truths, |a, b| match (a, b) {
                    (NULL, _) | (_, NULL) if !null_safe => Truth::Null,
                    (x, y) => Truth::from(x == y),
                });
            }
            Self::OneSided { side, verdicts } => {
                let verdicts = &verdicts[..];
                match side {
                    Side::Left => each(batch, selection, truths, |a, _| verdicts[a]),
                    Side::Right => each(batch, selection, truths, |_, b| verdicts[b]),
                }
            }
            Self::Text { operands, test, filter, .. } => {
                let (l, r) = codes(encoded, *operands);
                let Some(texts) = &encoded.domain(operands.left).texts else { return };
                TextCheck { test, filter, texts, l, r }.evaluate(batch, selection, truths);
            }
            Self::Set { operands, tokens, formula, comparison, threshold } => {
                let test = SetTest { formula: *formula, comparison: *comparison, threshold: *threshold };
                each_sets(encoded, *operands, *tokens, batch, selection, truths, |a, b| {
                    match test.glance(a.summary(), b.summary()) {
                        Truth::Unknown => test.holds(a.tokens(), b.tokens()).into(),
                        known => known,
                    }
                });
            }
            Self::Elements { operands, tokens, first, test } => {
                let (l, r) = codes(encoded, *operands);
                let [left, right] = [tokens.left, tokens.right].map(|tokens| encoded.tokens[tokens].elements());
                let (Some(left), Some(right)) = (left, right) else { return };
                each(batch, selection, truths, |a, b| match (l[a], r[b]) {
                    (NULL, _) | (_, NULL) => Truth::Null,
                    (a, b) => {
                        let (x, y) = first.in_order(left.view().set(a), right.view().set(b));
                        test.holds(left.texts(), x, y).into()
                    }
                });
            }
            Self::ListHasAny { operands, tokens } => {
                each_sets(encoded, *operands, *tokens, batch, selection, truths, has_any);
            }
            Self::Difference { operands, comparison, threshold } => {
                let codes = codes(encoded, *operands);
                // What is compared is of one domain.
                let domain = encoded.domain(operands.left);
                each_difference(domain, codes, *comparison, *threshold, batch, selection, truths);
            }
            Self::SameSource { borders } => match borders[..] {
                [border] => {
                    each(batch, selection, truths, |a, b| Truth::from((a < border as usize) == (b < border as usize)));
                }
                _ => each(batch, selection, truths, |a, b| Truth::from(are_of_one_input(borders, a, b))),
            },
            Self::Residual { expr } => evaluate_residual(expr, encoded, batch, selection, truths),
        }
    }
}

/// Gives a verdict on the difference of two numbers of a domain, by their codes, to each selected candidate that has none.
fn each_difference(
    domain: &Domain,
    codes: (&[u32], &[u32]),
    comparison: Comparison,
    threshold: Num,
    batch: &Batch,
    selection: &[u32],
    truths: &mut [Truth],
) {
    let both = |a: u32, b: u32| (a != NULL && b != NULL).then_some((a, b));
    match (&domain.integers, most_difference(comparison, threshold)) {
        (Some(Integers::Consecutive), Some(most)) => each_codes(codes, batch, selection, truths, |a, b| {
            both(a, b).map(|(a, b)| i64::from(a.abs_diff(b)) <= most).into()
        }),
        (Some(Integers::Each(of)), Some(most)) => each_codes(codes, batch, selection, truths, |a, b| {
            let number = |code: u32| of[code as usize];
            both(a, b).and_then(|(a, b)| differs_by_at_most(number(a), number(b), most)).into()
        }),
        _ => each_codes(codes, batch, selection, truths, |a, b| {
            let difference = difference(domain.number(a), domain.number(b));
            difference.map(|value| comparison.holds(value, threshold)).into()
        }),
    }
}

/// The largest whole difference for which a test holds, where it holds for all below.
fn most_difference(comparison: Comparison, threshold: Num) -> Option<i64> {
    match (comparison, threshold) {
        (Comparison::LessEqual, Num::Int(most)) => Some(most),
        (Comparison::Less, Num::Int(beyond)) => beyond.checked_sub(1),
        _ => None,
    }
}

/// Whether two integers differ by at most `most`: null where the difference is none of 64 bits.
#[inline]
fn differs_by_at_most(a: i64, b: i64, most: i64) -> Option<bool> {
    i64::try_from(a.abs_diff(b)).ok().map(|difference| difference <= most)
}

/// Whether no input begins after the earlier row and up to the later one.
fn are_of_one_input(borders: &[u32], a: usize, b: usize) -> bool {
    let next = borders.partition_point(|border| *border as usize <= a.min(b));
    borders.get(next).is_none_or(|border| *border as usize > a.max(b))
}

pub(super) fn codes(encoded: &Encoded, operands: Sides<usize>) -> (&[u32], &[u32]) {
    (&encoded.columns[operands.left].codes, &encoded.columns[operands.right].codes)
}

/// Gives a verdict to each selected candidate that has none.
#[inline]
pub(super) fn each(batch: &Batch, selection: &[u32], truths: &mut [Truth], verdict: impl Fn(usize, usize) -> Truth) {
    for &at in selection {
        let at = at as usize;
        if truths[at] == Truth::Unknown {
            truths[at] = verdict(batch.l[at] as usize, batch.r[at] as usize);
        }
    }
}

/// Candidates whose codes are read before the first of them is looked at.
const READ_AHEAD: usize = 256;

/// Gives a verdict on two codes to each selected candidate that has none. Codes are read ahead in a loop that does nothing
/// else: rows lie anywhere in memory, and a core waits for many of them at once only if little is done in between.
pub(super) fn each_codes(
    (l, r): (&[u32], &[u32]),
    batch: &Batch,
    selection: &[u32],
    truths: &mut [Truth],
    verdict: impl Fn(u32, u32) -> Truth,
) {
    let (mut left, mut right) = ([0; READ_AHEAD], [0; READ_AHEAD]);
    for some in selection.chunks(READ_AHEAD) {
        some.iter().zip(&mut left).for_each(|(at, code)| *code = l[batch.l[*at as usize] as usize]);
        some.iter().zip(&mut right).for_each(|(at, code)| *code = r[batch.r[*at as usize] as usize]);
        for (at, (a, b)) in some.iter().zip(left.iter().zip(&right)) {
            let truth = &mut truths[*at as usize];
            if *truth == Truth::Unknown {
                *truth = verdict(*a, *b);
            }
        }
    }
}

fn each_sets(
    encoded: &Encoded,
    operands: Sides<usize>,
    tokens: Sides<usize>,
    batch: &Batch,
    selection: &[u32],
    truths: &mut [Truth],
    verdict: impl Fn(OneSet<'_>, OneSet<'_>) -> Truth,
) {
    let (l, r) = codes(encoded, operands);
    let (left, right) = (&*encoded.tokens[tokens.left], &*encoded.tokens[tokens.right]);
    each(batch, selection, truths, |a, b| match (l[a], r[b]) {
        (NULL, _) | (_, NULL) => Truth::Null,
        (x, y) => verdict(OneSet { sets: left, code: x }, OneSet { sets: right, code: y }),
    });
}

/// A set of one side. Its tokens are looked at only where its summary does not decide.
#[derive(Clone, Copy)]
struct OneSet<'a> {
    sets: &'a TokenSets,
    code: u32,
}

impl<'a> OneSet<'a> {
    #[inline]
    fn summary(self) -> SetSummary {
        self.sets.summaries()[self.code as usize]
    }

    #[inline]
    fn tokens(self) -> &'a [u32] {
        self.sets.set(self.code)
    }
}

fn has_any(a: OneSet<'_>, b: OneSet<'_>) -> Truth {
    let (x, y) = (a.summary(), b.summary());
    match () {
        () if x.size == 0 || y.size == 0 => Truth::Null,
        () if most_common(x, y) == 0 => Truth::False,
        () => Truth::from(set::has_common(a.tokens(), b.tokens())),
    }
}

/// The operands of some pairs as the columns of an expression.
pub(super) struct GatheredOperands<'a> {
    encoded: &'a Encoded,
    l: Vec<u32>,
    r: Vec<u32>,
    budget: &'a MemoryBudget,
}

impl<'a> GatheredOperands<'a> {
    /// Those of the selected pairs of a batch.
    pub(super) fn gather(encoded: &'a Encoded, batch: &Batch, selection: &[u32], budget: &'a MemoryBudget) -> Self {
        let pick = |rows: &[u32]| selection.iter().map(|at| rows[*at as usize]).collect();
        Self { encoded, l: pick(&batch.l), r: pick(&batch.r), budget }
    }
}

impl Columns for GatheredOperands<'_> {
    fn rows(&self) -> usize {
        self.l.len()
    }

    fn column(&self, _: Side, _: &str) -> Vector {
        unreachable!("a compiled condition reads operands")
    }

    fn operand(&self, side: Side, operand: usize) -> Vector {
        let rows = if side == Side::Left { &self.l } else { &self.r };
        let codes = &self.encoded.columns[operand].codes[..];
        self.encoded.domain(operand).gather(rows.iter().map(|row| codes[*row as usize]))
    }

    fn cancel(&self) -> Cancel<'_> {
        Cancel::NEVER.within(self.budget)
    }
}

fn evaluate_residual(expr: &Expr, encoded: &Encoded, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
    let open: Vec<u32> = selection.iter().copied().filter(|at| truths[*at as usize] == Truth::Unknown).collect();
    if open.is_empty() {
        return;
    }
    let budget = MemoryBudget::of_pair_expression();
    let mut rest = &open[..];
    while !rest.is_empty() {
        let (now, later) = rest.split_at(affordable(expr, encoded, batch, rest));
        let gathered = GatheredOperands::gather(encoded, batch, now, &budget);
        let verdicts = evaluate(expr, &gathered, None);
        for (at, verdict) in now.iter().zip(verdicts_of(&verdicts)) {
            truths[*at as usize] = verdict;
        }
        rest = later;
    }
}

/// Bytes of texts and lists that are gathered at a time: most batches take far less.
const GATHERED: usize = 4 << 20;

/// How many of these candidates are gathered at a time, so that long texts do not fill the memory.
pub(super) fn affordable(expr: &Expr, encoded: &Encoded, batch: &Batch, open: &[u32]) -> usize {
    let mut operands = Vec::new();
    collect_long_operands(expr, &mut operands);
    if operands.is_empty() {
        return open.len();
    }
    let read = |(side, operand): &(Side, usize)| {
        let rows = if *side == Side::Left { &batch.l[..] } else { &batch.r[..] };
        (rows, &encoded.columns[*operand].codes[..], &encoded.domain(*operand).dictionary)
    };
    let read: Vec<(&[u32], &[u32], &Dictionary)> = operands.iter().map(read).collect();
    let bytes_of = |at: &u32| {
        let of_operand = |(rows, codes, values): &(&[u32], &[u32], &Dictionary)| {
            values.get(codes[rows[*at as usize] as usize]).map_or(0, <[u8]>::len)
        };
        read.iter().map(of_operand).sum::<usize>()
    };
    let mut left = GATHERED;
    let fitting = open.iter().take_while(|at| {
        let bytes = bytes_of(at);
        let fits = bytes <= left;
        left = left.saturating_sub(bytes);
        fits
    });
    fitting.count().max(1)
}

/// The operands of an expression whose values differ in length.
fn collect_long_operands(expr: &Expr, operands: &mut Vec<(Side, usize)>) {
    match &expr.kind {
        ExprKind::Operand(side, operand) if matches!(expr.ty, Type::Text | Type::TextList | Type::NumberList) => {
            operands.push((*side, *operand));
        }
        ExprKind::Call(_, args) => args.iter().for_each(|arg| collect_long_operands(arg, operands)),
        _ => {}
    }
}

/// A column of conditions as verdicts.
pub fn verdicts_of(values: &Vector) -> impl Iterator<Item = Truth> + '_ {
    (0..values.len()).map(move |row| match values {
        Vector::Bool(values) => values[row].into(),
        _ => Truth::Null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_differ_as_numbers_do() {
        let edges = [i64::MIN, i64::MIN + 1, -5, 0, 3, i64::MAX - 1, i64::MAX];
        for (a, b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (*a, *b))) {
            let tests =
                [Comparison::Less, Comparison::LessEqual].map(|test| [-1, 0, 8, i64::MAX].map(|most| (test, most)));
            for (test, threshold) in tests.into_iter().flatten() {
                let difference = difference(Some(Num::Int(a)), Some(Num::Int(b)));
                let expected = difference.map(|value| test.holds(value, Num::Int(threshold)));
                let most = most_difference(test, Num::Int(threshold)).unwrap();
                assert_eq!(differs_by_at_most(a, b, most), expected, "{a} {b} {test:?} {threshold}");
            }
        }
    }

    #[test]
    fn rows_are_of_one_input_where_no_border_is_between_them() {
        // Rows 0 to 2, none, 3, and 4 to 6.
        let (borders, inputs) = ([3, 3, 4], [0, 0, 0, 2, 3, 3, 3]);
        for (a, of_a) in inputs.iter().enumerate() {
            for (b, of_b) in inputs.iter().enumerate() {
                assert_eq!(are_of_one_input(&borders, a, b), of_a == of_b, "{a} {b}");
            }
        }
        assert!(are_of_one_input(&[], 0, 7));
    }
}
