//! The output folder: results appear whole or not at all, whatever else happens to it; interrupted runs are resumed.

use std::fs;
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, PEOPLE, SAME_PHONE, has};

const RESULTS: [&str; 3] = ["clusters.csv", "pairs.csv", "run.json"];

fn names(folder: &Folder, below: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path(below)).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until `holds`, for a minute at most.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A run into `out` that has its folder and waits for its input.
fn waiting(folder: &Folder) -> Child {
    let args = ["dedupe", "-", "--rule", SAME_PHONE, "-o", "out", "--format", "csv", "--overwrite"];
    let mut command = folder.command(&args);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the run has begun", || folder.path("out").exists() && has_lock(&child));
    child
}

/// Whether a process has a lock on a file.
fn has_lock(child: &Child) -> bool {
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    locks.lines().any(|line| line.split_whitespace().nth(4) == Some(&child.id().to_string()))
}

#[test]
fn a_second_run_into_the_same_folder_is_refused() {
    let folder = Folder::with_people();
    let mut first = waiting(&folder);
    let refused = folder.run(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "--overwrite"]);
    assert_eq!(refused.code, Some(2));
    has(&refused.err, &["another run is writing into the output folder", "help: wait until it has ended"]);
    first.stdin.take().unwrap().write_all(PEOPLE.as_bytes()).unwrap();
    assert!(first.wait().unwrap().success());
    assert_eq!(names(&folder, "out"), RESULTS);
    has(&folder.read("out/pairs.csv"), &["1,2,"]);
}

#[test]
fn a_killed_run_leaves_earlier_results_and_the_next_run_removes_the_rest() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "--format", "csv"];
    let mut first = waiting(&folder);
    first.kill().unwrap();
    first.wait().unwrap();
    // A folder that is there, and empty.
    folder.ok(&run);
    let before = RESULTS.map(|name| folder.bytes(&format!("out/{name}")));
    let mut second = waiting(&folder);
    second.kill().unwrap();
    second.wait().unwrap();
    assert_eq!(RESULTS.map(|name| folder.bytes(&format!("out/{name}"))), before);
    folder.ok(&[&run[..], &["--overwrite"]].concat());
    assert_eq!(
        (names(&folder, "out"), folder.names()),
        (RESULTS.map(String::from).to_vec(), vec!["out".into(), "people.csv".into()])
    );
}

/// Records that are read twice are kept in a temporary file without a name.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_no_temporary_file() {
    let folder = Folder::new();
    let temporary = folder.path("tmp");
    fs::create_dir(&temporary).unwrap();
    let mut command = folder.command(&["dedupe", "-", "--rule", "l.a = r.a", "-o", "out"]);
    let mut child = command.env("TMPDIR", &temporary).stdin(Stdio::piped()).spawn().unwrap();
    let rows: String = (0..1000).map(|row| format!("{{\"id\": {row}, \"a\": 1}}\n")).collect();
    child.stdin.as_mut().unwrap().write_all(rows.as_bytes()).unwrap();
    let files = format!("/proc/{}/fd", child.id());
    let keeps = || {
        fs::read_dir(&files).is_ok_and(|all| {
            all.filter_map(Result::ok).any(|file| fs::read_link(file.path()).is_ok_and(|to| to.starts_with(&temporary)))
        })
    };
    wait_until("the records are kept", keeps);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn what_is_not_a_result_of_ours_is_not_replaced() {
    let folder = Folder::new();
    folder.write("pairs.csv", PEOPLE);
    let run = ["dedupe", "pairs.csv", "--rule", SAME_PHONE, "-o", ".", "--overwrite", "--format", "csv"];
    has(&folder.fails(&run), &["pairs.csv` would be replaced, and it was not written by sameas", "help: move it away"]);
    fs::rename(folder.path("pairs.csv"), folder.path("people.csv")).unwrap();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", ".", "--overwrite", "--format", "csv"];
    folder.write("run.json", "{\"scripts\": {}}");
    has(&folder.fails(&run), &["run.json` would be replaced, and it was not written by sameas"]);
    fs::remove_file(folder.path("run.json")).unwrap();
    folder.ok(&run);
    folder.ok(&run);
    assert_eq!(folder.names(), ["clusters.csv", "pairs.csv", "people.csv", "run.json"]);
    let own = ["dedupe", "pairs.csv", "--rule", "l.match_key = r.match_key", "-o", ".", "--overwrite", "--id", "row"];
    has(&folder.fails(&own), &["pairs.csv` is an input of the run, and would be replaced by a result"]);
    folder.write("clusters.csv", "mine");
    has(&folder.fails(&run), &["clusters.csv` would be replaced, and it has been changed since a run wrote it"]);
    has(
        &folder.fails(&["evaluate", "--clusters", "clusters.csv", "--truth", "people.csv"]),
        &["is not as the run in its folder wrote it"],
    );
}

#[test]
fn the_record_names_and_hashes_the_files() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "--format", "csv"]);
    let record: serde_json::Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    for (file, name) in record["files"].as_array().unwrap().iter().zip(["pairs.csv", "clusters.csv"]) {
        assert_eq!(file["name"], name);
        assert_eq!(file["bytes"], folder.bytes(&format!("out/{name}")).len());
        assert_eq!(file["xxh128"].as_str().unwrap().len(), 32);
    }
    assert_eq!(record["inputs"][0]["xxh128"].as_str().unwrap().len(), 32);
}

/// Two of them compare all texts with each other.
const SLOW_RULES: [&str; 6] = [
    "--rule",
    "jaro_winkler(l.street || l.given_name, r.street || r.given_name) >= 0.87",
    "--rule",
    "l.surname = r.surname and l.phone = r.phone",
    "--rule",
    "jaro_winkler(l.street || l.surname, r.street || r.surname) >= 0.87",
];

/// Damages a log: without a look at what comes before it, the line would count twice. What was not written to its end is
/// left out.
fn repeat_last_line(folder: &Folder, log: &str) {
    let text = folder.read(log);
    let whole = &text[..=text.rfind('\n').unwrap()];
    let last = whole.split_inclusive('\n').next_back().unwrap();
    folder.write(log, format!("{whole}{last}"));
}

#[test]
fn a_killed_run_is_resumed() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "70000", "-o", "people"]);
    let run = |out: &'static str, more: &[&'static str]| {
        [&["dedupe", "people/records.csv", "-o", out, "--format", "csv"], &SLOW_RULES[..], more].concat()
    };
    folder.ok(&run("whole", &[]));
    let mut child = folder.command(&run("out", &["--resume", "--threads", "1", "-q"])).spawn().unwrap();
    let stored = || fs::read_to_string(folder.path("out/.sameas-checkpoint/log")).map_or(0, |log| log.lines().count());
    wait_until("a branch has been stored", || stored() >= 2);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "the run must last longer than one branch of it");
    assert_eq!(names(&folder, "out"), [".sameas-checkpoint"]);
    // Another job has no use for it, and says so.
    let said = folder.ok(&run("out", &["--resume", "--rule", "l.city = r.city and l.given_name = r.surname"]));
    has(&said.out, &["started over, since the rules are not those of the interrupted run"]);
    assert_eq!(names(&folder, "out"), RESULTS);
    fs::remove_dir_all(folder.path("out")).unwrap();
    let mut child = folder.command(&run("out", &["--resume", "--threads", "1", "-q"])).spawn().unwrap();
    wait_until("a branch has been stored", || stored() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    repeat_last_line(&folder, "out/.sameas-checkpoint/log");
    let said = folder.ok(&run("out", &["--resume", "--threads", "2", "--memory", "100MB"]));
    has(&said.out, &["Resumed", "of the plan had been finished before"]);
    assert_eq!(names(&folder, "out"), RESULTS);
    for name in ["pairs.csv", "clusters.csv"] {
        assert!(folder.bytes(&format!("out/{name}")) == folder.bytes(&format!("whole/{name}")), "{name}");
    }
}

#[test]
fn a_run_to_standard_output_cannot_be_resumed() {
    let folder = Folder::with_people();
    let complaint = folder.fails(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "-", "--resume"]);
    has(&complaint, &["--resume needs an output folder"]);
}
