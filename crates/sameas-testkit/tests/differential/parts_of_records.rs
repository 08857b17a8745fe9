//! Records divided into parts, as several machines would have them: however they are divided and whatever access path is taken, the
//! branches within each part and across each two of them give the pairs of a run, each once, with its rules and scores.

use std::sync::Arc;

use sameas::arrow_array::cast::AsArray;
use sameas::arrow_array::types::Int64Type;
use sameas::arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use sameas::plan::{KeyRecord, PartingRecord};
use sameas::record_parts::{OfAllRecords, PartRole, RecordPart};
use sameas::{Input, Job, RuleFile, Session};
use sameas_device::DeviceChoice;
use sameas_records::records::Table;
use sameas_testkit::case::Case;
use sameas_testkit::rng::mix;
use sameas_testkit::selftest::groups::{case_of, scored_case_of};
use sameas_testkit::selftest::record_parts::{Divided, PARTS, cell, divided, pairs_of_run, part_input, tables};
use sameas_testkit::selftest::variant::paths;

use super::survey::seeds;

/// Of as many random cases as other tests run, one of this many: each is run many times.
const ONE_OF: u64 = 32;

/// From as many cases on, some must have been divided, and have had pairs.
const ENOUGH: usize = 12;

fn session() -> Session {
    Session::builder().threads(2).device(DeviceChoice::Cpu).build().unwrap()
}

/// Every path must have run over parts.
fn check_all(case_of: fn(u64) -> Case) {
    let (session, seeds) = (session(), seeds());
    let count = (seeds.end - seeds.start).div_ceil(ONE_OF);
    let (mut cases, mut refused) = (Vec::new(), 0);
    for seed in seeds.start..seeds.start + count {
        let (folder, case) = (tempfile::tempdir().unwrap(), case_of(seed));
        match divided(&session, &case, seed, folder.path()) {
            Ok(Some(case)) => cases.push(case),
            Ok(None) => refused += 1,
            Err(error) => panic!("seed {seed}: {error}\n\n{case}"),
        }
    }
    if cases.len() + refused >= ENOUGH {
        let with_pairs = cases.iter().filter(|case| case.pairs > 0).count();
        assert!(cases.len() >= 4 && with_pairs >= 3, "{cases:?}, {refused} refused");
        assert!(cases.iter().any(|case| case.is_planned_from_parts && case.pairs > 0));
        for path in paths() {
            assert!(cases.iter().any(|case| case.paths.contains(&path)), "{} was never taken", path.name());
        }
    }
}

#[test]
fn parts_give_the_pairs_of_a_run() {
    check_all(case_of);
}

#[test]
fn parts_give_the_scores_of_a_run() {
    check_all(scored_case_of);
}

const ROWS: usize = 160;

/// Names in two columns, each sometimes missing, and numbers.
fn people(salt: usize) -> RecordBatch {
    let name = |row: usize| (!row.is_multiple_of(9)).then(|| format!("name {}", mix((row + salt) as u64) % 40));
    let names =
        |shift: usize| -> ArrayRef { Arc::new((0..ROWS).map(|row| name(row + shift)).collect::<StringArray>()) };
    let number = |row: usize| (!row.is_multiple_of(11)).then(|| (mix((row + 2 * salt) as u64) % 100) as i64);
    let numbers =
        |shift: usize| -> ArrayRef { Arc::new((0..ROWS).map(|row| number(row + shift)).collect::<Int64Array>()) };
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..ROWS as i64));
    let columns = [
        ("id", ids, false),
        ("first", names(0), true),
        ("last", names(1000), true),
        ("n", numbers(0), true),
        ("m", numbers(2000), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn input(name: &str, batch: &RecordBatch) -> Input {
    Input::batches(name, batch.schema(), vec![batch.clone()]).unwrap()
}

/// The parts that a record belongs to as a left one and as a right one.
type Places = [Vec<usize>; 2];

/// By the value of a key; nowhere without one, unless nulls belong together.
fn place_of_key(table: &Table, row: usize, column: &str, null_safe: bool, parts: usize) -> Vec<usize> {
    let values = table.batches[0].column_by_name(column).unwrap();
    match (values.is_null(row), null_safe) {
        (true, false) => Vec::new(),
        (true, true) => vec![0],
        (false, _) => {
            let hash = cell(values, row).bytes().fold(7, |hash, byte| mix(hash ^ u64::from(byte)));
            vec![hash as usize % parts]
        }
    }
}

/// The parts of the numbers at most this far from that of a record; parts are ranges of equal width.
fn places_of_number(table: &Table, row: usize, column: &str, reach: i64, parts: usize) -> Vec<usize> {
    let values = table.batches[0].column_by_name(column).unwrap().as_primitive::<Int64Type>();
    if values.is_null(row) {
        return Vec::new();
    }
    let (own, width) = (values.value(row), (100 / parts + 1) as i64);
    let range = |part: usize| (part as i64 * width, (part as i64 + 1) * width - 1);
    (0..parts).filter(|part| own + reach >= range(*part).0 && own - reach <= range(*part).1).collect()
}

/// Where the records of an input go by what a branch says of itself.
fn places(table: &Table, row: usize, parted_by: &PartingRecord, parts: usize) -> Places {
    match parted_by {
        PartingRecord::Keys { keys } => {
            // One of several keys is enough.
            let KeyRecord { left, right, null_safe, .. } = &keys[0];
            [left, right].map(|column| place_of_key(table, row, column, *null_safe, parts))
        }
        PartingRecord::Ranges { left, right, width } => {
            let width: i64 = width.parse().unwrap();
            [(left, 0), (right, width)].map(|(column, reach)| places_of_number(table, row, column, reach, parts))
        }
        PartingRecord::Rows => panic!("keys and ranges are tested here"),
    }
}

/// The records of one of some parts, with the places in a pair that they take there. Where each input is one side of its pairs, a
/// record takes that place alone.
fn part_by(tables: &[Table], parted_by: &PartingRecord, own: usize, parts: usize) -> RecordPart {
    let of_input = |(at, table): (usize, &Table)| {
        let role = |row: usize| {
            let [left, right] = places(table, row, parted_by, parts).map(|places| places.contains(&own));
            let (left, right) = (left && (tables.len() == 1 || at == 0), right && (tables.len() == 1 || at == 1));
            match (left, right) {
                (true, true) => Some(PartRole::Both),
                (true, false) => Some(PartRole::Left),
                (false, true) => Some(PartRole::Right),
                (false, false) => None,
            }
        };
        let (rows, roles): (Vec<usize>, Vec<PartRole>) =
            (0..table.rows()).filter_map(|row| Some((row, role(row)?))).unzip();
        part_input(table, &rows).unwrap().with_roles(roles)
    };
    RecordPart::new(tables.iter().enumerate().map(of_input).collect())
}

/// Every branch over parts of its own: within them are all of its pairs.
fn within_parts(session: &Session, job: &Job, parts: usize) -> Vec<String> {
    let (plan, tables) = (session.plan(job, &()).unwrap(), tables(job).unwrap());
    let divided = Divided { session, job, plan: &plan, of_all: OfAllRecords::nothing() };
    let mut pairs = Vec::new();
    for (branch, kind) in plan.kinds().iter().enumerate() {
        for own in 0..parts {
            let part = part_by(&tables, &kind.parted_by, own, parts);
            pairs.extend(divided.pairs(&[branch], &[part]).unwrap());
        }
    }
    pairs.sort();
    pairs
}

#[test]
fn keys_and_ranges_have_all_pairs_within_their_parts() {
    let session = session();
    let (one, other) = (people(1), people(5));
    let rules = [
        // Every record has one part, and both places there.
        "l.first = r.first and l.n <> r.n",
        // Two operands: a record is left in one part and right in another.
        "l.first = r.last",
        "l.first is not distinct from r.last and l.n < r.m",
        "abs(l.n - r.n) <= 3 and l.first < r.first",
        "abs(l.n - r.m) <= 2",
    ];
    let never = "[[never]]\nwhen = \"l.last = r.last and l.m < r.m\"\n";
    for rule in rules {
        let rules = RuleFile::parse(&format!("[[rule]]\nwhen = \"{rule}\"\n{never}"), "rules").unwrap();
        let jobs = [Job::dedupe(input("one", &one)), Job::link(input("one", &one), input("other", &other))];
        for job in jobs.map(|job| job.with_rules(rules.clone())) {
            let expected = pairs_of_run(&session, &job).unwrap().unwrap();
            assert!(!expected.is_empty(), "{rule}");
            for parts in PARTS {
                assert_eq!(within_parts(&session, &job, parts), expected, "{rule} in {parts} parts");
            }
        }
    }
}
