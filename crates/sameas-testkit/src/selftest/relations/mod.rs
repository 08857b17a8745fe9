//! Questions about `relation`: programs evaluated by the engine, in several ways, have the tuples that the oracle finds.
//!
//! - here: the questions, and the ways to ask them;
//! - `run`: a program handed to the engine, stratum by stratum;
//! - `translate`: its rules in the engine's words.

mod run;
mod translate;

use sameas_device::{DeviceChoice, Drivers};

use super::Settings;
use super::check::{Check, about_program};
use crate::oracle::relations::{ClosureKind, Tables, closure, evaluate};
use crate::program::{Atom, ColumnType, Literal, Program, Relation, Rule, Term, Value};
use crate::random::graphs::{self, Graph};
use crate::random::programs::{self, Values};
use run::{RelationError, run};

pub use run::difference;

/// A way to evaluate a program. None of them may change the answer.
#[derive(Clone, Debug)]
pub struct ProgramVariant {
    /// Where.
    pub device: DeviceChoice,
    /// The drivers of devices, each opened once.
    pub drivers: Drivers,
    /// Number of threads.
    pub threads: usize,
    /// Bytes that relations may take.
    pub memory: usize,
    /// Bytes of a device.
    pub device_memory: usize,
    /// Whether values of a carried column may be followed one by one.
    pub carries: bool,
    /// Whether domains are as small as the values allow; otherwise they are all numbers of 32 bits.
    pub small_domains: bool,
    /// What chooses the order of joins.
    pub seed: u64,
}

/// More than any program needs.
const ENOUGH: usize = 1 << 28;
/// What may be too little: then the engine must say so.
const TINY: [usize; 5] = [1 << 10, 16 << 10, 100 << 10, 400 << 10, 1];
/// From so little that everything goes to the host to more than any program needs.
const DEVICE_MEMORY: [usize; 4] = [64 << 20, 1 << 20, 64 << 10, 8 << 20];

/// The ways to evaluate the program of a seed.
fn ways(device: DeviceChoice, drivers: &Drivers, seed: u64) -> Vec<ProgramVariant> {
    let way = |at: u64| ProgramVariant {
        device,
        drivers: drivers.clone(),
        threads: 1 + (seed + at) as usize % 2,
        memory: ENOUGH,
        device_memory: DEVICE_MEMORY[(seed + at) as usize % 4],
        carries: at == 0,
        small_domains: (seed / 2 + at).is_multiple_of(2),
        seed: seed + at,
    };
    vec![way(0), way(1), ProgramVariant { memory: TINY[seed as usize % 5], carries: seed.is_multiple_of(3), ..way(2) }]
}

/// All questions: the closures of fixed graphs, and random programs.
pub fn checks(settings: &Settings) -> Vec<Check> {
    let (device, drivers) = (settings.device, Drivers::default());
    let ways = move |seed| ways(device, &drivers, seed);
    let graphs = graphs::edges().into_iter().filter(|graph| graph.edges.len() <= 140);
    let of_graph = |(seed, graph): (u64, Graph)| {
        let (name, ways) = (graph.name.clone(), ways(seed));
        let ask = Box::new(move |_| {
            let (program, expected) = closure_of(&graph, seed);
            differs(&program, &expected, &ways).map_or(Ok(()), Err)
        });
        Check { name, seed, ask }
    };
    let of_seed = |seed: u64| {
        let ways = ways(seed);
        let ask = Box::new(move |time| {
            let program = programs::program(seed, Values::Numbers);
            about_program(program, time, |program| differs(program, &evaluate(program), &ways))
        });
        Check { name: format!("seed {seed}"), seed, ask }
    };
    let seeds = settings.seed..settings.seed + settings.cases;
    (settings.seed..).zip(graphs).map(of_graph).chain(seeds.map(of_seed)).collect()
}

/// The closure of a graph as rules, to the left, to the right or by doubling, and its tables by Warshall's algorithm.
fn closure_of(graph: &Graph, seed: u64) -> (Program, Tables) {
    let atom = |relation, variables: [usize; 2]| Atom { relation, terms: variables.map(Term::Variable).into() };
    let [first, second] = [[1, 0], [0, 1], [1, 1]][seed as usize % 3];
    let bodies = [vec![atom(0, [0, 2])], vec![atom(first, [0, 1]), atom(second, [1, 2])]];
    let rules = bodies.map(|body| Rule { head: atom(1, [0, 2]), body: body.into_iter().map(Literal::Holds).collect() });
    let tuple = |(from, to): (u32, u32)| vec![Value::from(from), Value::from(to)];
    let facts = Some(graph.edges.iter().copied().map(tuple).collect());
    let relation = |name: &str, facts| Relation { name: name.to_owned(), columns: vec![ColumnType::Number; 2], facts };
    let relations = vec![relation("edge", facts), relation("path", None)];
    let found = closure(&graph.edges, ClosureKind::default());
    let tables = vec![graph.edges.iter().copied().map(tuple).collect(), found.into_iter().map(tuple).collect()];
    (Program { relations, rules: rules.into() }, tables)
}

/// How the first way that differs from the oracle does.
fn differs(program: &Program, expected: &Tables, ways: &[ProgramVariant]) -> Option<String> {
    ways.iter().find_map(|way| match run(program, expected, way) {
        Ok(()) => None,
        Err(RelationError::NoMemory) if way.memory < ENOUGH => None,
        Err(wrong) => Some(format!("{wrong}\n  in the run with {way:?}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::relations::{RelationFault, misread};

    const CPU: DeviceChoice = DeviceChoice::Cpu;

    #[test]
    fn an_engine_that_misreads_programs_is_caught() {
        for fault in RelationFault::ALL {
            let caught = (0..200).find(|seed| {
                let program = programs::program(*seed, Values::Numbers);
                differs(&misread(&program, fault), &evaluate(&program), &ways(CPU, &Drivers::default(), *seed)[..1])
                    .is_some()
            });
            assert!(caught.is_some(), "{fault:?} is not detected in 200 programs");
        }
    }

    #[test]
    fn little_memory_suffices_for_some_programs_only() {
        let refused = (0..60).filter(|seed| {
            let (program, ways) = (programs::program(*seed, Values::Numbers), ways(CPU, &Drivers::default(), *seed));
            matches!(run(&program, &evaluate(&program), &ways[2]), Err(RelationError::NoMemory))
        });
        let refused = refused.count();
        assert!((5..55).contains(&refused), "{refused} of 60 programs have too little memory");
    }
}
