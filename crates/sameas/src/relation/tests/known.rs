//! Small programs with known answers.

use crate::cancel::Cancel;
use crate::memory::MemoryBudget;
use crate::relation::{
    Atom, FixpointReport, FixpointRule, RelationDeclaration, RelationId, Relations, Term, Variant,
};

const V: fn(u32) -> Term = Term::Variable;

fn atom(relation: RelationId, terms: &[Term]) -> Atom {
    Atom { relation, terms: terms.to_vec() }
}

fn variant(atoms: &[Atom], delta: Option<usize>) -> Variant {
    Variant { atoms: atoms.to_vec(), delta, ..Variant::default() }
}

/// `path(x, y) :- edge(x, y). path(x, z) :- path(x, y), edge(y, z).`
fn closure(edge: RelationId, path: RelationId) -> Vec<FixpointRule> {
    let seed = variant(&[atom(edge, &[V(0), V(1)])], None);
    let step = |delta| variant(&[atom(path, &[V(0), V(1)]), atom(edge, &[V(1), V(2)])], delta);
    let rule = |name: &str, output: [Term; 2], first, recursive| FixpointRule {
        name: name.to_owned(),
        head: path,
        output: output.to_vec(),
        first,
        recursive,
    };
    vec![
        rule("seed", [V(0), V(1)], seed, Vec::new()),
        rule("step", [V(0), V(2)], step(None), vec![step(Some(0))]),
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

fn run(edges: &[(u32, u32)]) -> (Vec<Vec<u32>>, FixpointReport) {
    let mut relations = Relations::on_cpu(&MemoryBudget::unlimited());
    let mut declare = |name: &str| {
        let declaration = RelationDeclaration { name: name.to_owned(), domains: vec![10; 2] };
        relations.declare(declaration).unwrap()
    };
    let (edge, path) = (declare("edge"), declare("path"));
    let (from, to): (Vec<u32>, Vec<u32>) = edges.iter().copied().unzip();
    relations.insert(edge, &[&from, &to], Cancel::NEVER).unwrap();
    let report = relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap();
    (all(&relations, path), report)
}

#[test]
fn paths_of_a_chain_and_of_a_cycle() {
    let (chain, _) = run(&[(1, 2), (2, 3), (1, 2)]);
    assert_eq!(chain, [[1, 2], [1, 3], [2, 3]]);
    let (cycle, _) = run(&[(4, 5), (5, 4)]);
    assert_eq!(cycle, [[4, 4], [4, 5], [5, 4], [5, 5]]);
    assert!(run(&[]).0.is_empty());
}
