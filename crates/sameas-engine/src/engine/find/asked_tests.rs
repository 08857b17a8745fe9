//! The clusters that rules ask for, of pairs with scores that are given.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};

use super::*;
use crate::device::DeviceChoice;
use crate::engine::CutRecord;
use crate::error::ErrorCode;
use crate::records::Input;
use crate::rules::RuleFile;

/// Two ids and the score of the pair.
type Scored = (&'static str, &'static str, f64);

/// A chain of five that is weakest at its end.
const CHAIN: [Scored; 4] = [("0", "1", 0.9), ("1", "2", 0.8), ("2", "3", 0.7), ("3", "4", 0.6)];

/// Two records of one input are like the same one of the other.
const ACROSS: [Scored; 3] = [("0", "0", 0.9), ("0", "1", 0.8), ("1", "1", 0.7)];

fn texts(values: impl IntoIterator<Item = &'static str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

fn table(name: &str, columns: Vec<(&str, ArrayRef)>) -> Input {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

/// People in two cities.
fn people(name: &str, number: usize) -> Input {
    let [ids, cities] =
        [["0", "1", "2", "3", "4"], ["x", "x", "y", "y", "y"]].map(|all| texts(all.into_iter().take(number)));
    table(name, vec![("id", ids), ("city", cities)])
}

fn with_scores(job: Job, text: &str, pairs: &[Scored]) -> Job {
    let score: ArrayRef = Arc::new(Float64Array::from_iter_values(pairs.iter().map(|pair| pair.2)));
    let [l, r] = [texts(pairs.iter().map(|pair| pair.0)), texts(pairs.iter().map(|pair| pair.1))];
    let rules = format!("[[rule]]\nwhen = \"l.id = r.id\"\n{text}");
    job.with_rules(RuleFile::parse(&rules, "rules.toml").unwrap())
        .with_scores(table("scores", vec![("unique_id_l", l), ("unique_id_r", r), ("score", score)]))
}

fn dedupe(text: &str) -> Job {
    with_scores(Job::dedupe(people("people", 5)), text, &CHAIN)
}

fn link(text: &str) -> Job {
    with_scores(Job::link(people("here", 3), people("there", 3)), text, &ACROSS)
}

fn results(job: &Job) -> Result<JobResults> {
    let settings = Settings { device: DeviceChoice::Cpu, memory: 1 << 26, ..Settings::default() };
    let is_cancelled = || false;
    find(job, None, &settings, PairUse::default(), Progress::new(&(), &is_cancelled))
}

/// The first record of each record's cluster, and what was cut.
fn clusters(job: &Job) -> (Vec<u32>, CutRecord) {
    let found = results(job).unwrap_or_else(|error| panic!("{error}"));
    let cut = found.cut.as_ref().map(CutPairs::record).unwrap_or_default();
    assert_eq!(found.cut.map_or(0, |cut| cut.pairs.len()), cut.pairs);
    (found.roots, cut)
}

#[test]
fn components_are_the_usual_way() {
    let found = results(&dedupe("")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.roots, [0; 5]);
    assert!(found.cut.is_none() && found.record().cut.is_none());
}

#[test]
fn each_option_makes_other_clusters() {
    let none = CutRecord::default;
    for (text, roots, cut) in [
        ("[clusters]\nthreshold = 0.75\n", [0, 0, 0, 3, 4], none()),
        ("[clusters]\nmethod = \"average\"\nleast = 0.5\n", [0, 0, 2, 2, 4], CutRecord { method: 2, ..none() }),
        ("[clusters]\nmethod = \"complete\"\nleast = 0.5\n", [0, 0, 2, 2, 4], CutRecord { method: 2, ..none() }),
        ("[clusters]\nmax_size = 2\n", [0, 0, 2, 2, 4], CutRecord { max_size: 2, ..none() }),
        ("[clusters]\nsplit = \"bridges\"\ndensity = 0.6\n", [0, 0, 0, 3, 3], CutRecord { bridge: 1, ..none() }),
        ("[[limit]]\nmost = 1\nvalues_of = \"city\"\n", [0, 0, 2, 2, 2], CutRecord { limit: 1, ..none() }),
        ("[[limit]]\nmost = 1\nvalues_of = \"upper(city)\"\n", [0, 0, 2, 2, 2], CutRecord { limit: 1, ..none() }),
        ("[[limit]]\nmost = 2\nrecords_of = \"city\"\n", [0, 0, 0, 0, 4], CutRecord { limit: 1, ..none() }),
    ] {
        let (found, counted) = clusters(&dedupe(text));
        let pairs = cut.method + cut.max_size + cut.bridge + cut.limit;
        assert_eq!((found, counted), (roots.to_vec(), CutRecord { pairs, ..cut }), "{text}");
    }
    assert_eq!(clusters(&dedupe("[clusters]\nmethod = \"louvain\"\n")).0[0], 0);
}

#[test]
fn records_of_sources_are_paired_off() {
    for (text, roots, method) in [
        ("[clusters]\none_to = \"one\"\n", [0, 1, 2, 0, 1, 5], 0),
        ("[clusters]\none_to_many = \"there\"\n", [0, 1, 2, 0, 0, 5], 0),
        ("[clusters]\nmethod = \"optimal\"\n", [0, 1, 2, 0, 1, 5], 1),
    ] {
        let cut = CutRecord { pairs: 1, method, one_to: 1 - method, ..CutRecord::default() };
        assert_eq!(clusters(&link(text)), (roots.to_vec(), cut), "{text}");
    }
}

#[test]
fn what_a_never_forbids_is_kept_apart() {
    let never = "[[never]]\nwhen = \"l.id = '0' and r.id = '3'\"\n";
    let text = format!("{never}[clusters]\nkeep_apart = true\n");
    let cut = CutRecord { pairs: 1, never: 1, kept_apart: Some(10), ..CutRecord::default() };
    assert_eq!(clusters(&dedupe(&text)), (vec![0, 0, 0, 3, 3], cut));
    assert_eq!(clusters(&dedupe(never)).0, [0; 5]);
    let error = results(&dedupe(&text).with_max_candidates(9)).err().unwrap();
    assert_eq!(error.code(), ErrorCode::CandidateLimit, "{error}");
    assert!(error.message().contains("10 pairs inside components"), "{error}");
    assert!(results(&dedupe(&text).with_max_candidates(10)).is_ok());
}

/// In a link, only pairs of the two inputs can be forbidden.
#[test]
fn pairs_that_the_job_could_form_are_kept_apart() {
    let text = "[[never]]\nwhen = \"l.id = '1' and r.id = '0'\"\n[clusters]\nkeep_apart = true\n";
    let cut = CutRecord { pairs: 1, never: 1, kept_apart: Some(4), ..CutRecord::default() };
    assert_eq!(clusters(&link(text)), (vec![0, 1, 2, 0, 0, 5], cut));
}

#[test]
fn each_of_several_thresholds_has_a_column() {
    let found = results(&dedupe("[clusters]\nthreshold = [0.85, 0.65]\n")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.roots, [0, 0, 2, 3, 4]);
    let [more] = &found.more_clusters[..] else { panic!("one more threshold") };
    assert_eq!((more.name.as_str(), &more.roots[..]), ("cluster_id_0.65", &[0, 0, 0, 0, 4][..]));
    let record = found.record();
    let counts = record.clusters_at.iter().map(|at| (at.threshold, at.column.as_str(), at.clusters, at.largest));
    assert_eq!(counts.collect::<Vec<_>>(), [(0.85, "cluster_id", 4, 2), (0.65, "cluster_id_0.65", 2, 4)]);
    assert!(record.cut.is_none() && record.clusters == 4);
}

#[test]
fn what_cannot_be_is_refused() {
    let plain = |text: &str| {
        let rules = format!("[[rule]]\nwhen = \"l.city = r.city\"\n{text}");
        Job::dedupe(people("people", 5)).with_rules(RuleFile::parse(&rules, "rules.toml").unwrap())
    };
    for (job, message) in [
        (plain("[clusters]\nthreshold = 0.5\n"), "`threshold`: the pairs of this job have no scores"),
        (plain("[clusters]\none_to = \"one\"\n"), "`one_to` is for records of several sources, and there is one"),
        (link("[clusters]\none_to_many = \"their\"\n"), "there is no source `their`"),
        (plain("[[limit]]\nmost = 1\nvalues_of = \"town\"\n"), "unknown column `town`"),
        (plain("[clusters]\nmax_size = 0\n"), "`max_size` is 0"),
    ] {
        let error = results(&job).err().unwrap();
        assert!(error.message().contains(message), "{error}");
    }
    // Clusters without scores: by size alone, pairs in the order of their rows.
    assert_eq!(clusters(&plain("[clusters]\nmax_size = 2\n")).0, [0, 0, 2, 2, 4]);
}
