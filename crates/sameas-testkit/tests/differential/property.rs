//! Random tables and rules: the engine finds what the oracle finds.

use std::time::Duration;

use sameas_device::DeviceChoice;
use sameas_testkit::selftest::compare::{Subject, report};
use sameas_testkit::selftest::engine::Engine;
use sameas_testkit::selftest::groups::case_of;
use sameas_testkit::selftest::variant::{drawn, paths};

use super::survey::{CASES, Survey, run, seeds};

#[test]
fn the_engine_agrees_with_the_oracle_on_random_cases() {
    let engine = Engine::default();
    let subject: &Subject<'_> = &|case, seed, folder| engine.run(case, seed, &drawn(DeviceChoice::Cpu, seed), folder);
    let (survey, failed) = run(seeds(), 2, subject);
    if let Some((seed, failure)) = failed {
        panic!("seed {seed} fails\n\n{}", report(case_of(seed), seed, &failure, subject, Duration::from_secs(60)));
    }
    if survey.cases >= CASES {
        the_cases_were_worth_running(&survey);
        let mut expected = paths();
        expected.sort_unstable();
        assert_eq!(engine.paths(), expected);
    }
}

/// A comparison that never sees a pair, a null or a veto says nothing about them.
fn the_cases_were_worth_running(survey: &Survey) {
    assert!(survey.with_pairs * 2 >= survey.cases, "only {} of {} cases have pairs", survey.with_pairs, survey.cases);
    assert_eq!(survey.coverage.missing(), Vec::<String>::new());
    let Survey { with_or, with_not, asymmetric, nevers, derives, kinds, of_several, .. } = survey;
    for (what, seen) in [
        ("or", *with_or),
        ("not", *with_not),
        ("asymmetric rules", *asymmetric),
        ("never", *nevers),
        ("derive", *derives),
        ("dedupe", kinds[0]),
        ("link", kinds[1]),
        ("link and dedupe", kinds[2]),
        ("link of several", of_several[1]),
        ("link and dedupe of several", of_several[2]),
    ] {
        assert!(seen > 0, "no case with {what}");
    }
    // A join that is never chosen because of equalities is not tested, whatever the rules say.
    assert!(survey.with_carried * 2 >= survey.cases, "only {} cases with similarity alone", survey.with_carried);
    for join in ["edit_join", "jaro_join", "neighbourhood", "set_join"] {
        let rules = survey.carried.get(join).copied().unwrap_or_default();
        assert!(rules.iter().all(|rules| rules * 100 >= survey.cases), "{join} carries only {rules:?} rules");
    }
}
