use std::fs;

use tempfile::TempDir;

use super::super::{EstimateRequest, Evaluation, EvaluationLists, EvaluationRequest, estimate, evaluate};
use super::*;
use crate::cluster_pairs::ClusterPairsJob;
use crate::error::Result;
use crate::evaluate::AnswerKind;
use crate::observer::Progress;
use crate::records::Input;
use crate::rules::{ClusterSpec, MethodSpec};

/// A chain whose middle is weak, a pair of its own, and a triangle.
const PAIRS: &str =
    "unique_id_l,unique_id_r,score\n1,2,0.95\n2,3,0.6\n3,4,0.9\n5,6,0.7\n7,8,0.9\n8,9,0.9\n7,9,0.65\n2,1,0.5\n";

const TRUTH: &str = "id,cluster\n1,a\n2,a\n3,b\n4,b\n5,c\n6,d\n7,e\n8,e\n9,e\n10,f\n11,f\n";

fn file(folder: &TempDir, name: &str, text: &str) -> Input {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Input::files([path])
}

fn swept(request: &SweepRequest) -> Result<SweepTable> {
    crate::cancel::catch(|| sweep(request, usize::MAX, Progress::new(&(), &|| false)))
}

fn evaluated(found: Input, kind: AnswerKind, truth: Input) -> Evaluation {
    let request = EvaluationRequest::new(found, kind, truth);
    evaluate(&request, EvaluationLists::default(), usize::MAX, Progress::new(&(), &|| false)).unwrap()
}

/// The clusters of the pairs above that a row should have.
fn written(clusters: &[&[u32]]) -> String {
    let rows = clusters.iter().flat_map(|ids| ids.iter().map(move |id| format!("{id},{}\n", ids[0])));
    ["unique_id,cluster_id\n".to_owned()].into_iter().chain(rows).collect()
}

#[test]
fn rows_are_what_evaluate_says_of_the_same_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let truth = file(&folder, "truth.csv", TRUTH);
    let mut request = SweepRequest::new(ClusterPairsJob::new(file(&folder, "pairs.csv", PAIRS)));
    (request.truth, request.thresholds) = (Some(truth.clone()), vec![0.8, 0.5]);
    request.methods = vec![SweepMethod::Components, SweepMethod::Bridges];
    let table = swept(&request).unwrap();
    let found: Vec<_> = table.rows.iter().map(|row| (row.method, row.threshold, row.pairs, row.cut)).collect();
    let [components, bridges] = [SweepMethod::Components, SweepMethod::Bridges];
    let expected = [
        (components, Some(0.5), 7, 0),
        (components, Some(0.8), 4, 0),
        (bridges, Some(0.5), 7, 1),
        (bridges, Some(0.8), 4, 0),
    ];
    assert_eq!(found, expected);
    let low: &[&[u32]] = &[&[1, 2, 3, 4], &[5, 6], &[7, 8, 9]];
    let high: &[&[u32]] = &[&[1, 2], &[3, 4], &[5], &[6], &[7, 8, 9]];
    let divided: &[&[u32]] = &[&[1, 2], &[3, 4], &[5, 6], &[7, 8, 9]];
    for (row, clusters) in table.rows.iter().zip([low, high, divided, high]) {
        let single = evaluated(file(&folder, "c.csv", &written(clusters)), AnswerKind::Clusters, truth.clone());
        let scores = row.scores.as_ref().unwrap();
        assert_eq!((scores.cluster_pairs, &scores.clusters), (single.counts, &single.clusters));
        let reaching: Vec<&str> = PAIRS
            .lines()
            .filter(|line| {
                line.rsplit(',').next().unwrap().parse().is_ok_and(|score: f64| score >= row.threshold.unwrap())
            })
            .collect();
        let pairs = format!("unique_id_l,unique_id_r,score\n{}\n", reaching.join("\n"));
        let single = evaluated(file(&folder, "p.csv", &pairs), AnswerKind::Pairs, truth.clone());
        assert_eq!((scores.pairs, row.agreement), (single.counts, None));
    }
    assert_eq!(table.best(), Some(1), "components at 0.8: of two rows with the same clusters the first");
    assert_eq!((table.rows[0].clusters, table.rows[0].largest, table.rows[0].clustered_records), (3, 4, 9));
    assert_eq!([0, 1].map(|row| (table.rows[row].bridges, table.rows[row].clusters_of_two_or_more)), [(1, 3), (0, 3)]);
}

#[test]
fn labels_are_those_of_estimate() {
    let folder = tempfile::tempdir().unwrap();
    let labels = "unique_id_l,unique_id_r,judgement\n1,2,same\n2,3,different\n7,9,same\n10,11,same\n";
    let labels = file(&folder, "labels.csv", labels);
    let mut request = SweepRequest::new(ClusterPairsJob::new(file(&folder, "pairs.csv", PAIRS)));
    (request.labels, request.thresholds) = (Some(labels.clone()), vec![0.5]);
    request.methods = vec![SweepMethod::Components];
    let found = swept(&request).unwrap().rows[0].estimates.unwrap();
    let clusters = file(&folder, "c.csv", &written(&[&[1, 2, 3, 4], &[5, 6], &[7, 8, 9]]));
    let single = EstimateRequest::new(clusters, AnswerKind::Clusters, labels.clone());
    let single = estimate(&single, usize::MAX, Progress::new(&(), &|| false)).unwrap();
    assert_eq!((found.precision, found.recall, found.f1), (single.precision, single.recall, single.f1));
    assert_eq!(found.recall.map(|share| share.estimate), Some(2.0 / 3.0));
    request.truth = Some(labels);
    assert!(swept(&request).unwrap_err().message().contains("cannot both be used"));
}

#[test]
fn without_truth_neighbours_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let request = SweepRequest::new(ClusterPairsJob::new(file(&folder, "pairs.csv", PAIRS)));
    let table = swept(&request).unwrap();
    assert!(table.has_chosen_thresholds && table.best().is_none());
    assert_eq!((table.pairs, table.records, table.scored_by.as_deref()), (7, 9, Some("score")));
    let components: Vec<_> = table.rows.iter().filter(|row| row.method == SweepMethod::Components).collect();
    let thresholds: Vec<f64> = components.iter().filter_map(|row| row.threshold).collect();
    assert_eq!(thresholds, [0.5, 0.6, 0.65, 0.7, 0.9, 0.95]);
    assert!(components[0].agreement.is_none() && components[0].pairs == 7);
    assert_eq!(components[1].agreement, Some(1.0));
    // Of four records in a row three pairs of six, of two and three records all.
    assert_eq!((components[1].density, components[4].density), (Some(0.7), Some(0.8)));
    assert!(components[2].agreement.unwrap() < 1.0);
    assert_eq!(table.rows.len(), 5 * thresholds.len());
}

#[test]
fn constraints_hold_for_all_rows_and_one_to_one_is_for_two_sources() {
    let folder = tempfile::tempdir().unwrap();
    let spec = ClusterSpec { max_size: Some(2), method: MethodSpec::Louvain, ..ClusterSpec::default() };
    let job = ClusterPairsJob::new(file(&folder, "pairs.csv", PAIRS)).with_spec(spec);
    let table = swept(&SweepRequest::new(job)).unwrap();
    assert!(table.rows.iter().all(|row| row.largest == 2 && row.spec.max_size == Some(2)), "{table:?}");
    let linked = "unique_id_l,unique_id_r,score\n1,1,0.9\n1,2,0.8\n2,1,0.7\n3,1,0.55\n";
    let mut job = ClusterPairsJob::new(file(&folder, "linked.csv", linked));
    job.sides = Some(["shop".to_owned(), "crm".to_owned()]);
    let mut request = SweepRequest::new(job);
    // The left id comes first.
    (request.truth, request.across) = (Some(file(&folder, "m.csv", "a,b\n1,2\n2,1\n")), true);
    request.thresholds = vec![0.5];
    let table = swept(&request).unwrap();
    let row = |method| table.rows.iter().find(|row| row.method == method).unwrap();
    let both = |method| row(method).scores.as_ref().unwrap().cluster_pairs.both;
    assert_eq!((both(SweepMethod::OneToOne), both(SweepMethod::Optimal), table.rows.len()), (0, 2, 7));
    assert_eq!(row(SweepMethod::Optimal).scores.as_ref().unwrap().pairs.both, 2);
    assert_eq!(table.best().map(|at| table.rows[at].method), Some(SweepMethod::Optimal));
}

#[test]
fn pairs_without_scores_have_one_row_for_each_method() {
    let folder = tempfile::tempdir().unwrap();
    let job = ClusterPairsJob::new(file(&folder, "plain.csv", "id_l,id_r\n1,2\n2,3\n3,4\n"));
    let mut request = SweepRequest::new(job);
    let table = swept(&request).unwrap();
    let rows: Vec<_> = table.rows.iter().map(|row| (row.method.name(), row.threshold, row.clusters)).collect();
    assert_eq!((rows[0], rows.len()), (("components", None, 1), 3));
    assert_eq!(rows[2], ("bridges", None, 2));
    request.methods = vec![SweepMethod::Average];
    assert!(swept(&request).unwrap_err().message().contains("`average` needs scores"));
    request.thresholds = vec![0.5];
    assert!(swept(&request).unwrap_err().message().contains("thresholds need scores"));
}

#[test]
fn an_id_of_two_sources_needs_a_truth_that_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\n";
    let mut request = SweepRequest::new(ClusterPairsJob::new(file(&folder, "pairs.csv", pairs)));
    request.truth = Some(file(&folder, "truth.csv", "id,cluster\n1,x\n"));
    let error = swept(&request).unwrap_err();
    assert!(error.message().contains("the id `1` is that of several records"), "{error}");
    request.truth = Some(file(&folder, "named.csv", "source_dataset,id,cluster\na,1,x\nb,1,x\n"));
    let counts = swept(&request).unwrap().rows[0].scores.as_ref().unwrap().cluster_pairs;
    assert_eq!((counts.found, counts.both), (1, 1));
}
