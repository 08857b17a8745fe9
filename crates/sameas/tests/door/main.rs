//! The front door, used as another program uses it, and the rules of the house that no compiler checks.

mod cancel;
mod dice;
mod functions;
mod house;
mod inputs;
mod numbers;
mod plan;
mod scores;
mod tables;
mod weighted;

#[path = "../../examples/ask_why.rs"]
mod ask_why;
#[path = "../../examples/dedupe_batches.rs"]
mod dedupe_batches;
#[path = "../../examples/link_files.rs"]
mod link_files;

#[test]
fn the_examples_run() {
    dedupe_batches::main().unwrap();
    link_files::main().unwrap();
    ask_why::main().unwrap();
}
