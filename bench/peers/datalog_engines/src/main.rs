//! The closure of a graph by a Datalog engine in Rust, as a line of JSON.
//!
//! `datalog-engines ascent|datafrog EDGES`: reading is not timed; `RAYON_NUM_THREADS` says how many threads ascent has,
//! datafrog has one. The answer is held as tuples.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use datafrog::{Iteration, Relation, RelationLeaper};
use flate2::read::MultiGzDecoder;

type Edges = Vec<(u32, u32)>;

ascent::ascent_par! {
    struct Closure;
    relation edge(u32, u32);
    relation path(u32, u32);
    path(x, y) <-- edge(x, y);
    path(x, z) <-- path(x, y), edge(y, z);
}

fn by_ascent(edges: Edges) -> usize {
    let mut closure = Closure { edge: edges.into_iter().collect(), ..Closure::default() };
    closure.run();
    closure.path.len()
}

/// Paths are kept with their end first, by which they are joined.
fn by_datafrog(edges: Edges) -> usize {
    let mut iteration = Iteration::new();
    let path = iteration.variable::<(u32, u32)>("path");
    path.extend(edges.iter().map(|(from, to)| (*to, *from)));
    let edge: Relation<(u32, u32)> = edges.into_iter().collect();
    while iteration.changed() {
        path.from_leapjoin(&path, edge.extend_with(|(end, _)| *end), |(_, start), next| (*next, *start));
    }
    path.complete().len()
}

fn edges(path: &str) -> Result<Edges, Box<dyn std::error::Error>> {
    let mut text = String::new();
    match path.ends_with(".gz") {
        true => MultiGzDecoder::new(File::open(path)?).read_to_string(&mut text)?,
        false => File::open(path)?.read_to_string(&mut text)?,
    };
    let mut edges = Edges::new();
    for line in text.lines().filter(|line| !line.starts_with(['#', '%'])) {
        let mut numbers = line.split_whitespace().map(str::parse);
        if let (Some(from), Some(to)) = (numbers.next(), numbers.next()) {
            edges.push((from?, to?));
        }
    }
    Ok(edges)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, path] = &arguments[..] else { return Err("datalog-engines ascent|datafrog EDGES".into()) };
    let run = match engine.as_str() {
        "ascent" => by_ascent,
        "datafrog" => by_datafrog,
        other => return Err(format!("no engine {other}").into()),
    };
    let edges = edges(path)?;
    let begun = Instant::now();
    let pairs = run(edges);
    println!("{{\"seconds\": {:.6}, \"pairs\": {pairs}}}", begun.elapsed().as_secs_f64());
    Ok(())
}
