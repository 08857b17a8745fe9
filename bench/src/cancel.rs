//! `cancel`: how soon a job ends when it is cancelled at random moments.
//!
//! `cancel FILE --rules RULES [--times N] [--seed S] [--threads T] [--device cpu|cuda]`
//!
//! The job is run once to its end, for its time, and then N times with a moment of that time at which it is cancelled. A
//! line of JSON is printed for each: the moment, and the seconds from there to the return. Whatever a cancelled job leaves
//! in its folders is an error.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use sameas::{DeviceChoice, ErrorCode, Format, Input, Job, Observer, OutputFolder, RuleFile, Session, Stage};

use crate::report::{option, print};

/// Cancels at a moment, and remembers the stage of that moment.
struct Alarm {
    at: Instant,
    stage: Mutex<String>,
}

impl Observer for Alarm {
    fn stage(&self, stage: &Stage, _: Option<u64>) {
        if Instant::now() < self.at {
            *self.stage.lock().expect("no observer panics") = format!("{stage:?}").chars().take(30).collect();
        }
    }

    fn is_cancelled(&self) -> bool {
        Instant::now() >= self.at
    }
}

/// Runs the measurements of `args`.
pub fn run(args: &[String]) {
    let file = args.first().expect("a file of records");
    let number = |name: &str, usual: u64| option(args, name).map_or(usual, |v| v.parse().expect("a whole number"));
    let rules = option(args, "--rules").expect("--rules names a rule file");
    let rules = RuleFile::read(Path::new(rules)).unwrap_or_else(|error| panic!("{error}"));
    let job = Job::dedupe(Input::files([file])).with_rules(rules);
    let folder = std::env::temp_dir().join(format!("sameas-cancel-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for results");
    let threads = number("--threads", std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
    let device = if option(args, "--device") == Some("cuda") { DeviceChoice::Cuda } else { DeviceChoice::Cpu };
    let session = Session::builder().threads(threads as usize).device(device).spill_folder(&folder).build();
    let session = session.unwrap_or_else(|error| panic!("{error}"));
    let begun = Instant::now();
    find(&session, &job, &folder, &()).unwrap_or_else(|error| panic!("{error}"));
    let whole = begun.elapsed();
    let mut random = number("--seed", 1);
    for _ in 0..number("--times", 10) {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = whole.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64);
        let alarm = Alarm { at: Instant::now() + moment, stage: Mutex::default() };
        let ended = find(&session, &job, &folder, &alarm);
        let late = alarm.at.elapsed();
        let was_cancelled = ended.is_err_and(|error| error.code() == ErrorCode::Cancelled);
        let left = std::fs::read_dir(&folder).expect("the folder is there").count();
        assert!(!was_cancelled || left == 0, "{left} files were left behind");
        report(moment, late, was_cancelled, &alarm.stage.lock().expect("no observer panics"));
        let _ = std::fs::remove_dir_all(folder.join("out"));
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn find(session: &Session, job: &Job, folder: &Path, observer: &dyn Observer) -> sameas::Result<()> {
    let out = folder.join("out");
    let results = OutputFolder::create(&out, true)?;
    session.run(job, observer)?.write(results, Format::Parquet, observer)?;
    std::fs::remove_dir_all(out).expect("results are removed");
    Ok(())
}

fn report(moment: Duration, late: Duration, was_cancelled: bool, stage: &str) {
    let (moment, late) = (moment.as_secs_f64(), late.as_secs_f64());
    print(&serde_json::json!({"moment": moment, "late": late, "cancelled": was_cancelled, "stage": stage}));
}
