//! No planning: every conjunction joins on all of its equalities, or on what it says first that can join.

use super::choose::Chosen;
use super::options::filters;
use crate::candidates::{Access, Condition};
use crate::rules::Literal;
use crate::threshold::Check;
use crate::verify::Program;

/// A branch for each conjunction.
pub fn as_written(program: &Program, conjunctions: &[usize]) -> Vec<Chosen> {
    let branch = |index: &usize| {
        let conjunction = &program.conjunctions[*index];
        let access = access(&conjunction.literals, program);
        let condition = Condition { access, filters: filters(conjunction, program) };
        Chosen { condition, conjunctions: vec![*index], alternative: None }
    };
    conjunctions.iter().map(branch).collect()
}

fn access(literals: &[Literal], program: &Program) -> Access {
    let positive: Vec<usize> = literals.iter().filter(|l| l.want).map(|l| l.predicate).collect();
    let is_equal = |predicate: &usize| matches!(program.checks[*predicate], Check::Equal { .. });
    let mut equalities: Vec<usize> = positive.iter().copied().filter(is_equal).collect();
    if equalities.is_empty() {
        let first = positive.iter().find_map(|predicate| Access::of(*predicate, &program.checks[*predicate]));
        return first.unwrap_or_else(Access::all_pairs);
    }
    equalities.sort_unstable();
    Access::equi_join(equalities)
}
