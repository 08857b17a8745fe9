//! Where branches run: what a device does in no time may be too expensive for the cores, and the plan knows it.

use std::fmt::Write as _;

use sameas::plan::{AccessPath, BranchPlace};
use sameas::{DeviceChoice, DeviceOptions, Explanation, Format, Input, Job, RunRecord, Strategy};
use sameas_device::OnFailure;
use sameas_testkit::selftest::engine::run_job;
use sameas_testkit::selftest::variant::Options;
use tempfile::TempDir;

use super::support::job_over;

/// Few towns, so that most candidates of an equality of towns have long stories to compare.
fn table() -> String {
    let mut table = String::from("id,town,story\n");
    for row in 0..3000_usize {
        let story: Vec<String> = (0..12).map(|word| format!("w{}", (row / 2 * 31 + word * 977) % 4001)).collect();
        let _ = writeln!(table, "{row},{},{}", row % 11, story.join(" "));
    }
    table
}

/// A job over the table, and the folder that holds it.
fn stories(job: &str) -> (TempDir, Job) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("stories.csv");
    std::fs::write(&input, table()).unwrap();
    (folder, job_over(job, vec![Input::files([&input])]).unwrap())
}

fn options(device: DeviceChoice) -> Options {
    let device_options = DeviceOptions::default().with_memory(64 << 20);
    Options { threads: 2, device, device_options, ..Options::default() }
}

#[test]
fn checks_are_counted_on_a_device_as_on_the_cores() {
    let job = r#"
        [[rule]]
        when = "l.town = r.town and osa(left(l.story, 20), left(r.story, 20)) <= 15 and l.id <> r.id"
        [[rule]]
        when = "l.town = r.town and jaccard(words(l.story), words(r.story)) < 0.1 and length(l.story) > 58"
    "#;
    let (_folder, job) = stories(job);
    // What checks cost differs, and so does the order they would have.
    let job = job.with_strategy(Strategy::NoPredicateOrder);
    let [on_cpu, on_device] = [DeviceChoice::Cpu, DeviceChoice::Emulated]
        .map(|device| options(device).session(None).unwrap().analyze(&job, &()).unwrap());
    let steps = |explanation: &Explanation| {
        let steps = explanation.plan.iter().flat_map(|branch| &branch.steps);
        steps.map(|step| (step.check.clone(), step.tried, step.passed)).collect::<Vec<_>>()
    };
    assert_eq!(steps(&on_device), steps(&on_cpu));
    assert!(
        steps(&on_cpu).iter().all(|(_, tried, passed)| *tried > Some(1000) && *passed > Some(0)),
        "{:?}",
        steps(&on_cpu)
    );
    let times = |explanation: &Explanation| explanation.plan[0].steps.iter().any(|s| s.seconds.is_some());
    assert!(times(&on_cpu) && !times(&on_device));
}

#[test]
fn a_join_of_sets_runs_on_a_device() {
    let job = r#"
        [[rule]]
        when = "l.town = r.town and jaccard(words(l.story), words(r.story)) >= 0.6"
        [[rule]]
        when = "jaccard(words(l.story), words(r.story)) >= 0.9"
    "#;
    let (folder, job) = stories(job);
    let run = |device: DeviceChoice, name: &str| -> (RunRecord, String) {
        let out = folder.path().join(name);
        let record = run_job(&job, &options(device), Format::Csv, &out).unwrap();
        (record, std::fs::read_to_string(out.join("pairs.csv")).unwrap())
    };
    let ((on_cpu, expected), (on_device, given)) =
        (run(DeviceChoice::Cpu, "cpu"), run(DeviceChoice::Emulated, "device"));
    let paths = |record: &RunRecord| record.plan.iter().map(|branch| branch.path).collect::<Vec<_>>();
    assert_eq!(paths(&on_cpu), [AccessPath::SetJoin]);
    assert!(paths(&on_device).contains(&AccessPath::SetJoin), "{:?}", paths(&on_device));
    assert!(on_device.plan.iter().all(|branch| branch.place == Some(BranchPlace::Device)));
    assert!(given == expected, "the pairs do not depend on it");
}

/// Whatever a device had found when it failed is undone, and the CPU gives the same answer.
#[test]
fn a_branch_whose_device_fails_is_done_again_on_the_cpu() {
    let job = r#"
        [[rule]]
        when = "l.town = r.town and osa(left(l.story, 20), left(r.story, 20)) <= 5"
        [[rule]]
        when = "levenshtein(left(l.story, 9), left(r.story, 9)) <= 1"
    "#;
    let (folder, job) = stories(job);
    let run = |options: &Options, name: &str| {
        let out = folder.path().join(name);
        let record = run_job(&job, options, Format::Csv, &out)?;
        let read = |file: &str| std::fs::read_to_string(out.join(file)).unwrap();
        Ok::<_, String>((record, read("pairs.csv"), read("clusters.csv")))
    };
    let (expected, pairs, clusters) = run(&options(DeviceChoice::Cpu), "cpu").unwrap();
    let counts = |record: &RunRecord| record.rules.iter().map(|rule| (rule.alone, rule.marginal)).collect::<Vec<_>>();
    for launch in [1, 3, 8, 15, 25, 40] {
        let mut options = options(DeviceChoice::Emulated);
        options.device_options.fail_at_launch = Some(launch);
        // A device that was chosen by name must do the work itself; a late failure may come after all of it.
        assert!(launch > 8 || run(&options, &format!("{launch} by name")).is_err(), "{launch}");
        options.device_options.on_failure = OnFailure::UseCpu;
        let (record, given_pairs, given_clusters) = run(&options, &format!("{launch}")).unwrap();
        assert!(given_pairs == pairs && given_clusters == clusters, "{launch}");
        assert_eq!(counts(&record), counts(&expected), "{launch}");
    }
}
