//! Whole runs of the generator.

use super::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

fn run(options: &Options) -> (Summary, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let mut last = 0;
    let summary = generate(options, dir.path(), &mut |done| {
        last = done;
        Ok(())
    })
    .unwrap();
    assert_eq!(last, options.records);
    (summary, dir)
}

fn text(dir: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(dir.path().join(name)).unwrap()
}

/// A small reader of CSV: lines of fields.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            c => field.push(c),
        }
    }
    assert!(line.is_empty() && field.is_empty() && !quoted);
    lines
}

fn clusters(truth: &str) -> BTreeMap<String, Vec<String>> {
    let mut clusters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in &read_csv(truth)[1..] {
        clusters.entry(line[1].clone()).or_default().push(line[0].clone());
    }
    clusters
}

#[test]
fn a_seed_determines_every_byte() {
    for kind in [Kind::People, Kind::Publications, Kind::Cds] {
        let options = Options { kind, records: 20_000, ..Options::default() };
        let ((_, a), (_, b)) = (run(&options), run(&options));
        let (_, c) = run(&Options { seed: 43, ..options });
        for name in ["records.csv", "truth.csv"] {
            assert_eq!(text(&a, name), text(&b, name));
            assert_ne!(text(&a, name), text(&c, name));
        }
    }
}

#[test]
fn records_and_truth_agree() {
    for (kind, duplicates) in [(Kind::People, 0.3), (Kind::Publications, 0.0), (Kind::People, 0.9), (Kind::Cds, 0.2)] {
        let options = Options { kind, records: 9_999, duplicates, ..Options::default() };
        let (summary, dir) = run(&options);
        let (records, truth) = (read_csv(&text(&dir, "records.csv")), read_csv(&text(&dir, "truth.csv")));
        assert_eq!((records.len(), truth.len()), (10_000, 10_000));
        assert!(records.iter().all(|line| line.len() == kind.columns().len() + 1));
        let ids = |lines: &[Vec<String>]| lines[1..].iter().map(|line| line[0].clone()).collect::<Vec<_>>();
        assert_eq!(ids(&records), ids(&truth));
        assert_eq!(ids(&records).into_iter().collect::<BTreeSet<_>>().len(), 9_999);
        let clusters = clusters(&text(&dir, "truth.csv"));
        assert_eq!(clusters.len() as u64, summary.clusters);
        assert_eq!(summary.records - summary.clusters, summary.duplicates);
        assert!((summary.duplicates as f64 / 9_999.0 - duplicates).abs() < 0.001);
    }
}

#[test]
fn copies_are_far_from_their_originals_and_mostly_dirty() {
    let (_, dir) = run(&Options { records: 10_000, duplicates: 0.3, ..Options::default() });
    let records = read_csv(&text(&dir, "records.csv"));
    let row: BTreeMap<&str, usize> = records.iter().enumerate().map(|(at, line)| (line[0].as_str(), at)).collect();
    let (mut near, mut same, mut pairs) = (0, 0, 0);
    for cluster in clusters(&text(&dir, "truth.csv")).values().filter(|ids| ids.len() == 2) {
        let (a, b) = (row[cluster[0].as_str()], row[cluster[1].as_str()]);
        near += usize::from(a.abs_diff(b) < 100);
        same += usize::from(records[a][1..] == records[b][1..]);
        pairs += 1;
    }
    assert!(pairs > 1000 && near < pairs / 10, "{near} of {pairs}");
    assert!((pairs / 20..pairs / 3).contains(&same), "{same} of {pairs}");
}

#[test]
fn two_inputs_have_no_duplicates_in_themselves() {
    let options =
        Options { kind: Kind::Publications, records: 5_001, duplicates: 0.5, two_inputs: true, ..Options::default() };
    let (summary, dir) = run(&options);
    assert_eq!(read_csv(&text(&dir, "left.csv")).len(), 2_502);
    assert_eq!(read_csv(&text(&dir, "right.csv")).len(), 2_501);
    assert_eq!(summary.files.len(), 3);
    let clusters = clusters(&text(&dir, "truth.csv"));
    let linked = clusters.values().filter(|ids| ids.len() > 1);
    assert_eq!(linked.clone().count(), 1_250);
    assert!(linked.into_iter().all(|ids| ids.len() == 2 && ids[0].starts_with('a') && ids[1].starts_with('b')));
}

#[test]
fn parquet_holds_the_same_records() {
    let options = Options { records: 3_000, format: Format::Parquet, ..Options::default() };
    let (_, dir) = run(&options);
    let (_, csv) = run(&Options { format: Format::Csv, ..options });
    let file = File::open(dir.path().join("records.parquet")).unwrap();
    let reader =
        ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for batch in reader {
        let batch = batch.unwrap();
        let columns: Vec<_> = batch.columns().iter().map(arrow_array::cast::AsArray::as_string::<i32>).collect();
        for row in 0..batch.num_rows() {
            rows.push(columns.iter().map(|column| column.iter().nth(row).flatten().unwrap_or("").to_owned()).collect());
        }
    }
    assert_eq!(rows, read_csv(&text(&csv, "records.csv"))[1..]);
    assert_eq!(text(&dir, "truth.csv"), text(&csv, "truth.csv"));
}

#[test]
fn small_and_wrong_requests() {
    for records in [0, 1, 2, 3] {
        for two_inputs in [false, true] {
            let (summary, dir) = run(&Options { records, two_inputs, duplicates: 1.0, ..Options::default() });
            assert_eq!(read_csv(&text(&dir, "truth.csv")).len() as u64, records + 1);
            assert_eq!(summary.records, records);
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let wrong = Options { duplicates: f64::NAN, ..Options::default() };
    assert_eq!(generate(&wrong, dir.path(), &mut |_| Ok(())).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    assert!(generate(&Options::default(), &dir.path().join("missing"), &mut |_| Ok(())).is_err());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
