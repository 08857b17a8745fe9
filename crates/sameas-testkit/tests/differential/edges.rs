//! The standing list of edges: the engine gives what the oracle gives.

use sameas_testkit::edges;
use sameas_testkit::oracle::evaluate;

use super::compare::{compare, report};
use super::engine::Engine;

#[test]
fn the_engine_agrees_with_the_oracle_on_every_edge() {
    let engine = Engine::default();
    let folder = tempfile::tempdir().unwrap();
    let subject = |case: &_, seed, folder: &_| engine.run(case, seed, folder);
    for (seed, (name, case)) in (0..).zip(edges::cases()) {
        if let Some(failure) = compare(&case, &evaluate(&case), seed, folder.path(), &subject) {
            panic!("{name}: {}", report(case, seed, &failure, folder.path(), &subject));
        }
    }
}
