//! Naive evaluation: every rule over all tuples, by nested loops over what is written, until nothing is new.

use std::collections::{BTreeMap, BTreeSet};

use crate::datalog::core::{CoreRole, ProgramValue};
use crate::datalog::parser::parse;
use crate::datalog::program::RelateProgram;
use crate::datalog::syntax::{AtomText, BodyPart, ClauseText, OperandText, OrderSign, TermKind, WrittenStatement};

pub type Tuple = Vec<ProgramValue>;
pub type Database = BTreeMap<String, BTreeSet<Tuple>>;
type Binding = BTreeMap<String, ProgramValue>;

/// All relations of a program over these inputs.
pub fn evaluate(text: &str, mut database: Database) -> Database {
    let mut clauses = Vec::new();
    let mut take = |statement: WrittenStatement| {
        if let WrittenStatement::Clause(clause) = statement {
            clauses.push(clause);
        }
        Ok(())
    };
    assert!(parse(text, &mut take).unwrap().is_empty());
    let program = RelateProgram::parse("p.dl", text).unwrap();
    let checked = program.checked();
    for stratum in &checked.strata {
        let relations = stratum.relations.iter().map(|place| &checked.core.relations[*place]);
        let names: Vec<&str> =
            relations.filter(|one| one.role == CoreRole::Declared).map(|one| one.name.as_str()).collect();
        while step(&clauses, &names, &mut database) {}
    }
    database
}

/// Applies all rules of some relations once. Whether anything was new.
fn step(clauses: &[ClauseText], names: &[&str], database: &mut Database) -> bool {
    let mut found = Vec::new();
    for clause in clauses.iter().filter(|clause| names.contains(&clause.head.name.text.as_str())) {
        for binding in solutions(&clause.body, &Binding::new(), database) {
            let tuple: Tuple = clause.head.terms.iter().map(|term| value(&term.kind, &binding).unwrap()).collect();
            found.push((clause.head.name.text.clone(), tuple));
        }
    }
    let mut is_new = false;
    for (name, tuple) in found {
        is_new |= database.entry(name).or_default().insert(tuple);
    }
    is_new
}

fn value(term: &TermKind, binding: &Binding) -> Option<ProgramValue> {
    match term {
        TermKind::Variable(name) => binding.get(name).cloned(),
        TermKind::Number(number) => Some(ProgramValue::Number(*number)),
        TermKind::Text(text) => Some(ProgramValue::Text(text.clone())),
        TermKind::Any => None,
    }
}

/// The ways to satisfy a body; what stands at `_` of an atom is a variable of its own.
fn solutions(body: &[BodyPart], outer: &Binding, database: &Database) -> BTreeSet<Binding> {
    let mut all = BTreeSet::from([outer.clone()]);
    for (at, part) in body.iter().enumerate() {
        if let BodyPart::Holds(atom) = part {
            all = all.iter().flat_map(|binding| matches(atom, Some(at), binding, database)).collect();
        }
    }
    all.into_iter().filter_map(|binding| decided(body, binding, database)).collect()
}

/// The tuples of an atom that fit a binding, as larger bindings.
fn matches(atom: &AtomText, place: Option<usize>, binding: &Binding, database: &Database) -> Vec<Binding> {
    let mut found = Vec::new();
    'tuples: for tuple in database.get(&atom.name.text).into_iter().flatten() {
        let mut more = binding.clone();
        for (column, (term, has)) in atom.terms.iter().zip(tuple).enumerate() {
            match (&term.kind, value(&term.kind, &more), place) {
                (_, Some(known), _) if known != *has => continue 'tuples,
                (TermKind::Variable(name), None, _) => drop(more.insert(name.clone(), has.clone())),
                (TermKind::Any, None, Some(place)) => drop(more.insert(format!("_{place}.{column}"), has.clone())),
                _ => {}
            }
        }
        found.push(more);
    }
    found
}

/// The binding with what equalities add, if all conditions hold.
fn decided(body: &[BodyPart], mut binding: Binding, database: &Database) -> Option<Binding> {
    for _ in body {
        for part in body {
            let BodyPart::Compared { left, sign: OrderSign::Equal, right } = part else { continue };
            for (from, to) in [(left, right), (right, left)] {
                let OperandText::Term(to) = to else { continue };
                if let (TermKind::Variable(name), Some(value)) = (&to.kind, operand(from, &binding, database)) {
                    binding.entry(name.clone()).or_insert(value);
                }
            }
        }
    }
    let holds = |part: &BodyPart| match part {
        BodyPart::Holds(_) => true,
        BodyPart::Absent(atom) => matches(atom, None, &binding, database).is_empty(),
        BodyPart::Compared { left, sign, right } => {
            let [left, right] = [left, right].map(|side| operand(side, &binding, database).unwrap());
            match sign {
                OrderSign::Equal => left == right,
                OrderSign::Different => left != right,
                OrderSign::Less => left < right,
                OrderSign::AtMost => left <= right,
                OrderSign::Greater => left > right,
                OrderSign::AtLeast => left >= right,
            }
        }
    };
    body.iter().all(holds).then_some(binding)
}

fn operand(operand: &OperandText, binding: &Binding, database: &Database) -> Option<ProgramValue> {
    match operand {
        OperandText::Term(term) => value(&term.kind, binding),
        OperandText::Count { body, .. } => {
            // Unnamed values of the rule itself are none of the count's.
            let named = binding.iter().filter(|(name, _)| !name.starts_with('_'));
            let outer = named.map(|(name, value)| (name.clone(), value.clone())).collect();
            Some(ProgramValue::Number(solutions(body, &outer, database).len() as i64))
        }
    }
}
