//! Whether the comparison detects faults: oracles with one seeded fault each take the engine's place in the same loop.

use std::time::Duration;

use sameas_testkit::case::Case;
use sameas_testkit::oracle::faulty::{self, Fault};
use sameas_testkit::selftest::compare::{Failure, Subject, report};
use sameas_testkit::selftest::groups::{case_of, scored_task};
use sameas_testkit::selftest::outcome::{NamedOutcome, Outcome};
use sameas_testkit::selftest::runner::Task;

use super::survey::{CASES, run, run_tasks};

/// An oracle with a fault, in the engine's place.
fn stand_in(case: &Case, fault: Fault) -> Result<NamedOutcome, String> {
    let outcome = Outcome::of_answer(case, &faulty::evaluate(case, fault));
    Ok(NamedOutcome { by: format!("{fault:?}"), outcome })
}

#[test]
fn every_seeded_fault_is_caught() {
    let mut caught = Vec::new();
    for fault in Fault::ALL {
        let (survey, failed) = run(0..CASES, 1, &|case, _, _| stand_in(case, fault));
        let (seed, failure) = failed.unwrap_or_else(|| panic!("{fault:?} is not detected in {} cases", survey.cases));
        assert!(matches!(failure, Failure::Differs(_)));
        caught.push(format!("{fault:?}: caught by case {} of seed {seed}", survey.cases));
    }
    // Shown by `--nocapture`, or when a fault is not detected.
    print_lines(&caught);
}

#[test]
fn every_seeded_fault_of_scores_is_caught() {
    let tasks: Vec<Task> = (0..CASES).map(scored_task).collect();
    for fault in Fault::OF_SCORES {
        let (survey, failed) = run_tasks(&tasks, 1, &|case, _, _| stand_in(case, fault));
        let (_, failure) = failed.unwrap_or_else(|| panic!("{fault:?} is not detected in {} cases", survey.cases));
        assert!(matches!(failure, Failure::Differs(_)));
    }
}

#[test]
fn a_report_has_the_rules_the_records_and_the_differing_pairs() {
    let fault = Fault::ALL[0];
    let subject: &Subject<'_> = &|case, _, _| stand_in(case, fault);
    let (_, failed) = run(0..CASES, 1, subject);
    let (seed, failure) = failed.unwrap();
    let text = report(case_of(seed), seed, &failure, subject, Duration::from_secs(2));
    for part in ["[[rule]]", "# table 0", "{\"id\":", &format!("given by: {fault:?}"), "the oracle has"] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[expect(clippy::print_stdout, reason = "a test speaks through its output")]
fn print_lines(lines: &[String]) {
    println!("{}", lines.join("\n"));
}
