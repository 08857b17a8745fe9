//! Scores of small jobs, computed by hand.

use super::super::evaluate;
use super::*;
use crate::case::{Job, JobKind, Level, Op, Rule, Table};

fn both(op: Op, name: &str) -> Expr {
    Expr::binary(op, Expr::l(name), Expr::r(name))
}

fn level(when: Expr, m: f64, u: f64) -> Level {
    Level { when, shares: LevelShares { m, u } }
}

/// Equal names weigh 3 bits, other known ones -2; an age that is at most as large as the other's weighs 1, else -1.
fn people() -> Case {
    let rows: [&[Option<&str>]; 4] =
        [&[Some("ann"), Some("3")], &[Some("ann"), Some("2")], &[Some("bob"), None], &[None, Some("2")]];
    let name = Compare {
        name: Some("name".into()),
        levels: vec![level(both(Op::Equal, "name"), 1.0, 0.125)],
        otherwise: LevelShares { m: 0.25, u: 1.0 },
        term_frequency: None,
    };
    let age = Compare {
        name: None,
        levels: vec![level(both(Op::Less, "age"), 0.5, 0.25)],
        otherwise: LevelShares { m: 0.25, u: 0.5 },
        term_frequency: None,
    };
    let threshold = Threshold::Weight(0.0);
    let scoring = Some(Scoring { comparisons: vec![name, age], prior: 0.5, threshold, with_levels: true });
    let job = Job { kind: JobKind::Dedupe, derives: vec![], rules: vec![], nevers: vec![], scoring };
    Case { tables: vec![Table::of_texts(&["name", "age"], &rows)], job }
}

/// Weights in bits and outcomes of all pairs.
fn scores(case: &Case) -> Vec<(f64, Vec<usize>)> {
    let of = |(_, score): (_, PairScore)| (bits(score.total()), score.parts.iter().map(|part| part.outcome).collect());
    all_scores(case).into_iter().map(of).collect()
}

fn edited(edit: impl FnOnce(&mut Case, &mut Scoring)) -> Case {
    let mut case = people();
    let mut scoring = case.job.scoring.take().expect("it has scores");
    edit(&mut case, &mut scoring);
    case.job.scoring = Some(scoring);
    case
}

#[test]
fn the_first_level_that_holds_counts_and_null_weighs_nothing() {
    // The younger of the first two may be on either side.
    let expected = [
        (4.0, vec![0, 0]),
        (-2.0, vec![1, 2]),
        (1.0, vec![2, 0]),
        (-2.0, vec![1, 2]),
        (-1.0, vec![2, 1]),
        (0.0, vec![2, 2]),
    ];
    assert_eq!(scores(&people()), expected);
    let answer = evaluate(&people());
    assert_eq!(answer.pairs, [(0, 1, 0), (0, 3, 0), (2, 3, 0)]);
    assert_eq!(answer.outcomes, [vec![1, 2, 3], vec![2, 1, 3]]);
    assert_eq!(answer.clusters, [0; 4]);
}

#[test]
fn rare_values_weigh_more() {
    let of = |weight, minimum| Some(TermFrequency { column: "name".into(), weight, minimum, given: None });
    let best =
        |of: Option<TermFrequency>| scores(&edited(|_, scoring| scoring.comparisons[0].term_frequency = of))[0].0;
    // Two of three names are `ann`; u of the level is 1/8.
    let more = 0.125_f64.log2() - (2.0_f64 / 3.0).log2();
    assert!((best(of(None, None)) - (4.0 + more)).abs() < 1e-9);
    assert!((best(of(Some(0.5), None)) - (4.0 + more / 2.0)).abs() < 1e-9);
    assert_eq!(best(of(None, Some(1.0))), 1.0);
}

#[test]
fn given_frequencies_take_the_place_of_counted_ones() {
    let best = |name: &str, are_counts: bool, minimum: Option<f64>| {
        let rows = vec![(name.to_owned(), if are_counts { 3.0 } else { 0.25 }), ("nobody".to_owned(), 1.0)];
        let given = Some(FrequencyTable { rows, are_counts, is_of_splink: false });
        let of = TermFrequency { column: "name".into(), weight: None, minimum, given };
        scores(&edited(|_, scoring| scoring.comparisons[0].term_frequency = Some(of)))[0].0
    };
    // u of the level is 1/8: a share of 1/4 takes a bit, and three of four records more.
    assert_eq!(best("ann", false, None), 3.0);
    assert!((best("ann", true, None) - (1.0 - 0.75_f64.log2())).abs() < 1e-9);
    assert_eq!(best("ann", false, Some(0.5)), 2.0);
    // Lacking, it is not adjusted, whatever is least.
    assert_eq!((best("bob", false, None), best("bob", true, Some(0.5))), (4.0, 4.0));
}

#[test]
fn certain_rules_need_no_score_and_come_first() {
    let case = edited(|case, scoring| {
        let certain = Rule { is_certain: true, ..Rule::new(both(Op::NotEqual, "name")) };
        case.job.rules = vec![Rule::new(Expr::unary(Op::IsNotNull, Expr::l("age"))), certain];
        scoring.threshold = Threshold::Probability(0.5);
    });
    let answer = evaluate(&case);
    assert_eq!(answer.pairs, [(0, 1, 0), (0, 2, 1), (0, 3, 0), (1, 2, 1), (2, 3, 0)]);
    assert_eq!((answer.alone, answer.marginal), (vec![6, 2], vec![4, 2]));
}

#[test]
fn probabilities_of_weights() {
    assert_eq!((probability(0), probability(steps(2.0)), probability(steps(-2.0))), (0.5, 0.8, 0.2));
    assert_eq!((probability(steps(1024.0)), steps(f64::INFINITY)), (1.0, steps(1024.0)));
    assert_eq!(odds(0.8), steps(2.0));
}
