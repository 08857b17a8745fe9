//! The gate of a branch: the checks at the top of its tree that a device tests for many candidates at a time.
//!
//! The twin is `kernels/gate.h`, where the argument stands that nothing is lost.

use sameas_kernels::layout::verify::{Check, GateCheck};

use crate::verify::Step;
use crate::verify::steps::BranchProgram;

/// Checks of a clause at most. What passes three of them is worth a walk.
const CLAUSE: usize = 3;

/// The clauses of a branch, one for each step at the top of its tree; none where candidates pass whatever is tested.
pub fn gate(branch: &BranchProgram, checks: &[Check]) -> Vec<GateCheck> {
    if !branch.settled.is_empty() {
        return Vec::new();
    }
    let is_implied = |predicate| branch.implied.iter().any(|literal| literal.predicate == predicate);
    let can_test = |step: &Step| {
        let predicate = step.literal.predicate;
        step.literal.want && checks[predicate].has_facts() && !is_implied(predicate)
    };
    let (mut clauses, mut top): (Vec<Clause>, usize) = (Vec::new(), 0);
    while top < branch.steps.len() {
        let tested = chain(&branch.steps, top).map(|at| &branch.steps[at]).filter(|step| can_test(step));
        let predicates: Vec<usize> = tested.map(|step| step.literal.predicate).take(CLAUSE).collect();
        if predicates.is_empty() {
            return Vec::new();
        }
        // The two ways round of a rule often differ in nothing that is tested.
        if !clauses.iter().any(|clause| clause.predicates == predicates) {
            clauses.push(Clause { predicates, top });
        }
        top = branch.steps[top].skip;
    }
    clauses.iter().flat_map(Clause::checks).collect()
}

/// What all conjunctions below a step at the top of the tree need.
struct Clause {
    predicates: Vec<usize>,
    top: usize,
}

impl Clause {
    fn checks(&self) -> impl Iterator<Item = GateCheck> {
        let (step, count) = (self.top as u32, self.predicates.len());
        self.predicates.iter().enumerate().map(move |(at, predicate)| GateCheck {
            predicate: *predicate as u32,
            ends: u32::from(at + 1 == count),
            step,
            unused: 0,
        })
    }
}

/// A step and those below it that all conjunctions of its subtree have in common.
fn chain(steps: &[Step], top: usize) -> impl Iterator<Item = usize> {
    let only_child = |at: &usize| {
        let step = &steps[*at];
        let has_one = at + 1 < step.skip && steps[at + 1].skip == step.skip;
        (step.complete.is_empty() && has_one).then_some(at + 1)
    };
    std::iter::successors(Some(top), only_child)
}

#[cfg(test)]
mod tests {
    use super::chain;
    use crate::rules::Literal;
    use crate::verify::Step;

    fn step(predicate: usize, skip: usize, completes: bool) -> Step {
        let complete = if completes { vec![0] } else { Vec::new() };
        Step { literal: Literal { predicate, want: true }, depth: 0, skip, complete }
    }

    #[test]
    fn a_chain_ends_where_conjunctions_part_or_hold() {
        // a (b (c, d)), e (f), where e alone is a conjunction too.
        let steps = [
            step(0, 4, false),
            step(1, 4, false),
            step(2, 3, true),
            step(3, 4, true),
            step(4, 6, true),
            step(5, 6, true),
        ];
        let from = |top| chain(&steps, top).collect::<Vec<usize>>();
        assert_eq!(from(0), [0, 1]);
        assert_eq!(from(2), [2]);
        assert_eq!(from(4), [4]);
    }
}
