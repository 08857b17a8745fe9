//! No planning: every conjunction joins on all that can be joined on together, or on what it says first that can join.

use super::choose::ChosenCondition;
use super::options::filters;
use crate::candidates::{Access, AccessPath, Condition};
use crate::rules::Literal;
use crate::verify::Program;

/// A branch for each conjunction.
pub fn as_written(program: &Program, conjunctions: &[usize]) -> Vec<ChosenCondition> {
    let branch = |index: &usize| {
        let conjunction = &program.conjunctions[*index];
        let access = access(&conjunction.literals, program);
        let condition = Condition { access, filters: filters(conjunction, program) };
        ChosenCondition { condition, conjunctions: vec![*index], alternative: None }
    };
    conjunctions.iter().map(branch).collect()
}

fn access(literals: &[Literal], program: &Program) -> Access {
    let positive: Vec<usize> = literals.iter().filter(|l| l.want).map(|l| l.predicate).collect();
    let is_combined = |predicate: &usize| AccessPath::combining(&program.checks[*predicate]).is_some();
    let mut together: Vec<usize> = positive.iter().copied().filter(is_combined).collect();
    together.sort_unstable();
    let first = || positive.iter().find_map(|predicate| Access::on_predicate(*predicate, &program.checks[*predicate]));
    Access::on_predicates(together, &program.checks).or_else(first).unwrap_or_else(Access::all_pairs)
}
