//! The groups of the self-test, except the random cases: the engine finds what the oracle finds.

use sameas_testkit::selftest::groups::GROUPS;
use sameas_testkit::selftest::{Settings, run_group};

fn passes(name: &str, settings: &Settings) {
    let group = GROUPS.iter().find(|group| group.name == name).unwrap();
    let report = run_group(group, settings).unwrap();
    assert!(report.failed.is_empty(), "{}", report.failed.join("\n\n"));
    assert!(report.skipped.is_none() && report.passed > 0);
}

fn on_the_cpu() -> Settings {
    Settings { threads: 2, ..Settings::default() }
}

#[test]
fn edges() {
    passes("edges", &on_the_cpu());
}

#[test]
fn large_tables() {
    passes("large tables", &on_the_cpu());
}

#[test]
fn every_access_path_forced() {
    passes("access paths", &on_the_cpu());
}

#[test]
fn tiny_memory() {
    passes("tiny memory", &on_the_cpu());
}

#[test]
fn scores() {
    passes("scores", &on_the_cpu());
}

#[test]
fn training() {
    passes("training", &on_the_cpu());
}

#[test]
fn relations() {
    passes("relations", &on_the_cpu());
}

#[test]
fn closures() {
    passes("closure", &on_the_cpu());
}

#[test]
fn programs() {
    passes("programs", &on_the_cpu());
}

#[test]
fn groups_about_devices_are_skipped_by_name_on_the_cpu() {
    for group in GROUPS.iter().filter(|group| group.only_on_a_device) {
        let report = run_group(group, &Settings { cases: 2, ..Settings::default() }).unwrap();
        assert!(report.skipped.is_some() && report.passed == 0 && report.failed.is_empty(), "{}", group.name);
    }
}

#[test]
fn a_filter_leaves_what_it_names() {
    let run = |filter: &str, name: &str| {
        let group = GROUPS.iter().find(|group| group.name == name).unwrap();
        let filter = Some(filter.to_owned());
        run_group(group, &Settings { filter, cases: 12, ..Settings::default() }).map(|report| report.passed)
    };
    assert_eq!((run("edges/33 rows", "edges"), run("edges/33 rows", "random")), (Some(3), None));
    assert_eq!(run("random/seed 3", "random"), Some(1));
}

/// The same groups on the kernels of the GPU, with fewer random cases: a thread of a kernel is slow there.
#[cfg(feature = "emulated")]
#[test]
fn every_group_on_the_emulated_device() {
    let device = sameas::device::DeviceChoice::Emulated;
    for group in &GROUPS {
        passes(group.name, &Settings { device, cases: 30, ..on_the_cpu() });
    }
}
