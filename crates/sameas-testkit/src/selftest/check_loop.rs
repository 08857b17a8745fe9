//! The loop over questions about relations.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::check::{Check, catch, on_threads};
use super::group_report::{GroupReport, SMALLER, heading, is_wanted};
use super::groups::Group;
use super::settings::Settings;

/// Runs the questions of a group; `None` where the filter leaves none.
pub fn run(group: &Group, mut checks: Vec<Check>, settings: &Settings) -> Option<GroupReport> {
    checks.retain(|check| is_wanted(group, &check.name, settings));
    if checks.is_empty() {
        return None;
    }
    let begun = Instant::now();
    let mut wrong = failures(&checks, settings.threads);
    // The first failure is made small; those after it are reported as they are.
    if let Some((at, text)) = wrong.first_mut() {
        *text = asked(&checks[*at], SMALLER).err().unwrap_or_else(|| format!("{text}\nit comes and goes"));
    }
    let passed = (checks.len() - wrong.len()) as u64;
    let reported = |(at, text): &(usize, String)| {
        format!("{}\n\n{text}", heading(group, &checks[*at].name, checks[*at].seed, settings))
    };
    let failed = wrong.iter().map(reported).collect();
    Some(GroupReport { name: group.name, passed, failed, time: begun.elapsed(), ..GroupReport::default() })
}

/// The places of the questions with a wrong answer, and what is wrong.
fn failures(checks: &[Check], threads: usize) -> Vec<(usize, String)> {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(check) = checks.get(at) else { break };
            if let Err(text) = asked(check, Duration::ZERO) {
                wrong.lock().expect("no thread panics while it holds this").push((at, text));
            }
        }
    };
    on_threads(threads, work);
    let mut wrong = wrong.into_inner().expect("no thread panics while it holds this");
    wrong.sort();
    wrong
}

fn asked(check: &Check, time: Duration) -> Result<(), String> {
    catch(|| (check.ask)(time))
}
