//! Where branches run: what a device does in no time may be too dear for the cores, and the plan knows.

use std::fmt::Write as _;

use sameas::device::{DeviceChoice, DeviceOptions};
use sameas::engine::{NoProgress, Options, OutputTarget, RunRecord, execute};
use sameas::output::Format;
use sameas::records::Input;

use super::support::job_spec;

/// Few towns, so that most candidates of an equality of towns have long stories to compare.
fn table() -> String {
    let mut table = String::from("id,town,story\n");
    for row in 0..3000_usize {
        let story: Vec<String> = (0..12).map(|word| format!("w{}", (row / 2 * 31 + word * 977) % 4001)).collect();
        let _ = writeln!(table, "{row},{},{}", row % 11, story.join(" "));
    }
    table
}

#[test]
fn a_join_without_a_kernel_gives_way_where_a_device_checks_more_candidates_sooner() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("stories.csv");
    std::fs::write(&input, table()).unwrap();
    let job = r#"
        [[rule]]
        when = "l.town = r.town and jaccard(words(l.story), words(r.story)) >= 0.6"
        [[rule]]
        when = "jaccard(words(l.story), words(r.story)) >= 0.9"
    "#;
    let run = |device: DeviceChoice, name: &str| -> (RunRecord, String) {
        let out = folder.path().join(name);
        let device_options = DeviceOptions { memory: Some(64 << 20), ..DeviceOptions::default() };
        let options = Options { threads: 2, device, device_options, ..Options::default() };
        let target = OutputTarget::Folder { path: out.clone(), overwrite: true, format: Format::Csv };
        let spec = job_spec(job, vec![Input::new([&input])]).unwrap();
        let record = execute(&spec, &options, &target, &NoProgress).unwrap();
        (record, std::fs::read_to_string(out.join("pairs.csv")).unwrap())
    };
    let ((on_cpu, expected), (on_device, given)) = (run(DeviceChoice::Cpu, "cpu"), run(DeviceChoice::Emulated, "device"));
    let paths = |record: &RunRecord| record.plan.iter().map(|branch| branch.path).collect::<Vec<_>>();
    assert_eq!(paths(&on_cpu), ["set_join"]);
    assert_eq!(paths(&on_device), ["equi_join", "set_join"]);
    let told = |at: usize| on_device.plan[at].changes.join("; ");
    assert_eq!(told(0), "");
    assert_eq!(told(1), "ran on the CPU: set_join has no kernel yet");
    assert!(given == expected, "the pairs do not depend on it");
}
