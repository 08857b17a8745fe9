use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use tempfile::TempDir;

use super::*;
use crate::error::{ErrorCode, Result};
use crate::observer::Progress;
use crate::output::{Format, WriteOptions, write_table};
use crate::records::Input;
use crate::rules::{ClusterSpec, OneToSpec, RuleFile};
use crate::settings::Settings;

fn file(folder: &TempDir, name: &str, text: &str) -> Input {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Input::files([path])
}

fn found(job: &ClusterPairsJob) -> Result<PairClusters> {
    crate::cancel::catch(|| cluster_pairs(job, &Settings::default(), Progress::new(&(), &|| false)))
}

/// A table as CSV.
fn csv(found: &PairClusters, table: PairClusterTable) -> String {
    let (schema, rows) = (found.written_schema(table), found.rows(table) as usize);
    let options = WriteOptions { format: Format::Csv, path: Path::new("-"), parallel: 2, progress: &|_| {} };
    let chunk = |_: u64| found.written_batch(table, &schema, 0..rows);
    String::from_utf8(write_table(Vec::new(), &schema, &[], 1, &chunk, &options).unwrap()).unwrap()
}

fn clusters(job: &ClusterPairsJob) -> String {
    csv(&found(job).unwrap(), PairClusterTable::Clusters)
}

fn cut(job: &ClusterPairsJob) -> String {
    csv(&found(job).unwrap(), PairClusterTable::Cut)
}

const PAIRS: &str = "unique_id_l,unique_id_r,match_key,score\n10,9,b,0.9\n9,2,a,0.8\n2,30,b,0.95\n10,9,a,0.1\n";

#[test]
fn rows_are_in_the_order_of_ids_and_not_of_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let turned = "unique_id_r,score,match_key,unique_id_l\n2,0.95,b,30\n9,0.1,a,10\n9,0.8,a,2\n10,0.9,b,9\n";
    let small = ClusterSpec { max_size: Some(2), ..ClusterSpec::default() };
    for (name, text) in [("a.csv", PAIRS), ("b.csv", turned)] {
        let job = ClusterPairsJob::new(file(&folder, name, text));
        assert_eq!(clusters(&job), "unique_id,cluster_id\n2,2\n9,2\n10,2\n30,2\n");
        let job = job.with_spec(small.clone());
        assert_eq!(clusters(&job), "unique_id,cluster_id\n2,2\n9,9\n10,9\n30,2\n");
        let expected = "unique_id_l,unique_id_r,match_key,score,cause,because\n2,9,a,0.8,max_size,\n";
        assert_eq!(cut(&job), expected);
    }
    let texts = "id_l,id_r\nx10,x9\nx9,x2\n";
    let job = ClusterPairsJob::new(file(&folder, "t.csv", texts));
    assert_eq!(clusters(&job), "unique_id,cluster_id\nx10,x10\nx2,x10\nx9,x10\n", "texts by their bytes");
}

#[test]
fn records_without_a_pair_are_clusters_and_limits_count_values() {
    let folder = tempfile::tempdir().unwrap();
    let records = file(&folder, "people.csv", "id,passport\n2,P1\n7,\n9,p1\n10,P2\n30,\n");
    let text = "[derive]\npass = \"upper(passport)\"\n[[limit]]\nmost = 1\nvalues_of = \"pass\"\n";
    let rules = RuleFile::parse(text, "c.toml").unwrap();
    let job = ClusterPairsJob::new(file(&folder, "pairs.csv", PAIRS)).with_rules(rules);
    let error = found(&job).unwrap_err();
    assert_eq!(error.message(), "a `[[limit]]` counts values of records, and only pairs are given");
    let job = job.with_records(records);
    assert_eq!(clusters(&job), "unique_id,cluster_id\n2,2\n7,7\n9,2\n10,10\n30,2\n");
    assert_eq!(cut(&job), "unique_id_l,unique_id_r,match_key,score,cause,because\n9,10,b,0.9,limit,pass: P2\n");
}

#[test]
fn sources_come_before_ids_and_limit_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,score\n\
                 b,1,a,1,0.9\na,1,b,2,0.8\na,2,b,2,0.7\n";
    let one = ClusterSpec { one_to: Some(OneToSpec::One), ..ClusterSpec::default() };
    let job = ClusterPairsJob::new(file(&folder, "pairs.csv", pairs)).with_spec(one);
    let expected = "source_dataset,unique_id,cluster_id\na,1,a:1\na,2,a:2\nb,1,a:1\nb,2,a:2\n";
    assert_eq!(clusters(&job), expected);
    let cut = cut(&job);
    assert!(cut.ends_with("\na,1,b,2,0.8,one_to,a\n"), "{cut}");
    // Each input of records is a source where they name none.
    let records = ["a", "b"].map(|name| file(&folder, &format!("{name}.csv"), "id\n1\n2\n3\n"));
    let job = records.into_iter().fold(job, ClusterPairsJob::with_records);
    assert!(clusters(&job).contains("a,3,a:3\n"));
    let several = ClusterSpec { thresholds: vec![0.75, 0.85], ..ClusterSpec::default() };
    let at_each = clusters(&job.with_spec(several));
    assert!(at_each.starts_with("source_dataset,unique_id,cluster_id,cluster_id_0.85\n"), "{at_each}");
    assert!(at_each.contains("\nb,2,a:1,b:2\n"), "{at_each}");
}

#[test]
fn decisions_force_pairs_and_contradictions_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let judged = |rows: &str| file(&folder, "judged.csv", &format!("unique_id_l,unique_id_r,judgement\n{rows}"));
    let job = ClusterPairsJob::new(file(&folder, "pairs.csv", "id_l,id_r\na,b\nb,c\n"));
    let apart = job.clone().with_decided(judged("c,a,different\na,z,unsure\nx,y,different\n"));
    assert_eq!(clusters(&apart), "unique_id,cluster_id\na,a\nb,a\nc,c\n");
    assert_eq!(cut(&apart), "unique_id_l,unique_id_r,cause,because\nb,c,decided,\"a, c\"\n");
    let together = job.clone().with_decided(judged("c,d,same\n"));
    assert_eq!(clusters(&together), "unique_id,cluster_id\na,a\nb,a\nc,a\nd,a\n");
    let error = found(&job.clone().with_decided(judged("a,b,same\nb,c,same\na,c,different\n"))).unwrap_err();
    assert!(error.message().contains("judged.csv:4: `a` and `c` are decided to be different"), "{error}");
    assert!(error.message().ends_with("`a` = `b` = `c`"), "{error}");
    let never = file(&folder, "never.csv", "id_l,id_r\nc,a\nq,a\n");
    assert_eq!(cut(&job.with_kept_apart(never)), "unique_id_l,unique_id_r,cause,because\nb,c,never,\"a, c\"\n");
}

#[test]
fn certain_pairs_are_strongest_and_rules_have_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = "id_l,id_r,match_key,score,certain\n1,2,x,0.9,false\n2,3,y,0.1,true\n";
    let two = ClusterSpec { max_size: Some(2), ..ClusterSpec::default() };
    let mut job = ClusterPairsJob::new(file(&folder, "pairs.csv", pairs)).with_spec(two);
    assert_eq!(clusters(&job), "unique_id,cluster_id\n1,1\n2,2\n3,2\n");
    let equal = "id_l,id_r,match_key\n1,2,x\n2,3,y\n";
    job.pairs = file(&folder, "equal.csv", equal);
    assert_eq!(clusters(&job), "unique_id,cluster_id\n1,1\n2,1\n3,3\n", "by name");
    job.rule_order = vec!["y".to_owned(), "x".to_owned()];
    assert_eq!(clusters(&job), "unique_id,cluster_id\n1,1\n2,2\n3,2\n");
    (job.rule_order, job.certain_rules) = (Vec::new(), vec!["y".to_owned()]);
    assert_eq!(clusters(&job), "unique_id,cluster_id\n1,1\n2,2\n3,2\n");
}

#[test]
fn what_cannot_be_clustered_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str| found(&ClusterPairsJob::new(file(&folder, "p.csv", text))).unwrap_err().to_string();
    let error = refused("a,b\n1,2\n");
    assert!(
        error.contains("`p` has no columns `unique_id_l` and `unique_id_r`") && error.contains("`a`, `b`"),
        "{error}"
    );
    assert!(refused("id_l,id_r\n1,2\n3,\n").contains("p.csv:3: the id in column `id_r` is missing"));
    let error = refused("id_l,id_r,score\n1,2,0.5\n3,4,high\n");
    assert!(error.contains("p.csv:3: `score` is `high`, which is no score"), "{error}");
    let error = refused("id_l,id_r,certain\n1,2,yes\n");
    assert!(error.contains("p.csv:2: `certain` is `yes`"), "{error}");
    let error = refused("id_l,id_r,source_dataset_l\n1,2,a\n");
    assert!(error.contains("has a column `source_dataset_l`, and no column `source_dataset_r`"), "{error}");
    let job = ClusterPairsJob::new(file(&folder, "p.csv", "id_l,id_r\n1,2\n"));
    let at = ClusterSpec { thresholds: vec![0.5], ..ClusterSpec::default() };
    let error = found(&job.clone().with_spec(at)).unwrap_err();
    assert_eq!(error.message(), "a threshold needs scores, and the pairs have none");
    let unknown = job.clone().with_records(file(&folder, "r.csv", "id\n1\n"));
    let error = found(&unknown).unwrap_err();
    assert!(error.message().ends_with("p.csv:2: the second record of the pair is not among the records"), "{error}");
    let twice = job.clone().with_records(file(&folder, "s.csv", "id\n1\n2\n1\n"));
    let error = found(&twice).unwrap_err();
    assert!(error.message().ends_with("s.csv:4: the record `1` comes twice"), "{error}");
    let apart = ClusterSpec { keep_apart: true, ..ClusterSpec::default() };
    let error = found(&job.with_spec(apart)).unwrap_err();
    assert!(error.message().starts_with("`keep_apart` needs the pairs"), "{error}");
}

/// Of few records each, sources take more than their records.
#[test]
fn the_memory_of_sources_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<String> = (0..200_000).map(|at| format!("s{at},1,s{},1\n", at + 1)).collect();
    let head = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\n";
    let job = ClusterPairsJob::new(file(&folder, "p.csv", &[head, &rows.concat()].concat()));
    let records = |memory: usize| {
        let settings = Settings { memory, ..Settings::default() };
        let found = crate::cancel::catch(|| cluster_pairs(&job, &settings, Progress::new(&(), &|| false)));
        found.map(|found| found.rows(PairClusterTable::Clusters))
    };
    assert_eq!(records(1 << 30).unwrap(), 200_001);
    assert_eq!(records(1 << 20).unwrap_err().code(), ErrorCode::MemoryLimit);
}

#[test]
fn sides_are_sources_where_nothing_else_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = ClusterPairsJob::new(file(&folder, "p.csv", "unique_id_l,unique_id_r\n1,1\n1,2\n"));
    assert_eq!(clusters(&job), "unique_id,cluster_id\n1,1\n2,1\n");
    job.sides = Some(["shop".to_owned(), "crm".to_owned()]);
    let one = ClusterSpec { one_to: Some(OneToSpec::One), ..ClusterSpec::default() };
    let job = job.with_spec(one).with_kept_apart(file(&folder, "n.csv", "unique_id_l,unique_id_r\n1,1\n"));
    let expected = "source_dataset,unique_id,cluster_id\ncrm,1,crm:1\ncrm,2,crm:2\nshop,1,crm:2\n";
    assert_eq!(clusters(&job), expected);
    let job = ClusterPairsJob { keep_apart: None, ..job };
    let job = job.with_decided(file(&folder, "j.csv", "unique_id_l,unique_id_r,judgement\n1,2,same\n"));
    assert_eq!(clusters(&job), expected);
    // Columns go before sides.
    let named = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\n";
    let mut job = ClusterPairsJob::new(file(&folder, "s.csv", named));
    job.sides = Some(["shop".to_owned(), "crm".to_owned()]);
    assert_eq!(clusters(&job), "source_dataset,unique_id,cluster_id\na,1,a:1\nb,1,a:1\n");
}

/// Pairs of records that are connected in many ways, with everything that pairs may have.
fn many_pairs(count: i64) -> RecordBatch {
    let drawn = |at: i64, of: i64| (at * 7919 + at / of * 104_729) % of;
    let left = |at: i64| drawn(at, count / 3);
    let ids = |id: &dyn Fn(i64) -> i64| -> ArrayRef {
        Arc::new(StringArray::from_iter_values((0..count).map(id).map(|id| format!("p{id}"))))
    };
    let names = |at: i64| if drawn(at, 5) == 0 { None } else { Some(format!("rule_{}", drawn(at, 11))) };
    let scores = (0..count).map(|at| (drawn(at, 17) > 0).then(|| drawn(at, 100) as f64 / 100.0));
    let columns: [(&str, ArrayRef); 5] = [
        ("id_l", ids(&left)),
        ("id_r", ids(&|at| (left(at) + 1 + drawn(at, 3)) % (count / 3))),
        ("match_key", Arc::new((0..count).map(names).collect::<StringArray>())),
        ("score", Arc::new(scores.collect::<Float64Array>())),
        ("certain", Arc::new((0..count).map(|at| Some(drawn(at, 53) == 1)).collect::<BooleanArray>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

fn batches(batches: Vec<RecordBatch>) -> Input {
    Input::batches("pairs", batches[0].schema(), batches).unwrap()
}

#[test]
fn batches_and_their_order_change_nothing() {
    let (count, spec) = (6_000, ClusterSpec { max_size: Some(4), ..ClusterSpec::default() });
    let whole = many_pairs(count);
    let tables = |pairs: Vec<RecordBatch>, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let job = ClusterPairsJob::new(batches(pairs)).with_spec(spec.clone());
        pool.install(|| (clusters(&job), cut(&job)))
    };
    let expected = tables(vec![whole.clone()], 1);
    assert!(expected.1.lines().count() > 100);
    let mut parts: Vec<RecordBatch> = Vec::new();
    let mut from = 0;
    for rows in [1, 0, 999, 7, 2_000, 500].into_iter().cycle() {
        let rows = rows.min(count as usize - from);
        parts.push(whole.slice(from, rows));
        from += rows;
        if from == count as usize {
            break;
        }
    }
    assert_eq!(tables(parts.clone(), 4), expected);
    parts.reverse();
    assert_eq!(tables(parts, 2), expected);
}

#[test]
fn more_pairs_than_are_read_at_a_time_keep_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let row = |at: u32| format!("{},{},{}\n", at / 4, at / 4 + at % 3, f64::from(at % 100) / 100.0);
    let mut text: String = ["id_l,id_r,score\n".to_owned()].into_iter().chain((0..300_000).map(row)).collect();
    let whole = ClusterPairsJob::new(file(&folder, "whole.csv", &text));
    let first = text[..text.len() / 2].rfind('\n').unwrap() + 1;
    let rest = format!("id_l,id_r,score\n{}", &text[first..]);
    file(&folder, "part2.csv", &text[..first]);
    file(&folder, "part1.csv", &rest);
    let parts = ClusterPairsJob::new(Input::files([folder.path().join("part?.csv")]));
    assert_eq!(found(&parts).unwrap().record().clustered_pairs, 300_000);
    assert!(clusters(&parts) == clusters(&whole), "the parts are the whole");
    text.push_str("7,8,high\n1,2,0.5\n");
    let error = found(&ClusterPairsJob::new(file(&folder, "p.csv", &text))).unwrap_err();
    assert!(error.message().ends_with("p.csv:300002: `score` is `high`, which is no score"), "{error}");
    let ids: String = (0..75_000).map(|id| format!("{id}\n")).collect();
    let unknown = whole.with_records(file(&folder, "r.csv", &format!("id\n{ids}")));
    let error = found(&unknown).unwrap_err();
    // The pair of 74,998 and 75,000.
    assert!(error.message().contains("whole.csv:299995: the second record of the pair"), "{error}");
}

#[test]
fn ids_of_two_types_are_the_same_as_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let ids = |ids: &[i64]| Arc::new(Int64Array::from(ids.to_vec())) as ArrayRef;
    let pairs = RecordBatch::try_from_iter([("id_l", ids(&[10, 9])), ("id_r", ids(&[9, 2]))]).unwrap();
    let job = ClusterPairsJob::new(batches(vec![pairs]));
    let records = job.clone().with_records(file(&folder, "r.csv", "id\n10\n9\n2\n30\n"));
    let judged = file(&folder, "j.csv", "unique_id_l,unique_id_r,judgement\n30,10,same\n9,2,different\n");
    assert_eq!(clusters(&records), "unique_id,cluster_id\n2,2\n9,2\n10,2\n30,30\n");
    let judged = job.with_decided(judged);
    assert_eq!(clusters(&judged), "unique_id,cluster_id\n2,2\n9,9\n10,9\n30,9\n");
    let texts = file(&folder, "t.csv", "unique_id_l,unique_id_r,judgement\nx,10,same\n");
    let job = ClusterPairsJob { decided: Some(texts), ..judged };
    assert_eq!(clusters(&job), "unique_id,cluster_id\n10,10\n2,10\n9,10\nx,10\n");
}

#[test]
fn pairs_that_do_not_fit_the_memory_are_refused_where_that_is_known() {
    let part = |from: usize| {
        let long: ArrayRef =
            Arc::new(StringArray::from_iter_values((from..from + 1000).map(|id| format!("{id:01000}"))));
        let same: ArrayRef = Arc::new(StringArray::from(vec!["same"; 1000]));
        RecordBatch::try_from_iter([("id_l", long), ("id_r", same)]).unwrap()
    };
    let pairs = batches((0..120_000).step_by(1000).map(part).collect());
    let settings = Settings { memory: 100 << 20, ..Settings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let cluster = |pairs: Input| {
        let job = ClusterPairsJob::new(pairs);
        crate::cancel::catch(|| cluster_pairs(&job, &settings, Progress::new(&(), &|| false)))
    };
    let error = pool.install(|| cluster(pairs)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::MemoryLimit);
    let message = error.message();
    assert!(message.starts_with("pairs, row "), "{message}");
    assert!(
        message.ends_with(": the pairs, their records and clusters take more than a memory limit of 100 MiB allows")
    );
    assert_eq!(error.help(), Some("raise the memory limit, or give fewer pairs, such as those with a higher score"));
    // As many pairs of few records fit.
    let same = vec![part(0); 120];
    assert_eq!(pool.install(|| cluster(batches(same))).unwrap().record().clustered_pairs, 120_000);
}
