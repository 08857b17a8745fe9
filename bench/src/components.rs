//! The benchmark of connected components, on random edges in memory.
//!
//! Arguments: `--vertices 1000000`, `--edges 4000000`, `--repeats 5`. One line of JSON.

use std::time::Instant;

use rayon::prelude::*;
use sameas_core::cancel::Cancel;
use sameas_relations::graph::connected_components;
use serde_json::json;

use super::report;

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let number = |name: &str, default: u64| {
        report::option(args, name).map_or(default, |text| text.parse().expect("a whole number after the option"))
    };
    let vertices = number("--vertices", 1_000_000);
    let (edges, repeats) = (number("--edges", 4 * vertices), number("--repeats", 5));
    let vertex = |bits: u64| ((u128::from(report::mix(bits)) * u128::from(vertices)) >> 64) as u32;
    let pairs: Vec<[u32; 2]> = (0..edges).into_par_iter().map(|at| [vertex(2 * at + 1), vertex(2 * at + 2)]).collect();
    let (mut seconds, mut components) = (Vec::new(), 0);
    for _ in 0..repeats.max(1) {
        let begun = Instant::now();
        let roots = connected_components(vertices as u32, &pairs, Cancel::NEVER);
        seconds.push(begun.elapsed().as_secs_f64());
        components = roots.par_iter().enumerate().filter(|(at, root)| *at == **root as usize).count();
    }
    let rates: Vec<f64> = seconds.iter().map(|seconds| edges as f64 / seconds).collect();
    report::print(&json!({
        "op": "components", "vertices": vertices, "edges": edges, "components": components, "seconds": seconds,
        "edges_per_second": rates, "threads": rayon::current_num_threads(),
    }));
}
