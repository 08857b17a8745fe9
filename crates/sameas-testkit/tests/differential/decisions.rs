//! Decisions about pairs of random jobs: the answer of the oracle with what was decided in its place.

use std::path::Path;

use sameas::{Format, Input};
use sameas_testkit::case::{Case, JobKind};
use sameas_testkit::oracle::clusters::{ClusterCase, Method, Strength, WeightedEdge, clusters};
use sameas_testkit::oracle::{Answer, evaluate, score_of};
use sameas_testkit::rng::Rng;
use sameas_testkit::selftest::compare::is_mistake;
use sameas_testkit::selftest::engine::job;
use sameas_testkit::selftest::groups::{case_of, scored_case_of};
use sameas_testkit::selftest::outcome::{Outcome, cluster_columns, pair_columns, read};
use sameas_testkit::selftest::scores::exact;

use super::support::run_once;

/// Jobs of each kind of pairs.
const JOBS: u64 = 150;

/// Records of a table: few enough that decisions meet each other, and pairs of rules.
const ROWS: usize = 10;

/// Draws of a decision.
const DRAWS: usize = 8;

/// Two rows, the earlier one first, and whether they are decided to be the same.
type Decision = ([usize; 2], bool);

#[test]
fn decided_pairs_are_what_was_decided() {
    for (case_of, is_scored) in [(case_of as fn(u64) -> Case, false), (scored_case_of as fn(u64) -> Case, true)] {
        let (folder, mut decided) = (tempfile::tempdir().unwrap(), [0; 2]);
        for seed in 0..JOBS {
            let mut case = case_of(seed);
            case.tables.iter_mut().for_each(|table| table.rows.truncate(ROWS));
            let found = agrees(&case, seed, is_scored, folder.path());
            let found = found.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{case:#?}"));
            (0..2).for_each(|kind| decided[kind] += found[kind]);
        }
        assert!(decided.iter().all(|pairs| *pairs > JOBS / 10), "pairs added and removed: {decided:?}");
    }
}

/// Runs a job with decisions that the seed chooses, and gives how many pairs these have added and removed.
fn agrees(case: &Case, seed: u64, is_scored: bool, folder: &Path) -> Result<[u64; 2], String> {
    let mut answer = evaluate(case);
    let decisions = drawn(case, &answer, &mut Rng::new(seed));
    let path = folder.join("judged.csv");
    std::fs::write(&path, judgements(case, &decisions)).map_err(|error| error.to_string())?;
    let job = job(case, seed, folder)?.with_decisions(Input::files([&path])).with_all_pairs();
    let out = folder.join("out");
    let record = match run_once(&job, seed, Format::Csv, &out) {
        Err(why) if is_mistake(&why) => return Ok([0; 2]),
        record => record?,
    };
    let found: Vec<[usize; 2]> = answer.pairs.iter().map(|(l, r, _)| [*l, *r]).collect();
    let count =
        |is_same: bool| decisions.iter().filter(|(pair, same)| *same == is_same && found.contains(pair)).count();
    let same = decisions.iter().filter(|(_, is_same)| *is_same).count();
    let counted = [(same - count(true)) as u64, count(false) as u64];
    let given = record.decided.map(|of| [of.added, of.removed]);
    if given != Some(counted) {
        return Err(format!("added and removed are {counted:?}, run.json says {given:?}"));
    }
    decide(case, &mut answer, &decisions);
    if !is_scored {
        answer.clusters = clusters(&graph(case, &answer.pairs, &decisions)).ok_or("a contradiction")?.first_rows;
    }
    let mut expected = Outcome::of_answer(case, &answer);
    let columns = pair_columns(case);
    let key = columns.iter().position(|column| column == "match_key").ok_or("no match_key")?;
    for (row, _) in expected.pairs.iter_mut().zip(&answer.pairs).filter(|(_, (.., rule))| *rule == DECIDED) {
        "decided".clone_into(&mut row[key]);
    }
    let pairs = exact(case, read(&out.join("pairs.csv"), Format::Csv, &columns)?)?;
    let found = read(&out.join("clusters.csv"), Format::Csv, &cluster_columns(case.job.kind))?;
    if pairs != expected.pairs || !is_scored && found != expected.clusters {
        let (clusters, expected) = (expected.clusters, expected.pairs);
        return Err(format!(
            "of {decisions:?} the pairs are {pairs:?}, not {expected:?}, and {found:?}, not {clusters:?}"
        ));
    }
    Ok(counted)
}

/// The number of no rule.
const DECIDED: usize = usize::MAX;

/// The table of each row, with its id.
fn tables_of_rows(case: &Case) -> Vec<(usize, &str)> {
    let of_table = |at: usize| case.tables[at].rows.iter().map(move |row| (at, row.id.as_str()));
    (0..case.tables.len()).flat_map(of_table).collect()
}

/// Decisions about pairs of the answer and others, none of which contradict each other.
fn drawn(case: &Case, answer: &Answer, rng: &mut Rng) -> Vec<Decision> {
    let rows = tables_of_rows(case);
    let mut decisions: Vec<Decision> = Vec::new();
    for _ in 0..DRAWS {
        let (a, b, _) = match (rows.is_empty(), answer.pairs.is_empty() || rng.percent(60)) {
            (true, _) => return decisions,
            (false, true) => (rng.below(rows.len()), rng.below(rows.len()), DECIDED),
            (false, false) => *rng.pick(&answer.pairs),
        };
        let (pair, is_same) = ([a.min(b), a.max(b)], rng.percent(50));
        let is_possible = a != b && (case.job.kind != JobKind::Link || rows[a].0 != rows[b].0);
        if is_possible && decisions.iter().all(|(known, _)| *known != pair) {
            decisions.push((pair, is_same));
            if clusters(&graph(case, &decided_pairs(&decisions), &decisions)).is_none() {
                decisions.pop();
            }
        }
    }
    decisions
}

/// The pairs that are decided to be the same.
fn decided_pairs(decisions: &[Decision]) -> Vec<(usize, usize, usize)> {
    decisions.iter().filter(|(_, is_same)| *is_same).map(|([l, r], _)| (*l, *r, DECIDED)).collect()
}

/// Decisions as a file of judgements, with ids in quotes.
fn judgements(case: &Case, decisions: &[Decision]) -> String {
    let rows = tables_of_rows(case);
    let mut text = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\n".to_owned();
    for ([l, r], is_same) in decisions {
        let of = |row: usize| format!("{},\"{}\"", case.source(rows[row].0), rows[row].1.replace('"', "\"\""));
        text += &format!("{},{},{}\n", of(*l), of(*r), if *is_same { "same" } else { "different" });
    }
    text
}

/// Puts what was decided into an answer.
fn decide(case: &Case, answer: &mut Answer, decisions: &[Decision]) {
    answer.pairs.retain(|(l, r, _)| decisions.iter().all(|(pair, _)| *pair != [*l, *r]));
    for (l, r, rule) in decided_pairs(decisions) {
        answer.pairs.push((l, r, rule));
        answer.scores.extend(score_of(case, l, r).map(|(score, _)| ((l, r), score)));
    }
    answer.pairs.sort_unstable();
}

/// Pairs without scores as a graph.
fn graph(case: &Case, pairs: &[(usize, usize, usize)], decisions: &[Decision]) -> ClusterCase {
    let rows = tables_of_rows(case).len();
    let order = case.job.rule_order();
    let edge = |(l, r, rule): &(usize, usize, usize)| {
        let is_certain = case.job.rules.get(*rule).is_some_and(|rule| rule.is_certain);
        let strength = match *rule {
            DECIDED => Strength::Decided,
            _ if is_certain => Strength::Certain,
            _ => Strength::Other,
        };
        let rule = order.iter().position(|known| known == rule).unwrap_or(order.len());
        WeightedEdge { rows: [*l, *r], strength, quarters: None, rule }
    };
    ClusterCase {
        rows,
        edges: pairs.iter().map(edge).collect(),
        threshold: None,
        method: Method::Components,
        max_size: None,
        forbidden: Vec::new(),
        apart: decisions.iter().filter(|(_, is_same)| !is_same).map(|(pair, _)| *pair).collect(),
        sources: vec![0; rows],
        limits: Vec::new(),
        density: None,
    }
}
