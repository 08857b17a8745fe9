//! The room as a whole: known answers, random programs against naive evaluation, memory and cancelling.

mod known;
mod limits;
mod naive;
mod programs;
mod random;

use crate::cancel::Cancel;
use crate::memory::MemoryBudget;
use crate::relation::{
    Atom, Filter, FixpointRule, RelationDeclaration, RelationId, Relations, Term, TermComparison, Variant,
};

const V: fn(u32) -> Term = Term::Variable;

fn atom(relation: RelationId, terms: &[Term]) -> Atom {
    Atom { relation, terms: terms.to_vec() }
}

fn variant(atoms: &[Atom], delta: Option<usize>) -> Variant {
    Variant { atoms: atoms.to_vec(), delta, ..Variant::default() }
}

fn rule(name: &str, head: RelationId, output: &[Term], first: Variant, recursive: Vec<Variant>) -> FixpointRule {
    FixpointRule { name: name.to_owned(), head, output: output.to_vec(), first, recursive }
}

fn declared(relations: &mut Relations, name: &str, domains: &[u64]) -> RelationId {
    relations.declare(RelationDeclaration { name: name.to_owned(), domains: domains.to_vec() }).unwrap()
}

/// `path(x, y) :- edge(x, y). path(x, z) :- path(x, y), edge(y, z).`
fn closure(edge: RelationId, path: RelationId) -> Vec<FixpointRule> {
    let seed = variant(&[atom(edge, &[V(0), V(1)])], None);
    let step = |delta| variant(&[atom(path, &[V(0), V(1)]), atom(edge, &[V(1), V(2)])], delta);
    vec![
        rule("seed", path, &[V(0), V(1)], seed, Vec::new()),
        rule("step", path, &[V(0), V(2)], step(None), vec![step(Some(0))]),
    ]
}

/// `sg(x, y) :- edge(p, x), edge(p, y), x != y. sg(x, y) :- edge(a, x), sg(a, b), edge(b, y).`
fn same_generation(edge: RelationId, same: RelationId) -> Vec<FixpointRule> {
    let mut seed = variant(&[atom(edge, &[V(0), V(1)]), atom(edge, &[V(0), V(2)])], None);
    seed.filters.push(Filter { left: V(1), comparison: TermComparison::Different, right: V(2) });
    let step =
        |delta| variant(&[atom(same, &[V(0), V(1)]), atom(edge, &[V(0), V(2)]), atom(edge, &[V(1), V(3)])], delta);
    vec![
        rule("seed", same, &[V(1), V(2)], seed, Vec::new()),
        rule("step", same, &[V(2), V(3)], step(None), vec![step(Some(0))]),
    ]
}

fn all(relations: &Relations, id: RelationId) -> Vec<Vec<u32>> {
    let mut tuples = Vec::new();
    let mut block = |columns: &[Vec<u32>]| {
        tuples.extend((0..columns[0].len()).map(|row| columns.iter().map(|c| c[row]).collect::<Vec<_>>()));
        Ok(())
    };
    relations.sorted(id, Cancel::NEVER, &mut block).unwrap();
    tuples
}

/// Relations with edges and an empty relation of pairs.
fn graph(edges: &[(u32, u32)], domain: u64, budget: &MemoryBudget) -> (Relations, RelationId, RelationId) {
    let mut relations = Relations::on_cpu(budget);
    let edge = declared(&mut relations, "edge", &[domain; 2]);
    let path = declared(&mut relations, "path", &[domain; 2]);
    let (from, to): (Vec<u32>, Vec<u32>) = edges.iter().copied().unzip();
    relations.insert(edge, &[&from, &to], Cancel::NEVER).unwrap();
    (relations, edge, path)
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
