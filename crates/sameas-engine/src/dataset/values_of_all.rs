//! How many records have a value, for comparisons that weigh values by that: where a program is of some records of a dataset, it is
//! counted among all of them.

use std::sync::{Arc, OnceLock};

use super::cache::ServedDomain;
use super::needed_columns::NeededColumns;
use super::operand_keys::OperandKeys;
use super::program_parts::ProgramParts;
use super::shared::Dataset;
use super::subset::SubsetOf;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::observer::Progress;
use crate::records::encode::NULL;
use crate::records::stats::ValueRows;
use crate::rules::RuleSet;
use crate::threshold::Check;
use crate::timeline::Timeline;
use crate::verify::RuleProgram;

/// Operands whose values have frequencies, encoded for all records of a dataset.
pub struct ValuesOfAll<'a> {
    subset: &'a SubsetOf,
    /// One, or two that are compared with each other.
    operands: Vec<usize>,
    domain: ServedDomain,
}

/// Whose operands are asked for: those of rules and their program, and what they are.
#[derive(Clone, Copy)]
pub(super) struct AskedOperands<'r> {
    pub rules: &'r RuleSet,
    pub program: &'r RuleProgram,
    pub keys: &'r OperandKeys,
}

impl Dataset {
    /// The values whose frequency comparisons ask for, of all records; nothing where the dataset has all of them itself.
    pub(super) fn values_of_all(
        &self,
        asked: AskedOperands<'_>,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<ValuesOfAll<'_>>> {
        let Some(subset) = self.subset_of() else { return Ok(Vec::new()) };
        let values = |operands: Vec<usize>| -> Result<ValuesOfAll<'_>> {
            let domain = subset.whole.domain_of(&operands, asked, progress, cancel)?;
            Ok(ValuesOfAll { subset, operands, domain })
        };
        weighed_operands(asked.rules, asked.program).map(values).collect()
    }

    /// A domain that has these operands: one that is known, or one that is made of them alone.
    fn domain_of(
        &self,
        operands: &[usize],
        AskedOperands { rules, program, keys }: AskedOperands<'_>,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<ServedDomain> {
        let members = keys.of_members(operands);
        let known = self.columns().find(&members);
        if let Some(known) = known {
            return Ok(known);
        }
        let exprs = operands.iter().map(|operand| program.wanted.expression(*operand));
        let needed = NeededColumns::of_exprs(exprs, rules, self.layout(), self.inputs());
        let frames = self.frames_of(&needed, keys, &mut Timeline::start(), progress, cancel)?;
        let made = program.wanted.encode_values(operands, &frames, cancel);
        self.count_work();
        Ok(self.columns().put(&members, (Arc::new(made.domain), made.codes), false))
    }
}

/// The operands of each comparison that weighs its values by their frequency.
fn weighed_operands(rules: &RuleSet, program: &RuleProgram) -> impl Iterator<Item = Vec<usize>> {
    let predicates = rules.scoring.comparisons.iter().filter_map(|comparison| comparison.term_frequency);
    predicates.filter_map(move |predicate| match program.checks[predicate] {
        Check::Equal { operands, .. } if operands.left == operands.right => Some(vec![operands.left]),
        Check::Equal { operands, .. } => Some(vec![operands.left, operands.right]),
        _ => None,
    })
}

impl ProgramParts<'_> {
    /// Takes the numbers of records with each value from all of them. What it reads is encoded.
    pub fn count_among_all(&mut self, values: &[ValuesOfAll<'_>]) {
        for of in values {
            let places: Vec<(usize, usize)> = of.operands.iter().filter_map(|operand| self.place(*operand)).collect();
            let Some((at, _)) = places.first() else { continue };
            let Some(domain) = &mut self.domains[*at] else { continue };
            let mut code_of_all = vec![NULL; domain.plain.dictionary.len()];
            for ((operand, (_, place)), all) in of.operands.iter().zip(&places).zip(&of.domain.codes) {
                let rows = of.subset.rows_of_frame(self.program.wanted.expression(*operand).0);
                let codes = domain.codes[*place].codes.iter().zip(rows).filter(|(code, _)| **code != NULL);
                codes.for_each(|(code, row)| code_of_all[*code as usize] = all.codes[*row as usize]);
            }
            for ((_, place), all) in places.iter().zip(&of.domain.codes) {
                let ValueRows { by_code, present } = all.value_rows(of.domain.plain.dictionary.len());
                let rows = |code: &u32| by_code.get(*code as usize).copied().unwrap_or_default();
                let counted = ValueRows { by_code: code_of_all.iter().map(rows).collect(), present: *present };
                domain.codes[*place].counted = Arc::new(OnceLock::from(counted));
            }
        }
    }

    /// The domain of an operand, and its place there.
    fn place(&self, operand: usize) -> Option<(usize, usize)> {
        let place = |members: &Vec<usize>| members.iter().position(|member| *member == operand);
        self.members.iter().enumerate().find_map(|(at, members)| Some((at, place(members)?)))
    }
}
