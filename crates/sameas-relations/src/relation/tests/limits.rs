//! Memory that does not suffice and jobs that are cancelled end with an error.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::*;
use crate::error::ErrorCode;
use crate::relation::Method;

/// A cycle: its closure has the square of its vertices.
fn cycle(vertices: u32) -> Vec<(u32, u32)> {
    (0..vertices).map(|at| (at, (at + 1) % vertices)).collect()
}

#[test]
fn too_little_memory_is_an_error() {
    for carries in [false, true] {
        for limit in [32 << 10, 128 << 10, 512 << 10, 2 << 20] {
            let budget = MemoryBudget::of_relations(limit);
            let (mut relations, edge, path) = graph(&cycle(600), 600, &budget);
            relations.set_carries(carries);
            let error = relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap_err();
            assert_eq!(error.code(), ErrorCode::MemoryLimit, "{limit} {carries}");
            drop(relations);
            assert_eq!(budget.room(), limit, "everything is given back");
        }
    }
}

#[test]
fn memory_that_suffices_does() {
    for (limit, carries) in [(16 << 20, false), (5 << 20, true), (100 << 20, false)] {
        let budget = MemoryBudget::of_relations(limit);
        let (mut relations, edge, path) = graph(&cycle(600), 600, &budget);
        relations.set_carries(carries);
        relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap();
        assert_eq!(relations.len(path), 360_000);
        assert_eq!(all(&relations, path).len(), 360_000);
    }
}

#[test]
fn a_sparse_domain_goes_by_rounds() {
    const LAST: u32 = u32::MAX;
    let edges = [(5, LAST), (LAST, 0), (0, 1 << 20)];
    let (mut relations, edge, path) = graph(&edges, 1 << 32, &MemoryBudget::of_relations(1 << 30));
    let report = relations.fixpoint(&closure(edge, path), Cancel::NEVER, &mut |_| {}).unwrap();
    assert_eq!(report.method, [(path, Method::Rounds)]);
    let million = 1 << 20;
    let expected = [[0, million], [5, 0], [5, million], [5, LAST], [LAST, 0], [LAST, million]];
    assert_eq!(all(&relations, path), expected);
}

#[test]
fn a_fixpoint_can_be_cancelled() {
    for carries in [false, true] {
        let asked = AtomicU32::new(0);
        let is_wanted = || asked.fetch_add(1, Relaxed) > 20;
        let (mut relations, edge, path) = graph(&cycle(2000), 2000, &MemoryBudget::unlimited());
        relations.set_carries(carries);
        let error = relations.fixpoint(&closure(edge, path), Cancel::when(&is_wanted), &mut |_| {}).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Cancelled);
    }
}
