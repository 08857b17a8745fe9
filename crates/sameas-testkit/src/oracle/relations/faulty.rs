//! Programs as engines with one mistake understand them: a comparison with the oracle is useful if it detects these.

use crate::program::{Atom, Comparison, Literal, Program, Rule, Term};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationFault {
    /// Rules that need their own head are evaluated never.
    NoRecursion,
    /// Absent atoms do nothing.
    AbsentForgotten,
    /// Comparisons do nothing.
    ComparisonForgotten,
    /// `<` as `<=` and `>` as `>=`.
    BoundOffByOne,
    /// A variable twice in one atom is not tested.
    RepetitionForgotten,
    /// Constants of a body are not tested.
    ConstantForgotten,
    /// A count of zero is none.
    NoZeroCounts,
    /// The last rule is lost.
    LostRule,
    /// The last fact of each relation is lost.
    LostFact,
}

impl RelationFault {
    /// Every fault.
    pub const ALL: [RelationFault; 9] = [
        RelationFault::NoRecursion,
        RelationFault::AbsentForgotten,
        RelationFault::ComparisonForgotten,
        RelationFault::BoundOffByOne,
        RelationFault::RepetitionForgotten,
        RelationFault::ConstantForgotten,
        RelationFault::NoZeroCounts,
        RelationFault::LostRule,
        RelationFault::LostFact,
    ];
}

/// The program as an engine with this fault understands it.
pub fn misread(program: &Program, fault: RelationFault) -> Program {
    let mut program = program.clone();
    match fault {
        RelationFault::NoRecursion => {
            program.rules.retain(|rule| rule.positive().all(|atom| atom.relation != rule.head.relation));
        }
        RelationFault::LostRule => drop(program.rules.pop()),
        RelationFault::LostFact => {
            program.relations.iter_mut().filter_map(|relation| relation.facts.as_mut()).for_each(|f| drop(f.pop()));
        }
        _ => program.rules.iter_mut().for_each(|rule| misread_rule(rule, fault)),
    }
    program
}

fn misread_rule(rule: &mut Rule, fault: RelationFault) {
    match fault {
        RelationFault::AbsentForgotten => rule.body.retain(|literal| !matches!(literal, Literal::Absent(_))),
        RelationFault::ComparisonForgotten => rule.body.retain(|literal| !matches!(literal, Literal::Compared(..))),
        RelationFault::NoZeroCounts => {
            let there: Vec<Literal> = rule.body.iter().filter_map(|literal| counted_is_there(rule, literal)).collect();
            rule.body.extend(there);
        }
        _ => rule.body.iter_mut().for_each(|literal| misread_literal(literal, fault)),
    }
}

/// That the counted atom has a tuple.
fn counted_is_there(rule: &Rule, literal: &Literal) -> Option<Literal> {
    let Literal::Counted(_, atom) = literal else { return None };
    let outer: Vec<usize> = rule.positive().flat_map(Atom::variables).collect();
    let is_local = |term: &Term| term.variable().is_some_and(|variable| !outer.contains(&variable));
    let terms = atom.terms.iter().map(|term| if is_local(term) { Term::Any } else { term.clone() });
    Some(Literal::Holds(Atom { relation: atom.relation, terms: terms.collect() }))
}

fn misread_literal(literal: &mut Literal, fault: RelationFault) {
    match (literal, fault) {
        (Literal::Compared(_, comparison, _), RelationFault::BoundOffByOne) => {
            *comparison = match *comparison {
                Comparison::Less => Comparison::AtMost,
                Comparison::Greater => Comparison::AtLeast,
                other => other,
            };
        }
        (Literal::Holds(atom), RelationFault::RepetitionForgotten) => {
            for at in 1..atom.terms.len() {
                if atom.terms[at].variable().is_some() && atom.terms[..at].contains(&atom.terms[at]) {
                    atom.terms[at] = Term::Any;
                }
            }
        }
        (
            Literal::Holds(atom) | Literal::Absent(atom) | Literal::Counted(_, atom),
            RelationFault::ConstantForgotten,
        ) => {
            let constants = atom.terms.iter_mut().filter(|term| matches!(term, Term::Constant(_)));
            constants.for_each(|term| *term = Term::Any);
        }
        _ => {}
    }
}
