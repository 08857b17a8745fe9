//! Far more pairs than fit the memory: they pass through, and never stay in it.
//!
//! A hundred million in every run of the tests; half a billion where there is time for it (`SAMEAS_LONG`).

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::support::Folder;

/// Groups of records; a rule on the group gives all pairs of each.
const GROUPS: usize = 10;

/// A job, and what the whole program may hold at its peak: less than its pairs would take, at 8 bytes each.
struct Size {
    /// Records of a group.
    group: usize,
    most_kilobytes: u64,
}

impl Size {
    fn of_tests() -> Self {
        match std::env::var_os("SAMEAS_LONG") {
            Some(_) => Self { group: 10_010, most_kilobytes: 1_000_000 },
            None => Self { group: 4_480, most_kilobytes: 500_000 },
        }
    }

    fn pairs(&self) -> usize {
        GROUPS * self.group * (self.group - 1) / 2
    }
}

fn records(folder: &Folder, count: usize) {
    let mut text = String::new();
    for i in 0..count {
        // Digits of a number that is spread evenly: nine columns of ten values each.
        let digits = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
        write!(text, "{{\"id\":{i},\"k\":{}", i % GROUPS).unwrap();
        (0..9).for_each(|c| write!(text, ",\"c{c}\":{}", digits / 10_u64.pow(c) % 10).unwrap());
        text.push_str("}\n");
    }
    folder.write("records.jsonl", text);
}

/// Runs the program to its end and gives the most memory it held, in kilobytes.
fn peak(mut command: Command) -> u64 {
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        most = most.max(high_water(Path::new(&status)).unwrap_or(0));
        if let Some(code) = child.try_wait().unwrap() {
            assert!(code.success());
            return most;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `VmHWM` only rises, so the last look before the end has seen the peak.
fn high_water(status: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn run_within_memory(rules: &[String]) {
    let (folder, size) = (Folder::new(), Size::of_tests());
    records(&folder, GROUPS * size.group);
    let mut args = vec!["dedupe", "records.jsonl", "-o", "out", "--quiet"];
    rules.iter().for_each(|rule| args.extend(["--rule", rule]));
    let most = peak(folder.command(&args));
    let record = folder.read("out/run.json");
    assert!(record.contains(&format!("\"pairs\": {},", size.pairs())), "{record}");
    assert!(record.contains(&format!("\"clusters\": {GROUPS},")), "{record}");
    assert!(most > 0 && most < size.most_kilobytes, "{most} kB");
}

#[test]
#[cfg(target_os = "linux")]
fn one_rule_gives_more_pairs_than_fit_the_memory() {
    run_within_memory(&["l.k = r.k".to_owned()]);
}

#[test]
#[cfg(target_os = "linux")]
fn ten_overlapping_rules_give_more_pairs_than_fit_the_memory() {
    let mut rules: Vec<String> = (0..9).map(|c| format!("l.k = r.k and l.c{c} = r.c{c}")).collect();
    rules.push("l.k = r.k".to_owned());
    run_within_memory(&rules);
}
