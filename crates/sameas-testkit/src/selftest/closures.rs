//! Questions about `sameas closure`: a graph as a file, its closure by each method counted and written in order.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use sameas::closure::{ClosureJob, ClosureMethod};
use sameas::{Format, Input, Session};
use sameas_device::DeviceChoice;
use sameas_engine::plan::Strategy;

use super::Settings;
use super::check::{Check, Sessions};
use super::relation_files::{input, read};
use super::relations::difference;
use super::variant::by_seed;
use crate::oracle::relations::{ClosureKind, closure};
use crate::program::{ColumnType, Tuple, Value};
use crate::random::graphs::{self, Graph};

const FORMATS: [Format; 3] = [Format::Csv, Format::Parquet, Format::Json];
const METHODS: [ClosureMethod; 3] = [ClosureMethod::Auto, ClosureMethod::Fixpoint, ClosureMethod::BitRows];
const KINDS: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

/// All questions: fixed graphs, then random ones.
pub fn checks(settings: &Settings) -> Vec<Check> {
    let (device, sessions) = (settings.device, Arc::new(Sessions::default()));
    let check = |name: String, seed: u64, graph: Box<dyn Fn() -> Graph + Send + Sync>| {
        let sessions = Arc::clone(&sessions);
        let ask = Box::new(move |_| {
            let (graph, folder) = (graph(), tempfile::tempdir().map_err(|error| error.to_string())?);
            let edges = &graph.edges[..graph.edges.len().min(20)];
            let context = |text| format!("{}, with edges as {edges:?}\n{text}", graph.name);
            asked(&graph, seed, device, &sessions, folder.path()).map_err(context)
        });
        Check { name, seed, ask }
    };
    let fixed = (settings.seed..).zip(graphs::edges());
    let fixed = fixed.map(|(seed, graph)| check(graph.name.clone(), seed, Box::new(move || graph.clone())));
    let seeds = settings.seed..settings.seed + settings.cases;
    let drawn = seeds.map(|seed| check(format!("seed {seed}"), seed, Box::new(move || graphs::graph(seed))));
    fixed.chain(drawn).collect()
}

/// Every method writes what the oracle finds.
fn asked(graph: &Graph, seed: u64, device: DeviceChoice, sessions: &Sessions, folder: &Path) -> Result<(), String> {
    let (undirected, reflexive) = KINDS[(seed / 3) as usize % 4];
    let ids = Ids::of_seed(seed);
    let edges: Vec<(Value, Value)> = graph.edges.iter().map(|(from, to)| (ids.id(*from), ids.id(*to))).collect();
    let found = closure(&edges, ClosureKind { undirected, reflexive });
    let expected: BTreeSet<Tuple> = found.into_iter().map(|(from, to)| vec![from, to]).collect();
    let tuples: Vec<Tuple> = edges.into_iter().map(|(from, to)| vec![from, to]).collect();
    let mut job = ClosureJob::new(written(&ids, &tuples, seed, folder)?);
    job.directed = !undirected;
    job.reflexive = reflexive;
    for (at, method) in (0..).zip(METHODS) {
        let options = by_seed(device, seed + at, Strategy::Full);
        let context = |text: String| {
            format!("{text}\n  undirected {undirected}, reflexive {reflexive}, {method:?}, in the run with {options:?}")
        };
        let format = FORMATS[(seed / 2) as usize % 3];
        let session = sessions.open(&options).map_err(|error| context(error.to_string()))?;
        let given = run(&job.clone().with_method(method), &session, format, ids.column_type(), folder);
        let given = given.map_err(context)?;
        if !given.iter().eq(&expected) {
            return Err(context(difference("closure", &expected, &given)));
        }
    }
    Ok(())
}

/// What the vertices of a graph are called.
enum Ids {
    Numbers,
    Texts,
}

impl Ids {
    fn of_seed(seed: u64) -> Self {
        if seed % 5 < 3 { Ids::Numbers } else { Ids::Texts }
    }

    fn id(&self, vertex: u32) -> Value {
        match self {
            Ids::Numbers => Value::from(vertex),
            Ids::Texts => Value::from(format!("n{vertex}").as_str()),
        }
    }

    fn column_type(&self) -> ColumnType {
        match self {
            Ids::Numbers => ColumnType::Number,
            Ids::Texts => ColumnType::Text,
        }
    }
}

/// The edges as an input: plain text for some seeds.
fn written(ids: &Ids, edges: &[Tuple], seed: u64, folder: &Path) -> Result<Input, String> {
    if !seed.is_multiple_of(7) || edges.is_empty() {
        return input("edges", &[ids.column_type(); 2], edges, seed, folder);
    }
    let text = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.to_string(),
    };
    let lines = edges.iter().map(|edge| format!("{}\t{}\n", text(&edge[0]), text(&edge[1])));
    let path = folder.join("edges.txt");
    let content = std::iter::once("# edges\n".to_owned()).chain(lines).collect::<String>();
    std::fs::write(&path, content).map_err(|error| error.to_string())?;
    Ok(Input::files([path]))
}

/// Runs a job; gives the pairs that it writes, as many as it counts.
fn run(
    job: &ClosureJob,
    session: &Session,
    format: Format,
    kind: ColumnType,
    folder: &Path,
) -> Result<Vec<Tuple>, String> {
    let path = folder.join(format!("closure.{}", format.extension()));
    let run = || -> sameas::Result<u64> {
        let found = session.closure(job, &())?;
        let file = File::create(&path).map_err(|error| sameas::Error::io("cannot write", &path, error))?;
        found.write(file, format, "closure", &())?;
        Ok(found.pairs())
    };
    let counted = run().map_err(|error| error.to_string())?;
    let given = read(&path, format, &[kind; 2])?;
    if counted == given.len() as u64 {
        return Ok(given);
    }
    Err(format!("{counted} pairs are counted and {} are written", given.len()))
}
