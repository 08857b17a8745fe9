//! The subject under test against the oracle, on one case.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::case::{Case, minimise};
use crate::oracle::{Answer, evaluate};

use super::outcome::{NamedOutcome, Outcome, Rows};

/// The subject under test: returns its results of a case, or why it has none. The seed chooses how the case is written
/// and run, and it may write in the folder.
pub type Subject<'a> = dyn Fn(&Case, u64, &Path) -> Result<NamedOutcome, String> + Sync + 'a;

/// How a subject failed a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It returned no results.
    Refused(String),
    /// It returned other results than the oracle.
    Differs(String),
}

impl Failure {
    fn same_kind(&self, other: &Failure) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// What went wrong, in words.
    pub fn text(&self) -> &str {
        let (Failure::Refused(text) | Failure::Differs(text)) = self;
        text
    }
}

/// Compares pairs in their order with `match_key`, clusters, and the counts of every rule and `never`.
pub fn compare(case: &Case, answer: &Answer, seed: u64, folder: &Path, subject: &Subject<'_>) -> Option<Failure> {
    let expected = Outcome::of_answer(case, answer);
    match subject(case, seed, folder) {
        // What can never hold has no pair, and is a mistake that is reported to the user.
        Err(why) if is_mistake(&why) && may_contradict_itself(case, answer) => None,
        Err(why) => Some(Failure::Refused(why)),
        Ok(given) if given.outcome == expected => None,
        Ok(NamedOutcome { by, outcome }) => {
            Some(Failure::Differs(format!("given by: {by}\n{}", difference(&expected, &outcome))))
        }
    }
}

/// What is said of a rule that contradicts itself, and of a level that comes too late.
const NEVER_HOLDS: [&str; 2] = ["this condition can never hold", "this level can never be reached"];

/// Whether a refusal is about conditions that can never hold and nothing else: random ones sometimes cannot.
pub fn is_mistake(why: &str) -> bool {
    let is_known = |text: &str| NEVER_HOLDS.iter().any(|known| text.starts_with(known));
    // One mistake is said as it is, several are listed.
    let mut listed = why.lines().filter_map(|line| line.strip_prefix("error: ")).peekable();
    if listed.peek().is_some() { listed.all(is_known) } else { is_known(why) }
}

/// Whether some condition may be one that never holds: a rule or a level without pairs, or a veto.
fn may_contradict_itself(case: &Case, answer: &Answer) -> bool {
    let has_unused_level = |outcomes: &Vec<u64>| outcomes[..outcomes.len() - 2].contains(&0);
    answer.alone.contains(&0) || !case.job.nevers.is_empty() || answer.outcomes.iter().any(has_unused_level)
}

fn difference(expected: &Outcome, given: &Outcome) -> String {
    let mut text = String::new();
    rows(&mut text, "pairs", &expected.pairs, &given.pairs);
    rows(&mut text, "clusters", &expected.clusters, &given.clusters);
    if expected.rules != given.rules {
        let _ = writeln!(text, "rules as [alone, marginal, cumulative]");
        let _ = writeln!(text, "  oracle: {:?}\n  given:  {:?}", expected.rules, given.rules);
    }
    if expected.forbidden != given.forbidden {
        let _ = writeln!(text, "pairs that each `never` forbids");
        let _ = writeln!(text, "  oracle: {:?}\n  given:  {:?}", expected.forbidden, given.forbidden);
    }
    text
}

fn rows(text: &mut String, what: &str, expected: &Rows, given: &Rows) {
    if expected == given {
        return;
    }
    let _ = writeln!(text, "{what}: the oracle has {} rows, given are {}", expected.len(), given.len());
    let list = |text: &mut String, title: &str, some: &Rows, others: &Rows| {
        let others: BTreeSet<&Vec<String>> = others.iter().collect();
        for row in some.iter().filter(|row| !others.contains(row)).take(10) {
            let _ = writeln!(text, "  {title}: {}", row.join(", "));
        }
    };
    list(text, "missing", expected, given);
    list(text, "too much", given, expected);
    if let Some(at) = expected.iter().zip(given).position(|(a, b)| a != b) {
        let _ = writeln!(text, "  first other row: {at}, {:?} instead of {:?}", given[at], expected[at]);
    }
}

/// The failing case made small, as far as that is possible in this time, with both answers.
pub fn report(case: Case, seed: u64, failure: &Failure, subject: &Subject<'_>, time: Duration) -> String {
    let Ok(folder) = tempfile::tempdir() else { return failure.text().to_owned() };
    let begun = Instant::now();
    let again = |case: &Case| compare(case, &evaluate(case), seed, folder.path(), subject);
    let small = minimise(case, |case| begun.elapsed() < time && again(case).is_some_and(|f| f.same_kind(failure)));
    let found =
        again(&small).map_or("no failure any more: it comes and goes".to_owned(), |found| found.text().to_owned());
    format!("{small}\n{found}\nbefore it was made small:\n{}", failure.text())
}
