//! Replays the corpus and all regressions, then changes of them by a seed, without a fuzzer and without instrumentation.
//!
//! `SAMEAS_FUZZ_SECONDS=60 cargo test -p sameas-fuzz` looks for a minute at each target, `SAMEAS_FUZZ_SEED` looks elsewhere.

use std::path::Path;
use std::time::{Duration, Instant};

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

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The changes that are tried for each target where no time is given.
const ROUNDS: u64 = 200;

/// Runs an input; a panic is passed on with the input, so that it can be kept.
fn run(target: Target, name: &str, input: &[u8]) {
    let result = std::panic::catch_unwind(|| limits::run(target, input));
    assert!(result.is_ok(), "target {}, {name}:\n{}", target.name, input.escape_ascii());
}

// One test, because memory is counted for the whole process.
#[test]
fn no_input_does_harm() {
    let time = setting("SAMEAS_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = setting("SAMEAS_FUZZ_SEED").unwrap_or(1);
    for target in TARGETS {
        let corpus = inputs("corpus", target);
        assert!(!corpus.is_empty(), "no corpus for {}", target.name);
        for (name, input) in corpus.iter().chain(&inputs("regressions", target)) {
            run(target, name, input);
        }
        let begun = Instant::now();
        let goes_on = |round: &u64| time.map_or(*round < ROUNDS, |time| begun.elapsed() < time);
        for round in (0..).take_while(goes_on) {
            let rng = &mut Rng::new((seed << 32) | round);
            let (_, input) = rng.pick(&corpus);
            let (_, other) = rng.pick(&corpus);
            run(target, &format!("round {round}"), &mutation::changed(rng, input, other, target.longest));
        }
    }
}
