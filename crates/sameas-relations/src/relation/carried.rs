//! Rules that carry a column: where values of one column can be followed one by one.
//!
//! In `path(x, z) :- path(x, y), edge(y, z)` the recursive atom hands `x` to the same column of the head, and `x` occurs
//! nowhere else. Then the tuples with one `x` give only tuples with that `x`: each value has a fixpoint of its own, a walk
//! from its first `y`s along the pairs `(y, z)` of `edge`. It needs no more memory than one set of `z`, meets no other
//! walk, and no duplicates have to be removed across values. All recursive rules must be of this form with the same
//! column; the others give the first `y`s (seeds).

use super::program::{Atom, Filter, FixpointRule, RelationId, Term, Variant};

/// A fixpoint whose rules carry a column of their head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The only head; it has two columns.
    pub head: RelationId,
    /// The carried column.
    pub column: usize,
    /// What each recursive rule does to the other column.
    pub steps: Vec<CarriedStep>,
    /// Which rules are not recursive: they give the seeds, beside the tuples that the head already has.
    pub seeds: Vec<usize>,
}

/// From a value of the column that is not carried to the next: the pairs of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedStep {
    /// The relation that is walked; none of its variables is the carried one.
    pub atom: Atom,
    /// The column of it that has the value before the step.
    pub from: usize,
    /// The column of it that has the value after the step.
    pub to: usize,
    /// Conditions on variables of the atom.
    pub filters: Vec<Filter>,
}

/// The column that these rules carry, if they do.
pub fn carried(rules: &[FixpointRule]) -> Option<Carried> {
    let head = rules.first()?.head;
    let is_one_head = rules.iter().all(|rule| rule.head == head && rule.output.len() == 2);
    let (seeds, recursive): (Vec<usize>, Vec<usize>) = (0..rules.len()).partition(|at| rules[*at].recursive.is_empty());
    if !is_one_head || recursive.is_empty() {
        return None;
    }
    // A seed that reads its own head would have to be repeated.
    let reads_head = |at: &usize| rules[*at].first.atoms.iter().any(|atom| atom.relation == head);
    if seeds.iter().any(reads_head) {
        return None;
    }
    (0..2).find_map(|column| {
        let steps = recursive.iter().map(|at| step(&rules[*at], column)).collect::<Option<Vec<_>>>()?;
        Some(Carried { head, column, steps, seeds: seeds.clone() })
    })
}

/// What a recursive rule does, if it carries this column.
fn step(rule: &FixpointRule, column: usize) -> Option<CarriedStep> {
    let [variant] = rule.recursive.as_slice() else { return None };
    let [first, second] = variant.atoms.as_slice() else { return None };
    let (recursive, atom) = if variant.delta? == 0 { (first, second) } else { (second, first) };
    let (carried, before) = (recursive.terms[column], recursive.terms[1 - column]);
    let after = rule.output[1 - column];
    let is_linear = recursive.relation == rule.head && atom.relation != rule.head && variant.absent.is_empty();
    let is_handed_on = rule.output[column] == carried && is_variable(carried) && carried != before && carried != after;
    if !is_linear || !is_handed_on || mentions(variant, atom, carried) {
        return None;
    }
    let place = |term: Term| atom.terms.iter().position(|other| is_variable(term) && *other == term);
    let step =
        CarriedStep { atom: atom.clone(), from: place(before)?, to: place(after)?, filters: variant.filters.clone() };
    Some(step)
}

fn is_variable(term: Term) -> bool {
    matches!(term, Term::Variable(_))
}

/// Whether a term occurs in an atom or in a condition.
fn mentions(variant: &Variant, atom: &Atom, term: Term) -> bool {
    atom.terms.contains(&term) || variant.filters.iter().any(|filter| filter.left == term || filter.right == term)
}
