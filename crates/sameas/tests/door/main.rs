//! The front door, used as another program uses it, and the rules of the house that no compiler checks.

mod cancel;
mod carried_scores;
mod circles;
mod clusters;
mod counts;
mod datasets;
mod dice;
mod frequencies;
mod functions;
mod house;
mod imports;
mod inputs;
mod kept_records;
mod layers;
mod lists;
mod measures;
mod numbers;
mod pair_clusters;
mod plan;
mod profile;
mod record_parts;
mod scores;
mod sources;
mod spec;
mod tables;
mod thresholds;
mod weighted;

#[path = "../../examples/ask_why.rs"]
mod ask_why;
#[path = "../../examples/dedupe_batches.rs"]
mod dedupe_batches;
#[path = "../../examples/link_files.rs"]
mod link_files;
#[path = "../../examples/plan_parts.rs"]
mod plan_parts;
#[path = "../../examples/several_jobs.rs"]
mod several_jobs;

#[test]
fn the_examples_run() {
    dedupe_batches::main().unwrap();
    link_files::main().unwrap();
    ask_why::main().unwrap();
    plan_parts::main().unwrap();
    several_jobs::main().unwrap();
}
