//! Whole jobs and expressions, drawn from the bytes: the engine must answer as the oracle does.

use sameas::DeviceChoice;
use sameas_testkit::case::Case;
use sameas_testkit::oracle::evaluate;
use sameas_testkit::random::{case_of_bytes, expressions_of_bytes};
use sameas_testkit::rng::Rng;
use sameas_testkit::selftest::compare::compare;
use sameas_testkit::selftest::engine::Engine;
use sameas_testkit::selftest::variant::{Variant, drawn};

use crate::{limits, world};

/// A job over one or two tables, in two ways.
pub fn job(input: &[u8]) {
    let seed = Rng::from_bytes(input).next_u64();
    agree(&case_of_bytes(input), seed, &drawn(DeviceChoice::Cpu, seed % 1_000_003));
}

/// Values of expressions, compared in every way.
pub fn expression(input: &[u8]) {
    let seed = input.len() as u64;
    agree(&expressions_of_bytes(input), seed, &drawn(DeviceChoice::Cpu, seed)[..1]);
}

/// The seed chooses how the case is written to files.
fn agree(case: &Case, seed: u64, variants: &[Variant]) {
    let engine = Engine::default();
    let answer = limits::aside(|| evaluate(case));
    let failure = compare(case, &answer, seed, world::folder().path(), &|case, seed, folder| {
        engine.run(case, seed, variants, folder)
    });
    if let Some(failure) = failure {
        panic!("{case}\n{}", failure.text());
    }
}
