//! Questions about `sameas relate`: a program as text, its facts as files; what is written are the tuples that the oracle
//! finds, in order.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sameas::datalog::{RelateJob, RelateProgram};
use sameas::{Format, OutputFolder, Session};
use sameas_device::DeviceChoice;
use sameas_engine::plan::Strategy;

use super::Settings;
use super::check::{Check, Sessions, about_program};
use super::relation_files::{input, read};
use super::relations::difference;
use super::variant::by_seed;
use crate::oracle::relations::{Tables, evaluate};
use crate::program::Program;
use crate::random::programs::{Values, program};

const FORMATS: [Format; 3] = [Format::Csv, Format::Parquet, Format::Json];

/// All questions.
pub fn checks(settings: &Settings) -> Vec<Check> {
    let (device, sessions) = (settings.device, Arc::new(Sessions::default()));
    let of_seed = |seed: u64| {
        let sessions = Arc::clone(&sessions);
        let ask = Box::new(move |time| agrees(seed, device, &sessions, time));
        Check { name: format!("seed {seed}"), seed, ask }
    };
    (settings.seed..settings.seed + settings.cases).map(of_seed).collect()
}

fn agrees(seed: u64, device: DeviceChoice, sessions: &Sessions, time: Duration) -> Result<(), String> {
    about_program(program(seed, Values::Both), time, |program| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string());
        folder.and_then(|folder| asked(program, seed, device, sessions, folder.path())).err()
    })
}

/// Runs a program in two ways, which must write the same bytes, and compares the tuples.
fn asked(program: &Program, seed: u64, device: DeviceChoice, sessions: &Sessions, folder: &Path) -> Result<(), String> {
    let parsed = RelateProgram::parse("program.dl", &program.text()).map_err(|error| error.to_string())?;
    let mut job = RelateJob::new(parsed);
    for (at, relation) in program.relations.iter().enumerate() {
        if let Some(facts) = &relation.facts {
            let given = input(&relation.name, &relation.columns, facts, seed + at as u64, folder)?;
            job = job.with_input(&relation.name, given).map_err(|error| error.to_string())?;
        }
    }
    let (format, expected) = (FORMATS[seed as usize % 3], evaluate(program));
    let mut first: Option<Vec<Vec<u8>>> = None;
    for options in [by_seed(device, seed, Strategy::Full), by_seed(device, seed + 1, Strategy::Full)] {
        let out = folder.join("out");
        let context = |text: String| format!("{text}\n  in the run with {options:?}");
        let written = written(program, &job, || sessions.open(&options), format, &out).map_err(context)?;
        compared(program, &expected, format, &out).map_err(context)?;
        if first.get_or_insert_with(|| written.clone()) != &written {
            return Err(context("other bytes than in the first run".to_owned()));
        }
    }
    Ok(())
}

/// Runs the program; gives the bytes of all files.
fn written(
    program: &Program,
    job: &RelateJob,
    session: impl FnOnce() -> sameas::Result<Session>,
    format: Format,
    out: &Path,
) -> Result<Vec<Vec<u8>>, String> {
    let run = move || -> sameas::Result<()> {
        let session = session()?;
        let mut found = session.relate(job, &())?;
        session.write_related(&mut found, OutputFolder::create(out, true)?, format, &())
    };
    run().map_err(|error| error.to_string())?;
    let names = program.relations.iter().map(|relation| format!("{}.{}", relation.name, format.extension()));
    names.map(|name| std::fs::read(out.join(&name)).map_err(|error| format!("{name}: {error}"))).collect()
}

/// The files against the oracle.
fn compared(program: &Program, expected: &Tables, format: Format, out: &Path) -> Result<(), String> {
    for (relation, expected) in program.relations.iter().zip(expected) {
        let path = out.join(format!("{}.{}", relation.name, format.extension()));
        let given = read(&path, format, &relation.columns)?;
        if !given.iter().eq(expected) {
            return Err(difference(&relation.name, expected, &given));
        }
    }
    Ok(())
}
