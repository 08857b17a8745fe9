//! From an access condition to the path that finds its candidates.

use std::borrow::Cow;

use super::access::{Access, Branch};
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
use crate::records::encode::{AnyStrings, Encoded, NULL, Signatures, Strings};
use crate::verify::{Check, Program, Sides, TextTest, Truth};

impl Branch {
    /// The path to the candidates; `rows` are the numbers of left and right records, and an index takes at most about
    /// `memory` bytes.
    pub fn path<'a>(&self, program: &'a Program, rows: [u32; 2], shape: Shape, memory: usize) -> Path<'a> {
        let left = self.rows(program, Side::Left, rows[0]);
        let right = self.rows(program, Side::Right, rows[1]);
        let preparer = Preparer { program, left, right, shape, memory };
        match &self.access {
            Access::EquiJoin(equalities) => preparer.equi_join(equalities),
            Access::SetJoin(predicate) => preparer.set_join(&program.checks[*predicate]),
            Access::EditJoin(predicate) | Access::JaroJoin(predicate) => {
                preparer.text_join(&program.checks[*predicate])
            }
            Access::Neighbourhood(predicate) => preparer.neighbourhood(&program.checks[*predicate]),
            Access::AllPairs => preparer.all_pairs(),
        }
    }

    /// The number of distinct values that are joined on each side, where values are.
    pub fn values(&self, program: &Program) -> Option<[u64; 2]> {
        let predicate = self.access.predicates().first().filter(|_| self.access.is_over_values())?;
        let operands = match &program.checks[*predicate] {
            Check::Text { operands, .. } | Check::Set { operands, .. } | Check::ListHasAny { operands, .. } => operands,
            _ => return None,
        };
        let distinct = |operand: usize| {
            let mut seen = vec![false; program.encoded.domain(operand).dictionary.len()];
            let codes = program.encoded.columns[operand].codes.iter().filter(|code| **code != NULL);
            codes.for_each(|code| seen[*code as usize] = true);
            seen.iter().filter(|seen| **seen).count() as u64
        };
        Some([distinct(operands.left), distinct(operands.right)])
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

/// The records that take part, and what a path is made with.
struct Preparer<'a> {
    program: &'a Program,
    left: Rows,
    right: Rows,
    shape: Shape,
    memory: usize,
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
        let right = (!self_join).then_some(right);
        if bits <= u32::BITS {
            Path::Narrow(EquiJoin::new(left, right, self.memory), which)
        } else {
            Path::Wide(EquiJoin::new(left, right, self.memory), which)
        }
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
    fn by_code(&self, operands: Sides<usize>, same_values: bool) -> (RowsByCode, Option<RowsByCode>) {
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
    fn set_join(self, check: &'a Check) -> Path<'a> {
        let (Check::Set { operands, tokens, .. } | Check::ListHasAny { operands, tokens }) = check else {
            unreachable!("a set join is one of sets")
        };
        let (left, right) = self.by_code(*operands, tokens.left == tokens.right);
        let sets = |side: usize| self.encoded().tokens[side].view();
        let (left_codes, right_codes) = (left.codes(), right.as_ref().map(RowsByCode::codes));
        let join = SetJoin::new(
            (sets(tokens.left), &left_codes),
            right_codes.as_ref().map(|codes| (sets(tokens.right), &codes[..])),
            |common, x, y| check.holds_for_sets(common, x, y),
            set_join::Options::new(self.memory),
        );
        Path::Values(ByValue::new(Box::new(join), left, right, self.shape))
    }

    fn text_join(self, check: &'a Check) -> Path<'a> {
        let Check::Text { operands, test, .. } = check else { unreachable!("a text join is one of texts") };
        let texts = self.encoded().domain(operands.left).texts.as_ref();
        let texts = texts.unwrap_or_else(|| unreachable!("the texts of a test of texts are encoded"));
        let (left, right) = self.by_code(*operands, true);
        let lists = TextLists { left: left.codes(), right: right.as_ref().map(RowsByCode::codes) };
        let signatures = texts.signatures();
        let join = match texts.strings() {
            AnyStrings::U8(strings) => lists.join(strings, signatures, test, self.memory),
            AnyStrings::U16(strings) => lists.join(strings, signatures, test, self.memory),
            AnyStrings::U32(strings) => lists.join(strings, signatures, test, self.memory),
        };
        Path::Values(ByValue::new(join, left, right, self.shape))
    }
}

/// The distinct texts of both sides.
struct TextLists {
    left: Vec<u32>,
    right: Option<Vec<u32>>,
}

impl TextLists {
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
