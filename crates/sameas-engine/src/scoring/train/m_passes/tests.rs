//! Models of tables that were drawn with known shares, and of tables that have nothing to learn from.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};

use super::super::super::testing::TestRecords;
use super::*;
use crate::job::Job;
use crate::records::Input;
use crate::records::stats::Random;
use crate::rules::RuleFile;

const COLUMNS: [&str; 4] = ["a", "b", "c", "d"];

/// Rules over columns a to d that compare each of them in three levels, *else* included.
fn set_of(compared: &[&str], train: &str) -> (RuleSet, RuleFile) {
    let column = |name: &str| -> ArrayRef { Arc::new(StringArray::from(vec![format!("{name}1"), format!("{name}2")])) };
    let names = ["id"].into_iter().chain(COLUMNS);
    let batch = RecordBatch::try_from_iter(names.map(|name| (name, column(name)))).unwrap();
    let compare = compared.iter().map(|name| {
        let levels = format!("\"l.{name} = r.{name}\", \"levenshtein(l.{name}, r.{name}) <= 1\"");
        format!("[[compare]]\nname = \"{name}\"\nlevels = [{levels}]\n")
    });
    let file = RuleFile::parse(&format!("{}{train}", compare.collect::<String>()), "rules.toml").unwrap();
    let job = Job::dedupe(Input::batches("all", batch.schema(), vec![batch]).unwrap()).with_rules(file.clone());
    (TestRecords::read(&job).rules, file)
}

const TRAIN: &str = "[train]\nrules = [\"l.a = r.a\", \"l.b = r.b\"]\n";

/// Pairs of records: outcomes of all comparisons, whether they match, and how many there are.
type DrawnPair = (Vec<usize>, u64);

/// A population of which only those pairs are listed that a rule has or that match.
struct Population {
    listed: Vec<DrawnPair>,
    /// By comparison and outcome, all pairs.
    shares: Vec<Vec<u128>>,
    pairs: u64,
    matches: u64,
}

fn drawn(random: &mut Random, shares: &[f64]) -> usize {
    let (mut left, mut at) = (random.unit(), 0);
    while at + 1 < shares.len() && left >= shares[at] {
        left -= shares[at];
        at += 1;
    }
    at
}

impl Population {
    /// Draws pairs of comparisons that are independent. u is exactly that of the pairs that do not match.
    fn new(random: &mut Random, m: &[Vec<f64>], u: &[Vec<f64>], (pairs, matches): (u64, u64)) -> Self {
        let mut listed: Vec<Vec<usize>> = Vec::new();
        for _ in 0..matches {
            listed.push(m.iter().map(|m| drawn(random, m)).collect());
        }
        let others = (pairs - matches) as f64;
        let all = |at: usize, outcome: usize| {
            let matching = listed.iter().filter(|outcomes| outcomes[at] == outcome).count() as u128;
            matching + (others * u[at][outcome]).round() as u128
        };
        let shares = (0..m.len()).map(|at| (0..m[at].len()).map(|outcome| all(at, outcome)).collect()).collect();
        let with_a = (others * u[0][0]).round() as u64;
        for _ in 0..with_a {
            listed.push((0..u.len()).map(|at| if at == 0 { 0 } else { drawn(random, &u[at]) }).collect());
        }
        let second = if u.len() > 1 { (others * u[1][0]).round() as u64 } else { 0 };
        for _ in 0..second {
            let outcomes: Vec<usize> = (0..u.len()).map(|at| if at == 1 { 0 } else { drawn(random, &u[at]) }).collect();
            // Those with both are among the first.
            listed.extend((outcomes[0] != 0).then_some(outcomes));
        }
        Self { listed: listed.into_iter().map(|outcomes| (outcomes, 1)).collect(), shares, pairs, matches }
    }

    /// What rules that ask for equal values of the first two columns find; `certain` says which pairs are certain.
    fn counts(&self, shape: &Patterns, training: usize, certain: impl Fn(&[usize]) -> bool) -> PatternCounts {
        let mut counts = PatternCounts::default();
        for (outcomes, pairs) in &self.listed {
            let of_rules = (0..training).filter(|rule| outcomes[*rule] == 0).fold(0, |mask, rule| mask | 1 << rule);
            let mask = of_rules | u64::from(certain(outcomes)) << training;
            let pattern = outcomes.iter().enumerate().map(|(at, outcome)| shape.part(at, *outcome)).sum();
            if mask > 0 {
                counts.add_many(mask, pattern, *pairs);
            }
        }
        counts
    }

    fn outcome_shares(&self) -> OutcomeShares {
        let levels = self.shares.iter().map(|counts| LevelShare::counted(counts, counts.iter().sum())).collect();
        let present = |counts: &Vec<u128>| counts.iter().sum::<u128>() as f64 / self.pairs as f64;
        let present = self.shares.iter().map(|counts| WithError { value: present(counts), error: 0.0 }).collect();
        OutcomeShares { levels, present }
    }
}

/// Trains on a population; the prior is given, where there is one.
fn trained(of: &Population, (compared, train): (&[&str], &str), certain: impl Fn(&[usize]) -> bool) -> Trained {
    let (set, file) = set_of(compared, train);
    let rules = LearnedRules::choose(&set).unwrap();
    let shape = Patterns::new(&set.scoring.comparisons).unwrap();
    let counts = of.counts(&shape, rules.training, certain);
    let prior = Prior::new(&file, &rules, &counts, of.pairs);
    let shares = of.outcome_shares();
    let (shares, counts) = (&shares, &counts);
    TrainingInput {
        set: &set,
        rules: &rules,
        shares,
        counts,
        sampled: &[],
        prior,
        pairs: of.pairs,
        all: None,
        combine_dependent: false,
        cancel: Cancel::NEVER,
    }
    .learn()
    .unwrap()
}

fn given(of: &Population) -> String {
    format!("{TRAIN}[score]\nprior = {:e}\n", of.matches as f64 / of.pairs as f64)
}

fn kinds(trained: &Trained) -> Vec<String> {
    let kind =
        |warning: &TrainingWarning| format!("{warning:?}").split([' ', '{']).next().unwrap_or_default().to_owned();
    trained.warnings.iter().map(kind).collect()
}

/// Shares of three outcomes of which the first has this one.
fn three(random: &mut Random, first: f64) -> Vec<f64> {
    let second = (1.0 - first) * (0.2 + 0.4 * random.unit());
    vec![first, second, 1.0 - first - second]
}

fn random_shares(random: &mut Random) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let m = (0..4)
        .map(|_| {
            let first = 0.6 + 0.35 * random.unit();
            three(random, first)
        })
        .collect();
    let u = (0..4).map(|at| {
        let first = if at < 2 { 0.0005 + 0.001 * random.unit() } else { 0.001 + 0.05 * random.unit() };
        let second = first * (0.5 + 2.0 * random.unit());
        vec![first, second, 1.0 - first - second]
    });
    (m, u.collect())
}

#[test]
fn stated_intervals_hold_the_weights_that_tables_were_drawn_with() {
    let mut random = Random::new(5);
    let (mut within, mut all, mut off_most) = (0, 0, 0.0_f64);
    for _ in 0..120 {
        let (m, u) = random_shares(&mut random);
        let matches = 200 + u64::from(random.below(2500));
        let of = Population::new(&mut random, &m, &u, (2_000_000, matches));
        let trained = trained(&of, (&COLUMNS, &given(&of)), |_| false);
        for (at, comparison) in trained.model.comparisons.iter().enumerate() {
            let sum: f64 = comparison.outcomes().map(|level| level.m).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{comparison:?}");
            for (outcome, level) in comparison.outcomes().enumerate().filter(|(_, level)| level.m_pairs >= Some(50.0)) {
                let off = ((level.m / level.u).log2() - (m[at][outcome] / u[at][outcome]).log2()).abs();
                let errors = off / level.weight_error.unwrap();
                all += 1;
                within += usize::from(errors <= 1.96);
                off_most = off_most.max(errors);
            }
        }
    }
    let within = within as f64 / all as f64;
    assert!(all > 1000 && (0.92..=0.99).contains(&within) && off_most < 6.0, "{within} of {all}, {off_most}");
}

#[test]
fn a_clean_table_has_no_warning() {
    let mut random = Random::new(11);
    let (m, u) = random_shares(&mut random);
    let of = Population::new(&mut random, &m, &u, (2_000_000, 1500));
    let learned = trained(&of, (&COLUMNS, &given(&of)), |_| false);
    assert_eq!(learned.warnings, [], "{:?}", learned.warnings);
    assert_eq!(learned.model.to_text(), trained(&of, (&COLUMNS, &given(&of)), |_| false).model.to_text());
    let text = learned.model.to_text();
    assert!(text.contains("smoothing = 0.5\n") && text.contains("weight_error = "), "{text}");
}

#[test]
fn a_comparison_that_all_rules_decide_is_learned_from_certain_pairs() {
    let mut random = Random::new(3);
    let (m, u) = random_shares(&mut random);
    let of = Population::new(&mut random, &m, &u, (2_000_000, 1500));
    let train = |certain: &str| {
        let deterministic = format!("deterministic = [\"{certain}\"]\nrecall = 0.6\n");
        format!("[train]\nrules = [\"l.a = r.a\", \"l.a = r.a and l.b = r.b\"]\n{deterministic}")
    };
    // Both rules read `a`, and the certain one does not.
    let learned =
        trained(&of, (&COLUMNS, &train("l.c = r.c and l.d = r.d")), |outcomes| outcomes[2] == 0 && outcomes[3] == 0);
    let first = &learned.model.comparisons[0].levels[0];
    assert_eq!(first.m_from, Some(LearnedFrom::Certain));
    assert!(
        (first.m - m[0][0]).abs() < 4.0 * first.m_error.unwrap() + 0.05 && first.m_pairs > Some(100.0),
        "{first:?}"
    );
    // None leaves it open: it weighs nothing, and the columns are named.
    let unlearned =
        trained(&of, (&COLUMNS, &train("l.a = r.a and l.d = r.d")), |outcomes| outcomes[0] == 0 && outcomes[3] == 0);
    for level in unlearned.model.comparisons[0].outcomes() {
        assert_eq!((level.m_from, level.m / level.u, level.weight_error), (Some(LearnedFrom::Unseen), 1.0, None));
    }
    let named = unlearned.warnings.iter().find_map(|warning| match warning {
        TrainingWarning::NotLearned { comparison, rules } => Some((comparison.as_str(), rules)),
        _ => None,
    });
    let (comparison, rules) = named.unwrap();
    assert!(comparison == "a" && rules.len() == 3 && rules.iter().all(|rule| rule.columns == ["a"]), "{rules:?}");
}

/// A copy lacks what its record lacks, so that more matches have values than other pairs: 80 % of them, and 40 % of the others.
#[test]
fn u_is_freed_of_as_many_matches_as_have_values() {
    let mut random = Random::new(9);
    let (mut m, mut u) = random_shares(&mut random);
    (m[2], u[2]) = (vec![0.9, 0.05, 0.05], vec![2e-4, 1e-3, 1.0 - 1.2e-3]);
    let mut of = Population::new(&mut random, &m, &u, (2_000_000, 1500));
    let mut matching = [0_u128; 3];
    for (at, (outcomes, _)) in of.listed.iter_mut().enumerate() {
        let is_match = at < 1500;
        if random.unit() < if is_match { 0.2 } else { 0.6 } {
            outcomes[2] = 3;
        } else if is_match {
            matching[outcomes[2]] += 1;
        }
    }
    let others = 0.4 * (of.pairs - of.matches) as f64;
    of.shares[2] = (0..3).map(|at| matching[at] + (others * u[2][at]).round() as u128).collect();
    let learned = trained(&of, (&COLUMNS, &given(&of)), |_| false);
    for (level, u) in learned.model.comparisons[2].outcomes().zip(&u[2]) {
        let off = (level.u - u).abs();
        // Twice as many of these pairs match as of all.
        assert!(off < 4.0 * level.u_error.unwrap() && off < 0.5 * u, "{level:?} {u}");
    }
    assert!(!kinds(&learned).iter().any(|kind| kind == "PriorTooHigh"), "{:?}", learned.warnings);
}

#[test]
fn levels_that_no_pair_has_weigh_nothing() {
    let mut random = Random::new(8);
    let (mut m, mut u) = random_shares(&mut random);
    (m[2], u[2]) = (vec![0.9, 0.0, 0.1], vec![0.01, 1e-6, 0.99 - 1e-6]);
    let of = Population::new(&mut random, &m, &u, (2_000_000, 1500));
    let learned = trained(&of, (&COLUMNS, &given(&of)), |_| false);
    let level = &learned.model.comparisons[2].levels[1];
    assert_eq!((level.m_from, level.m == level.u), (Some(LearnedFrom::Unseen), true), "{level:?}");
    let expected =
        TrainingWarning::LevelsUnseen { comparison: "c".into(), levels: vec!["levenshtein(l.c, r.c) <= 1".into()] };
    assert!(learned.warnings.contains(&expected), "{:?}", learned.warnings);
}

#[test]
fn pairs_that_only_look_like_matches_are_noticed() {
    let mut random = Random::new(21);
    let (m, u) = random_shares(&mut random);
    let mut of = Population::new(&mut random, &m, &u, (2_000_000, 400));
    // Many pairs of the first rule agree in everything, and are none of the matches that the prior knows.
    of.listed.push((vec![0, 2, 0, 0], 20_000));
    let learned = trained(&of, (&COLUMNS, &given(&of)), |_| false);
    let found = kinds(&learned);
    assert!(found.iter().any(|kind| kind == "ShareAboveMatches"), "{found:?}");
    // The pass learns from no more matches than there can be.
    let pass = &learned.model.passes[0];
    assert!(
        pass.pairs > 20_000 && pass.matches * pass.pairs as f64 <= 400.0 + 3.0 * 400.0_f64.sqrt() + 1e-6,
        "{pass:?}"
    );
}

#[test]
fn a_rule_has_the_part_of_all_matches_that_certain_rules_say() {
    let mut random = Random::new(23);
    let (mut m, u) = random_shares(&mut random);
    m[0] = vec![0.7, 0.2, 0.1];
    let mut of = Population::new(&mut random, &m, &u, (2_000_000, 1500));
    // Beside 1,050 matches, 400 pairs agree in `a`, nearly in `c`, and in `d`, and are none: with them there are fewer than in all.
    of.listed.push((vec![0, 2, 1, 0], 400));
    // Certain rules compare `c` and `d`: the part of their pairs with equal `a` is that of all matches.
    let is_certain = |outcomes: &[usize]| outcomes[2] == 0 && outcomes[3] == 0;
    let certain = of.listed.iter().filter(|(outcomes, _)| is_certain(outcomes)).count() as f64;
    let deterministic = format!("deterministic = [\"l.c = r.c and l.d = r.d\"]\nrecall = {:.3}\n", certain / 1500.0);
    let learned = trained(&of, (&COLUMNS, &format!("{TRAIN}{deterministic}")), is_certain);
    let pass = &learned.model.passes[0];
    let (expected, matches) = (1500.0 * m[0][0], pass.matches * pass.pairs as f64);
    assert!(matches > 0.9 * expected && matches < 1.3 * expected, "{expected}: {pass:?}");
    let found = kinds(&learned);
    assert!(found.iter().any(|kind| kind == "ShareAboveExpected"), "{found:?}");
    // The other rule has nothing of the kind.
    assert!(!learned.warnings.iter().any(|warning| matches!(
        warning,
        TrainingWarning::ShareAboveExpected { rule, .. } if rule == "l.b = r.b"
    )));
}

#[test]
fn dependent_comparisons_are_named() {
    let mut random = Random::new(2);
    let (m, mut u) = random_shares(&mut random);
    u[2] = vec![0.05, 0.05, 0.9];
    let mut of = Population::new(&mut random, &m, &u, (2_000_000, 1500));
    // `d` says of others what `c` says, in nine of ten pairs.
    for (outcomes, _) in of.listed.iter_mut().skip(1500) {
        if random.unit() < 0.9 {
            outcomes[3] = outcomes[2];
        }
    }
    of.shares[3] = of.shares[2].clone();
    let learned = trained(&of, (&COLUMNS, &given(&of)), |_| false);
    let is_named = |warning: &TrainingWarning| match warning {
        TrainingWarning::Dependent { comparisons, strength, .. } => comparisons == &["c", "d"] && *strength > 0.25,
        _ => false,
    };
    assert!(learned.warnings.iter().any(is_named), "{:?}", learned.warnings);
}

#[test]
fn nothing_to_learn_from_is_said() {
    let mut random = Random::new(4);
    let (m, u) = random_shares(&mut random);
    let none = Population::new(&mut random, &m, &u, (2_000_000, 0));
    // By the pairs alone, and by certain rules that find nothing.
    let certain =
        format!("{TRAIN}deterministic = [\"l.c = r.c and l.d = r.d and l.a = r.a and l.b = r.b\"]\nrecall = 0.5\n");
    for train in [TRAIN, &certain] {
        let found = kinds(&trained(&none, (&COLUMNS, train), |_| false));
        assert!(found.iter().any(|kind| kind == "NoMatches"), "{found:?}");
    }
    // One comparison, which cannot tell its errors from pairs that do not match.
    let one = Population::new(&mut random, &m[..1], &u[..1], (2_000_000, 500));
    let found = kinds(&trained(&one, (&["a"], "[train]\nrules = [\"l.a = r.a\"]\n"), |_| false));
    assert!(found.iter().any(|kind| kind == "NotLearned"), "{found:?}");
    let two = Population::new(&mut random, &m[..2], &u[..2], (2_000_000, 500));
    let found = kinds(&trained(&two, (&["a", "b"], TRAIN), |_| false));
    assert!(found.iter().any(|kind| kind == "ShareUncertain" || kind == "OtherMaximum"), "{found:?}");
}

#[test]
fn what_still_changes_is_named() {
    let of = |values: [f64; 3]| values.map(|value| WithoutMatches { value, error: 0.0, least: value }).to_vec();
    let before = [of([0.1, 0.2, 0.7]), of([0.01, 0.04, 0.95])];
    let after = [of([0.1, 0.21, 0.69]), of([0.01, 0.05, 0.94])];
    let largest = LargestChange::new(&before, &after);
    assert_eq!((largest.comparison, largest.outcome), (1, 1));
    let (set, _) = set_of(&COLUMNS, TRAIN);
    let Some(TrainingWarning::NotSettled { comparison, level, rounds, change }) = largest.warning(&set) else {
        panic!("{largest:?}");
    };
    assert_eq!((comparison.as_str(), level.as_str(), rounds), ("b", "levenshtein(l.b, r.b) <= 1", 25));
    assert!((change - 0.2).abs() < 1e-9, "{change}");
    let otherwise = LargestChange { outcome: 2, ..largest };
    assert!(matches!(otherwise.warning(&set), Some(TrainingWarning::NotSettled { level, .. }) if level == "else"));
    assert_eq!(LargestChange { change: 0.001, ..largest }.warning(&set), None);
    assert_eq!(LargestChange::new(&after, &after).warning(&set), None);
}

#[test]
fn odd_tables_give_models_that_can_be_read() {
    let mut random = Random::new(6);
    let (m, u) = random_shares(&mut random);
    let constant = vec![vec![1.0, 0.0, 0.0]; 4];
    let odd = [
        Population::new(&mut random, &m, &u, (1, 1)),
        Population::new(&mut random, &m, &u, (40, 3)),
        Population::new(&mut random, &m, &constant, (3_000, 10)),
        Population::new(&mut random, &constant, &u, (100_000, 700)),
        Population::new(&mut random, &m, &u, (900, 900)),
    ];
    let null = |mut of: Population| {
        of.listed.iter_mut().for_each(|(outcomes, _)| outcomes[1..].fill(3));
        of.shares[1..].iter_mut().for_each(|counts| counts.fill(0));
        of
    };
    let all = odd.into_iter().chain([null(Population::new(&mut random, &m, &u, (100_000, 300)))]);
    for (number, of) in all.enumerate() {
        for train in [TRAIN.to_owned(), format!("{TRAIN}[score]\nprior = 0.01\n")] {
            let learned = trained(&of, (&COLUMNS, &train), |outcomes| outcomes.iter().all(|outcome| *outcome == 0));
            let read = Model::parse(&learned.model.to_text(), "model.toml").unwrap();
            for level in read.comparisons.iter().flat_map(ComparisonModel::outcomes) {
                let are_shares = [level.m, level.u].iter().all(|share| *share > 0.0 && *share <= 1.0);
                let errors = [level.m_error, level.u_error, level.weight_error];
                let are_errors = errors.iter().flatten().all(|error| error.is_finite() && *error >= 0.0);
                assert!(are_shares && are_errors, "{number}: {level:?}");
            }
            assert!(!learned.warnings.is_empty(), "{number}: {}", learned.model.to_text());
            assert_eq!(read.warnings, learned.warnings, "{number}");
        }
    }
}
