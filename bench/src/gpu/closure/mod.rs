//! The benchmark of closures on a GPU: from edges in host memory to tuples in their original ids on the device.
//!
//! `sameas-bench closure-gpu FILES...`, each a list of edges: two whole numbers a line, `#` and `%` begin comments.
//! Options: `--expected bench/closure-counts.txt` (lines of graph, `closure` or `same-generation`, tuples), `--methods
//! carried,rounds,bit-rows-count,bit-rows,same-generation` (and `bit-matrix`, slow, which is measured only if it is
//! named), `--repeats 5`, `--device-memory` bytes. One line of JSON a measurement; seconds are medians, after a run that
//! is not counted. Tuples that do not fit the device are made again and again in the same memory.

mod edges;
mod matrix;
mod methods;
mod rules;

use std::path::Path;

use sameas::Result;
use sameas_device::Gpu;
use serde_json::json;

use self::edges::TextEdges;
use self::methods::{METHODS, MeasuredRun, RunMethod};
use crate::report::{option, print};

/// Options that are followed by a value.
const OPTIONS: [&str; 4] = ["--expected", "--methods", "--repeats", "--device-memory"];

/// Runs the benchmark.
///
/// # Panics
/// If there is no usable GPU, or a file cannot be read.
pub fn run(args: &[String]) {
    let number = |name: &str| option(args, name).map(|text| text.parse::<usize>().expect("a number"));
    let gpu = super::open(number("--device-memory"));
    let expected = option(args, "--expected").map(crate::report::lines).unwrap_or_default();
    let repeats = number("--repeats").unwrap_or(5).max(1);
    let wanted = option(args, "--methods").map(|names| names.split(',').collect::<Vec<_>>());
    for file in files(args) {
        let edges = TextEdges::read(file);
        let name = Path::new(file).file_stem().map_or(file, |stem| stem.to_str().unwrap_or(file));
        for (method, what, run) in METHODS {
            if wanted.as_ref().map_or(*method != "bit-matrix", |wanted| wanted.contains(method)) {
                let count = expected_count(&expected, name, what);
                measure(&gpu, name, &edges, method, *run, count, repeats);
            }
        }
    }
}

/// The arguments that are neither options nor their values.
fn files(args: &[String]) -> impl Iterator<Item = &str> {
    let is_value = |at: usize| at > 0 && OPTIONS.contains(&args[at - 1].as_str());
    let places = (0..args.len()).filter(move |at| !OPTIONS.contains(&args[*at].as_str()) && !is_value(*at));
    places.map(|at| args[at].as_str())
}

/// The tuples that a table says there are.
fn expected_count(table: &[String], graph: &str, what: &str) -> Option<u64> {
    let mut lines = table.iter().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.find_map(|line| match line.as_slice() {
        [name, of, tuples] if *name == graph && *of == what => tuples.parse().ok(),
        _ => None,
    })
}

/// Measures a method. What fails is reported, so that the others are measured.
fn measure(
    gpu: &Gpu,
    graph: &str,
    edges: &TextEdges,
    method: &str,
    run: RunMethod,
    expected: Option<u64>,
    repeats: usize,
) {
    // The first run of a process also loads the kernels.
    let runs = (0..=repeats).map(|_| run(gpu, edges)).skip(1).collect::<Result<Vec<MeasuredRun>>>();
    let runs = match runs {
        Ok(runs) => runs,
        Err(error) => return print(&json!({ "graph": graph, "method": method, "error": error.to_string() })),
    };
    print(&json!({
        "op": "closure-gpu",
        "device": gpu.info().name,
        "memory": gpu.bytes(),
        "graph": graph,
        "edges": edges.len(),
        "method": method,
        "tuples": runs[0].tuples,
        "seconds": median(&runs, |run| run.seconds),
        "device_seconds": median(&runs, |run| run.device_seconds),
        "rounds": runs[0].rounds,
        "drains": runs[0].drains,
        "expected": expected,
        "is_as_expected": expected.map(|expected| runs.iter().all(|run| run.tuples == expected)),
    }));
}

fn median(runs: &[MeasuredRun], of: fn(&MeasuredRun) -> f64) -> f64 {
    let mut all: Vec<f64> = runs.iter().map(of).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
