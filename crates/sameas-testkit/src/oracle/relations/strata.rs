//! Strata: what a rule denies or counts is complete before the rule is asked.

use crate::program::{Literal, Program};

/// For each relation its stratum; none if a relation depends on its own absence or number.
pub fn strata(program: &Program) -> Option<Vec<usize>> {
    let mut strata = vec![0; program.relations.len()];
    // A stratum is raised only by a chain of other relations: after this many rounds there is a cycle.
    for _ in 0..=program.relations.len() {
        let before = strata.clone();
        for rule in &program.rules {
            for literal in &rule.body {
                let least = match literal {
                    Literal::Holds(atom) => strata[atom.relation],
                    Literal::Absent(atom) | Literal::Counted(_, atom) => strata[atom.relation] + 1,
                    Literal::Compared(..) => 0,
                };
                let own = &mut strata[rule.head.relation];
                *own = least.max(*own);
            }
        }
        if strata == before {
            return Some(strata);
        }
    }
    None
}
