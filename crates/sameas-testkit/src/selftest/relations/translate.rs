//! Rules in the engine's words: atoms in an order that a seed chooses, a variant for each atom that the fixpoint extends.

use sameas_relations::relation::{self, Filter, FixpointRule, RelationId, TermComparison, Variant};

use crate::program::{Atom, Comparison, Literal, Rule, Term, Value};
use crate::rng::Rng;

/// What the relations of a program are called in the engine.
pub struct Words<'a> {
    /// For each relation of the program.
    pub ids: &'a [RelationId],
    /// Those that the fixpoint extends.
    pub heads: &'a [RelationId],
    /// For each count of the rule: its groups with their numbers.
    pub counts: Vec<RelationId>,
}

/// A value of the engine.
///
/// # Panics
/// If it is a text or beyond 32 bits.
pub fn number(value: &Value) -> u32 {
    match value {
        Value::Number(number) => u32::try_from(*number).expect("a number of 32 bits"),
        Value::Text(_) => panic!("relations hold numbers"),
    }
}

/// The constants of a rule.
pub fn constants(rule: &Rule) -> Vec<u32> {
    let compared = |literal: &Literal| match literal {
        Literal::Compared(left, _, right) => vec![left.clone(), right.clone()],
        other => other.atom().map_or_else(Vec::new, |atom| atom.terms.clone()),
    };
    let terms = rule.head.terms.iter().cloned().chain(rule.body.iter().flat_map(compared));
    let constant = |term: Term| if let Term::Constant(value) = term { Some(number(&value)) } else { None };
    terms.filter_map(constant).collect()
}

/// The rule; where it counts, once for groups that there are and once for a count of zero.
pub fn rules(rule: &Rule, words: &Words<'_>, rng: &mut Rng) -> Vec<FixpointRule> {
    let counts: Vec<(usize, &Atom)> = rule.body.iter().filter_map(counted).collect();
    let cases = 0..1_usize << counts.len();
    cases.map(|empty| Draft::new(rule, words, &counts, empty).rule(words, rng)).collect()
}

fn counted(literal: &Literal) -> Option<(usize, &Atom)> {
    match literal {
        Literal::Counted(variable, atom) => Some((*variable, atom)),
        _ => None,
    }
}

/// All tuples of an atom, as a rule for a relation of as many columns.
pub fn selection(atom: &Atom, from: RelationId, into: RelationId) -> FixpointRule {
    let fresh = atom.variables().max().map_or(0, |variable| variable + 1);
    let named = |(at, term): (usize, &Term)| match term {
        Term::Any => relation::Term::Variable((fresh + at) as u32),
        other => term_of(other),
    };
    let terms: Vec<relation::Term> = atom.terms.iter().enumerate().map(named).collect();
    let atoms = vec![relation::Atom { relation: from, terms: terms.clone() }];
    let first = Variant { atoms, ..Variant::default() };
    FixpointRule { name: "selection".to_owned(), head: into, output: terms, first, recursive: Vec::new() }
}

/// The columns of a counted atom that have variables of the rule, each variable once.
pub fn group(rule: &Rule, atom: &Atom) -> Vec<usize> {
    let outer: Vec<usize> = rule.positive().flat_map(Atom::variables).collect();
    let mut seen = Vec::new();
    let mut is_first = |term: &Term| {
        let new = term.variable().filter(|variable| outer.contains(variable) && !seen.contains(variable));
        seen.extend(new);
        new.is_some()
    };
    (0..atom.terms.len()).filter(|at| is_first(&atom.terms[*at])).collect()
}

/// A rule on its way: atoms in any order, and what follows them.
struct Draft {
    name: String,
    head: RelationId,
    output: Vec<relation::Term>,
    atoms: Vec<relation::Atom>,
    filters: Vec<Filter>,
    absent: Vec<relation::Atom>,
}

impl Draft {
    /// The rule where the counts whose bit is set in `empty` are zero, and the others are not.
    fn new(rule: &Rule, words: &Words<'_>, counts: &[(usize, &Atom)], empty: usize) -> Self {
        let zero: Vec<usize> = (0..counts.len()).filter(|at| empty >> at & 1 == 1).map(|at| counts[at].0).collect();
        let term = |term: &Term| match term.variable() {
            Some(variable) if zero.contains(&variable) => relation::Term::Constant(0),
            _ => term_of(term),
        };
        let atom = |atom: &Atom| relation::Atom {
            relation: words.ids[atom.relation],
            terms: atom.terms.iter().map(term).collect(),
        };
        let mut draft = Self {
            name: format!("rule for {}", rule.head.relation),
            head: words.ids[rule.head.relation],
            output: rule.head.terms.iter().map(term).collect(),
            atoms: rule.positive().map(atom).collect(),
            filters: Vec::new(),
            absent: Vec::new(),
        };
        for literal in &rule.body {
            match literal {
                Literal::Absent(denied) => draft.absent.push(atom(denied)),
                Literal::Compared(left, comparison, right) => {
                    draft.filters.push(filter(term(left), *comparison, term(right)));
                }
                Literal::Holds(_) | Literal::Counted(..) => {}
            }
        }
        for (at, (variable, counted)) in counts.iter().enumerate() {
            draft.add_count(rule, words.counts[at], *variable, counted, empty >> at & 1 == 1);
        }
        draft
    }

    /// A group with its number, or that there is no such group.
    fn add_count(&mut self, rule: &Rule, relation: RelationId, variable: usize, atom: &Atom, is_empty: bool) {
        let mut terms: Vec<relation::Term> =
            group(rule, atom).iter().map(|column| term_of(&atom.terms[*column])).collect();
        // Without columns there is always a group, even of nothing.
        terms.push(if is_empty && !terms.is_empty() { relation::Term::Any } else { variable_of(variable) });
        if !is_empty {
            self.atoms.push(relation::Atom { relation, terms });
        } else if terms.len() > 1 {
            self.absent.push(relation::Atom { relation, terms });
        } else {
            let zero = relation::Term::Constant(0);
            self.atoms.push(relation::Atom { relation, terms: vec![zero] });
        }
    }

    fn rule(&self, words: &Words<'_>, rng: &mut Rng) -> FixpointRule {
        let extended = |at: &usize| words.heads.contains(&self.atoms[*at].relation);
        let recursive: Vec<usize> = (0..self.atoms.len()).filter(extended).collect();
        let first = self.variant(None, rng);
        let recursive = recursive.into_iter().map(|at| self.variant(Some(at), rng)).collect();
        FixpointRule { name: self.name.clone(), head: self.head, output: self.output.clone(), first, recursive }
    }

    /// The atoms in any order.
    fn variant(&self, delta: Option<usize>, rng: &mut Rng) -> Variant {
        let mut order: Vec<usize> = (0..self.atoms.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, rng.below(at + 1));
        }
        Variant {
            delta: delta.and_then(|delta| order.iter().position(|at| *at == delta)),
            atoms: order.iter().map(|at| self.atoms[*at].clone()).collect(),
            filters: self.filters.clone(),
            absent: self.absent.clone(),
        }
    }
}

fn variable_of(variable: usize) -> relation::Term {
    relation::Term::Variable(variable as u32)
}

fn term_of(term: &Term) -> relation::Term {
    match term {
        Term::Variable(variable) => variable_of(*variable),
        Term::Constant(value) => relation::Term::Constant(number(value)),
        Term::Any => relation::Term::Any,
    }
}

fn filter(left: relation::Term, comparison: Comparison, right: relation::Term) -> Filter {
    let (left, comparison, right) = match comparison {
        Comparison::Equal => (left, TermComparison::Equal, right),
        Comparison::Different => (left, TermComparison::Different, right),
        Comparison::Less => (left, TermComparison::Less, right),
        Comparison::AtMost => (left, TermComparison::AtMost, right),
        Comparison::Greater => (right, TermComparison::Less, left),
        Comparison::AtLeast => (right, TermComparison::AtMost, left),
    };
    Filter { left, comparison, right }
}
