//! `sameas selftest`: the engine against the oracle, on this machine and on the chosen device.

use sameas::device::DeviceList;
use sameas::{DeviceChoice, Error};
use sameas_testkit::selftest::groups::GROUPS;
use sameas_testkit::selftest::{GroupReport, Settings, run_group};

use crate::args::{Device, Selftest};
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::report::no_gpu;
use crate::terminal::{Stream, say};
use crate::text::seconds;

/// Runs `sameas selftest`. A failed case is a finding; a GPU that is chosen and cannot be used is a failure.
pub fn run(args: &Selftest) -> CommandResult {
    // All its temporary files are in one folder: that can be removed whatever its threads are doing.
    let folder = tempfile::tempdir().map_err(|error| Error::io("cannot use", &std::env::temp_dir(), error))?;
    let _unfinished = interrupt::remove_folder(folder.path().to_owned());
    // It fails only where a folder was set before.
    let _ = tempfile::env::override_temp_dir(folder.path());
    let settings = settings(args)?;
    let (mut passed, mut failed, mut any) = (0, 0, false);
    for report in GROUPS.iter().filter_map(|group| run_group(group, &settings)) {
        say(Stream::Out, &report_text(&report))?;
        any = true;
        passed += report.passed;
        failed += report.failed.len();
    }
    if !any {
        let text = args.filter.as_deref().unwrap_or_default();
        return Err(Error::usage(format!("no case has `{text}` in its name"))
            .with_help("names are as in `edges/65 rows` and `random/seed 17`")
            .into());
    }
    say(Stream::Out, &format!("{passed} passed, {failed} failed\n"))?;
    Ok(if failed == 0 { Outcome::Done } else { Outcome::Findings })
}

fn settings(args: &Selftest) -> CommandResult<Settings> {
    let unusable = DeviceList::find().unusable().map(|reason| no_gpu(&reason));
    let (device, note) = match (args.device, unusable) {
        (Device::Cpu, _) => (DeviceChoice::Cpu, None),
        (Device::Auto, Some(reason)) => (DeviceChoice::Cpu, Some(reason)),
        (Device::Cuda, Some(reason)) => {
            return Err(Error::resource(format!("--device cuda: {reason}"))
                .with_help("`sameas devices` lists what there is; --device cpu tests the CPU")
                .into());
        }
        (Device::Auto | Device::Cuda, None) => (DeviceChoice::Cuda, None),
    };
    let on = if device == DeviceChoice::Cuda { "GPU" } else { "CPU" };
    let note = note.map_or(String::new(), |reason| format!(" ({reason})"));
    say(Stream::Out, &format!("Testing on the {on}{note}\n"))?;
    let default = Settings::default();
    // A GPU is tested as a job meets it: one job at a time has the whole memory.
    let threads = if device == DeviceChoice::Cuda { 1 } else { default.threads };
    Ok(Settings { device, seed: args.seed, cases: args.cases, filter: args.filter.clone(), threads })
}

/// The line of a group, and what went wrong below it.
fn report_text(report: &GroupReport) -> String {
    let counts = match (&report.skipped, report.failed.len()) {
        (Some(why), _) => return format!("{:16}skipped: {why}\n", report.name),
        (None, 0) => format!("{} passed", report.passed),
        (None, failed) => format!("{} passed, {failed} failed", report.passed),
    };
    let line = format!("{:16}{counts}, {}\n", report.name, seconds(report.time.as_secs_f64()));
    report.failed.iter().fold(line, |text, failed| text + "\n" + failed.trim_end() + "\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_in_words() {
        let report = GroupReport { name: "edges", passed: 3, ..GroupReport::default() };
        assert_eq!(report_text(&report), "edges           3 passed, under 1 ms\n");
        let failed = GroupReport { failed: vec!["edges/0 rows fails".into()], ..report.clone() };
        assert_eq!(report_text(&failed), "edges           3 passed, 1 failed, under 1 ms\n\nedges/0 rows fails\n\n");
        let skipped = GroupReport { skipped: Some("no GPU".into()), ..report };
        assert_eq!(report_text(&skipped), "edges           skipped: no GPU\n");
    }
}
