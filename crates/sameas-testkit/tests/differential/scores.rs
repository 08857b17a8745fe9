//! Random jobs whose pairs have scores: the engine keeps the pairs that the oracle keeps, with the same weights and levels.

use std::time::Duration;

use sameas_device::DeviceChoice;
use sameas_testkit::case::{
    Case, Compare, Expr, Job, JobKind, Level, LevelShares, Op, Rule, Scoring, Table, Threshold,
};
use sameas_testkit::oracle::evaluate;
use sameas_testkit::selftest::compare::{Subject, compare, report};
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
    for (what, seen) in [("given term frequencies", scores.given), ("a value that a table lacks", scores.lacking)] {
        assert!(seen * 50 >= cases, "only {seen} of {cases} cases with {what}");
    }
}

/// A dedupe of texts with one comparison, all of whose pairs are kept, with their levels.
fn compared(names: &[&str], rows: &[&[Option<&str>]], levels: Vec<Expr>) -> Case {
    let all = levels.len() as f64;
    let level = |(at, when): (usize, Expr)| {
        let shares = LevelShares { m: 0.9 / all, u: 0.5 / (at + 2) as f64 / all };
        Level { when, shares }
    };
    let compare = Compare {
        name: Some("both".to_owned()),
        levels: levels.into_iter().enumerate().map(level).collect(),
        otherwise: LevelShares { m: 0.01, u: 0.9 },
        term_frequency: None,
    };
    let threshold = Threshold::Weight(-500.0);
    let scoring = Some(Scoring { comparisons: vec![compare], prior: 0.25, threshold, with_levels: true });
    let all = Rule::new(Expr::binary(Op::Equal, Expr::l("all"), Expr::r("all")));
    let job = Job { kind: JobKind::Dedupe, derives: vec![], rules: vec![all], nevers: vec![], scoring };
    Case { tables: vec![Table::of_texts(names, rows)], job }
}

/// The engine has the results of the oracle; gives the numbers of pairs with each level, *else* and *null*.
fn outcomes_of(case: &Case) -> Vec<u64> {
    let (engine, folder) = (Engine::default(), tempfile::tempdir().unwrap());
    let subject: &Subject<'_> = &|case, seed, folder| engine.run(case, seed, &drawn(DeviceChoice::Cpu, seed), folder);
    let answer = evaluate(case);
    for seed in 0..3 {
        assert!(subject(case, seed, folder.path()).is_ok(), "{case}");
        assert_eq!(compare(case, &answer, seed, folder.path(), subject), None, "{case}");
    }
    answer.outcomes[0].clone()
}

fn same(name: &str) -> Expr {
    Expr::binary(Op::Equal, Expr::l(name), Expr::r(name))
}

/// More levels than a byte counts: what has none of them is *else*.
#[test]
fn a_comparison_may_have_hundreds_of_levels() {
    let apart = Expr::unary(Op::Abs, Expr::binary(Op::Subtract, Expr::l("n"), Expr::r("n")));
    let levels = (0..300).map(|most| Expr::binary(Op::Equal, apart.clone(), Expr::int(most))).collect();
    let numbers = ["0", "1", "7", "254", "255", "256", "299", "300", "555", "x"];
    let rows = numbers.map(|number| [Some("k"), Some(number)]);
    let rows: Vec<&[Option<&str>]> = rows.iter().map(|row| &row[..]).collect();
    let outcomes = outcomes_of(&compared(&["all", "n"], &rows, levels));
    assert_eq!((outcomes.len(), outcomes[300], outcomes[301]), (302, 6, 9));
    assert_eq!((outcomes[254], outcomes[255], outcomes[256]), (2, 3, 2));
}

/// A level is null where its condition is, also where it can only hold in another way.
#[test]
fn a_level_is_null_where_its_condition_is() {
    let rows: [&[Option<&str>]; 4] = [
        &[Some("k"), Some("a"), Some("b")],
        &[Some("k"), None, Some("b")],
        &[Some("k"), None, Some("c")],
        &[Some("k"), Some("d"), Some("b")],
    ];
    let either = Expr::binary(Op::Or, same("a"), same("b"));
    let level = Expr::binary(Op::And, either, Expr::unary(Op::Not, same("a")));
    let case = compared(&["all", "a", "b"], &rows, vec![level.clone()]);
    // The first and the last differ in a and agree in b; all others have a null in a, which nothing outweighs.
    assert_eq!(outcomes_of(&case), [1, 0, 5]);
    assert_eq!(outcomes_of(&compared(&["all", "a", "b"], &rows, vec![level, same("b")])), [1, 2, 0, 3]);
}
