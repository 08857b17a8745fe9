//! Small programs and graphs with known answers.

use super::*;
use crate::program::{ColumnType, Relation};

fn relation(name: &str, columns: usize, facts: Option<&[&[u32]]>) -> Relation {
    let tuple = |fact: &&[u32]| fact.iter().map(|value| Value::from(*value)).collect();
    let facts = facts.map(|facts| facts.iter().map(tuple).collect());
    Relation { name: name.to_owned(), columns: vec![ColumnType::Number; columns], facts }
}

fn atom(relation: usize, variables: &[usize]) -> Atom {
    Atom { relation, terms: variables.iter().map(|variable| Term::Variable(*variable)).collect() }
}

fn holds_of(atoms: Vec<Atom>) -> Vec<Literal> {
    atoms.into_iter().map(Literal::Holds).collect()
}

fn numbers(table: &BTreeSet<Tuple>) -> Vec<Vec<u64>> {
    let number = |value: &Value| match value {
        Value::Number(number) => *number,
        Value::Text(_) => panic!("a text"),
    };
    table.iter().map(|tuple| tuple.iter().map(number).collect()).collect()
}

/// `path` from a chain 1 -> 2 -> 3 with a loop at 9, and what has no path to itself, with its number of edges.
fn paths() -> Program {
    let edges: &[&[u32]] = &[&[1, 2], &[2, 3], &[9, 9], &[1, 2], &[1, 9]];
    let relations = vec![
        relation("edge", 2, Some(edges)),
        relation("path", 2, None),
        relation("open", 1, None),
        relation("degree", 2, None),
    ];
    let rule = |head, body| Rule { head, body };
    let edge_to_any = Atom { relation: 0, terms: vec![Term::Variable(0), Term::Any] };
    let rules = vec![
        rule(atom(1, &[0, 1]), holds_of(vec![atom(0, &[0, 1])])),
        rule(atom(1, &[0, 2]), holds_of(vec![atom(1, &[0, 1]), atom(0, &[1, 2])])),
        rule(atom(2, &[0]), vec![Literal::Holds(atom(1, &[1, 0])), Literal::Absent(atom(1, &[0, 0]))]),
        rule(atom(3, &[0, 2]), vec![Literal::Holds(atom(0, &[1, 0])), Literal::Counted(2, edge_to_any)]),
    ];
    Program { relations, rules }
}

#[test]
fn recursion_absence_and_counts() {
    let program = paths();
    assert_eq!(strata(&program), Some(vec![0, 0, 1, 1]));
    let tables = evaluate(&program);
    assert_eq!(numbers(&tables[1]), [[1, 2], [1, 3], [1, 9], [2, 3], [9, 9]]);
    assert_eq!(numbers(&tables[2]), [[2], [3]]);
    assert_eq!(numbers(&tables[3]), [[2, 1], [3, 0], [9, 1]]);
    assert!(evaluate_within(&program, 10).is_none());
}

#[test]
fn constants_and_comparisons() {
    let mut program = paths();
    let two = Term::Constant(Value::Number(2));
    program.rules.truncate(2);
    let compared = Literal::Compared(Term::Variable(0), Comparison::Greater, two.clone());
    let body = vec![Literal::Holds(atom(1, &[0, 0])), compared];
    program.rules.push(Rule { head: Atom { relation: 3, terms: vec![two, Term::Variable(0)] }, body });
    assert_eq!(numbers(&evaluate(&program)[3]), [[2, 9]]);
}

#[test]
fn absence_through_recursion_has_no_strata() {
    let mut program = paths();
    program.rules.push(Rule { head: atom(0, &[0, 0]), body: vec![Literal::Holds(atom(2, &[0]))] });
    assert_eq!(strata(&program), None);
}

#[test]
fn same_generation() {
    let edges: &[&[u32]] = &[&[1, 2], &[1, 3], &[2, 4], &[3, 5]];
    let relations = vec![relation("edge", 2, Some(edges)), relation("sg", 2, None)];
    let different = Literal::Compared(Term::Variable(0), Comparison::Different, Term::Variable(1));
    let siblings = [holds_of(vec![atom(0, &[2, 0]), atom(0, &[2, 1])]), vec![different]].concat();
    let cousins = holds_of(vec![atom(0, &[2, 0]), atom(1, &[2, 3]), atom(0, &[3, 1])]);
    let rules = [siblings, cousins].map(|body| Rule { head: atom(1, &[0, 1]), body }).into();
    assert_eq!(numbers(&evaluate(&Program { relations, rules })[1]), [[2, 3], [3, 2], [4, 5], [5, 4]]);
}

#[test]
fn closures() {
    let edges = [(1, 2), (2, 3), (7, 7), (4, 2)];
    let of =
        |undirected, reflexive| closure(&edges, ClosureKind { undirected, reflexive }).into_iter().collect::<Vec<_>>();
    assert_eq!(of(false, false), [(1, 2), (1, 3), (2, 3), (4, 2), (4, 3), (7, 7)]);
    assert_eq!(of(false, true).len(), 6 + 4);
    assert_eq!((of(true, false).len(), of(true, true).len()), (17, 17));
    assert!(closure::<u32>(&[], ClosureKind::default()).is_empty());
    let around = closure(&[("a", "b"), ("b", "a")], ClosureKind::default());
    assert_eq!(around.into_iter().collect::<Vec<_>>(), [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]);
}
