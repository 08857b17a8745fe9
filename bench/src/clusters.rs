//! The benchmark of clusterings, on random edges in memory.
//!
//! Arguments: `--edges 5000000`, `--rows` (a quarter of the edges by default), `--block 2000` (edges join rows of one block
//! of this size, so no component is larger), `--repeats 3`, `--only NAME,NAME` of the names below. One line of JSON
//! for each clustering. Answers are checked by what must hold of them. The peak of memory is that of the process so far: for
//! the peak of one clustering name it alone. The digest is of the edges: peers that make the same have the same.

use std::time::Instant;

use rayon::prelude::*;
use sameas_clusters::{
    BridgeSplit, ClusterLimit, ClusterMethod, ClusterRules, Clusters, Counted, CutCause, Edge, EdgeKind, Edges,
    Linkage, OneTo, RowFacts, cluster, components_at,
};
use sameas_core::cancel::Cancel;
use sameas_core::memory;
use serde_json::json;

use super::report;

/// Weights go from -8 to 24, by steps of 1/128.
const STEPS: u64 = 4096;

/// The threshold of edges, which two thirds reach; that of linkages, which count all edges, is the same.
const THRESHOLD: f64 = 2.0;

/// Thresholds that are measured together.
const THRESHOLDS: [f64; 5] = [0.0, 4.0, 8.0, 12.0, 16.0];

/// The most records of a cluster, and of a value in it.
const MOST: u32 = 10;

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let number = |name: &str, default: u64| {
        report::option(args, name).map_or(default, |text| text.parse().expect("a whole number after the option"))
    };
    let edges = number("--edges", 5_000_000);
    let graph =
        RandomGraph { edges, rows: number("--rows", (edges / 4).max(2)), block: number("--block", 2_000).max(2) };
    let repeats = number("--repeats", 3).max(1);
    let only: Option<Vec<&str>> = report::option(args, "--only").map(|names| names.split(',').collect());
    let is_wanted = |name: &str| only.as_ref().is_none_or(|names| names.contains(&name));
    if is_wanted("thresholds") {
        thresholds(&graph, repeats);
    }
    for (name, rules) in clusterings().into_iter().filter(|(name, _)| is_wanted(name)) {
        measure(name, &rules, &graph, repeats);
    }
}

/// Every clustering with its name.
fn clusterings() -> Vec<(&'static str, ClusterRules)> {
    let reaching = || ClusterRules { threshold: Some(THRESHOLD), ..ClusterRules::default() };
    let linkage = |linkage| ClusterRules {
        method: ClusterMethod::Linkage { linkage, threshold: THRESHOLD },
        ..ClusterRules::default()
    };
    let limits = vec![ClusterLimit { counted: Counted::RecordsOfEach, most: MOST }];
    vec![
        ("components", reaching()),
        ("max_size", ClusterRules { max_size: Some(MOST), ..reaching() }),
        ("limit", ClusterRules { limits, ..reaching() }),
        ("one_to_one", ClusterRules { one_to: Some(OneTo::One), ..reaching() }),
        ("keep_apart", ClusterRules { keep_apart: true, ..reaching() }),
        ("optimal", ClusterRules { method: ClusterMethod::Optimal, ..reaching() }),
        ("average", linkage(Linkage::Average)),
        ("complete", linkage(Linkage::Complete)),
        ("louvain", ClusterRules { method: ClusterMethod::Louvain, ..reaching() }),
        ("bridges", ClusterRules { split: Some(BridgeSplit { density: 0.25 }), ..reaching() }),
    ]
}

/// Random edges, each within a block of rows.
struct RandomGraph {
    edges: u64,
    rows: u64,
    block: u64,
}

/// A random number below a limit.
fn below(seed: u64, limit: u64) -> u64 {
    ((u128::from(report::mix(seed)) * u128::from(limit)) >> 64) as u64
}

impl RandomGraph {
    /// Two different rows of one block.
    fn pair(&self, seed: u64) -> [u32; 2] {
        let row = below(seed, self.rows);
        let first = (row - row % self.block).min(self.rows - 2);
        let rows = self.block.min(self.rows - first);
        let other = (row - first + 1 + below(seed + 1, rows - 1)) % rows + first;
        [row as u32, other as u32]
    }

    fn edge(&self, at: u64) -> Edge {
        let weight = below(4 * at + 3, STEPS) as f64 / 128.0 - 8.0;
        Edge::new(self.pair(4 * at + 1), EdgeKind::Scored, Some(weight), 0).expect("a weight")
    }

    fn edges(&self) -> Edges {
        let mut edges = Edges::new(self.rows as u32, 1);
        edges.reserve(self.edges as usize);
        edges.par_extend((0..self.edges as usize).into_par_iter().map(|at| self.edge(at as u64)));
        edges
    }

    /// A hash of the pairs of rows.
    fn digest(&self) -> String {
        let mixed = |at: u64| {
            let [l, r] = self.edge(at).rows();
            report::mixed((l, r))
        };
        format!("{:016x}", (0..self.edges).into_par_iter().map(mixed).reduce(|| 0, u64::wrapping_add))
    }

    /// Two sources, some values and pairs that are forbidden: one for each eight rows.
    fn facts(&self, rules: &ClusterRules) -> RowFacts {
        let rows = 0..self.rows as u32;
        let needs_sources = rules.one_to.is_some() || rules.method == ClusterMethod::Optimal;
        let forbidden = |at: u64| self.pair(u64::MAX / 2 + 4 * at);
        RowFacts {
            sources: if needs_sources { rows.clone().map(|row| row % 2).collect() } else { Vec::new() },
            values: rules.limits.iter().map(|_| rows.clone().map(|row| row % 3).collect()).collect(),
            forbidden: if rules.keep_apart { (0..self.rows / 8).map(forbidden).collect() } else { Vec::new() },
            apart: Vec::new(),
        }
    }
}

/// Components at several thresholds.
fn thresholds(graph: &RandomGraph, repeats: u64) {
    let (mut seconds, mut columns) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let edges = graph.edges();
        let begun = Instant::now();
        columns = components_at(edges, &THRESHOLDS, Cancel::NEVER);
        seconds.push(begun.elapsed().as_secs_f64());
    }
    for (threshold, first_rows) in THRESHOLDS.iter().zip(&columns) {
        let is_together = |at: u64| {
            let edge = graph.edge(at);
            let [l, r] = edge.rows().map(|row| first_rows[row as usize]);
            l == r || edge.weight() < Some(*threshold)
        };
        assert!((0..graph.edges).into_par_iter().all(is_together), "components at {threshold}");
    }
    let clusters: Vec<usize> = columns.iter().map(|first_rows| count(first_rows)).collect();
    print("thresholds", graph, &seconds, &json!({ "clusters": clusters }));
}

/// One clustering.
fn measure(name: &str, rules: &ClusterRules, graph: &RandomGraph, repeats: u64) {
    rules.check(2).expect("rules with a sense");
    let facts = graph.facts(rules);
    let (mut seconds, mut found) = (Vec::new(), Clusters::default());
    for _ in 0..repeats {
        let edges = graph.edges();
        let begun = Instant::now();
        found = cluster(edges, rules, &facts, Cancel::NEVER).expect("no decisions");
        seconds.push(begun.elapsed().as_secs_f64());
    }
    check(name, rules, &facts, graph, &found);
    let facts = json!({ "clusters": count(&found.first_rows), "cut": found.cut.len() });
    print(name, graph, &seconds, &facts);
}

fn count(first_rows: &[u32]) -> usize {
    first_rows.par_iter().enumerate().filter(|(row, first)| *row == **first as usize).count()
}

/// What must hold of every answer, and of the constraints.
fn check(name: &str, rules: &ClusterRules, facts: &RowFacts, graph: &RandomGraph, found: &Clusters) {
    let first = |row: u32| found.first_rows[row as usize];
    let is_name = |row: u32| first(row) <= row && first(first(row)) == first(row);
    assert!((0..graph.rows as u32).into_par_iter().all(is_name), "{name}: a cluster is called by its first row");
    assert!(found.cut.par_iter().all(|edge| first(edge.rows[0]) != first(edge.rows[1])), "{name}: cut edges");
    assert!(facts.forbidden.par_iter().all(|[l, r]| first(*l) != first(*r)), "{name}: forbidden pairs");
    let is_cut = |rows: [u32; 2]| found.cut.binary_search_by_key(&rows, |edge| edge.rows).is_ok();
    let is_listed = |at: u64| {
        let edge = graph.edge(at);
        let [l, r] = edge.rows();
        let is_left_out = rules.threshold.is_some_and(|threshold| edge.weight() < Some(threshold));
        is_left_out || (first(l) != first(r)) == is_cut([l, r])
    };
    assert!((0..graph.edges).into_par_iter().all(is_listed), "{name}: edges between clusters are cut");
    let mut sizes = vec![[0_u32; 3]; graph.rows as usize];
    let kinds = if rules.limits.is_empty() { 2 } else { 3 };
    (0..graph.rows as u32).for_each(|row| sizes[first(row) as usize][(row % kinds) as usize] += 1);
    let most = |most: u32| sizes.par_iter().flatten_iter().all(|records| *records <= most);
    assert!(rules.max_size.is_none() || sizes.iter().all(|sizes| sizes.iter().sum::<u32>() <= MOST), "{name}: size");
    assert!(rules.limits.is_empty() || most(MOST), "{name}: records of a value");
    let is_one_to_one = rules.one_to.is_some() || rules.method == ClusterMethod::Optimal;
    assert!(!is_one_to_one || most(1), "{name}: records of a source");
    let is_whole = name != "components" || found.cut.is_empty();
    assert!(is_whole && found.cut.iter().all(|edge| edge.cause != CutCause::Bridge || rules.split.is_some()), "{name}");
}

fn print(name: &str, graph: &RandomGraph, seconds: &[f64], facts: &serde_json::Value) {
    let rates: Vec<f64> = seconds.iter().map(|seconds| graph.edges as f64 / seconds).collect();
    report::print(&json!({
        "op": "clusters", "clustering": name, "edges": graph.edges, "rows": graph.rows, "block": graph.block,
        "digest": graph.digest(),
        "seconds": seconds, "edges_per_second": rates, "found": facts, "peak_bytes": memory::peak(),
        "threads": rayon::current_num_threads(),
    }));
}
