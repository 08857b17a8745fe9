//! Whole jobs through the front door: their files are those of the definition, whatever they are run with.

use std::collections::BTreeMap;
use std::path::Path;

use sameas::entities::{RecordTable, ResultTables, WithColumns};
use sameas::{DeviceChoice, ErrorCode, Format, Job, OutputFolder, RuleFile, Session};
use sameas_testkit::entities::{EntityCase, EntityPair, WithColumns as Beside};
use sameas_testkit::oracle::entities::{EntityAnswer, ExpectedTable};
use sameas_testkit::selftest::engine::{job_of, link_type};

use super::compare::{ReadTable, read_table};
use super::inputs::{inputs, rule_text};
use super::{every, id_type, seeds};

/// A job takes longer than its tables: only this number of cases is run, unless `SAMEAS_CASES` says otherwise.
const JOBS: u64 = 40;

/// Threads and memory; the last may be too little.
const RUNS: [(usize, usize); 3] = [(1, 1 << 30), (4, 4 << 20), (2, 64 << 10)];

/// Files by their names.
type Files = BTreeMap<&'static str, Vec<u8>>;

#[test]
fn files_of_jobs_are_those_of_their_definition() {
    let folder = tempfile::tempdir().unwrap();
    let all = seeds();
    let jobs = if std::env::var_os("SAMEAS_CASES").is_some() { all } else { all.start..all.start + JOBS };
    let refused = every(jobs.clone(), |case| check(case, folder.path()));
    assert!(refused * 4 < jobs.end - jobs.start + 4, "{refused} jobs do not fit the least memory");
}

/// Runs a job in every way; gives 1 if it does not fit the least memory.
fn check(case: &EntityCase, folder: &Path) -> Result<u64, String> {
    let rules = RuleFile::parse(&rule_text(case, folder), "job.toml").map_err(|error| error.to_string())?;
    let job = job_of(link_type(case.kind), inputs(case, folder)).with_rules(rules.in_folder(folder));
    let job = job.with_tables(tables(case));
    let mut first: Option<Files> = None;
    for (at, run) in RUNS.into_iter().enumerate() {
        match (files(&job, run, &folder.join("out")), &first) {
            (Err(error), Some(_)) if at == 2 && error.code() == ErrorCode::MemoryLimit => return Ok(1),
            (Err(error), _) => return Err(format!("{run:?}: {error}")),
            (Ok(files), None) => {
                compared(case, &folder.join("out"), &files)?;
                first = Some(files);
            }
            (Ok(files), Some(known)) => {
                let other = files.iter().find(|(name, bytes)| known.get(*name) != Some(bytes));
                if let Some((name, _)) = other {
                    return Err(format!("{name}: other bytes with {run:?}"));
                }
            }
        }
    }
    Ok(0)
}

fn tables(case: &EntityCase) -> ResultTables {
    let mut tables = ResultTables::default();
    (tables.entities, tables.provenance, tables.records) = (true, true, true);
    tables.with = Some(match &case.with {
        Beside::All => WithColumns::All,
        Beside::Named(names) => WithColumns::Named(names.clone()),
    });
    tables
}

/// The files of a run, which stay in the folder.
fn files(job: &Job, (threads, memory): (usize, usize), out: &Path) -> sameas::Result<Files> {
    let session = Session::builder().threads(threads).memory(memory).device(DeviceChoice::Cpu).build()?;
    let folder = OutputFolder::create(out, true)?;
    let mut run = session.run(job, &())?;
    run.write(folder, Format::Parquet, &())?;
    let mut best = Vec::new();
    run.write_record_table(&mut best, RecordTable::Best, Format::Parquet, "best.parquet", &())?;
    std::fs::write(out.join("best.parquet"), &best).expect("the folder is there");
    let names = ["pairs", "clusters", "entities", "records", "best"];
    let bytes = |name| std::fs::read(out.join(format!("{name}.parquet"))).expect("a file that was written");
    Ok(names.into_iter().map(|name| (name, bytes(name))).collect())
}

fn compared(case: &EntityCase, out: &Path, files: &Files) -> Result<(), String> {
    let answer = EntityAnswer::new(case);
    let read = |name: &str| read_table(&out.join(format!("{name}.parquet")));
    let id_type = id_type(case);
    let differs = |name: &str, first: usize, expected: &ExpectedTable| -> Result<(), String> {
        read(name)?.difference(first, expected, &id_type).map_or(Ok(()), |why| Err(format!("{name}: {why}")))
    };
    assert_eq!(files.len(), 5);
    let clusters = read("clusters")?;
    let roots: Vec<String> = answer.first_rows().iter().map(|row| case.record_name(*row)).collect();
    if clusters.names("cluster_id") != roots || clusters.type_of("cluster_id") != Some(id_type.clone()) {
        return Err(format!("clusters: {:?}, expected {roots:?}", clusters.names("cluster_id")));
    }
    let pairs = read("pairs")?;
    let found = rows_of(case, &pairs)?;
    let beside = answer.beside_pairs(&found);
    differs("pairs", pairs.columns.len() - beside.columns.len(), &beside)?;
    differs("entities", 0, &answer.entities(true))?;
    differs("records", 0, &answer.records())?;
    differs("best", 0, &answer.best_records())
}

/// The pairs of a file, in its order, which must be those of the case.
fn rows_of(case: &EntityCase, pairs: &ReadTable) -> Result<Vec<[usize; 2]>, String> {
    let [l, r] = [side(case, pairs, 0)?, side(case, pairs, 1)?];
    let found: Vec<[usize; 2]> = l.into_iter().zip(r).map(|(l, r)| [l, r]).collect();
    let [mut sorted, mut expected] = [found.clone(), case.pairs.iter().map(|pair: &EntityPair| pair.rows).collect()];
    sorted.sort_unstable();
    expected.sort_unstable();
    if sorted == expected { Ok(found) } else { Err(format!("pairs {sorted:?}, expected {expected:?}")) }
}

/// The rows of one side of all pairs.
fn side(case: &EntityCase, pairs: &ReadTable, side: usize) -> Result<Vec<usize>, String> {
    let end = ["_l", "_r"][side];
    let (ids, sources) = (pairs.names(&format!("unique_id{end}")), pairs.names(&format!("source_dataset{end}")));
    let rows = case.rows();
    let row = |(at, id): (usize, &String)| {
        // Without a column for it, the side says the input.
        let source = sources.get(at).map_or(case.inputs[side.min(case.inputs.len() - 1)].name.as_str(), |name| name);
        let is_it = |(input, row): &(usize, usize)| {
            case.inputs[*input].name == source && case.inputs[*input].id_text(*row) == *id
        };
        rows.iter().position(is_it).ok_or_else(|| format!("pairs: no record is called {source}:{id}"))
    };
    ids.iter().enumerate().map(row).collect()
}
