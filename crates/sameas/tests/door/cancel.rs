//! A job that is cancelled ends soon, whatever it does at the moment, and leaves nothing behind.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use sameas::{ErrorCode, Format, Input, Job, Observer, OutputFolder, Session};

/// Cancels the job some time after it has begun, and remembers when.
struct Alarm {
    at: Instant,
    first_seen: Mutex<Option<Instant>>,
}

impl Alarm {
    fn after(time: Duration) -> Self {
        Self { at: Instant::now() + time, first_seen: Mutex::default() }
    }
}

impl Observer for Alarm {
    fn is_cancelled(&self) -> bool {
        let now = Instant::now();
        if now < self.at {
            return false;
        }
        self.first_seen.lock().unwrap().get_or_insert(now);
        true
    }
}

/// How late a job may end: on a machine that does nothing else (`SAMEAS_QUIET`) half a second; on any other a test can only
/// show that it ends long before it would have been done.
fn latest() -> Duration {
    let quiet = std::env::var_os("SAMEAS_QUIET").is_some();
    if quiet { Duration::from_millis(500) } else { Duration::from_secs(10) }
}

/// Sixty thousand people, so that a run takes some seconds in a test.
fn people() -> String {
    let mut text = String::from("id,given,surname,street,city\n");
    for row in 0..60_000_u64 {
        let mix = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        let _ = writeln!(text, "{row},g{},s{},{} Road {},c{}", mix % 997, mix % 4001, mix % 199, mix % 3001, mix % 23);
    }
    text
}

#[test]
fn a_job_ends_within_half_a_second_of_being_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("people.csv"), folder.path().join("out"));
    std::fs::write(&path, people()).unwrap();
    let job = Job::dedupe(Input::files([&path]))
        .with_rule("l.city = r.city and jaro_winkler(l.surname, r.surname) >= 0.95 and l.given = r.given")
        .with_rule("jaccard(qgrams(l.street, 3), qgrams(r.street, 3)) >= 0.6 and l.city = r.city")
        .with_rule("levenshtein(l.surname || l.given, r.surname || r.given) <= 1");
    let session = Session::builder().threads(2).spill_folder(folder.path()).build().unwrap();
    let mut cancelled = 0;
    for tenths in [0, 1, 2, 3, 5, 7, 9, 12, 15, 20] {
        let alarm = Alarm::after(Duration::from_millis(tenths * 50));
        let results = OutputFolder::create(&out, false).unwrap();
        let ended = session.run(&job, &alarm).and_then(|mut run| run.write(results, Format::Csv, &alarm));
        let ended_at = Instant::now();
        if let Err(error) = ended {
            assert_eq!(error.code(), ErrorCode::Cancelled, "{error}");
            let late = ended_at.saturating_duration_since(alarm.at);
            assert!(late < latest(), "{late:?} late after {} ms", tenths * 50);
            assert!(!out.exists(), "the folder was made for this run");
            cancelled += 1;
        }
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| name == "people.csv" || name == "out"), "{left:?}");
        let _ = std::fs::remove_dir_all(&out);
    }
    assert!(cancelled >= 3, "only {cancelled} runs were cancelled");
}
