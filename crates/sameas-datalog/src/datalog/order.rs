//! The order in which the atoms of a rule are joined: the one whose bindings in between are expected to be fewest.
//!
//! A join is expected to keep, of the tuples of an atom, one part in as many as there are values in each column that is
//! bound already, as if columns did not depend on each other. Up to [`ALL_ORDERS`] atoms every order is considered, by
//! dynamic programming over sets of atoms; beyond that the next atom is always the one that gives the fewest bindings.

use std::collections::BTreeSet;

use super::core::{CoreAtom, CoreTerm};

/// With more atoms than this, orders are not all considered.
const ALL_ORDERS: usize = 7;

/// What is known or expected of a relation.
#[derive(Clone, Debug, Default)]
pub(super) struct RelationSize {
    pub tuples: f64,
    /// Different values of each column.
    pub distinct: Vec<f64>,
}

/// An order of atoms, and the bindings expected after each.
#[derive(Clone, Debug)]
pub(super) struct ExpectedJoin {
    pub order: Vec<usize>,
    pub bindings: Vec<f64>,
}

/// A join while it is put together.
#[derive(Clone)]
struct PartialJoin {
    order: Vec<usize>,
    bindings: Vec<f64>,
    bound: BTreeSet<u32>,
    /// Bindings in between, all together.
    cost: f64,
}

/// The best order; `first` is the atom that it must begin with.
pub(super) fn best_order(atoms: &[CoreAtom], first: Option<usize>, sizes: &[RelationSize]) -> ExpectedJoin {
    let join = JoinOrder { atoms, sizes };
    let start = PartialJoin { order: Vec::new(), bindings: Vec::new(), bound: BTreeSet::new(), cost: 0.0 };
    let begin = match first {
        Some(first) => join.with(&start, first),
        None => start,
    };
    let best = if atoms.len() <= ALL_ORDERS { join.exhaustive(begin) } else { join.greedy(begin) };
    ExpectedJoin { order: best.order, bindings: best.bindings }
}

struct JoinOrder<'a> {
    atoms: &'a [CoreAtom],
    sizes: &'a [RelationSize],
}

impl JoinOrder<'_> {
    /// The join with one more atom.
    fn with(&self, join: &PartialJoin, atom: usize) -> PartialJoin {
        let mut next = join.clone();
        let before = join.bindings.last().copied().unwrap_or(1.0);
        let bindings = before * self.matches(&self.atoms[atom], &join.bound);
        next.order.push(atom);
        next.bindings.push(bindings);
        // Each binding is looked up, even if nothing is found.
        next.cost += bindings + 0.01 * before;
        next.bound.extend(self.atoms[atom].terms.iter().filter_map(variable));
        next
    }

    /// Tuples of an atom that are expected to fit one binding.
    fn matches(&self, atom: &CoreAtom, bound: &BTreeSet<u32>) -> f64 {
        let size = &self.sizes[atom.relation];
        let mut seen = BTreeSet::new();
        let mut expected = size.tuples;
        for (column, term) in atom.terms.iter().enumerate() {
            let is_fixed = match term {
                CoreTerm::Constant(_) => true,
                CoreTerm::Any => false,
                CoreTerm::Variable(variable) => bound.contains(variable) || !seen.insert(*variable),
            };
            if is_fixed {
                expected /= size.distinct.get(column).copied().unwrap_or(1.0).max(1.0);
            }
        }
        expected
    }

    /// Tries every order, keeping the best for each set of atoms.
    fn exhaustive(&self, begin: PartialJoin) -> PartialJoin {
        let all = (1_usize << self.atoms.len()) - 1;
        let mut best: Vec<Option<PartialJoin>> = vec![None; all + 1];
        let start = begin.order.iter().fold(0, |set, atom| set | 1 << atom);
        best[start] = Some(begin.clone());
        for set in start..=all {
            let Some(join) = best[set].clone() else { continue };
            for atom in (0..self.atoms.len()).filter(|atom| set >> atom & 1 == 0) {
                let next = self.with(&join, atom);
                let known = &mut best[set | 1 << atom];
                if known.as_ref().is_none_or(|known| next.cost < known.cost) {
                    *known = Some(next);
                }
            }
        }
        best[all].take().unwrap_or(begin)
    }

    fn greedy(&self, mut join: PartialJoin) -> PartialJoin {
        while join.order.len() < self.atoms.len() {
            let left = (0..self.atoms.len()).filter(|atom| !join.order.contains(atom));
            let fits = left.map(|atom| (self.matches(&self.atoms[atom], &join.bound), atom));
            let Some((_, next)) = fits.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            join = self.with(&join, next);
        }
        join
    }
}

fn variable(term: &CoreTerm) -> Option<u32> {
    match term {
        CoreTerm::Variable(variable) => Some(*variable),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Span;

    fn atom(relation: usize, variables: &[u32]) -> CoreAtom {
        let terms = variables.iter().map(|variable| CoreTerm::Variable(*variable)).collect();
        CoreAtom { relation, terms, span: Span::default() }
    }

    fn size(tuples: f64, distinct: &[f64]) -> RelationSize {
        RelationSize { tuples, distinct: distinct.to_vec() }
    }

    #[test]
    fn small_and_connected_atoms_come_first() {
        let sizes = [size(1e6, &[1e5, 1e5]), size(10.0, &[10.0]), size(1e4, &[1e4, 1e2])];
        // big(0, 1), small(0), other(2, 1)
        let atoms = [atom(0, &[0, 1]), atom(1, &[0]), atom(2, &[2, 1])];
        assert_eq!(best_order(&atoms, None, &sizes).order, [1, 0, 2]);
        assert_eq!(best_order(&atoms, Some(2), &sizes).order[0], 2);
        let join = best_order(&atoms, None, &sizes);
        assert_eq!(join.bindings, [10.0, 100.0, 10_000.0]);
    }

    #[test]
    fn many_atoms_are_ordered_too() {
        let sizes = [size(100.0, &[10.0, 10.0])];
        let atoms: Vec<CoreAtom> = (0..14).map(|at| atom(0, &[at, at + 1])).collect();
        let mut order = best_order(&atoms, Some(5), &sizes).order;
        assert_eq!(order[0], 5);
        order.sort_unstable();
        assert_eq!(order, (0..14).collect::<Vec<_>>());
    }
}
