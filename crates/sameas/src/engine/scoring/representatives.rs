//! One row for all rows with the same values: what two rows compare as depends on their values alone.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::expr::Function;
use crate::records::encode::{Encoded, NULL};
use crate::rules::ComparisonRules;
use crate::threshold::Check;
use crate::verify::Program;

/// The rows of one side by the values that a comparison reads.
pub(super) struct Representatives {
    /// The first row of each group whose values are not null, ascending.
    pub rows: Vec<u32>,
    /// By row, for those of `rows`: the rows of its group.
    pub counts: Vec<u32>,
    /// Rows whose values are not null.
    pub present: u64,
}

/// What a comparison reads of one side: a check of each of its predicates.
pub(super) struct ReadValues<'a> {
    pub checks: Vec<&'a Check>,
    pub is_right: bool,
}

impl<'a> ReadValues<'a> {
    /// What a comparison reads of both sides; nothing where its outcome depends on more than the values of text, number and
    /// set measures.
    pub fn of_both(comparison: &ComparisonRules, program: &'a Program) -> Option<[Self; 2]> {
        let literals = comparison.levels.iter().flat_map(|level| level.conjunctions.iter().flatten());
        let mut predicates: Vec<usize> = literals.map(|literal| literal.predicate).collect();
        predicates.sort_unstable();
        predicates.dedup();
        let checks: Vec<&Check> = predicates.iter().map(|predicate| &program.checks[*predicate]).collect();
        let is_of_values = |check: &&Check| match check {
            Check::Equal { null_safe, .. } => !null_safe,
            Check::Text { measure, .. } => *measure != Function::Hamming,
            Check::Set { .. } | Check::ListHasAny { .. } | Check::Difference { .. } => true,
            Check::OneSided { .. } | Check::SameSource { .. } | Check::Residual { .. } => false,
        };
        let is_fit = !checks.is_empty() && checks.iter().all(is_of_values);
        is_fit.then(|| [false, true].map(|is_right| Self { checks: checks.clone(), is_right }))
    }

    fn operand(&self, check: &Check) -> usize {
        let operands = check.operands().expect("it compares values");
        if self.is_right { operands.right } else { operands.left }
    }

    /// The operands, each once.
    fn operands(&self) -> Vec<usize> {
        let mut operands: Vec<usize> = self.checks.iter().map(|check| self.operand(check)).collect();
        operands.sort_unstable();
        operands.dedup();
        operands
    }

    /// Whether a check is null for every pair with this row.
    fn is_null(&self, check: &Check, encoded: &Encoded, row: usize) -> bool {
        let operand = self.operand(check);
        let code = encoded.columns[operand].codes[row];
        match (code, check) {
            (NULL, _) => true,
            (code, Check::Difference { .. }) => encoded.domain(operand).number(code).is_none(),
            (code, Check::Set { tokens, .. } | Check::ListHasAny { tokens, .. }) => {
                encoded.tokens[if self.is_right { tokens.right } else { tokens.left }].set(code).is_empty()
            }
            _ => false,
        }
    }

    /// Groups the rows of a side; those of different inputs, by `input`, are in different groups. Nothing where a row has
    /// some of its values and lacks others: what it compares as is then no matter of one value.
    pub fn grouped(&self, encoded: &Encoded, rows: u32, input: &dyn Fn(u32) -> u32) -> Option<Representatives> {
        let operands = self.operands();
        let mut groups: Vec<u32> = (0..rows).map(input).collect();
        for operand in &operands {
            refine(&mut groups, &encoded.columns[*operand].codes);
        }
        let mut first: HashMap<u32, u32, FixedState> = HashMap::default();
        let (mut own, mut counts, mut present) = (Vec::new(), vec![0; rows as usize], 0);
        for row in 0..rows {
            let mut nulls = self.checks.iter().map(|check| self.is_null(check, encoded, row as usize));
            let is_null = nulls.next()?;
            if nulls.any(|other| other != is_null) {
                return None;
            }
            if !is_null {
                present += 1;
                let first = *first.entry(groups[row as usize]).or_insert(row);
                counts[first as usize] += 1;
                if first == row {
                    own.push(row);
                }
            }
        }
        Some(Representatives { rows: own, counts, present })
    }
}

/// Divides groups by the codes of one more column.
fn refine(groups: &mut [u32], codes: &[u32]) {
    let mut numbers: HashMap<(u32, u32), u32, FixedState> = HashMap::default();
    for (group, code) in groups.iter_mut().zip(codes) {
        let next = numbers.len() as u32;
        *group = *numbers.entry((*group, *code)).or_insert(next);
    }
}
