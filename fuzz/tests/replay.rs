//! Replays the corpus and all regressions, then changes of them by a seed, without a fuzzer and without instrumentation.
//!
//! `SAMEAS_FUZZ_ROUNDS=10000 cargo test -p sameas-fuzz` looks longer, `SAMEAS_FUZZ_SEED` looks elsewhere.

use std::path::Path;

use sameas_fuzz::allocator::CountingAllocator;
use sameas_fuzz::{TARGETS, Target, limits, mutation};
use sameas_testkit::rng::Rng;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The inputs of a target in a folder, by name; there may be none.
fn inputs(folder: &str, target: Target) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target.name);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_none_or(|e| e != "md"));
    let mut inputs: Vec<_> = paths.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect();
    inputs.sort();
    inputs
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Runs an input; a panic is passed on with the input, so that it can be kept.
fn run(target: Target, name: &str, input: &[u8]) {
    let result = std::panic::catch_unwind(|| limits::run(target, input));
    assert!(result.is_ok(), "target {}, {name}:\n{}", target.name, input.escape_ascii());
}

// One test, because memory is counted for the whole process.
#[test]
fn no_input_does_harm() {
    let (rounds, seed) = (setting("SAMEAS_FUZZ_ROUNDS", 200), setting("SAMEAS_FUZZ_SEED", 1));
    for target in TARGETS {
        let corpus = inputs("corpus", target);
        assert!(!corpus.is_empty(), "no corpus for {}", target.name);
        for (name, input) in corpus.iter().chain(&inputs("regressions", target)) {
            run(target, name, input);
        }
        for round in 0..rounds {
            let rng = &mut Rng::new(seed << 32 | round);
            let (_, input) = rng.pick(&corpus);
            let (_, other) = rng.pick(&corpus);
            run(target, &format!("round {round}"), &mutation::changed(rng, input, other, target.longest));
        }
    }
}
