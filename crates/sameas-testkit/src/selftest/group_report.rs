//! The results of a group, and how its cases are called.

use std::time::Duration;

use super::groups::Group;
use super::settings::Settings;

/// The results of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupReport {
    /// Its name.
    pub name: &'static str,
    /// Why it was not run.
    pub skipped: Option<String>,
    /// Cases with the results of the oracle.
    pub passed: u64,
    /// For each other case its name, how to run it again, and what went wrong.
    pub failed: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// Time to make the first failing case of a group small; those after it are reported as they are.
pub const SMALLER: Duration = Duration::from_secs(20);

/// Whether the filter leaves the case of this name.
pub fn is_wanted(group: &Group, name: &str, settings: &Settings) -> bool {
    settings.filter.as_deref().is_none_or(|text| full_name(group, name).contains(text))
}

fn full_name(group: &Group, name: &str) -> String {
    format!("{}/{name}", group.name)
}

/// The name of a failed case, and how to run it alone.
pub fn heading(group: &Group, name: &str, seed: u64, settings: &Settings) -> String {
    let full = full_name(group, name);
    let again = if name.starts_with("seed ") {
        let seeds = format!("{}/seed", group.name);
        format!("--filter {} --seed {seed} --cases 1", for_shell(&seeds))
    } else {
        format!("--filter {} --seed {}", for_shell(&full), settings.seed)
    };
    format!("{full} fails; to run it alone: sameas selftest {again}")
}

/// An argument that a POSIX shell takes as it is.
fn for_shell(argument: &str) -> String {
    format!("'{}'", argument.replace('\'', r"'\''"))
}
