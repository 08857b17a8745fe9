//! Data that misleads the planner: what it draws by its fixed seed says one thing, the rest of the records another.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use sameas::{Format, Input, RunRecord, Session};
use sameas_engine::plan::{RevisionRecord, Strategy};
use sameas_records::records::stats::{SAMPLE, SEED, least_rows};
use sameas_testkit::selftest::engine::run_job;
use sameas_testkit::selftest::variant::Options;

use super::support::job_over;

fn run(job: &str, table: &str, strategy: Strategy, folder: &Path) -> (RunRecord, String) {
    let input = folder.join("people.csv");
    std::fs::write(&input, table).unwrap();
    let job = job_over(job, vec![Input::files([&input])]).unwrap();
    let out = folder.join(strategy.name());
    let options = Options { threads: 1, strategy, ..Options::default() };
    let record = run_job(&job, &options, Format::Csv, &out).unwrap();
    (record, std::fs::read_to_string(out.join("pairs.csv")).unwrap())
}

/// As [`run`], interrupted after the first branch and resumed.
fn run_interrupted(job: &str, folder: &Path) -> (RunRecord, String) {
    let job = job_over(job, vec![Input::files([folder.join("people.csv")])]).unwrap();
    let out = folder.join("interrupted");
    let options = Options { threads: 1, interrupted_after: Some(1), ..Options::default() };
    let record = run_job(&job, &options, Format::Csv, &out).unwrap();
    (record, std::fs::read_to_string(out.join("pairs.csv")).unwrap())
}

/// What the branches join on, before they run.
fn planned(job: &str, folder: &Path) -> Vec<String> {
    let job = job_over(job, vec![Input::files([folder.join("people.csv")])]).unwrap();
    let explanation = Session::new().unwrap().explain(&job, &()).unwrap();
    explanation.plan.iter().map(|branch| branch.on.join(" and ")).collect()
}

/// A word of six letters for each number, no two of them near each other.
fn word(number: usize) -> String {
    let letter = |place: u32| char::from(b'a' + ((number * 7919 + 31) / 17_usize.pow(place) % 17) as u8);
    (0..6).map(|place| letter(place).to_string().repeat(2)).collect()
}

/// Names: those of sampled rows have nothing in common, and six hundred others are similar to each other. Few records
/// have a name; all have a long story.
fn hidden_cluster(rows: u32) -> String {
    let sampled: BTreeSet<u32> = least_rows(rows, SAMPLE, SEED).into_iter().map(|of| of.row as u32).collect();
    let mut table = String::from("id,name,city,story\n");
    let mut left = 600_usize;
    for row in 0..rows {
        let near = !sampled.contains(&row) && left > 0 && row % 3 == 0;
        left -= usize::from(near);
        let ending = |number: usize| char::from(b'a' + (number % 26) as u8);
        let name = match (near, row % 10 < 3) {
            (true, _) => format!("jonathan{}{}", ending(left), ending(left / 26)),
            (false, true) => word(row as usize),
            (false, false) => String::new(),
        };
        let story: String = (0..24).map(|part| word(row as usize * 13 + part * 101)).collect();
        let _ = writeln!(table, "{row},{name},{},{story}", row % 2);
    }
    table
}

#[test]
fn a_join_with_far_more_candidates_than_expected_has_the_rest_planned_again() {
    let job = r#"
        [[rule]]
        when = "l.city = r.city and levenshtein(l.name, r.name) <= 2"
        [[rule]]
        when = """
            jaccard(qgrams(l.name, 2), qgrams(r.name, 2)) >= 0.6
            and jaccard(qgrams(l.story, 3), qgrams(r.story, 3)) >= 0.9
        """
    "#;
    let folder = tempfile::tempdir().unwrap();
    let table = hidden_cluster(10_000);
    let (record, pairs) = run(job, &table, Strategy::Full, folder.path());
    let before = planned(job, folder.path());
    assert_eq!(before, ["levenshtein(l.name, r.name) <= 2", "jaccard(qgrams(l.name, 2), qgrams(r.name, 2)) >= 0.6"]);
    let [first, second] = &record.plan[..] else { panic!("{} branches", record.plan.len()) };
    let seen = first.candidates.unwrap();
    assert!(seen > 100_000 && seen > 10 * first.estimated_candidates, "{seen} of {}", first.estimated_candidates);
    // Both joins were judged by the same sampled names; the second has not begun and can still change.
    assert_eq!(second.on, ["jaccard(qgrams(l.story, 3), qgrams(r.story, 3)) >= 0.9"]);
    let [RevisionRecord::ReplannedBeforeStart { joined_on, candidates, expected }] = &second.revisions[..] else {
        panic!("{:?}", second.revisions)
    };
    assert_eq!(joined_on.iter().map(ToString::to_string).collect::<Vec<_>>(), first.on);
    assert_eq!((*candidates, *expected), (seen, first.estimated_candidates));
    assert!(pairs == run(job, &table, Strategy::NoEpg, folder.path()).1, "the pairs do not depend on it");
    // A resumed run takes the branches as they were planned last, with the reason.
    let (resumed, resumed_pairs) = run_interrupted(job, folder.path());
    assert!(pairs == resumed_pairs, "the pairs do not depend on an interruption");
    let plan = |record: &RunRecord| record.plan.iter().map(|b| (b.on.clone(), b.revisions.clone())).collect::<Vec<_>>();
    assert_eq!(plan(&resumed), plan(&record));
}

#[test]
fn a_check_that_passes_far_more_than_expected_is_evaluated_later() {
    // One key for all. Names are equal among the first records only: seldom on the whole, nearly always in the first
    // tasks, which meet these with each other.
    let mut table = String::from("id,name,road,city\n");
    for row in 0..12_000_u32 {
        let name = if row < 600 { "smith".to_owned() } else { word(row as usize) };
        let _ = writeln!(table, "{row},{name},{},rome", word(row as usize / 3));
    }
    let job = r#"
        [[rule]]
        when = "l.city = r.city and hamming(l.name, r.name) <= 3 and hamming(l.road, r.road) <= 3"
    "#;
    let folder = tempfile::tempdir().unwrap();
    let (record, pairs) = run(job, &table, Strategy::Full, folder.path());
    let reordered = |change: &RevisionRecord| match change {
        RevisionRecord::ChecksReordered { passed, expected, .. } => passed > expected,
        RevisionRecord::ReplannedBeforeStart { .. } => false,
    };
    assert!(record.plan[0].revisions.iter().any(reordered), "{:?}", record.plan[0]);
    assert!(pairs == run(job, &table, Strategy::NoEpg, folder.path()).1, "the pairs do not depend on it");
}

/// A device tries some tasks of every branch; one order after them is another than before, and gives the same pairs.
#[cfg(feature = "emulated")]
#[test]
fn a_device_tries_some_tasks_and_takes_a_better_order() {
    let mut table = String::from("id,name,road,city\n");
    for row in 0..400_u32 {
        let (name, city) = (word(row as usize % 90), row % 3);
        let _ = writeln!(table, "{row},{name},{},{city}", word(row as usize / 7));
    }
    let job = r#"
        [[rule]]
        when = "l.city = r.city and hamming(l.name, r.name) <= 3 and l.road <> r.road and hamming(l.road, r.road) <= 9"
        [[rule]]
        when = "l.city = r.city and jaro_winkler(l.road, r.road) >= 0.9 and l.name <> r.name"
    "#;
    let folder = tempfile::tempdir().unwrap();
    let (_, pairs) = run(job, &table, Strategy::Full, folder.path());
    let compiled = job_over(job, vec![Input::files([folder.path().join("people.csv")])]).unwrap();
    let mut options = Options { device: sameas::DeviceChoice::emulated().unwrap(), ..Options::default() };
    let mut on_device = |far: Option<f64>, name: &str| {
        options.device_options.misestimate_factor = far;
        let record = run_job(&compiled, &options, Format::Csv, &folder.path().join(name)).unwrap();
        (record, std::fs::read_to_string(folder.path().join(name).join("pairs.csv")).unwrap())
    };
    let (plain, plain_pairs) = on_device(None, "plain");
    let (revised, revised_pairs) = on_device(Some(0.0), "revised");
    assert!(pairs == plain_pairs && pairs == revised_pairs, "the pairs do not depend on it");
    assert!(plain.plan.iter().all(|branch| branch.revisions.is_empty()), "{:?}", plain.plan);
    let reordered = |change: &RevisionRecord| matches!(change, RevisionRecord::ChecksReordered { .. });
    assert!(revised.plan.iter().any(|branch| branch.revisions.iter().any(reordered)), "{:?}", revised.plan);
    let candidates = |record: &RunRecord| record.plan.iter().map(|branch| branch.candidates).collect::<Vec<_>>();
    assert_eq!(candidates(&plain), candidates(&revised));
}
