//! `sameas-bench`: measures one operator at a time and prints a line of JSON for each measurement. `bench/run` drives
//! it and the peers; by hand: `sameas-bench edit_join --file names.txt --k 2`. The experiments on planning print
//! tables.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what a benchmark finds is its output")]

mod cancel;
mod chained_join;
mod closure;
mod clusters;
mod components;
mod edit_join;
mod entity_records;
mod equi_join;
mod gpu;
mod loading;
mod loading_again;
mod planning;
mod report;
mod set_join;
mod text_join;
mod why_again;

use std::process::ExitCode;

/// What measures an operator, given its options.
type Measure = fn(&[String]);

/// The operators and what measures them.
const OPERATORS: &[(&str, Measure)] = &[
    ("entity-records", entity_records::run),
    ("equi_join", equi_join::run),
    ("set_join", set_join::run),
    ("edit_join", edit_join::run),
    ("text_join", text_join::run),
    ("closure", closure::run),
    ("components", components::run),
    ("clusters", clusters::run),
    ("loading", loading::run),
    ("loading-again", loading_again::run),
    ("why-again", why_again::run),
    ("cancel", cancel::run),
    ("cost_models", planning::cost_models),
    ("lsh_evenness", planning::lsh_evenness),
    ("gpu-checks", gpu::checks::run),
    ("gpu-equi-join", gpu::equi_join::run),
    ("gpu-set-join", gpu::set_join::run),
    ("gpu-text-join", gpu::text_join::run),
    ("closure-gpu", gpu::closure::run),
    ("schedule", gpu::schedule::run),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let wanted = args.first().map_or("", String::as_str);
    let Some((_, run)) = OPERATORS.iter().find(|(name, _)| *name == wanted) else {
        let names: Vec<&str> = OPERATORS.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: sameas-bench {} [OPTIONS]; each module says which", names.join("|"));
        return ExitCode::from(2);
    };
    run(&args[1..]);
    ExitCode::SUCCESS
}
