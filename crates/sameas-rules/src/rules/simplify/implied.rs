//! Which literals of a rule set follow from which, found once for all conjunctions.

use std::collections::BTreeMap;

use crate::expr::Expr;
use crate::rules::Conjunction;
use crate::rules::imply::{ExprNumbers, PredicateFacts};
use crate::rules::predicate::{Literal, Predicate, Test};

/// Pairs of predicates that are looked at. Predicates over the same columns are compared each with each, so that a rule
/// set with thousands of thresholds on one column would take seconds; beyond this bound, some milliseconds of work, the
/// largest groups are left as they are, which loses a simplification and no pair.
const MAX_PAIRS: usize = 1 << 16;

/// For each literal those that follow from it, itself included.
#[derive(Clone, Debug)]
pub struct Implications {
    follow: Vec<Vec<usize>>,
    /// Predicates that were not compared because too many read the same columns.
    pub(super) left_out: usize,
}

/// The place of a literal among those of all predicates.
pub(super) fn place(literal: Literal) -> usize {
    2 * literal.predicate + usize::from(literal.want)
}

/// The place of the opposite literal.
pub(super) fn opposite(place: usize) -> usize {
    place ^ 1
}

impl Implications {
    /// Compares the predicates that could imply each other, as the literals of conjunctions.
    pub(in crate::rules) fn new<'a>(
        predicates: &[Predicate],
        conjunctions: impl Iterator<Item = &'a Conjunction>,
    ) -> Self {
        let mut numbers = ExprNumbers::default();
        let facts: Vec<PredicateFacts> =
            predicates.iter().map(|p| PredicateFacts::new(&p.test, &mut numbers)).collect();
        let mut used = vec![false; 2 * predicates.len()];
        conjunctions.flat_map(|conjunction| &conjunction.literals).for_each(|literal| used[place(*literal)] = true);
        // What nobody wrote is there to be joined on.
        let unwritten = |at: &usize| !used[2 * at] && !used[2 * at + 1];
        for at in (0..predicates.len()).filter(unwritten).collect::<Vec<_>>() {
            used[2 * at + 1] = true;
        }
        let compare = Compare { facts: &facts, used: &used };
        let mut implied = Self { follow: (0..2 * predicates.len()).map(|at| vec![at]).collect(), left_out: 0 };
        let mut open = MAX_PAIRS;
        for group in groups(predicates, &facts) {
            let pairs = group.len() * group.len();
            if pairs > open {
                implied.left_out += group.len();
                continue;
            }
            open -= pairs;
            group.iter().for_each(|a| group.iter().for_each(|b| compare.add(*a, *b, &mut implied.follow)));
        }
        for b in (0..facts.len()).filter(|b| facts[*b].is_null_test()) {
            if facts.len() > open {
                implied.left_out += 1;
                continue;
            }
            open -= facts.len();
            (0..facts.len()).for_each(|a| compare.add(a, b, &mut implied.follow));
        }
        implied
    }

    /// Number of places.
    pub(super) fn places(&self) -> usize {
        self.follow.len()
    }

    /// The places of what follows from the literal in a place.
    pub(super) fn from(&self, place: usize) -> &[usize] {
        &self.follow[place]
    }

    /// Whether one literal implies another: every pair that satisfies the one satisfies the other. Of predicates that have
    /// come later nothing is known.
    pub fn implies(&self, from: Literal, to: Literal) -> bool {
        self.follow.get(place(from)).is_some_and(|all| all.contains(&place(to)))
    }

    /// Everything that some literals imply, themselves included.
    pub fn closure(&self, literals: &[Literal]) -> Vec<Literal> {
        let mut all: Vec<usize> = literals.iter().flat_map(|literal| self.from(place(*literal))).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|place| Literal { predicate: place / 2, want: place % 2 == 1 }).collect()
    }
}

struct Compare<'a> {
    facts: &'a [PredicateFacts],
    /// The literals that conjunctions have, by place.
    used: &'a [bool],
}

impl Compare<'_> {
    /// Adds what follows from predicate `a` for predicate `b`.
    fn add(&self, a: usize, b: usize, follow: &mut [Vec<usize>]) {
        for (want, other_want) in [(false, false), (false, true), (true, false), (true, true)] {
            let (from, to) = (2 * a + usize::from(want), 2 * b + usize::from(other_want));
            if self.used[from] && from != to && self.facts[a].implies(want, &self.facts[b], other_want) {
                follow[from].push(to);
            }
        }
    }
}

/// Predicates that read the same columns of both records, the smallest groups first: no other two of them can imply
/// each other. A sum is in the group of each part that something follows for.
fn groups(predicates: &[Predicate], facts: &[PredicateFacts]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<[Vec<String>; 2], Vec<usize>> = BTreeMap::new();
    for (at, (predicate, facts)) in predicates.iter().zip(facts).enumerate() {
        for read in std::iter::once(&predicate.test).chain(facts.tests_of_parts()).filter_map(columns_of_both) {
            let group = groups.entry(read).or_default();
            // A sum may have several parts over the same columns.
            if group.last() != Some(&at) {
                group.push(at);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort_by_key(Vec::len);
    groups
}

/// The columns of each record that a test of two values reads.
fn columns_of_both(test: &Test) -> Option<[Vec<String>; 2]> {
    match test {
        Test::Equal { left, right, .. } | Test::Measure { left, right, .. } | Test::ListHasAny { left, right } => {
            Some([columns(left), columns(right)])
        }
        Test::OneSided { .. } | Test::SameSource | Test::Residual(_) => None,
    }
}

fn columns(expr: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    expr.each_column(&mut |_, name| found.push(name.to_owned()));
    found.sort();
    found.dedup();
    found
}
