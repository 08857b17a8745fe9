//! Every way to compare is checked against pairs written out one by one.

use std::collections::BTreeSet;
use std::io::Write;

use proptest::prelude::*;

use super::*;

/// `(input, id)`, and the cluster if there is one.
type Member = (u32, u32, u32);

fn clustering(members: &[Member], names: &mut RecordNumbers) -> RecordClusters {
    let mut clustering = RecordClusters::default();
    for (source, id, cluster) in members {
        let record = names.number(*source, &id.to_string());
        clustering.put(record, *cluster);
    }
    clustering
}

/// All pairs within clusters.
fn written_out(clusters: &RecordClusters, names: &RecordNumbers, across: bool) -> BTreeSet<(u32, u32)> {
    let members: Vec<_> = clusters.members().collect();
    let mut pairs = BTreeSet::new();
    for (i, (a, x)) in members.iter().enumerate() {
        for (b, y) in &members[..i] {
            if x == y && (!across || names.source(*a) != names.source(*b)) {
                pairs.insert((*b, *a));
            }
        }
    }
    pairs
}

fn naive(found: &BTreeSet<(u32, u32)>, truth: &BTreeSet<(u32, u32)>, known: Option<&BTreeSet<u32>>) -> PairCounts {
    let counts = |(a, b): &&(u32, u32)| known.is_none_or(|known| known.contains(a) || known.contains(b));
    PairCounts {
        found: found.iter().filter(counts).count() as u64,
        true_pairs: truth.len() as u64,
        both: found.intersection(truth).count() as u64,
    }
}

/// The pairs that one answer has and the other has not, in order.
fn listed(
    of: &Answer,
    other: &Answer,
    numbers: &RecordNumbers,
    scope: PairScope,
    known: Option<&[bool]>,
) -> Vec<(u32, u32)> {
    let mut pairs: Vec<_> =
        difference(of, other, numbers, scope, known).map(|(a, b, _)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs
}

fn members() -> impl Strategy<Value = Vec<Member>> {
    let one = (0..4_u32, 0..12_u32, 0..5_u32);
    prop::collection::vec(one, 0..30).prop_map(|mut members| {
        members.sort_unstable();
        members.dedup_by_key(|(source, id, _)| (*source, *id));
        members
    })
}

proptest! {
    #[test]
    fn counts_equal_those_of_pairs_written_out(
        found in members(), truth in members(), among_known: bool, across: bool,
    ) {
        let mut names = RecordNumbers::default();
        let [found, truth] = [clustering(&found, &mut names), clustering(&truth, &mut names)];
        let scope = PairScope { among_known, across };
        let [found_pairs, true_pairs] = [written_out(&found, &names, across), written_out(&truth, &names, across)];
        let in_clusters: BTreeSet<u32> = truth.members().map(|(record, _)| record).collect();
        let in_pairs: BTreeSet<u32> = true_pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let pairs = |set: &BTreeSet<(u32, u32)>| Answer::Pairs(PairSet::new(set.iter().copied()));
        let founds = [pairs(&found_pairs), Answer::Clusters(found)];
        let truths = [(pairs(&true_pairs), in_pairs), (Answer::Clusters(truth), in_clusters)];
        for found in &founds {
            for (truth, known) in &truths {
                let expected = naive(&found_pairs, &true_pairs, among_known.then_some(known));
                prop_assert_eq!(compare(found, truth, &names, scope), expected);
                let counts = |(a, b): &&(u32, u32)| !among_known || known.contains(a) || known.contains(b);
                let wrong: Vec<_> = found_pairs.difference(&true_pairs).filter(counts).copied().collect();
                let known = among_known.then(|| truth.known(names.count()));
                prop_assert_eq!(listed(found, truth, &names, scope, known.as_deref()), wrong);
                let missed: Vec<_> = true_pairs.difference(&found_pairs).copied().collect();
                prop_assert_eq!(listed(truth, found, &names, scope, None), missed);
            }
        }
    }
}

#[test]
fn figures_of_a_small_case() {
    let counts = PairCounts { found: 4, true_pairs: 6, both: 3 };
    assert_eq!((counts.precision(), counts.recall(), counts.f1()), (Some(0.75), Some(0.5), Some(0.6)));
    let nothing = PairCounts { found: 0, true_pairs: 0, both: 0 };
    assert_eq!((nothing.precision(), nothing.recall(), nothing.f1()), (None, None, None));
    let blocking = Blocking { all_pairs: Some(1000), candidates: Some(10), completeness: Some(0.5) };
    assert_eq!(blocking.candidate_set_size_ratio(), Some(0.01));
    assert_eq!(blocking.reduction_ratio(), Some(0.99));
    assert_eq!(Blocking { candidates: None, ..blocking }.reduction_ratio(), None);
    assert_eq!([0, 1, 2, 3, 1 << 32].map(arithmetic::pairs_of), [0, 0, 1, 3, (1 << 31) * ((1 << 32) - 1)]);
}

fn file(text: &str, ending: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn evaluated(request: &EvaluationRequest) -> Result<Evaluation> {
    evaluate(request, EvaluationLists::default(), usize::MAX, Progress::new(&(), &|| false))
}

/// A request for CSV texts.
fn request(found: &str, found_kind: AnswerKind, truth: &str, scope: PairScope) -> Result<Evaluation> {
    let (found, truth) = (file(found, ".csv"), file(truth, ".csv"));
    let mut request = EvaluationRequest::new(Input::files([found.path()]), found_kind, Input::files([truth.path()]));
    (request.among_known, request.across) = (scope.among_known, scope.across);
    evaluated(&request)
}

fn counts(found: u64, true_pairs: u64, both: u64) -> PairCounts {
    PairCounts { found, true_pairs, both }
}

#[test]
fn pairs_have_no_order_and_count_once() {
    let found = "unique_id_l,unique_id_r,match_key\n1,2,a\n3,4,a\n";
    let given = request(found, AnswerKind::Pairs, "id_a,id_b\n2,1\n1,2\n5,6\n7,7\n", PairScope::default()).unwrap();
    assert_eq!(given.counts, counts(2, 2, 1));
    assert_eq!(given.blocking.all_pairs, None);
}

#[test]
fn across_inputs_the_sides_of_a_pair_are_different_records() {
    let across = PairScope { across: true, ..PairScope::default() };
    let found = "unique_id_l,unique_id_r\n1,2\n3,3\n";
    assert_eq!(request(found, AnswerKind::Pairs, "id_a,id_b\n2,1\n3,3\n", across).unwrap().counts, counts(2, 2, 1));
    let clusters = "source_dataset,unique_id,cluster_id\na,1,a:1\na,2,a:1\nb,1,a:1\nb,2,b:2\n";
    let given = request(clusters, AnswerKind::Clusters, "id_a,id_b\n2,1\n2,2\n", across).unwrap();
    assert_eq!(given.counts, counts(2, 2, 1));
    let truth = "id_a,id_b\n2,1\n";
    let message = request("id,cluster\n1,1\n", AnswerKind::Clusters, truth, across).unwrap_err().to_string();
    assert!(message.contains("source_dataset"), "{message}");
}

#[test]
fn across_more_than_two_inputs_both_must_name_them() {
    let across = PairScope { across: true, ..PairScope::default() };
    let found = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\na,1,c,1\nb,1,c,1\n";
    let truth = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\nb,1,a,1\nb,1,b,2\nc,1,b,1\nc,1,d,1\n";
    assert_eq!(request(found, AnswerKind::Pairs, truth, across).unwrap().counts, counts(3, 3, 2));
    let clusters = "source_dataset,unique_id,cluster_id\na,1,x\nb,1,x\nb,2,x\nc,1,x\nc,2,y\n";
    assert_eq!(request(clusters, AnswerKind::Clusters, truth, across).unwrap().counts, counts(5, 3, 2));
    assert_eq!(request(clusters, AnswerKind::Clusters, clusters, across).unwrap().counts, counts(5, 5, 5));
    let message = request(found, AnswerKind::Pairs, "id_a,id_b\n1,1\n", across).unwrap_err().to_string();
    assert!(message.contains("only one of result and truth says"), "{message}");
    assert!(message.contains("more than two inputs: give the truth `source_dataset_l`"), "{message}");
    assert_eq!(arithmetic::pairs_across(&[3, 4, 5]), 12 + 15 + 20);
}

#[test]
fn clusters_that_name_no_inputs_have_one_space_of_ids() {
    let across = PairScope { across: true, ..PairScope::default() };
    let truth = "id,cluster\nx,1\ny,1\nz,2\n";
    let pairs = request("unique_id_l,unique_id_r\nx,y\nx,z\n", AnswerKind::Pairs, truth, across).unwrap();
    assert_eq!(pairs.counts, counts(2, 1, 1));
    let clusters = "source_dataset,unique_id,cluster_id\na,x,a:x\nb,y,a:x\nb,z,b:z\n";
    assert_eq!(request(clusters, AnswerKind::Clusters, truth, across).unwrap().counts, counts(1, 1, 1));
}

#[test]
fn a_truth_about_some_records_judges_only_pairs_with_one_of_them() {
    let found = "unique_id_l,unique_id_r\n1,2\n2,9\n8,9\n";
    let truth = "id,cluster\n1,x\n2,x\n3,x\n";
    let among = PairScope { among_known: true, ..PairScope::default() };
    assert_eq!(request(found, AnswerKind::Pairs, truth, PairScope::default()).unwrap().counts, counts(3, 3, 1));
    assert_eq!(request(found, AnswerKind::Pairs, truth, among).unwrap().counts, counts(2, 3, 1));
    let clusters = "unique_id,cluster_id\n1,1\n2,1\n9,1\n8,1\n3,3\n";
    assert_eq!(request(clusters, AnswerKind::Clusters, truth, among).unwrap().counts, counts(5, 3, 1));
}

#[test]
fn rules_are_scored_by_their_match_keys() {
    let found = "unique_id_l,unique_id_r,match_key\n1,2,a\n3,4,b\n5,6,b\n2,1,b\n8,9,a\n";
    let truth = "id,cluster\n1,x\n2,x\n5,y\n6,y\n7,y\n";
    let given = request(found, AnswerKind::Pairs, truth, PairScope::default()).unwrap();
    let scores: Vec<_> = given.rules.iter().map(|rule| (&rule.name[..], rule.found, rule.both)).collect();
    // A pair that comes twice counts for its first rule.
    assert_eq!(scores, [("a", 2, 1), ("b", 2, 1)]);
    assert_eq!((given.rules[0].precision(), given.rules[0].recall(&given.counts)), (Some(0.5), Some(0.25)));
    let among = PairScope { among_known: true, ..PairScope::default() };
    let given = request(found, AnswerKind::Pairs, truth, among).unwrap();
    let scores: Vec<_> = given.rules.iter().map(|rule| (&rule.name[..], rule.found, rule.both)).collect();
    assert_eq!((scores, given.counts), (vec![("a", 1, 1), ("b", 1, 1)], counts(2, 4, 2)));
    let without = request("unique_id_l,unique_id_r\n1,2\n", AnswerKind::Pairs, truth, PairScope::default()).unwrap();
    assert_eq!(without.rules, []);
}

#[test]
fn a_file_of_the_other_kind_is_refused() {
    let refused = |found, kind| request(found, kind, "id_a,id_b\n1,2\n", PairScope::default()).unwrap_err();
    let error = refused("unique_id,cluster_id\n1,1\n2,1\n", AnswerKind::Pairs);
    assert!(
        error.message().ends_with("holds clusters (it has a column `cluster_id`), and pairs are expected"),
        "{error}"
    );
    assert_eq!(error.code(), crate::error::ErrorCode::HoldsClusters);
    let error = refused("unique_id_l,unique_id_r,match_key\n1,2,a\n", AnswerKind::Clusters);
    assert!(
        error.message().ends_with("holds pairs (it has a column `unique_id_l`), and clusters are expected"),
        "{error}"
    );
    assert_eq!(error.code(), crate::error::ErrorCode::HoldsPairs);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let message = |found, kind, truth| request(found, kind, truth, PairScope::default()).unwrap_err().to_string();
    let pairs = "unique_id_l,unique_id_r\n1,2\n";
    assert!(message(pairs, AnswerKind::Pairs, "id_a\n1\n").contains("only one column"));
    let twice = "has one name for several columns: columns 1 and 2 of ";
    assert!(message(pairs, AnswerKind::Pairs, "id,id\n1,2\n").contains(twice));
    let repeated = "the name of column `id` is repeated: columns 1 and 2 of ";
    assert!(message(pairs, AnswerKind::Pairs, "id,id,x\n1,2,3\n").contains(repeated));
    assert!(message(pairs, AnswerKind::Pairs, "id_a,id_b,label\n1,2,0\n").contains("column `label`"));
    assert!(message(pairs, AnswerKind::Pairs, "id_a,id_b\n1,\n").contains("the id in column `id_b` is missing"));
    assert!(message(pairs, AnswerKind::Pairs, "id,cluster\n1,x\n1,y\n").contains("`1` is in the truth twice"));
    let named = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,2\n";
    assert!(message(named, AnswerKind::Pairs, "id_a,id_b\n1,2\n").contains("across the inputs"));
}

#[test]
fn a_pair_without_a_score_reaches_no_threshold() {
    let found = "unique_id_l,unique_id_r,score\n1,2,0.9\n3,4,\n3,4,0.5\n5,6,\n";
    let given = request(found, AnswerKind::Pairs, "id_a,id_b\n1,2\n5,6\n", PairScope::default()).unwrap();
    let thresholds: Vec<_> = given.thresholds.iter().map(|of| (of.threshold, of.counts)).collect();
    assert_eq!(thresholds, [(0.9, counts(1, 2, 1)), (0.5, counts(2, 2, 1))]);
    assert_eq!(given.counts, counts(3, 2, 2));
    let wrong = "unique_id_l,unique_id_r,score\n1,2,high\n";
    let error = request(wrong, AnswerKind::Pairs, "id_a,id_b\n1,2\n", PairScope::default()).unwrap_err();
    assert!(error.message().ends_with(".csv:2: `score` is `high`, which is not a number"), "{error}");
}

#[test]
fn columns_of_clusters_are_not_guessed_among_several() {
    let given = |found| request(found, AnswerKind::Clusters, "id_a,id_b\n1,2\n", PairScope::default());
    for (found, problem) in [
        ("id,name,group\n1,x,1\n", "has no column `cluster_id` or `cluster`"),
        ("who,name,cluster\n1,x,1\n", "has no column `unique_id` or `id`"),
    ] {
        let error = given(found).unwrap_err();
        assert!(error.message().ends_with(problem), "{error}");
        assert!(error.help().is_some_and(|help| help.starts_with("clusters have the columns")), "{error}");
    }
    for found in ["cluster,who\nx,1\nx,2\ny,3\n", "id,group\n1,x\n2,x\n3,y\n", "a,b\n1,x\n2,x\n3,y\n"] {
        assert_eq!(given(found).unwrap().counts, counts(1, 1, 1), "{found}");
    }
}

#[test]
fn a_run_record_has_all_pairs_and_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("pairs.csv");
    assert!(RunRecord::beside(&result).unwrap().is_none());
    let record = r#"{
        "version": "0.1.0", "device": "cpu", "threads": 1, "link_type": "dedupe_only", "strategy": "full",
        "inputs": [{"name": "a", "files": ["a.csv"], "rows": 5}], "unreadable_values": {}, "rules": [], "never": [],
        "simplifications": [], "tables": [], "plan": [], "operators": [], "nominal_pairs": 10, "candidates": 4, "pairs": 1,
        "clusters": 4, "clusters_of_two_or_more": 1, "seconds": 0.1, "a field of a later version": [1, 2],
        "statistics": {"seed": 1, "sampled": 5, "columns": []}
    }"#;
    std::fs::write(folder.path().join("run.json"), record).unwrap();
    let run = RunRecord::beside(&result).unwrap().unwrap();
    assert_eq!((run.nominal_pairs, run.candidates, run.inputs[0].name.as_str()), (10, 4, "a"));
    std::fs::write(folder.path().join("run.json"), "{}").unwrap();
    assert!(RunRecord::beside(&result).unwrap_err().to_string().contains("not the record of a run"));
}

/// A run was killed while it moved its complete results to their places: they are read from where they are.
#[test]
fn results_that_are_not_in_their_places_yet_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (result, complete) = (folder.path().join("pairs.csv"), folder.path().join(".sameas-complete"));
    std::fs::create_dir(&complete).unwrap();
    std::fs::write(&result, "unique_id_l,unique_id_r\n5,6\n").unwrap();
    std::fs::write(complete.join("pairs.csv"), "unique_id_l,unique_id_r\n1,2\n").unwrap();
    let truth = file("id_a,id_b\n1,2\n", ".csv");
    let request = EvaluationRequest::new(Input::files([&result]), AnswerKind::Pairs, Input::files([truth.path()]));
    assert_eq!(evaluated(&request).unwrap().counts, counts(1, 1, 1));
    std::fs::remove_dir_all(&complete).unwrap();
    assert_eq!(evaluated(&request).unwrap().counts, counts(1, 1, 0));
}

#[test]
fn an_evaluation_can_be_cancelled() {
    let list = file("id_a,id_b\n1,2\n", ".csv");
    let request = EvaluationRequest::new(Input::files([list.path()]), AnswerKind::Pairs, Input::files([list.path()]));
    let cancelled = Progress::new(&(), &|| true);
    let evaluated = crate::cancel::catch(|| evaluate(&request, EvaluationLists::default(), usize::MAX, cancelled));
    let error = evaluated.unwrap_err();
    assert_eq!(error.code(), crate::error::ErrorCode::Cancelled);
}
