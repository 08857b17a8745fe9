//! Random jobs whose pairs have scores: the engine keeps the pairs that the oracle keeps, with the same weights and levels.

use std::time::Duration;

use sameas::device::DeviceChoice;
use sameas_testkit::selftest::compare::{Subject, report};
use sameas_testkit::selftest::engine::Engine;
use sameas_testkit::selftest::groups::{scored_case_of, scored_task};
use sameas_testkit::selftest::runner::Task;
use sameas_testkit::selftest::variant::drawn;

use super::survey::{CASES, ScoreSurvey, run_tasks, seeds};

#[test]
fn the_engine_agrees_with_the_oracle_on_scores() {
    let engine = Engine::default();
    let subject: &Subject<'_> = &|case, seed, folder| engine.run(case, seed, &drawn(DeviceChoice::Cpu, seed), folder);
    let tasks: Vec<Task> = seeds().map(scored_task).collect();
    let (survey, failed) = run_tasks(&tasks, 2, subject);
    if let Some((seed, failure)) = failed {
        let case = scored_case_of(seed);
        panic!("seed {seed} fails\n\n{}", report(case, seed, &failure, subject, Duration::from_secs(60)));
    }
    if survey.cases >= CASES {
        assert!(survey.with_pairs * 3 >= survey.cases * 2, "only {} cases have pairs", survey.with_pairs);
        the_scores_were_worth_it(&survey.scores, survey.cases);
        let [too_low, complete] = engine.without_rules();
        assert!(complete * 4 >= survey.cases && too_low * 50 >= survey.cases, "{complete} complete, {too_low} too low");
    }
}

/// What is in one case of twenty at least.
fn the_scores_were_worth_it(scores: &ScoreSurvey, cases: u64) {
    for (what, seen) in [
        ("no rules", scores.without_rules),
        ("certain rules", scores.certain),
        ("term frequencies", scores.adjusted),
        ("null", scores.null),
        ("a pair at the threshold", scores.at_threshold),
        ("null above else", scores.null_beats_else),
        ("a level below else", scores.else_beats_level),
    ] {
        assert!(seen * 20 >= cases, "only {seen} of {cases} cases with {what}");
    }
}
