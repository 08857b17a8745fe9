//! Small programs with known answers.

use super::*;
use crate::relation::{Method, RowBlock};

fn paths(edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let (mut relations, edge, path) = graph(edges, 10, &MemoryBudget::unlimited());
    let report = relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap();
    assert_eq!(report.method, [(path, Method::Carried { column: 0 })]);
    all(&relations, path)
}

#[test]
fn paths_of_a_chain_and_of_a_cycle() {
    assert_eq!(paths(&[(1, 2), (2, 3), (1, 2)]), [[1, 2], [1, 3], [2, 3]]);
    assert_eq!(paths(&[(4, 5), (5, 4)]), [[4, 4], [4, 5], [5, 4], [5, 5]]);
    assert_eq!(paths(&[(7, 7)]), [[7, 7]]);
    assert!(paths(&[]).is_empty());
}

#[test]
fn rounds_say_what_they_add() {
    let (mut relations, edge, path) = graph(&[(1, 2), (2, 3), (3, 4)], 10, &MemoryBudget::unlimited());
    relations.set_carries(false);
    let mut seen = Vec::new();
    let report = relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |round| seen.push(round.clone()));
    let report = report.unwrap();
    assert_eq!(report.rounds, seen);
    let added = seen.iter().map(|round| (round.number, round.candidates, round.relations.clone(), round.tuples));
    let round = |number, candidates, new, total| (number, candidates, vec![(path, new, total)], total);
    let expected = [round(1, 3, 3, 3), round(2, 2, 2, 5), round(3, 1, 1, 6), (4, 0, Vec::new(), 6)];
    assert_eq!(added.collect::<Vec<_>>(), expected);
    assert_eq!(report.method, [(path, Method::Rounds)]);
}

#[test]
fn rows_of_a_carried_column_come_in_order() {
    let (mut relations, edge, path) = graph(&[(9, 1), (1, 5), (5, 1), (2, 2)], 10, &MemoryBudget::unlimited());
    let rules = closure(edge, path);
    let mut rows = relations.carried_rows(&rules, Cancel::NEVER).unwrap().unwrap();
    assert_eq!((rows.sources(), rows.column()), ([1, 2, 5, 9].as_slice(), 0));
    let expected = RowBlock { offsets: vec![0, 2, 3, 5, 7], targets: vec![1, 5, 2, 1, 5, 1, 5] };
    assert_eq!(rows.rows(0..4, Cancel::NEVER).unwrap(), expected);
    assert_eq!(rows.rows(1..2, Cancel::NEVER).unwrap(), RowBlock { offsets: vec![0, 1], targets: vec![2] });
    assert_eq!(rows.count(0..4, Cancel::NEVER).unwrap(), 7);
    drop(rows);
    assert!(relations.is_empty(path), "rows are not kept");
    relations.set_carries(false);
    assert!(relations.carried_rows(&rules, Cancel::NEVER).unwrap().is_none());
}

/// `next(x) :- before(x).` for each relation of a ring, of which the first has a tuple.
fn ring(length: u32, budget: &MemoryBudget) -> (Relations, Vec<FixpointRule>) {
    let mut relations = Relations::on_cpu(budget);
    let ids: Vec<RelationId> = (0..length).map(|_| declared(&mut relations, "r", &[10])).collect();
    relations.insert(ids[0], &[&[7]], Cancel::NEVER).unwrap();
    let step = |at: usize| {
        let (before, next) = (ids[at], ids[(at + 1) % ids.len()]);
        let body = |delta| variant(&[atom(before, &[V(0)])], delta);
        rule("step", next, &[V(0)], body(None), vec![body(Some(0))])
    };
    (relations, (0..ids.len()).map(step).collect())
}

#[test]
fn a_round_costs_what_it_adds() {
    let length = 20_000;
    let (mut relations, rules) = ring(length, &MemoryBudget::unlimited());
    let report = relations.fixpoint(&rules, Cancel::NEVER, &mut |_| {}).unwrap();
    assert_eq!(report.rounds.len(), length as usize);
    assert!(report.rounds.iter().all(|round| round.relations.len() <= 1), "only what was added to is listed");
    assert_eq!(report.rounds.last().unwrap().tuples, u64::from(length));
    assert!((0..length).all(|at| relations.len(RelationId(at)) == 1));
}

#[test]
fn a_relation_that_is_cleared_can_be_filled_again() {
    let (mut relations, edge, path) = graph(&[(1, 2), (2, 3)], 10, &MemoryBudget::unlimited());
    relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap();
    relations.clear(edge, vec![100; 2]).unwrap();
    relations.clear(path, vec![100; 2]).unwrap();
    assert!(relations.is_empty(edge) && relations.is_empty(path));
    relations.insert(edge, &[&[70, 80], &[80, 90]], Cancel::NEVER).unwrap();
    relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap();
    assert_eq!(all(&relations, path), [[70, 80], [70, 90], [80, 90]]);
    assert!(relations.clear(edge, vec![2; 5]).is_err());
}

#[test]
fn tuples_are_a_set_up_to_the_largest_value() {
    const LAST: u32 = u32::MAX;
    for columns in 1..=4 {
        let mut relations = Relations::on_cpu(&MemoryBudget::unlimited());
        let id = declared(&mut relations, "r", &vec![1 << 32; columns]);
        let values = [LAST, 0, LAST, 7, 0];
        let given = vec![values.as_slice(); columns];
        assert_eq!(relations.insert(id, &given, Cancel::NEVER).unwrap(), 3);
        assert_eq!(relations.insert(id, &given, Cancel::NEVER).unwrap(), 0);
        assert_eq!(relations.insert(id, &vec![[LAST - 1].as_slice(); columns], Cancel::NEVER).unwrap(), 1);
        let expected: Vec<Vec<u32>> = [0, 7, LAST - 1, LAST].iter().map(|v| vec![*v; columns]).collect();
        assert_eq!(all(&relations, id), expected);
    }
}

#[test]
fn groups_are_counted() {
    let edges = [(3, 1), (3, 2), (5, 1), (3, 2)];
    let (mut relations, edge, _) = graph(&edges, 10, &MemoryBudget::unlimited());
    let degree = declared(&mut relations, "degree", &[10, 1 << 32]);
    let number = declared(&mut relations, "number", &[1 << 32]);
    relations.count_by(edge, &[0], degree, Cancel::NEVER).unwrap();
    relations.count_by(edge, &[], number, Cancel::NEVER).unwrap();
    assert_eq!(all(&relations, degree), [[3, 2], [5, 1]]);
    assert_eq!(all(&relations, number), [[3]]);
    let nothing = declared(&mut relations, "nothing", &[10]);
    relations.count_by(nothing, &[], number, Cancel::NEVER).unwrap();
    assert_eq!(all(&relations, number), [[0], [3]]);
    assert!(relations.count_by(edge, &[0, 1], degree, Cancel::NEVER).is_err());
}

#[test]
fn a_hub_is_divided() {
    // One key with a hundred thousand matches on each side: ten thousand million pairs would stall a thread, so only
    // those with one of a few values on the left are asked for.
    let edges: Vec<(u32, u32)> = (0..100_000).map(|to| (0, to)).collect();
    let (mut relations, edge, pair) = graph(&edges, 100_000, &MemoryBudget::unlimited());
    let mut few = variant(&[atom(edge, &[V(0), V(1)]), atom(edge, &[V(0), V(2)])], None);
    few.filters.push(Filter { left: V(1), comparison: TermComparison::Less, right: Term::Constant(3) });
    let report = relations.fixpoint(&[rule("few", pair, &[V(1), V(2)], few, vec![])], Cancel::NEVER, &mut |_| {});
    assert_eq!(report.unwrap().rounds[0].candidates, 300_000);
    assert_eq!(relations.len(pair), 300_000);
}

#[test]
fn programs_that_mean_nothing_are_refused() {
    let (mut relations, edge, path) = graph(&[], 10, &MemoryBudget::unlimited());
    let wide = RelationDeclaration { name: "wide".to_owned(), domains: vec![2; 5] };
    assert!(relations.declare(wide).is_err());
    assert!(relations.insert(edge, &[&[1], &[10]], Cancel::NEVER).is_err());
    assert!(relations.insert(edge, &[&[1], &[]], Cancel::NEVER).is_err());
    let small = declared(&mut relations, "small", &[5]);
    let one = |head, output: &[Term], body: Variant| [rule("r", head, output, body, Vec::new())];
    let edges = || variant(&[atom(edge, &[V(0), V(1)])], None);
    let mut negated = edges();
    negated.absent.push(atom(path, &[V(0), V(1)]));
    for rules in [
        one(path, &[V(0), V(2)], edges()),
        one(path, &[V(0)], edges()),
        one(path, &[V(0), Term::Constant(10)], edges()),
        one(small, &[V(0)], edges()),
        one(RelationId(9), &[V(0)], edges()),
        one(path, &[V(0), V(1)], variant(&[atom(edge, &[V(0)])], None)),
        one(path, &[V(0), V(1)], negated),
    ] {
        assert!(relations.fixpoint(&rules, Cancel::NEVER, &mut |_| {}).is_err());
    }
}
