//! Term frequencies that are given: values weigh as the table says, whatever the records of the job are, and a value that it
//! lacks is not adjusted.

use std::collections::BTreeMap;
use std::sync::Arc;

use sameas::arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use sameas::{DeviceChoice, Input, Job, Model, Session};

use super::dice::Dice;
use super::scores::{
    BLOCKING, NAMES, RULES, Row, ScoredPairs, device_sessions, found, found_by, input, model, row, rules, score, steps,
};

/// A table with these columns.
fn table(columns: [(&str, ArrayRef); 2]) -> Input {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches("names", batch.schema(), vec![batch]).unwrap()
}

/// Shares of some names that have nothing to do with how often records have them.
fn shares(dice: &mut Dice) -> BTreeMap<&'static str, f64> {
    let mut shares = BTreeMap::from([("nobody", 0.5)]);
    for name in NAMES {
        if dice.below(3) > 0 {
            shares.insert(name, 10.0_f64.powf(-6.0 * dice.unit()));
        }
    }
    shares
}

fn share_table(shares: &BTreeMap<&str, f64>, is_of_splink: bool) -> Input {
    let (value, share) = if is_of_splink { ("name", "tf_name") } else { ("value", "frequency") };
    let names = Arc::new(StringArray::from_iter_values(shares.keys().copied())) as ArrayRef;
    let shares = Arc::new(Float64Array::from_iter_values(shares.values().copied())) as ArrayRef;
    table([(value, names), (share, shares)])
}

/// All pairs of rows that reach a threshold.
fn expected(rows: &[Row], model: &Model, threshold: f64, shares: &BTreeMap<&str, f64>) -> ScoredPairs {
    let mut expected = Vec::new();
    for (l, a) in rows.iter().enumerate() {
        for (r, b) in rows.iter().enumerate().skip(l + 1) {
            let score = score(model, |name| shares.get(name).copied(), a, b);
            if score >= steps(threshold) {
                expected.push((l, r, score as f64 / f64::from(1 << 16) / f64::from(1 << 16)));
            }
        }
    }
    expected
}

#[test]
fn every_pair_above_the_threshold_is_kept_with_given_frequencies() {
    let (mut complete, mut refused) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice(300 + seed);
        let rows: Vec<Row> = (0..40 + dice.below(60)).map(|_| row(&mut dice)).collect();
        let (model, threshold, shares) = (model(&mut dice), dice.unit() * 20.0 - 12.0, shares(&mut dice));
        let expected = expected(&rows, &model, threshold, &shares);
        let job = |text: &str| {
            let job = Job::dedupe(input("people", &rows)).with_rules(rules(text, threshold));
            job.with_model(model.clone()).with_term_frequencies("name", share_table(&shares, seed % 2 == 0))
        };
        let context = format!("seed {seed}, threshold {threshold}, {shares:?}");
        let all = format!("{RULES}\n[[rule]]\nwhen = \"l.id >= 0 and r.id + l.id >= 0\"\n");
        assert_eq!(found(&job(&all), 1 + seed as usize % 3).unwrap(), expected, "{context}");
        assert_eq!(found(&job(RULES).with_all_pairs(), 2).unwrap(), expected, "{context}");
        match found(&job(RULES), 2) {
            Ok(found) => {
                complete += 1;
                assert_eq!(found, expected, "{context}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains("can only be found by looking at all"), "{error}");
            }
        }
    }
    assert!(complete > 15 && refused > 0, "{complete} {refused}");
}

#[test]
fn devices_take_given_frequencies_as_the_host_does() {
    let host = Session::builder().threads(2).device(DeviceChoice::Cpu).build().unwrap();
    for session in device_sessions() {
        let mut dice = Dice(77);
        let rows: Vec<Row> = (0..150).map(|_| row(&mut dice)).collect();
        let (model, shares) = (model(&mut dice), shares(&mut dice));
        let job = Job::dedupe(input("people", &rows)).with_rules(rules(&format!("{RULES}{BLOCKING}"), -4.0));
        let job = job.with_model(model).with_term_frequencies("name", share_table(&shares, false));
        let (on_host, on_device) = (found_by(&host, &job).unwrap().0, found_by(&session, &job).unwrap().0);
        assert_eq!(on_device, on_host);
        assert!(!on_host.is_empty());
    }
}

#[test]
fn what_was_counted_over_all_records_serves_a_job_over_some() {
    let session = Session::builder().threads(2).build().unwrap();
    let mut dice = Dice(5);
    let rows: Vec<Row> = (0..120).map(|_| row(&mut dice)).collect();
    let (model, some) = (model(&mut dice), 50);
    let job = |rows: &[Row]| {
        let job = Job::dedupe(input("people", rows)).with_rules(rules(RULES, -6.0)).with_model(model.clone());
        job.with_all_pairs()
    };
    let counted = session.term_frequencies(&job(&rows), &()).unwrap();
    let [of_names] = &counted[..] else { panic!("{counted:?}") };
    assert_eq!((of_names.column(), of_names.len() <= NAMES.len(), of_names.batch_count()), ("name", true, 1));
    let given = |rows: &[Row]| job(rows).with_term_frequencies("Name", of_names.input().unwrap());
    let all = found(&job(&rows), 2).unwrap();
    assert_eq!(found(&given(&rows), 1).unwrap(), all);
    let of_some: ScoredPairs = all.iter().copied().filter(|(l, r, _)| *l < some && *r < some).collect();
    assert!(!of_some.is_empty());
    assert_eq!(found(&given(&rows[..some]), 2).unwrap(), of_some);
    assert_ne!(found(&job(&rows[..some]), 2).unwrap(), of_some, "counted over some, values weigh otherwise");
}

#[test]
fn runs_and_pairs_say_where_frequencies_are_from() {
    let mut dice = Dice(9);
    let mut rows: Vec<Row> = (0..30).map(|_| row(&mut dice)).collect();
    // The first two have a name that the table knows, the next two one that it lacks.
    for (at, name) in ["anna", "anna", "bob", "bob"].into_iter().enumerate() {
        rows[at][0] = Some(name.to_owned());
    }
    let names: ArrayRef = Arc::new(StringArray::from(vec!["anna", "nobody"]));
    let counts: ArrayRef = Arc::new(UInt64Array::from(vec![1, 3]));
    let job = Job::dedupe(input("people", &rows)).with_rules(rules(RULES, -30.0)).with_model(model(&mut dice));
    let counted = Session::new().unwrap().run(&job.clone().with_all_pairs(), &()).unwrap().record();
    assert_eq!((counted.term_frequencies.len(), &counted.term_frequencies[0].given), (1, &None));
    let job = job.with_all_pairs().with_term_frequencies("name", table([("value", names), ("count", counts)]));
    let run = Session::new().unwrap().run(&job, &()).unwrap();
    let record = run.record();
    let [from] = &record.term_frequencies[..] else { panic!("{:?}", record.term_frequencies) };
    assert_eq!((from.column.as_str(), from.given.as_deref(), from.values), ("name", Some("names"), 2));
    let others: std::collections::BTreeSet<&str> = rows.iter().filter_map(|row| row[0].as_deref()).collect();
    assert_eq!(from.lacking, others.len() as u64 - 1);
    let of_name = |ids: [&str; 2]| run.why(ids).unwrap().score.unwrap().comparisons[0].clone();
    let (known, lacking) = (of_name(["0", "1"]), of_name(["2", "3"]));
    assert_eq!((known.frequency, known.frequencies_given.as_deref()), (Some(0.25), Some("names")));
    assert_eq!((lacking.frequency, lacking.term_frequency), (None, Some(0.0)));
    assert_eq!(lacking.frequencies_given.as_deref(), Some("names"));
}

#[test]
fn tables_that_are_for_nothing_are_refused() {
    let mut dice = Dice(3);
    let rows: Vec<Row> = (0..5).map(|_| row(&mut dice)).collect();
    let job = Job::dedupe(input("people", &rows)).with_rules(rules(RULES, 1.0)).with_model(model(&mut dice));
    let shares = BTreeMap::from([("anna", 0.5)]);
    let error = |job: Job| found(&job, 1).unwrap_err().to_string();
    let other = error(job.clone().with_term_frequencies("city", share_table(&shares, false)));
    assert!(other.contains("no comparison has term frequencies of a column `city`"), "{other}");
    assert!(other.contains("the columns with term frequencies are: `name`"), "{other}");
    let names = Arc::new(StringArray::from(vec!["anna"])) as ArrayRef;
    let without = table([("value", Arc::clone(&names)), ("other", names)]);
    let missing = error(job.with_term_frequencies("name", without));
    assert!(missing.contains("have no column with the frequencies"), "{missing}");
    assert!(missing.contains("its columns are: value, other"), "{missing}");
}
