//! The access conditions that conjunctions allow: their own, and weaker ones that others join on.
//!
//! A conjunction may use a condition that its literals imply; those that share a condition share its candidates.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::estimate::{Estimate, Estimator};
use crate::candidates::{Access, AccessPath, Condition};
use crate::rules::{Conjunction, Implications, Literal};
use crate::threshold::Check;
use crate::verify::Program;

/// Beyond this many different sets of predicates that are joined on together, their intersections are not looked at: there
/// are a quarter of their square, and most share nothing. Beyond this many different filters of the users of one condition
/// they share its candidates without any: a join for each of thousands of rules costs more than their filters save, and so
/// does planning it.
const MOST_SETS: usize = 64;

/// The conditions of a conjunction on one record alone, in a fixed order.
pub fn filters(conjunction: &Conjunction, program: &Program) -> Vec<Literal> {
    let one_sided = |l: &&Literal| matches!(program.checks[l.predicate], Check::OneSided { .. });
    let mut filters: Vec<Literal> = conjunction.literals.iter().filter(one_sided).copied().collect();
    filters.sort_unstable();
    filters
}

/// A condition with what it comes to.
#[derive(Clone, Debug)]
pub struct CandidateCondition<'e> {
    /// The condition.
    pub condition: Condition,
    /// Its candidates.
    pub estimate: Estimate<'e>,
    /// The conjunctions that imply it, by place.
    pub users: Vec<usize>,
}

/// Collects conditions.
pub struct ConditionOptions<'e, 'a> {
    /// What is known.
    pub estimator: &'e Estimator<'a>,
    /// What follows from what.
    pub implications: &'e Implications,
    /// The conjunctions to place.
    pub conjunctions: &'e [usize],
}

impl<'e> ConditionOptions<'e, '_> {
    /// Joins on predicates that can be joined on together: those that a conjunction says or implies, each alone, and what
    /// several conjunctions share.
    pub fn together(&self) -> Vec<CandidateCondition<'e>> {
        let mut sets: BTreeSet<Vec<usize>> = BTreeSet::new();
        for place in 0..self.conjunctions.len() {
            let implied = self.implied(place);
            sets.extend(implied.iter().map(|one| vec![*one]));
            sets.insert(self.written(place));
            sets.insert(implied);
        }
        sets.remove(&Vec::new());
        let whole: BTreeSet<Vec<usize>> = (0..self.conjunctions.len()).map(|place| self.implied(place)).collect();
        if whole.len() <= MOST_SETS {
            for (a, b) in whole.iter().flat_map(|a| whole.iter().map(move |b| (a, b))) {
                let both: Vec<usize> = a.iter().filter(|one| b.contains(one)).copied().collect();
                if !both.is_empty() {
                    sets.insert(both);
                }
            }
        }
        self.known(sets.into_iter().filter_map(|set| Access::on_predicates(set, &self.estimator.program.checks)))
    }

    /// Joins on one predicate that is not joined on together with others and that `pays` to be looked at, given its users'
    /// places. They are looked at on all cores.
    pub fn others(&self, pays: impl Fn(usize, &[usize]) -> bool + Sync) -> Vec<CandidateCondition<'e>> {
        let checks = self.estimator.program.checks.iter().enumerate();
        let accesses: Vec<(usize, Access)> = checks
            .filter(|(_, check)| AccessPath::combining(check).is_none())
            .filter_map(|(at, check)| Access::on_predicate(at, check).map(|access| (at, access)))
            .collect();
        let chosen = |(predicate, access): (usize, Access)| {
            let users = self.users(&[Literal { predicate, want: true }]);
            (!users.is_empty() && pays(predicate, &users)).then(|| {
                self.estimator.join_sample(predicate);
                access
            })
        };
        let chosen: Vec<Access> = accesses.into_par_iter().with_max_len(1).filter_map(chosen).collect();
        self.known(chosen)
    }

    /// All pairs, for conjunctions that allow nothing else, and for those that may join in.
    pub fn all_pairs(&self) -> Vec<CandidateCondition<'e>> {
        self.known([Access::all_pairs()])
    }

    /// Each access with the filters of its users, and without.
    fn known(&self, accesses: impl IntoIterator<Item = Access>) -> Vec<CandidateCondition<'e>> {
        let mut known = Vec::new();
        for access in accesses {
            let users = self.users(&Condition { access: access.clone(), filters: Vec::new() }.literals());
            let mut all: BTreeSet<Vec<Literal>> = users.iter().map(|place| self.filters(*place)).collect();
            if all.len() > MOST_SETS {
                all.clear();
            }
            all.insert(Vec::new());
            known.extend(all.into_iter().map(|filters| self.one(Condition { access: access.clone(), filters })));
        }
        known
    }

    fn one(&self, condition: Condition) -> CandidateCondition<'e> {
        let estimate = self.estimator.condition(&condition);
        let users = self.users(&condition.literals());
        CandidateCondition { condition, estimate, users }
    }

    /// The conjunctions that imply all of some literals, by place.
    fn users(&self, literals: &[Literal]) -> Vec<usize> {
        let implies = |place: &usize| literals.iter().all(|wanted| self.implies(*place, *wanted));
        (0..self.conjunctions.len()).filter(implies).collect()
    }

    fn implies(&self, place: usize, wanted: Literal) -> bool {
        self.literals(place).iter().any(|literal| self.implications.implies(*literal, wanted))
    }

    fn literals(&self, place: usize) -> &'e [Literal] {
        &self.estimator.program.conjunctions[self.conjunctions[place]].literals
    }

    fn filters(&self, place: usize) -> Vec<Literal> {
        filters(&self.estimator.program.conjunctions[self.conjunctions[place]], self.estimator.program)
    }

    /// The predicates that a conjunction implies and that can be joined on together.
    fn implied(&self, place: usize) -> Vec<usize> {
        let implied = self.implications.closure(self.literals(place)).into_iter();
        implied.filter(|literal| self.is_combined(literal)).map(|literal| literal.predicate).collect()
    }

    /// The predicates that a conjunction says and that can be joined on together.
    fn written(&self, place: usize) -> Vec<usize> {
        let said = self.literals(place).iter().filter(|literal| self.is_combined(literal));
        let mut written: Vec<usize> = said.map(|literal| literal.predicate).collect();
        written.sort_unstable();
        written
    }

    fn is_combined(&self, literal: &Literal) -> bool {
        literal.want && AccessPath::combining(&self.estimator.program.checks[literal.predicate]).is_some()
    }
}
