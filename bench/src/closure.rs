//! The benchmark of transitive closures on the CPU, from edges in memory.
//!
//! Arguments: a file of edges (two whole numbers a line, `#` and `%` begin comments; `.gz` is unpacked), `--method
//! bit-rows|fixpoint`, `--keep` (the fixpoint only: tuples in their original ids, in memory; otherwise pairs are counted),
//! `--repeats 5`. One line of JSON. Reading is stated beside the time; numbering is part of it.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use sameas::Result;
use sameas_core::cancel::Cancel;
use sameas_core::memory::MemoryBudget;
use sameas_core::numbering::{Numbered, number_integers};
use sameas_relations::graph::{Condensation, Graph, reach};
use sameas_relations::relation::{Atom, FixpointRule, RelationDeclaration, RelationId, Relations, Term, Variant};
use serde_json::json;

use super::report;

/// Bytes that the relations may take, as much as the peers have.
const MEMORY: usize = 16_000_000_000;

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let file = args.first().expect("a file of edges");
    let method = report::option(args, "--method").unwrap_or("bit-rows");
    let keeps = args.iter().any(|arg| arg == "--keep");
    let repeats: usize = report::option(args, "--repeats").map_or(5, |text| text.parse().expect("--repeats N"));
    let closure: fn(&Edges) -> Result<u64> = match (method, keeps) {
        ("bit-rows", false) => by_bit_rows,
        ("fixpoint", false) => by_rows_of_the_fixpoint,
        ("fixpoint", true) => by_kept_fixpoint,
        _ => panic!("--method bit-rows or fixpoint; --keep is for the fixpoint"),
    };
    let begun = Instant::now();
    let edges = Edges::read(file);
    let read_seconds = begun.elapsed().as_secs_f64();
    let (mut seconds, mut pairs) = (Vec::new(), 0);
    for _ in 0..repeats.max(1) {
        let begun = Instant::now();
        pairs = closure(&edges).expect("the closure");
        seconds.push(begun.elapsed().as_secs_f64());
    }
    report::print(&json!({
        "op": "closure", "file": file, "method": method, "keeps": keeps, "edges": edges.columns[0].len(), "pairs": pairs,
        "seconds": seconds, "read_seconds": read_seconds, "threads": rayon::current_num_threads(),
    }));
}

/// Edges in memory, as columns.
struct Edges {
    columns: [Vec<u64>; 2],
}

impl Edges {
    fn read(path: &str) -> Self {
        let mut text = String::new();
        let mut file = File::open(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        match path.ends_with(".gz") {
            true => flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text),
            false => file.read_to_string(&mut text),
        }
        .unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut columns = [Vec::new(), Vec::new()];
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(['#', '%'])) {
            let mut ids = line.split_whitespace().map(|id| id.parse().unwrap_or_else(|_| panic!("{path}: `{line}`")));
            columns.iter_mut().for_each(|column| column.push(ids.next().unwrap_or_else(|| panic!("{path}: `{line}`"))));
        }
        Self { columns }
    }

    fn numbered(&self) -> Result<Numbered<u64>> {
        number_integers(&[&self.columns[0], &self.columns[1]], Cancel::NEVER)
    }
}

/// Strongly connected components first, then bits of what each reaches.
fn by_bit_rows(edges: &Edges) -> Result<u64> {
    let numbered = edges.numbered()?;
    let [from, to] = &numbered.columns[..] else { panic!("two columns") };
    let pairs: Vec<[u32; 2]> = from.iter().zip(to).map(|(from, to)| [*from, *to]).collect();
    let graph = Graph::from_pairs(numbered.ids.len() as u32, &pairs, Cancel::NEVER)?;
    let condensed = Condensation::new(&graph, Cancel::NEVER)?;
    Ok(reach::count(&condensed, false, Cancel::NEVER, &|_| ())?.total())
}

/// The rules of the closure over relations that hold the numbered edges.
struct Program {
    relations: Relations,
    ids: Vec<u64>,
    path: RelationId,
    rules: [FixpointRule; 2],
}

impl Program {
    fn new(edges: &Edges) -> Result<Self> {
        let numbered = edges.numbered()?;
        let mut relations = Relations::on_cpu(&MemoryBudget::of_relations(MEMORY));
        let domains = vec![numbered.ids.len() as u64; 2];
        let mut declare =
            |name: &str| relations.declare(RelationDeclaration { name: name.to_owned(), domains: domains.clone() });
        let (edge, path) = (declare("edge")?, declare("path")?);
        let columns: Vec<&[u32]> = numbered.columns.iter().map(Vec::as_slice).collect();
        relations.insert(edge, &columns, Cancel::NEVER)?;
        let atom = |relation, variables: [u32; 2]| Atom { relation, terms: variables.map(Term::Variable).into() };
        let first = |atoms| Variant { atoms, ..Variant::default() };
        let rule = |name: &str, first, recursive| {
            let output = [0, 2].map(Term::Variable).into();
            FixpointRule { name: name.to_owned(), head: path, output, first, recursive }
        };
        let onwards = vec![atom(path, [0, 1]), atom(edge, [1, 2])];
        let recursive = vec![Variant { delta: Some(0), ..first(onwards.clone()) }];
        let rules =
            [rule("edges", first(vec![atom(edge, [0, 2])]), Vec::new()), rule("onwards", first(onwards), recursive)];
        Ok(Self { relations, ids: numbered.ids, path, rules })
    }
}

/// The fixpoint, row by row, without holding it.
fn by_rows_of_the_fixpoint(edges: &Edges) -> Result<u64> {
    let mut program = Program::new(edges)?;
    let mut rows = program.relations.carried_rows(&program.rules, Cancel::NEVER)?.expect("the rules carry a column");
    let sources = rows.sources().len();
    rows.count(0..sources, Cancel::NEVER)
}

/// The fixpoint, and all its tuples in the original ids.
fn by_kept_fixpoint(edges: &Edges) -> Result<u64> {
    let mut program = Program::new(edges)?;
    program.relations.fixpoint(&program.rules, Cancel::NEVER, &mut |_| {})?;
    let mut tuples: Vec<[u32; 2]> = Vec::with_capacity(program.relations.len(program.path) as usize);
    let id = |number: &u32| program.ids[*number as usize] as u32;
    program.relations.sorted(program.path, Cancel::NEVER, &mut |columns| {
        tuples.extend(columns[0].iter().zip(&columns[1]).map(|(x, y)| [id(x), id(y)]));
        Ok(())
    })?;
    Ok(tuples.len() as u64)
}
