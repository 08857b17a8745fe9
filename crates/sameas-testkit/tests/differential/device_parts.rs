//! Records that do not fit a device's memory: they are brought there in parts, and the answer is the CPU's.

use std::fmt::Write as _;
use std::path::Path;

use sameas::plan::BranchPlace;
use sameas::{DeviceChoice, DeviceOptions, Format, Input, LinkType, RuleFile, RunRecord};
use sameas_testkit::selftest::engine::{job_of, run_job};
use sameas_testkit::selftest::variant::Options;

/// Rows of a table: nearly all have keys of their own, and some a common one.
const ROWS: usize = 60_000;

fn table(salt: usize) -> String {
    let mut table = String::from("id,key,heavy,name,year\n");
    for row in 0..ROWS {
        let (key, heavy) = ((row + salt) * 7919 % ROWS / 3, if row % 40 == 0 { "common" } else { "" });
        let _ = writeln!(table, "{row},key {key},{heavy},name {} of {}, {}", key % 997, row % 5, 1900 + row % 90);
    }
    table
}

fn run(job: &Job, inputs: &[&Path], device: DeviceChoice, out: &Path) -> (RunRecord, String) {
    let link_type = if inputs.len() == 1 { LinkType::DedupeOnly } else { LinkType::LinkOnly };
    let rules = RuleFile::parse(job.rule, "rules").unwrap();
    let of_inputs = job_of(link_type, inputs.iter().map(|path| Input::files([*path])).collect()).with_rules(rules);
    let mut device_options = DeviceOptions::default().with_memory(job.memory * job.devices);
    device_options.logical = vec![1; job.devices];
    let options = Options { threads: 2, device, device_options, ..Options::default() };
    let record = run_job(&of_inputs, &options, Format::Csv, out).unwrap();
    let files = ["pairs.csv", "clusters.csv"].map(|name| std::fs::read_to_string(out.join(name)).unwrap());
    (record, files.concat())
}

/// A rule, and devices with less memory than its columns take and more than the kernels need without any record.
struct Job {
    rule: &'static str,
    devices: usize,
    memory: usize,
    /// Whether parts are the only way; else columns may stay on the host.
    in_parts: bool,
}

/// By keys, which divide the records, with too many texts to be read where they lie; with so few candidates that they had better read columns where they lie; and by a
/// common value, whose records are divided among themselves.
const JOBS: [Job; 3] = [
    Job {
        rule: r#"
            [[rule]]
            when = """
              left(l.key, 8) = left(r.key, 8)
              and levenshtein(l.name || l.id, r.name || r.id) <= 6
              and abs(l.year - r.year) <= 80
            """
        "#,
        devices: 1,
        memory: 1500 << 10,
        in_parts: true,
    },
    Job {
        rule: r#"
            [[rule]]
            when = "l.key = r.key and levenshtein(l.name, r.name) <= 2 and abs(l.year - r.year) <= 80"
        "#,
        devices: 1,
        memory: 1500 << 10,
        in_parts: false,
    },
    Job {
        rule: r#"
            [[rule]]
            when = "l.heavy = r.heavy and l.year = r.year and jaro_winkler(l.name, r.name) >= 0.95"
        "#,
        devices: 2,
        memory: 1400 << 10,
        in_parts: true,
    },
];

#[test]
fn what_does_not_fit_a_device_is_brought_there_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let [left, right] = ["left.csv", "right.csv"].map(|name| folder.path().join(name));
    std::fs::write(&left, table(0)).unwrap();
    std::fs::write(&right, table(5)).unwrap();
    for inputs in [&[left.as_path()][..], &[left.as_path(), right.as_path()]] {
        for job in &JOBS {
            let expected = run(job, inputs, DeviceChoice::Cpu, &folder.path().join("cpu"));
            let (record, given) = run(job, inputs, DeviceChoice::Emulated, &folder.path().join("device"));
            assert!(given == expected.1, "the answer of {} with {} inputs", job.rule, inputs.len());
            assert!(record.pairs > 100 && record.candidates == expected.0.candidates, "{} pairs", record.pairs);
            let place = &record.plan[0].place;
            let in_parts = matches!(place, Some(BranchPlace::DeviceInParts { on_cpu: 0, .. }));
            let is_lent = !job.in_parts && matches!(place, Some(BranchPlace::Device));
            assert!(in_parts || is_lent, "{place:?} of {}", job.rule);
        }
    }
}

/// A condition on numbers of both records is compiled with the places of its columns. A later branch that does not walk it
/// drops these columns, and still asks it to find the owner of a pair.
#[test]
fn conditions_on_numbers_follow_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("people.csv");
    let rows: String = table(0).lines().take(1500).flat_map(|line| [line, "\n"]).collect();
    std::fs::write(&input, rows).unwrap();
    let rules = r#"
        [[rule]]
        when = "l.key = r.key and l.year + r.year > 3850"
        [[rule]]
        when = "l.name = r.name"
        [[rule]]
        when = "l.heavy = r.heavy and l.year = r.year"
        [[never]]
        when = "l.year - r.year between -3 and 8"
    "#;
    let run = |device: DeviceChoice, name: &str| {
        let rules = RuleFile::parse(rules, "rules").unwrap();
        let job = job_of(LinkType::DedupeOnly, vec![Input::files([&input])]).with_rules(rules);
        let mut device_options = DeviceOptions::default();
        device_options.ablation.no_copies = true;
        let out = folder.path().join(name);
        let options = Options { threads: 2, device, device_options, ..Options::default() };
        let record = run_job(&job, &options, Format::Csv, &out).unwrap();
        assert!(record.pairs > 100, "{} pairs", record.pairs);
        std::fs::read_to_string(out.join("pairs.csv")).unwrap()
    };
    assert!(run(DeviceChoice::Cpu, "cpu") == run(DeviceChoice::Emulated, "device"), "the answer is the CPU's");
}
