//! Measures of clusters, comparisons of results and estimates from labels against the plain definitions, on random divisions of few
//! records.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use sameas::evaluate::{AnswerKind, ComparisonRequest, EstimateRequest, EvaluationRequest};
use sameas::{Input, Session};
use sameas_testkit::oracle::{partition_changes, partition_figures};
use sameas_testkit::rng::Rng;

const CASES: u64 = 300;

/// A division of records: some alone, some together.
fn division(rng: &mut Rng, records: usize) -> Vec<usize> {
    let clusters = 1 + rng.below(records);
    (0..records).map(|_| rng.below(clusters)).collect()
}

fn texts(values: impl Iterator<Item = usize>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values.map(|value| value.to_string())))
}

fn input(columns: Vec<(&str, ArrayRef)>) -> Input {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches("table", batch.schema(), vec![batch]).unwrap()
}

/// The clusters as a table, in an order of its own. Records that are alone need not be in it.
fn clusters(rng: &mut Rng, labels: &[usize]) -> Input {
    let is_alone = |record: usize| labels.iter().filter(|label| **label == labels[record]).count() == 1;
    let mut rows: Vec<usize> =
        (0..labels.len()).filter(|record| *record < 2 || !is_alone(*record) || rng.percent(70)).collect();
    for at in (1..rows.len()).rev() {
        rows.swap(at, rng.below(at + 1));
    }
    let ids = texts(rows.iter().copied());
    input(vec![("unique_id", ids), ("cluster_id", texts(rows.iter().map(|record| labels[*record])))])
}

fn session() -> Session {
    Session::builder().threads(2).build().unwrap()
}

#[test]
fn measures_of_clusters_are_those_of_the_definitions() {
    let session = session();
    for seed in 0..CASES {
        let rng = &mut Rng::new(seed);
        let records = 1 + rng.below(14);
        let [found, truth] = [division(rng, records), division(rng, records)];
        let request = EvaluationRequest::new(clusters(rng, &found), AnswerKind::Clusters, clusters(rng, &truth));
        let scores = session.evaluate(&request, &()).unwrap().clusters.unwrap();
        // What neither of the two tables has, nobody knows of; those who are alone in both change the means.
        if scores.records != records as u64 {
            continue;
        }
        let expected = partition_figures(&found, &truth);
        let floats = [
            (scores.bcubed_precision, expected.bcubed[0]),
            (scores.bcubed_recall, expected.bcubed[1]),
            (scores.adjusted_rand_index, expected.adjusted_rand_index),
            (scores.variation_of_information, expected.variation_of_information),
        ];
        let is_close = floats.into_iter().all(|(given, expected)| (given - expected).abs() < 1e-12);
        assert!(is_close, "seed {seed}: {scores:?}, not {expected:?}");
        let exact = [scores.exact.found, scores.exact.true_clusters, scores.exact.both];
        let (split, merged) =
            ([scores.split.clusters, scores.split.parts], [scores.merged.clusters, scores.merged.parts]);
        assert_eq!(exact, expected.exact.map(|count| count as u64), "seed {seed}");
        assert_eq!(
            (split, merged),
            (expected.split.map(|c| c as u64), expected.merged.map(|c| c as u64)),
            "seed {seed}"
        );
        let of_sizes = scores.by_size.iter().fold([0; 4], |[clusters, records, exact, split], row| {
            [clusters + row.clusters, records + row.records, exact + row.exact, split + row.split]
        });
        assert_eq!(of_sizes, [exact[1], records as u64, exact[2], split[0]], "seed {seed}");
    }
}

#[test]
fn changes_are_those_of_the_definitions() {
    let session = session();
    for seed in 0..CASES {
        let rng = &mut Rng::new(seed);
        let records = 1 + rng.below(14);
        let [before, after] = [division(rng, records), division(rng, records)];
        let all = |labels: &[usize]| {
            input(vec![("unique_id", texts(0..records)), ("cluster_id", texts(labels.iter().copied()))])
        };
        let found = session.compare_clusters(&ComparisonRequest::new(all(&after), all(&before)), &()).unwrap();
        let given: Vec<[u64; 4]> =
            found.changes.iter().map(|of| [of.changes, of.before, of.after, of.records]).collect();
        let expected = partition_changes(&before, &after).map(|kind| kind.map(|count| count as u64));
        assert_eq!(given, expected, "seed {seed}");
        for (kind, example) in
            found.changes.iter().flat_map(|of| of.examples.iter().map(move |example| (of.kind, example)))
        {
            let record: usize = example.record.parse().unwrap();
            let size = before.iter().filter(|label| **label == before[record]).count() as u64;
            assert!(example.before.contains(&size), "seed {seed}: {kind:?} {example:?}");
            assert_eq!(example.before.iter().sum::<u64>(), example.after.iter().sum::<u64>(), "seed {seed}");
        }
    }
}

/// Labels of all pairs are the truth, and nothing is left to estimate.
#[test]
fn a_sample_of_all_pairs_is_the_truth() {
    let session = session();
    for seed in 0..CASES / 3 {
        let rng = &mut Rng::new(seed);
        let records = 2 + rng.below(10);
        let [found, truth] = [division(rng, records), division(rng, records)];
        let pairs: Vec<(usize, usize)> = (0..records).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let same = pairs.iter().map(|(a, b)| if truth[*a] == truth[*b] { "same" } else { "different" });
        let labels = input(vec![
            ("unique_id_l", texts(pairs.iter().map(|(a, _)| *a))),
            ("unique_id_r", texts(pairs.iter().map(|(_, b)| *b))),
            ("judgement", Arc::new(StringArray::from_iter_values(same))),
            ("inclusion_probability", Arc::new(Float64Array::from(vec![1.0; pairs.len()]))),
        ]);
        let (of_found, of_truth) = (clusters(rng, &found), clusters(rng, &truth));
        let counts = session
            .evaluate(&EvaluationRequest::new(of_found.clone(), AnswerKind::Clusters, of_truth), &())
            .unwrap()
            .counts;
        let estimates = session.estimate(&EstimateRequest::new(of_found, AnswerKind::Clusters, labels), &()).unwrap();
        let shares = [estimates.precision, estimates.recall, estimates.f1];
        let expected = [counts.precision(), counts.recall(), counts.f1()];
        assert_eq!(shares.map(|share| share.map(|share| share.estimate)), expected, "seed {seed}");
        assert!(shares.into_iter().flatten().all(|share| share.low == share.high), "seed {seed}: {shares:?}");
        assert_eq!((estimates.found, estimates.frame_found), (counts.found, Some(counts.found as f64)), "seed {seed}");
    }
}
