//! Naive evaluation: every rule on everything, by nested loops, until nothing is new.

use std::collections::{BTreeMap, BTreeSet};

use crate::relation::{Atom, FixpointRule, Term, Variant};

/// Relations as plain sets.
pub type NaiveSets = Vec<BTreeSet<Vec<u32>>>;

type Bound = BTreeMap<u32, u32>;

/// The fixpoint of the first variants of rules.
pub fn fixpoint(sets: &mut NaiveSets, rules: &[FixpointRule]) {
    loop {
        let found: Vec<(usize, Vec<Vec<u32>>)> =
            rules.iter().map(|rule| (rule.head.0 as usize, apply(sets, rule))).collect();
        let before: usize = sets.iter().map(BTreeSet::len).sum();
        found.into_iter().for_each(|(head, tuples)| sets[head].extend(tuples));
        if sets.iter().map(BTreeSet::len).sum::<usize>() == before {
            return;
        }
    }
}

fn apply(sets: &NaiveSets, rule: &FixpointRule) -> Vec<Vec<u32>> {
    let Variant { atoms, filters, absent, .. } = &rule.first;
    let mut all: Vec<Bound> = vec![Bound::new()];
    for atom in atoms {
        all = all.iter().flat_map(|bound| matches(sets, atom, bound)).collect();
    }
    let value = |bound: &Bound, term: &Term| match term {
        Term::Variable(variable) => bound[variable],
        Term::Constant(value) => *value,
        Term::Any => unreachable!("nothing is compared with anything"),
    };
    all.retain(|bound| filters.iter().all(|f| f.comparison.holds(value(bound, &f.left), value(bound, &f.right))));
    all.retain(|bound| absent.iter().all(|atom| matches(sets, atom, bound).is_empty()));
    all.iter().map(|bound| rule.output.iter().map(|term| value(bound, term)).collect()).collect()
}

fn matches(sets: &NaiveSets, atom: &Atom, bound: &Bound) -> Vec<Bound> {
    let extended = |tuple: &Vec<u32>| {
        let mut bound = bound.clone();
        let fits = atom.terms.iter().zip(tuple).all(|(term, value)| match term {
            Term::Variable(variable) => *bound.entry(*variable).or_insert(*value) == *value,
            Term::Constant(constant) => constant == value,
            Term::Any => true,
        });
        fits.then_some(bound)
    };
    sets[atom.relation.0 as usize].iter().filter_map(extended).collect()
}
