//! The one decision list: from a conjunction to its access condition.

use crate::candidates::{Candidates, KeyPart, RowSets, Rows, Shape, all_pairs, equi_join, overlap_join};
use crate::expr::Side;
use crate::records::encode::NULL;
use crate::rules::{Conjunction, Literal};
use crate::verify::{Check, Program, Truth};

/// How a branch finds its candidates. Numbers name predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Equal composite keys, one part for each of these equalities.
    EquiJoin(Vec<usize>),
    /// A common element of two sets.
    OverlapJoin(usize),
    /// Every pair.
    AllPairs,
}

/// Conjunctions that share their candidates.
#[derive(Clone, Debug)]
pub struct Branch {
    /// How candidates are found.
    pub access: Access,
    /// Conditions on one record alone, which filter records before the join.
    pub filters: Vec<Literal>,
    /// The conjunctions decided here, in order.
    pub conjunctions: Vec<usize>,
}

/// All branches of a job, by their first conjunction.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The branches.
    pub branches: Vec<Branch>,
}

/// Gives every conjunction the branch of its access condition.
pub fn plan(program: &Program) -> Plan {
    let mut branches: Vec<Branch> = Vec::new();
    for (index, conjunction) in program.conjunctions.iter().enumerate() {
        let (access, filters) = (choose(conjunction, program), filters(conjunction, program));
        match branches.iter_mut().find(|b| b.access == access && b.filters == filters) {
            Some(branch) => branch.conjunctions.push(index),
            None => branches.push(Branch { access, filters, conjunctions: vec![index] }),
        }
    }
    Plan { branches }
}

/// From special to general: equalities, then a common element, then every pair. Only positive literals enumerate.
fn choose(conjunction: &Conjunction, program: &Program) -> Access {
    let wanted = |select: &dyn Fn(&Check) -> bool| -> Vec<usize> {
        let positive = conjunction.literals.iter().filter(|l| l.want && select(&program.checks[l.predicate]));
        let mut found: Vec<usize> = positive.map(|l| l.predicate).collect();
        found.sort_unstable();
        found
    };
    let equalities = wanted(&|check| matches!(check, Check::Equal { .. }));
    if !equalities.is_empty() {
        return Access::EquiJoin(equalities);
    }
    if let Some(overlap) = wanted(&|check| matches!(check, Check::ListHasAny { .. })).first() {
        return Access::OverlapJoin(*overlap);
    }
    Access::AllPairs
}

fn filters(conjunction: &Conjunction, program: &Program) -> Vec<Literal> {
    let one_sided = |l: &&Literal| matches!(program.checks[l.predicate], Check::OneSided { .. });
    let mut filters: Vec<Literal> = conjunction.literals.iter().filter(one_sided).copied().collect();
    filters.sort_unstable();
    filters
}

impl Branch {
    /// The literals that every candidate of this branch satisfies: its access condition.
    pub fn implied(&self) -> Vec<Literal> {
        let predicates = match &self.access {
            Access::EquiJoin(equalities) => equalities.clone(),
            Access::OverlapJoin(overlap) => vec![*overlap],
            Access::AllPairs => Vec::new(),
        };
        let positive = predicates.into_iter().map(|predicate| Literal { predicate, want: true });
        positive.chain(self.filters.iter().copied()).collect()
    }

    /// Prepares the candidates; `rows` are the numbers of left and right records.
    pub fn candidates(&self, program: &Program, rows: [u32; 2], shape: Shape) -> Candidates {
        let left = self.rows(program, Side::Left, rows[0]);
        let right = self.rows(program, Side::Right, rows[1]);
        match &self.access {
            Access::EquiJoin(equalities) => {
                let parts: Vec<KeyPart<'_>> = equalities.iter().filter_map(|p| key_part(program, *p)).collect();
                equi_join(&parts, &left, &right, shape)
            }
            Access::OverlapJoin(overlap) => {
                let (left_sets, right_sets) = row_sets(program, *overlap);
                overlap_join(left_sets, right_sets, &left, &right, shape)
            }
            Access::AllPairs => all_pairs(&left, right, shape),
        }
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

fn key_part(program: &Program, predicate: usize) -> Option<KeyPart<'_>> {
    let Check::Equal { operands, null_safe } = &program.checks[predicate] else { return None };
    let encoded = &program.encoded;
    Some(KeyPart {
        left: &encoded.columns[operands.left].codes,
        right: &encoded.columns[operands.right].codes,
        values: encoded.domain(operands.left).dictionary.len(),
        null_safe: *null_safe,
    })
}

fn row_sets(program: &Program, predicate: usize) -> (RowSets, RowSets) {
    let Check::ListHasAny { operands, tokens } = &program.checks[predicate] else {
        return (RowSets::new(std::iter::empty()), RowSets::new(std::iter::empty()));
    };
    let encoded = &program.encoded;
    let sets = |operand: usize, tokens: usize| {
        let (codes, sets) = (&encoded.columns[operand].codes, &encoded.tokens[tokens]);
        RowSets::new(codes.iter().map(|code| if *code == NULL { &[][..] } else { sets.set(*code) }))
    };
    (sets(operands.left, tokens.left), sets(operands.right, tokens.right))
}
