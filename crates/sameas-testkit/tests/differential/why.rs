//! Small jobs of all kinds: `why` says of every two records what the oracle says, whatever they are called.

use sameas_testkit::case::{Case, JobKind};
use sameas_testkit::oracle::evaluate;
use sameas_testkit::selftest::groups::{case_of, scored_case_of};
use sameas_testkit::selftest::why::agrees_on_every_pair;

/// Jobs of each kind.
const JOBS: usize = 20;

/// Records of a table, fewer where there are more than two: few enough to ask about every two of all.
const ROWS: usize = 6;

fn small(mut case: Case) -> Case {
    let rows = ROWS.min(2 * ROWS / case.tables.len());
    case.tables.iter_mut().for_each(|table| table.rows.truncate(rows));
    case
}

#[test]
fn why_agrees_with_the_result_on_every_pair() {
    on_every_pair(case_of);
}

#[test]
fn why_agrees_with_the_scores_of_every_pair() {
    on_every_pair(scored_case_of);
}

fn on_every_pair(case_of: fn(u64) -> Case) {
    let folder = tempfile::tempdir().unwrap();
    for kind in [JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe] {
        let cases = (0..).map(|seed| (seed, small(case_of(seed)))).filter(|(_, case)| case.job.kind == kind);
        let mut pairs = 0;
        for (seed, case) in cases.take(JOBS) {
            let agreed = agrees_on_every_pair(&case, seed, &evaluate(&case), folder.path());
            pairs += agreed.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{case:#?}"));
        }
        assert!(pairs >= JOBS, "only {pairs} pairs in {JOBS} jobs of {kind:?}");
    }
}
