//! The groups of the self-test: the engine finds what the oracle finds. Each group is a test of its own on each device, so that
//! they run side by side.

use sameas_testkit::selftest::groups::GROUPS;
use sameas_testkit::selftest::{Settings, run_group};

fn passes(name: &str, settings: &Settings) {
    let group = GROUPS.iter().find(|group| group.name == name).unwrap();
    let report = run_group(group, settings).unwrap();
    assert!(report.failed.is_empty(), "{}", report.failed.join("\n\n"));
    assert!(report.skipped.is_none() && report.passed > 0);
}

/// Writes a test for each group, and `NAMES`, which a test compares with all groups.
macro_rules! groups {
    ($settings:expr; $($test:ident: $name:literal),+ $(,)?) => {
        const NAMES: &[&str] = &[$($name),+];
        $(#[test]
        fn $test() {
            super::passes($name, &$settings);
        })+
    };
}

mod on_the_cpu {
    use super::Settings;

    // Those that are missing are about a device; the random cases are the test `property`.
    groups! {
        Settings { threads: 2, ..Settings::default() };
        edges: "edges",
        large_tables: "large tables",
        every_access_path_forced: "access paths",
        tiny_memory: "tiny memory",
        scores: "scores",
        training: "training",
        relations: "relations",
        closures: "closure",
        programs: "programs",
    }

    #[test]
    fn no_group_is_forgotten() {
        let all = super::GROUPS.iter().filter(|group| !group.only_on_a_device && group.name != "random");
        assert_eq!(NAMES, all.map(|group| group.name).collect::<Vec<_>>());
    }
}

/// The same groups on the kernels of the GPU, with fewer random cases: a thread of a kernel is slow there.
/// `SAMEAS_EMULATED_CASES` asks for more.
#[cfg(feature = "emulated")]
mod on_the_emulated_device {
    use super::Settings;
    use sameas::device::DeviceChoice;

    fn settings() -> Settings {
        let cases = std::env::var("SAMEAS_EMULATED_CASES").map_or(12, |number| number.parse().unwrap());
        Settings { device: DeviceChoice::Emulated, cases, threads: 2, ..Settings::default() }
    }

    groups! {
        settings();
        edges: "edges",
        large_tables: "large tables",
        every_access_path_forced: "access paths",
        tiny_memory: "tiny memory",
        device_memory: "device memory",
        several_devices: "several devices",
        random: "random",
        scores: "scores",
        training: "training",
        relations: "relations",
        closures: "closure",
        programs: "programs",
    }

    #[test]
    fn no_group_is_forgotten() {
        assert_eq!(NAMES, super::GROUPS.each_ref().map(|group| group.name));
    }
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
