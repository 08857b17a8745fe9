//! Finds the commit that the program is built from, for `sameas --version`.

// This is how a build script speaks to cargo.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The digits of a commit that are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SAMEAS_COMMIT");
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=SAMEAS_BUILT_FROM={commit}");
    }
}

/// The commit by its name in the environment (an empty one asks for none), by a file beside these sources, or by git.
fn commit() -> Option<String> {
    match env::var("SAMEAS_COMMIT") {
        Ok(named) => Some(named).filter(|named| !named.is_empty()),
        Err(_) => packed().or_else(checked_out),
    }
}

/// What `scripts/release` writes into the source distribution, and what cargo writes into a crate that it publishes.
fn packed() -> Option<String> {
    let own = fs::read_to_string("commit").ok().map(|text| text.trim().to_owned());
    own.or_else(|| published(&fs::read_to_string(".cargo_vcs_info.json").ok()?))
}

/// The commit in cargo's JSON.
fn published(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    commit.get(..DIGITS).map(str::to_owned)
}

/// What is checked out, where this is the repository and not a copy of it in another one. Changes that are not
/// committed are not looked for: cargo does not run this again when there are some. Builds for tests name no commit,
/// since each commit would make them again.
fn checked_out() -> Option<String> {
    if !Path::new("../../.git").exists() || env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    // Each time that another commit is checked out adds a line to this file.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
