//! Entities, records and columns beside pairs of random jobs, by their plain definitions.
//!
//! - `arrays` makes arrays of values and values of arrays; `inputs` has the inputs and rules of a case;
//! - `front_door` runs whole jobs; `survey` says what cases have;
//! - `tables` makes the tables of given clusters, and `compare` says how one differs from what is expected.

mod arrays;
mod compare;
mod front_door;
mod inputs;
mod survey;
mod tables;

use std::path::Path;

use arrow_schema::DataType;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sameas_testkit::entities::{EntityCase, job_text, kept_type};
use sameas_testkit::oracle::entities::{EntityAnswer, ExpectedTable};
use sameas_testkit::random::entities::{entity_case, mistake};

use compare::read_table;
use tables::{Prepared, TABLES, TableKind, does_not_fit};

/// Cases unless `SAMEAS_CASES` says otherwise.
const CASES: u64 = 100;

/// Memory that holds every case, and that holds none: rows are spilled. What does not fit at all may be refused.
const MEMORY: [usize; 3] = [1 << 30, 1 << 20, 24 << 10];

/// The cases to test.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("SAMEAS_SEED").unwrap_or(0);
    first..first + number("SAMEAS_CASES").unwrap_or(CASES)
}

#[test]
fn tables_are_those_of_their_definition() {
    let pools = [1, 4].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let all = seeds();
    let refused = every(all.clone(), |case| check(case, &pools, folder.path()));
    let tables = (all.end - all.start) * TABLES.len() as u64;
    assert!(refused * 4 < tables + 4, "{refused} of {tables} tables do not fit the least memory");
}

/// Checks the cases of these seeds, and gives the sum of what is counted; the first failing case is shown whole, others by what is
/// wrong.
fn every(seeds: std::ops::Range<u64>, check: impl Fn(&EntityCase) -> Result<u64, String>) -> u64 {
    let (mut counted, mut wrong) = (0, Vec::new());
    for seed in seeds {
        match check(&entity_case(seed)) {
            Ok(more) => counted += more,
            Err(why) => wrong.push((seed, why)),
        }
    }
    if let Some((seed, why)) = wrong.first() {
        let others = wrong.iter().skip(1).take(60).map(|(seed, why)| format!("{seed}: {}\n", first_line(why)));
        panic!("{} cases are wrong\n{}{}", wrong.len(), others.collect::<String>(), described(*seed, why));
    }
    counted
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// What a person needs to repeat a case.
fn described(seed: u64, why: &str) -> String {
    let case = entity_case(seed);
    let mut text = format!(
        "{why}\n\nRepeat it with SAMEAS_SEED={seed} SAMEAS_CASES=1 cargo test -p sameas-testkit --test differential entities\n\n{}\n",
        job_text(&case)
    );
    for input in &case.inputs {
        let given = if input.is_file { "Parquet" } else { "batches" };
        text += &format!("{} ({given}, cut at {:?})\n", input.name, input.cuts);
        for column in &input.columns {
            text += &format!("  {}: {} {:?}\n", column.name, column.physical, column.items);
        }
    }
    text + &format!("pairs {:?}\n", case.pairs.iter().map(|pair| (pair.rows, pair.score)).collect::<Vec<_>>())
}

/// Makes all tables in every way; gives how many do not fit the least memory.
fn check(case: &EntityCase, pools: &[ThreadPool; 2], folder: &Path) -> Result<u64, String> {
    let answer = EntityAnswer::new(case);
    let prepared = Prepared::new(case, &answer, "", folder).map_err(|error| error.to_string())?;
    let mut refused = 0;
    for table in TABLES {
        let shown = |error| format!("{table:?}: {error}");
        let [whole, divided, tiny] = MEMORY;
        let bytes = prepared.table(table, &pools[0], whole, folder).map_err(shown)?;
        compared(&bytes, &expected(&answer, table), case, folder).map_err(|why| format!("{table:?}: {why}"))?;
        let again = prepared.table(table, &pools[1], divided, folder).map_err(shown)?;
        let tiny = prepared.table(table, &pools[1], tiny, folder);
        if does_not_fit(&tiny) {
            refused += 1;
        } else if again != bytes || tiny.map_err(shown)? != bytes {
            return Err(format!("{table:?}: other bytes with other threads or another memory"));
        }
    }
    Ok(refused)
}

fn expected(answer: &EntityAnswer<'_>, table: TableKind) -> ExpectedTable {
    match table {
        TableKind::Entities => answer.entities(false),
        TableKind::Provenance => answer.entities(true),
        TableKind::Records => answer.records(),
        TableKind::Best => answer.best_records(),
    }
}

fn compared(bytes: &[u8], expected: &ExpectedTable, case: &EntityCase, folder: &Path) -> Result<(), String> {
    let path = folder.join("found.parquet");
    std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
    match read_table(&path)?.difference(0, expected, &id_type(case)) {
        Some(difference) => Err(difference),
        None => Ok(()),
    }
}

/// The type of what records are called.
fn id_type(case: &EntityCase) -> DataType {
    match &case.inputs[..] {
        [one] => kept_type(&one.columns[one.id].physical),
        _ => DataType::Utf8,
    }
}

#[test]
fn mistakes_have_a_place_and_a_help() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wrong: Vec<String> = seeds().filter_map(|seed| not_said(seed, &pool, folder.path())).collect();
    assert!(wrong.is_empty(), "{} mistakes:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is missing in what is said of the mistake of a seed, if something is.
fn not_said(seed: u64, pool: &ThreadPool, folder: &Path) -> Option<String> {
    let (case, mistake) = mistake(seed);
    let line = job_text(&case).lines().count() + 1;
    let prepared = Prepared::new(&case, &EntityAnswer::new(&case), &mistake.line, folder);
    let refused = prepared.and_then(|prepared| prepared.table(TableKind::Provenance, pool, MEMORY[0], folder));
    let Err(error) = refused else { return Some(format!("seed {seed}: nothing is said of `{}`", mistake.line)) };
    let said = error.to_string();
    let parts = mistake.parts.into_iter().chain([format!("job.toml:{line}")]);
    let parts = parts.chain(mistake.has_help.then(|| "help: ".to_owned()));
    let missing: Vec<String> = parts.filter(|part| !said.contains(part.as_str())).collect();
    (!missing.is_empty()).then(|| format!("seed {seed}: no {missing:?} is said of `{}`:\n{said}\n", mistake.line))
}
