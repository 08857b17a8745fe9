//! From an access condition to the path that finds its candidates.

use std::borrow::Cow;

use rayon::prelude::*;

use super::condition::{Access, Condition};
use crate::candidates::all_pairs::AllPairs;
use crate::candidates::by_value::{ByValue, RowsByCode};
use crate::candidates::edit_join::{EditJoin, estimate};
use crate::candidates::equi_join::EquiJoin;
use crate::candidates::keys::{KeyPart, Keys, fit};
use crate::candidates::neighbourhood::{Neighbourhood, Numbers};
use crate::candidates::set_join::{self, SetJoin};
use crate::candidates::text_join::{self, EditMeasure, TextJoin, TextPredicate};
use crate::candidates::{AnyValueJoin, Path, Rows, Shape, Which};
use crate::expr::Side;
use crate::measure::Unit;
use crate::records::encode::{AnyStrings, Encoded, Signatures, Strings, Texts};
use crate::verify::{Check, Program, Sides, TextTest, Truth, VerdictTable};

impl Condition {
    /// The path to the candidates; `rows` are the numbers of left and right records, and an index takes at most about
    /// `memory` bytes.
    pub fn path<'a>(&self, program: &'a Program, rows: [u32; 2], shape: Shape, memory: usize) -> Path<'a> {
        path_over(&self.access, program, self.rows_of_both(program, rows), shape, memory)
    }

    /// The records of both sides that pass every filter.
    pub fn rows_of_both(&self, program: &Program, rows: [u32; 2]) -> [Rows; 2] {
        [self.rows(program, Side::Left, rows[0]), self.rows(program, Side::Right, rows[1])]
    }

    /// The records of a side that pass every filter on it.
    fn rows(&self, program: &Program, wanted: Side, rows: u32) -> Rows {
        let mut kept: Rows = (0..rows).collect();
        for literal in &self.filters {
            if let Check::OneSided { side, verdicts } = &program.checks[literal.predicate]
                && *side == wanted
            {
                kept.retain(|row| verdicts[*row as usize] == Truth::from(literal.want));
            }
        }
        kept
    }
}

/// The path to the candidates among some left and some right records.
pub fn path_over<'a>(
    access: &Access,
    program: &'a Program,
    [left, right]: [Rows; 2],
    shape: Shape,
    memory: usize,
) -> Path<'a> {
    let preparer = Preparer { program, left, right, shape, memory };
    match access {
        Access::EquiJoin(equalities) => preparer.equi_join(equalities),
        Access::SetJoin(predicate) | Access::EditJoin(predicate) | Access::JaroJoin(predicate) => {
            preparer.values(&program.checks[*predicate])
        }
        Access::Neighbourhood(predicate) => preparer.neighbourhood(&program.checks[*predicate]),
        Access::AllPairs => preparer.all_pairs(),
    }
}

/// The records that take part, and what a path is made with.
pub(crate) struct Preparer<'a> {
    pub(crate) program: &'a Program,
    pub(crate) left: Rows,
    pub(crate) right: Rows,
    pub(crate) shape: Shape,
    pub(crate) memory: usize,
}

impl<'a> Preparer<'a> {
    fn encoded(&self) -> &'a Encoded {
        &self.program.encoded
    }

    /// Whether the two sides of an operand are one list of values held by one list of rows.
    fn is_self_join(&self, operands: impl IntoIterator<Item = Sides<usize>>) -> bool {
        self.shape == Shape::Triangle && operands.into_iter().all(|o| o.left == o.right) && self.left == self.right
    }

    fn all_pairs(self) -> Path<'a> {
        Path::AllPairs(AllPairs::new(self.left, self.right, self.shape))
    }

    fn equi_join(self, equalities: &[usize]) -> Path<'a> {
        let memory = self.memory;
        let (left, right, which, bits) = self.keys(equalities);
        if bits <= u32::BITS {
            Path::Narrow(EquiJoin::new(left, right, memory), which)
        } else {
            Path::Wide(EquiJoin::new(left, right, memory), which)
        }
    }

    /// The keys of both sides, or of one that is joined with itself, which of their pairs are wanted, and the bits of a key.
    pub(crate) fn keys(self, equalities: &[usize]) -> (Keys<'a>, Option<Keys<'a>>, Which, u32) {
        let equal = |predicate: &usize| match &self.program.checks[*predicate] {
            Check::Equal { operands, null_safe } => Some((*operands, *null_safe)),
            _ => None,
        };
        let equalities: Vec<(Sides<usize>, bool)> = equalities.iter().filter_map(equal).collect();
        let encoded = self.encoded();
        let part = |(operands, null_safe): &(Sides<usize>, bool)| KeyPart {
            left: Cow::Borrowed(&encoded.columns[operands.left].codes),
            right: Cow::Borrowed(&encoded.columns[operands.right].codes),
            values: encoded.domain(operands.left).dictionary.len(),
            null_safe: *null_safe,
        };
        let (parts, bits) = fit(equalities.iter().map(part).collect());
        let self_join = self.is_self_join(equalities.iter().map(|(operands, _)| *operands));
        let which = if self.shape == Shape::Triangle && !self_join { Which::Before } else { Which::All };
        let [left, right] = Keys::new(parts, self.left, self.right);
        (left, (!self_join).then_some(right), which, bits)
    }

    fn neighbourhood(self, check: &'a Check) -> Path<'a> {
        let Check::Difference { operands, .. } = check else { unreachable!("a neighbourhood is one of numbers") };
        let encoded = self.encoded();
        let numbers = |operand: usize, rows: &Rows| {
            let (codes, domain) = (&encoded.columns[operand].codes, encoded.domain(operand));
            Numbers::new(rows, |row| domain.number(codes[row as usize]))
        };
        let right = (!self.is_self_join([*operands])).then(|| numbers(operands.right, &self.right));
        let left = numbers(operands.left, &self.left);
        Path::Neighbourhood(Neighbourhood::new(left, right, self.shape, |a, b| check.holds_for_numbers(a, b)))
    }

    /// The rows of an operand by value: of the left side, and of the right side unless it is the same. `same_values`: a
    /// value stands for the same thing on both sides.
    pub(crate) fn by_code(&self, operands: Sides<usize>, same_values: bool) -> (RowsByCode, Option<RowsByCode>) {
        let encoded = self.encoded();
        let of = |operand: usize, rows: &Rows| {
            RowsByCode::new(&encoded.columns[operand].codes, rows, encoded.domain(operand).dictionary.len())
        };
        let one_list = same_values && self.is_self_join([operands]);
        let right = (!one_list).then(|| of(operands.right, &self.right));
        (of(operands.left, &self.left), right)
    }
}

/// What an entry of the index of `edit_join` costs, in comparisons of signatures.
const ENTRY: f64 = 200.0;

impl<'a> Preparer<'a> {
    /// A join of the values of both sides, and from there to rows.
    fn values(self, check: &'a Check) -> Path<'a> {
        let Some(operands) = check.operands() else { unreachable!("a join of values is one of operands") };
        let (left, right) = self.by_code(operands, is_one_list(check));
        let lists = Lists { left: left.codes(), right: right.as_ref().map(RowsByCode::codes) };
        let join = lists.any_join(self.program, check, self.memory);
        Path::Values(ByValue::new(join, left, right, self.shape))
    }
}

/// The distinct values of both sides, or of one that is joined with itself.
struct Lists {
    left: Vec<u32>,
    right: Option<Vec<u32>>,
}

impl Lists {
    /// The join that a check of values calls for.
    fn any_join<'a>(&self, program: &'a Program, check: &'a Check, memory: usize) -> Box<dyn AnyValueJoin + 'a> {
        let encoded = &program.encoded;
        match check {
            Check::Set { tokens, .. } | Check::ListHasAny { tokens, .. } => {
                let sets = |side: usize| encoded.tokens[side].view();
                let right = self.right.as_ref().map(|codes| (sets(tokens.right), &codes[..]));
                let holds = |common, x, y| check.holds_for_sets(common, x, y);
                Box::new(SetJoin::new((sets(tokens.left), &self.left), right, holds, set_join::Options::new(memory)))
            }
            Check::Text { operands, test, .. } => {
                let texts = encoded.domain(operands.left).texts.as_ref();
                let texts = texts.unwrap_or_else(|| unreachable!("the texts of a test of texts are encoded"));
                match texts.strings() {
                    AnyStrings::U8(strings) => self.join(strings, texts.signatures(), test, memory),
                    AnyStrings::U16(strings) => self.join(strings, texts.signatures(), test, memory),
                    AnyStrings::U32(strings) => self.join(strings, texts.signatures(), test, memory),
                }
            }
            _ => unreachable!("a join of values is one of sets or texts"),
        }
    }

    /// The join that a test of texts calls for.
    fn join<'a, U: text_join::Texts>(
        &self,
        strings: Strings<'a, U>,
        signatures: &Signatures,
        test: &'a TextTest,
        memory: usize,
    ) -> Box<dyn AnyValueJoin + 'a> {
        let right = self.right.as_deref();
        let predicate = test.predicate().unwrap_or_else(|| unreachable!("a text join is one of bounds"));
        if let TextPredicate::Edits(measure @ (EditMeasure::Levenshtein | EditMeasure::Osa), _) = predicate
            && self.pays(strings, test, memory)
        {
            let (swaps, most_edits) = (measure == EditMeasure::Osa, |length| test.most_edits(length));
            return Box::new(EditJoin::new(strings, (&self.left, right), swaps, most_edits, memory));
        }
        Box::new(TextJoin::new(strings, signatures, &self.left, right, predicate))
    }

    /// Whether an index of deletion variants costs less than comparing the signatures of all texts of near lengths.
    fn pays<U: Unit>(&self, strings: Strings<'_, U>, test: &TextTest, memory: usize) -> bool {
        let most_edits = |length| test.most_edits(length);
        let estimate = estimate(strings, (&self.left, self.right.as_deref()), most_edits, memory);
        estimate.entries * ENTRY < estimate.pairs
    }
}

/// The verdicts of a predicate on all pairs of values: those that the join of the values finds.
///
/// No loss: the join finds exactly the pairs of values that satisfy the predicate; a value without a verdict (the empty
/// text, a set without tokens) is marked and takes no part.
pub fn verdict_table(program: &Program, predicate: usize, memory: usize) -> VerdictTable {
    let check = &program.checks[predicate];
    let Some(operands) = check.operands() else { unreachable!("a table is one of values") };
    let values = |operand: usize| program.encoded.domain(operand).dictionary.len();
    let mut nulls = [operands.left, operands.right].map(|operand| vec![false; values(operand)]);
    mark_nulls(program, check, &mut nulls);
    let codes = |nulls: &[bool]| (0..nulls.len() as u32).filter(|code| !nulls[*code as usize]).collect::<Vec<u32>>();
    let lists = Lists { left: codes(&nulls[0]), right: (!is_one_list(check)).then(|| codes(&nulls[1])) };
    let mut join = lists.any_join(program, check, memory);
    let table = VerdictTable::new(nulls);
    for round in 0..join.any_rounds() {
        join.any_prepare(round);
        (0..join.any_tasks()).into_par_iter().with_max_len(1).for_each(|task| {
            join.any_run(task, &mut |a, b| {
                table.set(a, b);
                if lists.right.is_none() {
                    table.set(b, a);
                }
            });
        });
    }
    table
}

/// Whether a value stands for the same thing on both sides.
fn is_one_list(check: &Check) -> bool {
    match check {
        Check::Set { tokens, .. } | Check::ListHasAny { tokens, .. } => tokens.left == tokens.right,
        _ => true,
    }
}

fn mark_nulls(program: &Program, check: &Check, nulls: &mut [Vec<bool>; 2]) {
    match check {
        Check::Set { tokens, .. } | Check::ListHasAny { tokens, .. } => {
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
        _ => {}
    }
}
