//! Random tables and rules: the engine gives what the oracle gives.

use super::compare::report;
use super::engine::Engine;
use super::survey::{CASES, Survey, case_of, run, seeds};

/// Every access path, in the order of the alphabet.
pub const PATHS: [&str; 6] = ["all_pairs", "edit_join", "equi_join", "jaro_join", "neighbourhood", "set_join"];

#[test]
fn the_engine_agrees_with_the_oracle_on_random_cases() {
    let engine = Engine::default();
    let (survey, failed) = run(seeds(), 2, &|case, seed, folder| engine.run(case, seed, folder));
    if let Some(failed) = failed {
        let folder = tempfile::tempdir().unwrap();
        let subject = |case: &_, seed, folder: &_| engine.run(case, seed, folder);
        panic!("{}", report(case_of(failed.seed), failed.seed, &failed.failure, folder.path(), &subject));
    }
    if survey.cases >= CASES {
        the_cases_were_worth_running(&survey);
        assert_eq!(engine.paths(), PATHS);
    }
}

/// A comparison that never sees a pair, a null or a veto says nothing about them.
fn the_cases_were_worth_running(survey: &Survey) {
    assert!(survey.with_pairs * 2 >= survey.cases, "only {} of {} cases have pairs", survey.with_pairs, survey.cases);
    assert_eq!(survey.coverage.missing(), Vec::<String>::new());
    let Survey { with_or, with_not, asymmetric, nevers, derives, kinds, .. } = survey;
    for (what, seen) in [
        ("or", *with_or),
        ("not", *with_not),
        ("asymmetric rules", *asymmetric),
        ("never", *nevers),
        ("derive", *derives),
        ("dedupe", kinds[0]),
        ("link", kinds[1]),
        ("link and dedupe", kinds[2]),
    ] {
        assert!(seen > 0, "no case with {what}");
    }
    // A join that equalities always go before is not tested, whatever the rules ask.
    assert!(survey.with_carried * 2 >= survey.cases, "only {} cases with likeness alone", survey.with_carried);
    for join in ["edit_join", "jaro_join", "neighbourhood", "set_join"] {
        let rules = survey.carried.get(join).copied().unwrap_or_default();
        assert!(rules.iter().all(|rules| rules * 100 >= survey.cases), "{join} carries only {rules:?} rules");
    }
}
