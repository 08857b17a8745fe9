//! Clusterings against their plain definitions on random small graphs, in every way in which they are run.

mod compare;
mod graphs;

use std::collections::BTreeMap;

use sameas_testkit::oracle::clusters::{Cause, ClusterCase, Method};

use compare::{Outcome, Pools, check};

/// Graphs unless `SAMEAS_CASES` says otherwise.
const GRAPHS: u64 = 10_000;

/// The graphs to test.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("SAMEAS_SEED").unwrap_or(0);
    first..first + number("SAMEAS_CASES").unwrap_or(GRAPHS)
}

/// Tests one method on all graphs, and counts what they were like.
fn survey(method: fn(seed: u64) -> Method) -> BTreeMap<&'static str, u64> {
    let pools = Pools::new();
    let mut seen: BTreeMap<&'static str, u64> = BTreeMap::new();
    let cases = seeds();
    let enough = (cases.end - cases.start) / 200;
    for seed in cases {
        let case = ClusterCase { method: method(seed), ..graphs::case(seed) };
        let case = match case.method {
            Method::Optimal => graphs::of_two_sources(case),
            _ => case,
        };
        match check(seed, &case, &pools) {
            Outcome::Contradictory => *seen.entry("contradictory").or_default() += 1,
            Outcome::Cut(causes) => {
                *seen.entry("clustered").or_default() += 1;
                causes.iter().for_each(|cause| *seen.entry(name(cause)).or_default() += 1);
            }
        }
    }
    for what in ["contradictory", "clustered", "apart", "forbidden", "limit", "size"] {
        let found = seen.get(what).copied().unwrap_or(0);
        assert!(found >= enough, "{what}: {found} of {enough} graphs: {seen:?}");
    }
    seen
}

fn name(cause: &Cause) -> &'static str {
    match cause {
        Cause::Method => "method",
        Cause::MaxSize => "size",
        Cause::Apart(_) => "apart",
        Cause::Forbidden(_) => "forbidden",
        Cause::Limit(..) => "limit",
        Cause::Bridge => "bridge",
    }
}

#[test]
fn components_with_constraints_and_bridges() {
    let seen = survey(|_| Method::Components);
    assert!(seen["bridge"] > 0, "{seen:?}");
}

#[test]
fn average_linkage() {
    let seen = survey(|seed| Method::Average(seed as i64 % 9 - 2));
    assert!(seen["method"] > 0, "{seen:?}");
}

#[test]
fn complete_linkage() {
    let seen = survey(|seed| Method::Complete(seed as i64 % 9 - 4));
    assert!(seen["method"] > 0, "{seen:?}");
}

#[test]
fn optimal_pairs() {
    let seen = survey(|_| Method::Optimal);
    assert!(seen["method"] > 0, "{seen:?}");
}

#[test]
fn louvain() {
    let seen = survey(|_| Method::Louvain);
    assert!(seen["method"] > 0, "{seen:?}");
}
