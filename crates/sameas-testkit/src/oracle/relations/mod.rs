//! Programs of rules by naive evaluation: nested loops over all tuples of all atoms, again and again until nothing is new;
//! and the transitive closure by Warshall's algorithm.

mod closure;
mod faulty;
mod strata;

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::program::{Atom, Comparison, Literal, Program, Rule, Term, Tuple, Value};

pub use closure::{ClosureKind, closure};
pub use faulty::{RelationFault, misread};
pub use strata::strata;

/// The tuples of each relation of a program.
pub type Tables = Vec<BTreeSet<Tuple>>;

/// The answer to a program, which is safe.
///
/// # Panics
/// If a relation depends on its own absence or number.
pub fn evaluate(program: &Program) -> Tables {
    evaluate_within(program, u64::MAX).expect("no program takes that many steps")
}

/// The answer to a program, unless it takes more tests of a tuple than this.
///
/// # Panics
/// If a relation depends on its own absence or number.
pub fn evaluate_within(program: &Program, steps: u64) -> Option<Tables> {
    let strata = strata(program).expect("no relation depends on its own absence");
    let facts = program.relations.iter().map(|relation| relation.facts.iter().flatten().cloned().collect());
    let mut known: Tables = facts.collect();
    let left = Cell::new(steps);
    for stratum in 0..=strata.iter().copied().max().unwrap_or(0) {
        let rules: Vec<&Rule> = program.rules.iter().filter(|rule| strata[rule.head.relation] == stratum).collect();
        while left.get() > 0 && one_round(&rules, &mut known, &left) {}
    }
    (left.get() > 0).then_some(known)
}

/// Adds what follows from what is known; whether anything was new.
fn one_round(rules: &[&Rule], known: &mut Tables, left: &Cell<u64>) -> bool {
    let mut any = false;
    for rule in rules {
        let found = Body { rule, known, left }.heads();
        for tuple in found {
            any |= known[rule.head.relation].insert(tuple);
        }
    }
    any
}

/// The value of each variable so far.
type Bindings = Vec<Option<Value>>;

/// The body of a rule over what is known.
struct Body<'a> {
    rule: &'a Rule,
    known: &'a Tables,
    left: &'a Cell<u64>,
}

impl Body<'_> {
    /// The head for every way to satisfy the body.
    fn heads(&self) -> Vec<Tuple> {
        let atoms: Vec<&Atom> = self.rule.positive().collect();
        let mut found = Vec::new();
        self.each(&atoms, &Vec::new(), &mut |bindings| {
            let mut bindings = bindings.clone();
            if self.count(&mut bindings) && self.is_allowed(&bindings) {
                found.push(self.rule.head.terms.iter().map(|term| value(term, &bindings)).collect());
            }
        });
        found
    }

    /// Every way to satisfy some atoms after what is bound.
    fn each(&self, atoms: &[&Atom], bindings: &Bindings, found: &mut dyn FnMut(&Bindings)) {
        let Some((atom, rest)) = atoms.split_first() else { return found(bindings) };
        for tuple in &self.known[atom.relation] {
            let Some(left) = self.left.get().checked_sub(1) else { return };
            self.left.set(left);
            if let Some(next) = matched(atom, tuple, bindings) {
                self.each(rest, &next, found);
            }
        }
    }

    /// Binds the counts; false where one has another value already.
    fn count(&self, bindings: &mut Bindings) -> bool {
        let outer = bindings.clone();
        self.rule.body.iter().all(|literal| {
            let Literal::Counted(variable, atom) = literal else { return true };
            let tuples = self.known[atom.relation].iter();
            let number = tuples.filter(|tuple| matched(atom, tuple, &outer).is_some()).count();
            bind(bindings, *variable, &Value::Number(number as u64))
        })
    }

    /// Whether comparisons hold and absent atoms do not.
    fn is_allowed(&self, bindings: &Bindings) -> bool {
        self.rule.body.iter().all(|literal| match literal {
            Literal::Holds(_) | Literal::Counted(..) => true,
            Literal::Absent(atom) => {
                self.known[atom.relation].iter().all(|tuple| matched(atom, tuple, bindings).is_none())
            }
            Literal::Compared(left, comparison, right) => {
                holds(&value(left, bindings), *comparison, &value(right, bindings))
            }
        })
    }
}

/// What is bound if the atom is this tuple, unless it contradicts what is bound.
fn matched(atom: &Atom, tuple: &Tuple, bindings: &Bindings) -> Option<Bindings> {
    let is_other = |(term, value): (&Term, &Value)| match term {
        Term::Any => false,
        Term::Constant(constant) => constant != value,
        Term::Variable(variable) => {
            bindings.get(*variable).and_then(Option::as_ref).is_some_and(|known| known != value)
        }
    };
    // Most tuples are others, and need no copy.
    if atom.terms.iter().zip(tuple).any(is_other) {
        return None;
    }
    let mut next = bindings.clone();
    let mut places = atom.terms.iter().zip(tuple);
    let fits = places.all(|(term, value)| term.variable().is_none_or(|variable| bind(&mut next, variable, value)));
    fits.then_some(next)
}

/// Gives a variable a value; false if it has another one.
fn bind(bindings: &mut Bindings, variable: usize, value: &Value) -> bool {
    if bindings.len() <= variable {
        bindings.resize(variable + 1, None);
    }
    bindings[variable].get_or_insert_with(|| value.clone()) == value
}

fn value(term: &Term, bindings: &Bindings) -> Value {
    match term {
        Term::Constant(value) => value.clone(),
        Term::Variable(variable) => bindings[*variable].clone().expect("a safe rule binds its variables"),
        Term::Any => panic!("a safe rule asks for no value of `_`"),
    }
}

fn holds(left: &Value, comparison: Comparison, right: &Value) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::Different => left != right,
        Comparison::Less => left < right,
        Comparison::AtMost => left <= right,
        Comparison::Greater => left > right,
        Comparison::AtLeast => left >= right,
    }
}

#[cfg(test)]
mod tests;
