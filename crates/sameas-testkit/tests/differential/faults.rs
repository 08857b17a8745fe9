//! Whether the comparison notices: oracles with one seeded fault each take the engine's place in the same loop.

use sameas_testkit::case::Case;
use sameas_testkit::oracle::faulty::{self, Fault};

use super::compare::Failure;
use super::outcome::Outcome;
use super::survey::{CASES, run};

#[test]
fn every_seeded_fault_is_caught() {
    let mut told = Vec::new();
    for fault in Fault::ALL {
        let stand_in = |case: &Case, _: u64, _: &_| Ok(Outcome::of_answer(case, &faulty::evaluate(case, fault)));
        let (survey, failed) = run(0..CASES, 1, &stand_in);
        let failed = failed.unwrap_or_else(|| panic!("{fault:?} is not noticed in {} cases", survey.cases));
        assert!(matches!(failed.failure, Failure::Differs(_)));
        told.push(format!("{fault:?}: caught by case {} of seed {}", survey.cases, failed.seed));
    }
    // Shown by `--nocapture`, or when a fault gets away.
    print_lines(&told);
}

#[expect(clippy::print_stdout, reason = "a test speaks through its output")]
fn print_lines(lines: &[String]) {
    println!("{}", lines.join("\n"));
}
