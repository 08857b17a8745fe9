//! Thresholds by a precision: found from the pairs, the same however a job runs, and known wherever somebody asks.

use std::sync::atomic::Ordering::Relaxed;

use sameas::score::MatchesFrom;
use sameas::{DeviceChoice, Job, JobSpec, OutputFolder, RuleFile, RunRecord, Session};

use crate::dice::Dice;
use crate::scores::{
    BLOCKING, RULES, Row, ScoredPairs, counted_input, device_sessions, found_by, input, model, row, rules,
};

/// The steps that thresholds are found in.
fn steps() -> impl Iterator<Item = f64> {
    (0..=60 * 64).map(|step| f64::from(step) / 64.0)
}

fn probability(bits: f64) -> f64 {
    1.0 / (1.0 + (-bits).exp2())
}

/// The lowest step from which on the mean of all probabilities is as high, by the definition.
fn plain_threshold(pairs: &ScoredPairs, precision: f64) -> f64 {
    let is_enough = |threshold: &f64| {
        let above: Vec<f64> =
            pairs.iter().filter(|pair| pair.2 >= *threshold).map(|pair| probability(pair.2)).collect();
        above.iter().sum::<f64>() >= (precision - 1e-12) * above.len() as f64
    };
    steps().find(is_enough).unwrap()
}

fn people(seed: u64) -> (Vec<Row>, Dice) {
    let mut dice = Dice(seed);
    let rows = (0..150 + dice.below(100)).map(|_| row(&mut dice)).collect();
    (rows, dice)
}

fn with_precision(text: &str, precision: f64) -> RuleFile {
    RuleFile::parse(&format!("{text}\n[score]\nthreshold = {{ precision = {precision:?} }}\n"), "rules.toml").unwrap()
}

fn threshold_of(record: &RunRecord) -> f64 {
    record.scores.as_ref().unwrap().threshold_weight.unwrap()
}

#[test]
fn the_threshold_is_the_lowest_with_the_precision_however_a_job_runs() {
    let cpu = |threads: usize, memory: usize| {
        Session::builder().threads(threads).memory(memory).device(DeviceChoice::Cpu).build().unwrap()
    };
    let mut sessions = vec![cpu(1, 1 << 30), cpu(3, 1 << 26)];
    sessions.extend(device_sessions());
    let text = format!("{RULES}{}", BLOCKING.replace("certain = true", ""));
    let mut between = 0;
    for seed in 0..8 {
        let (rows, mut dice) = people(300 + seed);
        let mut model = model(&mut dice);
        model.prior = 0.2;
        let job = |rules: RuleFile| Job::dedupe(input("people", &rows)).with_rules(rules).with_model(model.clone());
        let (even, _) = found_by(&sessions[0], &job(rules(&text, 0.0))).unwrap();
        for precision in [0.5, 0.75, 0.9, 0.97] {
            let threshold = plain_threshold(&even, precision);
            let (plain, of_plain) = found_by(&sessions[0], &job(rules(&text, threshold))).unwrap();
            for (number, session) in sessions.iter().enumerate() {
                let context = format!("seed {seed}, precision {precision}, session {number}");
                let (pairs, record) = found_by(session, &job(with_precision(&text, precision))).unwrap();
                assert_eq!(threshold_of(&record), threshold, "{context}");
                assert_eq!(pairs, plain, "{context}");
                assert_eq!((record.pairs, record.clusters), (of_plain.pairs, of_plain.clusters), "{context}");
                let scores = record.scores.unwrap();
                assert_eq!((scores.precision, scores.kept), (Some(precision), plain.len() as u64), "{context}");
                let expected = scores.expected.unwrap();
                assert_eq!(Some(&expected), of_plain.scores.as_ref().unwrap().expected.as_ref(), "{context}");
                assert!(expected.thresholds[0].precision.is_none_or(|found| found >= precision - 1e-12), "{context}");
            }
            between += usize::from(threshold > 0.0 && plain.len() < even.len() && !plain.is_empty());
        }
    }
    assert!(between > 8, "{between}");
}

#[test]
fn what_a_model_expects_is_the_sum_of_its_probabilities() {
    let (rows, mut dice) = people(17);
    let model = model(&mut dice);
    let text = format!("{RULES}{BLOCKING}");
    let job = Job::dedupe(input("people", &rows)).with_rules(rules(&text, 1.0)).with_model(model.clone());
    let run = Session::builder().threads(2).build().unwrap().run(&job, &()).unwrap();
    let record = run.record();
    let expected = record.scores.unwrap().expected.unwrap();
    // The second rule is certain: it comes first, and its pairs are matches whatever their score.
    assert_eq!(expected.certain, record.rules[0].marginal);
    assert!(expected.certain > 0 && record.rules[0].when.contains("l.name = r.name and l.year = r.year"));
    let others: ScoredPairs = {
        let without = BLOCKING.replace("certain = true", "");
        let job = job.with_rules(rules(&format!("{RULES}{without}"), 1.0));
        let (all, _) = found_by(&Session::new().unwrap(), &job).unwrap();
        let is_certain = |l: usize, r: usize| {
            rows[l][0].is_some() && rows[l][0] == rows[r][0] && rows[l][2].is_some() && rows[l][2] == rows[r][2]
        };
        all.into_iter().filter(|(l, r, _)| !is_certain(*l, *r)).collect()
    };
    for row in &expected.thresholds {
        let above: Vec<f64> = others.iter().map(|pair| pair.2).filter(|bits| *bits >= row.threshold_weight).collect();
        let sum: f64 = above.iter().map(|bits| probability(*bits)).sum();
        assert_eq!(row.pairs, above.len() as u64);
        assert!((row.true_pairs - sum).abs() < 1e-9, "{row:?} {sum}");
    }
    let (by_prior, found) = (
        model.prior * (rows.len() * (rows.len() - 1) / 2) as f64,
        expected.certain as f64 + expected.thresholds[0].true_pairs,
    );
    assert!((expected.matches - by_prior.max(found)).abs() < 1e-9);
    assert_eq!(expected.matches_from == MatchesFrom::Prior, by_prior >= found);
}

#[test]
fn questions_and_interrupted_runs_know_the_threshold_that_was_found() {
    let (rows, mut dice) = people(301);
    let mut model = model(&mut dice);
    model.prior = 0.2;
    let people = input("people", &rows);
    let text = format!("{RULES}{}", BLOCKING.replace("certain = true", ""));
    let job = Job::dedupe(people.clone()).with_rules(with_precision(&text, 0.9)).with_model(model);
    let session = Session::builder().threads(2).keep_records(true).build().unwrap();
    let (pairs, record) = found_by(&session, &job).unwrap();
    let threshold = threshold_of(&record);
    let (even, _) = found_by(&session, &job.clone().with_rules(rules(&text, 0.0))).unwrap();
    assert!(threshold > 0.0 && pairs.len() < even.len());
    let run = session.run(&job, &()).unwrap();
    for (l, r, weight) in even.iter().step_by(even.len() / 12 + 1) {
        let ids = [l.to_string(), r.to_string()];
        let ids = [ids[0].as_str(), ids[1].as_str()];
        for why in [run.why(ids).unwrap(), session.why(&job, ids, &()).unwrap()] {
            let score = why.score.unwrap();
            assert_eq!((score.threshold_weight, score.is_reached), (threshold, *weight >= threshold));
            assert_eq!(why.match_key.is_some(), *weight >= threshold);
        }
    }
    // It is run for its threshold, and has read its records by then.
    let (counted, opened) = counted_input("people", &rows);
    let mut asked = job.clone();
    asked.inputs = vec![counted];
    let ids = [even[0].0.to_string(), even[0].1.to_string()];
    session.why(&asked, [&ids[0], &ids[1]], &()).unwrap();
    assert_eq!(opened.load(Relaxed), 1);
    // A description says what was asked for, and gives the same run again.
    let again = JobSpec::new(&job).job(&[people]).unwrap();
    assert_eq!(found_by(&session, &again).unwrap().0, pairs);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let resumed = session.resume(&job, &OutputFolder::create(&out, false).unwrap(), &()).unwrap();
    assert_eq!((threshold_of(&resumed.record()), resumed.record().pairs), (threshold, pairs.len() as u64));
}

#[test]
fn what_asks_for_a_precision_must_have_a_model_to_expect_it() {
    let mistake =
        |text: &str| RuleFile::parse(text, "rules.toml").and_then(|file| file.check_syntax()).unwrap_err().to_string();
    let levels = "[[compare]]\nlevels = [\"l.a = r.a\"]\n[score]\n";
    for (threshold, message) in [
        ("{ precision = 0.4 }", "`precision` is a share: at least 0.5 and less than 1"),
        ("{ precision = 1 }", "`precision` is a share: at least 0.5 and less than 1"),
        ("{ precision = \"high\" }", "`precision` must be a number"),
        ("{}", "`threshold` asks for nothing"),
        ("{ recall = 0.9 }", "unknown key `recall`"),
        ("{ precision = 0.9 }\nthreshold_weight = 3", "`[score]` has two thresholds"),
    ] {
        let found = mistake(&format!("{levels}threshold = {threshold}\n"));
        assert!(found.contains(message), "{threshold}: {found}");
    }
    let weighted =
        "[[compare]]\nsimilarity = \"jaro(l.a, r.a)\"\nweight = 1\n[score]\nthreshold = { precision = 0.9 }\n";
    assert!(mistake(weighted).contains("`precision` belongs to comparisons with levels"));
    let given = "[score]\npairs = \"scored.csv\"\nthreshold = { precision = 0.9 }\n";
    assert!(mistake(given).contains("`precision` has no meaning here: the scores are given"));
    let first = RuleFile::parse(&format!("{levels}threshold = {{ precision = 0.99 }}\n"), "rules.toml").unwrap();
    assert_eq!((first.score.precision, first.score.threshold), (Some(0.99), None));
}
