//! The same programs on the host and on a device.

use super::*;
use crate::relation::program::{Atom, Filter, Term, TermComparison, Variant};
use crate::relation::{CarriedRows, Relations};

const V: fn(u32) -> Term = Term::Variable;
const DOMAIN: u32 = 40;

fn atom(relation: u32, terms: &[Term]) -> Atom {
    Atom { relation: RelationId(relation), terms: terms.to_vec() }
}

fn rule(head: u32, output: &[Term], first: Variant, deltas: &[usize]) -> FixpointRule {
    let recursive = deltas.iter().map(|delta| Variant { delta: Some(*delta), ..first.clone() }).collect();
    FixpointRule { name: format!("rule of {head}"), head: RelationId(head), output: output.to_vec(), first, recursive }
}

fn joined(atoms: &[Atom]) -> Variant {
    Variant { atoms: atoms.to_vec(), ..Variant::default() }
}

fn filtered(atoms: &[Atom], left: Term, comparison: TermComparison, right: Term) -> Variant {
    Variant { filters: vec![Filter { left, comparison, right }], ..joined(atoms) }
}

/// Relations 0: edge, 1 and 2: two columns, 3: three columns. Programs by name; the strata one after the other.
fn programs() -> Vec<(&'static str, Vec<Vec<FixpointRule>>)> {
    let edge = |a: u32, b: u32| atom(0, &[V(a), V(b)]);
    let is = |r: u32, a: u32, b: u32| atom(r, &[V(a), V(b)]);
    let seed = || rule(1, &[V(0), V(1)], joined(&[edge(0, 1)]), &[]);
    let closure = || vec![seed(), rule(1, &[V(0), V(2)], joined(&[is(1, 0, 1), edge(1, 2)]), &[0])];
    let left = vec![seed(), rule(1, &[V(0), V(2)], joined(&[edge(0, 1), is(1, 1, 2)]), &[1])];
    let doubled = vec![seed(), rule(1, &[V(0), V(2)], joined(&[is(1, 0, 1), is(1, 1, 2)]), &[0, 1])];
    let same = vec![
        rule(1, &[V(1), V(2)], filtered(&[edge(0, 1), edge(0, 2)], V(1), TermComparison::Different, V(2)), &[]),
        rule(1, &[V(2), V(3)], joined(&[edge(0, 2), is(1, 0, 1), edge(1, 3)]), &[1]),
    ];
    let mutual = vec![
        rule(1, &[V(0), V(1)], joined(&[edge(0, 1), atom(0, &[V(1), Term::Any])]), &[]),
        rule(2, &[V(0), V(2)], joined(&[is(1, 0, 1), edge(1, 2)]), &[0]),
        rule(1, &[V(0), V(2)], filtered(&[is(2, 0, 1), edge(1, 2)], V(0), TermComparison::AtMost, V(2)), &[0]),
    ];
    let triangles = vec![
        rule(3, &[V(0), V(1), V(2)], joined(&[edge(0, 1), edge(1, 2), edge(2, 0)]), &[]),
        rule(3, &[V(0), V(0), Term::Constant(3)], joined(&[edge(0, 0)]), &[]),
        rule(3, &[V(1), V(1), V(1)], joined(&[atom(0, &[Term::Constant(3), V(1)])]), &[]),
    ];
    let negated = Variant { absent: vec![edge(1, 0), atom(1, &[V(1), Term::Constant(2)])], ..joined(&[is(1, 0, 1)]) };
    let absent = vec![rule(2, &[V(1), V(0)], negated, &[])];
    vec![
        ("closure", vec![closure()]),
        ("closure from the left", vec![left]),
        ("doubled closure", vec![doubled]),
        ("same generation", vec![same]),
        ("two heads", vec![mutual]),
        ("triangles", vec![triangles]),
        ("negation", vec![closure(), absent]),
    ]
}

fn prepared(mut relations: Relations, edges: &[(u32, u32)]) -> Relations {
    for (name, columns) in [("edge", 2), ("one", 2), ("two", 2), ("three", 3)] {
        let domains = vec![u64::from(DOMAIN); columns];
        relations.declare(RelationDeclaration { name: name.to_owned(), domains }).unwrap();
    }
    let (from, to): (Vec<u32>, Vec<u32>) = edges.iter().copied().unzip();
    relations.insert(RelationId(0), &[&from, &to], Cancel::NEVER).unwrap();
    relations
}

fn all(relations: &Relations) -> Vec<Vec<Vec<u32>>> {
    let of = |id: u32| {
        let mut tuples = Vec::new();
        let mut block = |columns: &[Vec<u32>]| {
            tuples.extend((0..columns[0].len()).map(|row| columns.iter().map(|c| c[row]).collect::<Vec<_>>()));
            Ok(())
        };
        relations.sorted(RelationId(id), Cancel::NEVER, &mut block).unwrap();
        tuples
    };
    (0..4).map(of).collect()
}

fn edges(len: usize, seed: u64) -> Vec<(u32, u32)> {
    let mut state = seed;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(DOMAIN)) as u32
    };
    (0..len).map(|_| (draw(), draw())).collect()
}

#[test]
fn a_device_finds_what_the_host_finds() {
    for (seed, len) in [(1, 0), (2, 5), (3, 45), (4, 80)] {
        let edges = edges(len, seed);
        for (name, strata) in programs() {
            // Bits, slots, and no room at all.
            for (memory, carries) in [(4 << 20, true), (4 << 20, false), (200 << 10, false), (4 << 10, true)] {
                let budget = MemoryBudget::unlimited();
                let mut host = prepared(Relations::on_cpu(&budget), &edges);
                let mut device = prepared(Relations::on_gpu(&Gpu::emulated(memory, seed), &budget), &edges);
                device.set_carries(carries);
                for rules in &strata {
                    host.fixpoint(rules, Cancel::NEVER, &mut |_| {}).unwrap();
                    device.fixpoint(rules, Cancel::NEVER, &mut |_| {}).unwrap();
                }
                assert_eq!(all(&device), all(&host), "{name}, seed {seed}, {memory} bytes");
            }
        }
    }
}

#[test]
fn relations_that_are_cleared_are_filled_again() {
    let (edges, budget) = (edges(45, 3), MemoryBudget::unlimited());
    let (from, to): (Vec<u32>, Vec<u32>) = edges.iter().map(|(from, to)| (from + 1, to + 1)).unzip();
    // The second has no room, and in the third the columns need too many bits.
    for (memory, domain) in [(4 << 20, 2 * DOMAIN), (4 << 10, 2 * DOMAIN), (4 << 20, u32::MAX)] {
        let rules = &programs()[0].1[0];
        let filled = |mut relations: Relations| {
            relations.fixpoint(rules, Cancel::NEVER, &mut |_| {}).unwrap();
            for (id, columns) in [(0, 2), (1, 2), (2, 2), (3, 3)] {
                relations.clear(RelationId(id), vec![u64::from(domain); columns]).unwrap();
            }
            relations.insert(RelationId(0), &[&from, &to], Cancel::NEVER).unwrap();
            relations.fixpoint(rules, Cancel::NEVER, &mut |_| {}).unwrap();
            relations
        };
        let host = filled(prepared(Relations::on_cpu(&budget), &edges));
        let device = filled(prepared(Relations::on_gpu(&Gpu::emulated(memory, 5), &budget), &edges));
        assert_eq!(all(&device), all(&host), "{memory} bytes, {domain} values");
    }
}

#[test]
fn rows_of_a_carried_column_are_the_closure() {
    let (edges, budget) = (edges(60, 9), MemoryBudget::unlimited());
    let rules = &programs()[0].1[0];
    let mut host = prepared(Relations::on_cpu(&budget), &edges);
    host.fixpoint(rules, Cancel::NEVER, &mut |_| {}).unwrap();
    let mut device = prepared(Relations::on_gpu(&Gpu::emulated(4 << 20, 1), &budget), &edges);
    let mut rows: CarriedRows<'_> = device.carried_rows(rules, Cancel::NEVER).unwrap().unwrap();
    let (sources, mut tuples) = (rows.sources().to_vec(), Vec::new());
    for range in [0..1, 1..sources.len()] {
        let block = rows.rows(range.clone(), Cancel::NEVER).unwrap();
        assert_eq!(rows.count(range.clone(), Cancel::NEVER).unwrap(), block.targets.len() as u64);
        for (at, x) in sources[range].iter().enumerate() {
            let row = &block.targets[block.offsets[at]..block.offsets[at + 1]];
            tuples.extend(row.iter().map(|y| vec![*x, *y]));
        }
    }
    assert_eq!(tuples, all(&host)[1]);
}

#[test]
fn groups_are_counted() {
    let (edges, budget) = (edges(60, 9), MemoryBudget::unlimited());
    let mut both = [Relations::on_cpu(&budget), Relations::on_gpu(&Gpu::emulated(4 << 20, 1), &budget)]
        .map(|relations| prepared(relations, &edges));
    for relations in &mut both {
        relations.count_by(RelationId(0), &[1], RelationId(1), Cancel::NEVER).unwrap();
    }
    assert_eq!(all(&both[0]), all(&both[1]));
}
