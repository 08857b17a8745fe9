//! Random programs agree with naive evaluation, whatever the threads, the memory and the method.

use super::naive::{self, NaiveSets};
use super::random::{Dice, Program};
use super::*;

/// Programs that are drawn.
const CASES: u64 = 400;

fn columns(tuples: &[Vec<u32>], width: usize) -> Vec<Vec<u32>> {
    (0..width).map(|column| tuples.iter().map(|tuple| tuple[column]).collect()).collect()
}

/// Evaluates a program; its relations in order.
fn evaluate(program: &Program, carries: bool, budget: &MemoryBudget) -> Vec<Vec<Vec<u32>>> {
    let mut relations = Relations::on_cpu(budget);
    relations.set_carries(carries);
    for (declaration, tuples) in program.declarations.iter().zip(&program.tuples) {
        let id = relations.declare(declaration.clone()).unwrap();
        // In two parts, so that tuples are added to some that are there.
        for part in tuples.chunks(tuples.len() / 2 + 1) {
            let columns = columns(part, declaration.domains.len());
            relations.insert(id, &columns.iter().map(Vec::as_slice).collect::<Vec<_>>(), Cancel::NEVER).unwrap();
        }
    }
    relations.fixpoint(&program.rules, Cancel::NEVER, &mut |_| {}).unwrap();
    (0..program.declarations.len()).map(|at| all(&relations, RelationId(at as u32))).collect()
}

fn expected(program: &Program) -> Vec<Vec<Vec<u32>>> {
    let mut sets: NaiveSets = program.tuples.iter().map(|tuples| tuples.iter().cloned().collect()).collect();
    naive::fixpoint(&mut sets, &program.rules);
    sets.into_iter().map(|set| set.into_iter().collect()).collect()
}

#[test]
fn random_programs_agree_with_naive_evaluation() {
    // Without room for bits, sets are hashed.
    for (threads, limit) in [(1, usize::MAX), (2, 1 << 22)] {
        with_threads(threads, || {
            for seed in 0..CASES {
                let program = Program::draw(&mut Dice(seed));
                let expected = expected(&program);
                for carries in [false, true] {
                    let found = evaluate(&program, carries, &MemoryBudget::of_relations(limit));
                    assert_eq!(found, expected, "seed {seed}, carries {carries}, {:#?}", program.rules);
                }
            }
        });
    }
}

#[test]
fn random_graphs_agree_with_naive_evaluation() {
    for seed in 0..60 {
        let dice = &mut Dice(seed);
        let vertices = 2 + dice.below(30);
        let edges: Vec<(u32, u32)> =
            (0..dice.below(60)).map(|_| (dice.below(vertices) as u32, dice.below(vertices) as u32)).collect();
        for rules_of in [closure, right_linear, square, undirected, same_generation] {
            let rules = rules_of(RelationId(0), RelationId(1));
            let mut sets: NaiveSets = vec![edges.iter().map(|(a, b)| vec![*a, *b]).collect(), Default::default()];
            naive::fixpoint(&mut sets, &rules);
            let expected: Vec<Vec<u32>> = sets[1].iter().cloned().collect();
            for (carries, domain, threads) in [(true, vertices, 2), (false, vertices, 2), (false, 1 << 32, 1)] {
                let found = with_threads(threads, || {
                    let (mut relations, _, path) = graph(&edges, domain, &MemoryBudget::of_relations(1 << 28));
                    relations.set_carries(carries);
                    relations.fixpoint(&rules, Cancel::NEVER, &mut |_| {}).unwrap();
                    all(&relations, path)
                });
                assert_eq!(found, expected, "seed {seed}");
            }
        }
    }
}

/// `path(x, z) :- edge(x, y), path(y, z)`: the second column is carried.
fn right_linear(edge: RelationId, path: RelationId) -> Vec<FixpointRule> {
    let step = |delta| variant(&[atom(path, &[V(1), V(2)]), atom(edge, &[V(0), V(1)])], delta);
    let mut rules = closure(edge, path);
    rules[1] = rule("step", path, &[V(0), V(2)], step(None), vec![step(Some(0))]);
    rules
}

/// `path(x, z) :- path(x, y), path(y, z)`.
fn square(edge: RelationId, path: RelationId) -> Vec<FixpointRule> {
    let step = |delta| variant(&[atom(path, &[V(0), V(1)]), atom(path, &[V(1), V(2)])], delta);
    let mut rules = closure(edge, path);
    rules[1] = rule("step", path, &[V(0), V(2)], step(None), vec![step(Some(0)), step(Some(1))]);
    rules
}

/// Along edges and against them.
fn undirected(edge: RelationId, path: RelationId) -> Vec<FixpointRule> {
    let back = |delta| variant(&[atom(path, &[V(0), V(1)]), atom(edge, &[V(2), V(1)])], delta);
    let mut rules = closure(edge, path);
    rules.push(rule("back", path, &[V(0), V(2)], back(None), vec![back(Some(0))]));
    rules
}
