//! The groups of the self-test: the engine finds what the oracle finds. Each group is a test of its own on each device, so that
//! they run side by side.

use sameas_testkit::selftest::groups::{GROUPS, Group};
use sameas_testkit::selftest::{Settings, run_group};

fn passes(name: &str, settings: &Settings) {
    let group = GROUPS.iter().find(|group| group.name == name).unwrap();
    let report = run_group(group, settings).unwrap();
    assert!(report.failed.is_empty(), "{}", report.failed.join("\n\n"));
    assert!(report.skipped.is_none() && report.passed > 0);
}

/// Writes a test for each group, and one that compares their names with those of all groups, for each device.
macro_rules! groups {
    (everywhere { $($test:ident: $name:literal),+ $(,)? } on_a_device { $($own:ident: $own_name:literal),+ $(,)? }) => {
        mod on_the_cpu {
            tests! { super::on_the_cpu_settings(); |group| !group.only_on_a_device && group.name != "random"; $($test: $name),+ }
        }

        #[cfg(feature = "emulated")]
        mod on_the_emulated_device {
            tests! { super::emulated_settings(); |_| true; $($test: $name,)+ $($own: $own_name),+ }
        }
    };
}

macro_rules! tests {
    ($settings:expr; $belongs:expr; $($test:ident: $name:literal),+) => {
        $(#[test]
        fn $test() {
            super::passes($name, &$settings);
        })+

        #[test]
        fn no_group_is_forgotten() {
            let belongs: fn(&super::Group) -> bool = $belongs;
            let (mut tested, mut all) = (vec![$($name),+], Vec::new());
            all.extend(super::GROUPS.iter().filter(|group| belongs(group)).map(|group| group.name));
            tested.sort_unstable();
            all.sort_unstable();
            assert_eq!(tested, all);
        }
    };
}

fn on_the_cpu_settings() -> Settings {
    Settings { threads: 2, ..Settings::default() }
}

/// The kernels of the GPU, with fewer random cases: a thread of a kernel is slow there. `SAMEAS_EMULATED_CASES` asks for more.
#[cfg(feature = "emulated")]
fn emulated_settings() -> Settings {
    let cases = std::env::var("SAMEAS_EMULATED_CASES").map_or(12, |number| number.parse().unwrap());
    Settings { device: sameas_device::DeviceChoice::Emulated, cases, threads: 2, ..Settings::default() }
}

// On the CPU the random cases are the test `property`.
groups! {
    everywhere {
        edges: "edges",
        large_tables: "large tables",
        every_access_path_forced: "access paths",
        tiny_memory: "tiny memory",
        scores: "scores",
        parts: "parts",
        training: "training",
        relations: "relations",
        closures: "closure",
        programs: "programs",
    }
    on_a_device {
        device_memory: "device memory",
        several_devices: "several devices",
        random: "random",
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
