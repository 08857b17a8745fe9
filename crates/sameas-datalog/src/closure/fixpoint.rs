//! The closure as a fixpoint of rules: `path(x, y) :- edge(x, y)` and `path(x, z) :- path(x, y), edge(y, z)`.
//!
//! The rules carry `x`, so the rows of some sources can be found without the others, and are never held all together.

use std::ops::Range;

use crate::cancel::Cancel;
use crate::device::Gpu;
use crate::error::{Error, ErrorCode, Result};
use crate::graph::reach::ReachBlock;
use crate::memory::MemoryBudget;
use crate::relation::{Atom, CarriedRows, FixpointRule, RelationDeclaration, RelationId, Relations, Term, Variant};

/// Sources whose rows are counted between two reports.
const SOURCES_AT_A_TIME: usize = 1 << 10;

/// The same for a device, which follows thousands at once.
const SOURCES_OF_DEVICE: usize = 1 << 16;

/// The relations and rules of a closure.
pub(super) struct ClosureRules {
    relations: Relations,
    rules: Vec<FixpointRule>,
}

impl ClosureRules {
    /// The closure of these pairs of vertices.
    pub(super) fn new(
        vertices: u32,
        pairs: &[[u32; 2]],
        directed: bool,
        reflexive: bool,
        gpu: Option<&Gpu>,
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let mut relations = gpu.map_or_else(|| Relations::on_cpu(budget), |gpu| Relations::on_gpu(gpu, budget));
        let domain = u64::from(vertices.max(1));
        let mut declare = |name: &str, columns: usize| {
            relations.declare(RelationDeclaration { name: name.to_owned(), domains: vec![domain; columns] })
        };
        let (edge, vertex, path) = (declare("edge", 2)?, declare("vertex", 1)?, declare("path", 2)?);
        let _held = cancel.hold(8 * pairs.len());
        let columns: [Vec<u32>; 2] = [0, 1].map(|at| pairs.iter().map(|pair| pair[at]).collect());
        relations.insert(edge, &[&columns[0], &columns[1]], cancel)?;
        if !directed {
            relations.insert(edge, &[&columns[1], &columns[0]], cancel)?;
        }
        if reflexive {
            relations.insert(vertex, &[&(0..vertices).collect::<Vec<u32>>()], cancel)?;
        }
        Ok(Self { relations, rules: rules(edge, vertex, path) })
    }

    /// The rows of the closure.
    pub(super) fn rows(&mut self, cancel: Cancel<'_>) -> Result<CarriedRows<'_>> {
        let rows = self.relations.carried_rows(&self.rules, cancel)?;
        rows.ok_or_else(|| {
            Error::resource("the fixpoint does not fit the memory limit")
                .with_help("find the closure by bit rows, which take less, or raise the limit")
                .with_code(ErrorCode::MemoryLimit)
        })
    }
}

/// The number of pairs; `done` learns how many more vertices are done.
pub(super) fn count(rows: &mut CarriedRows<'_>, cancel: Cancel<'_>, done: &dyn Fn(u64)) -> Result<u64> {
    let (sources, mut sum) = (rows.sources().len(), 0);
    let at_a_time = if rows.is_on_device() { SOURCES_OF_DEVICE } else { SOURCES_AT_A_TIME };
    for first in (0..sources).step_by(at_a_time) {
        let some = first..sources.min(first + at_a_time);
        done(some.len() as u64);
        sum += rows.count(some, cancel)?;
    }
    Ok(sum)
}

/// The rows of some vertices, of which some may have none.
pub(super) fn rows_of(rows: &mut CarriedRows<'_>, vertices: Range<u32>, cancel: Cancel<'_>) -> Result<ReachBlock> {
    let place = |vertex: u32| rows.sources().partition_point(|source| *source < vertex);
    let places = place(vertices.start)..place(vertices.end);
    let sources = rows.sources()[places.clone()].to_vec();
    let block = rows.rows(places, cancel)?;
    let (mut ends, mut end) = (Vec::with_capacity(vertices.len()), 0);
    for (source, its_end) in sources.iter().zip(&block.offsets[1..]) {
        ends.resize((source - vertices.start) as usize, end);
        end = *its_end;
        ends.push(end);
    }
    ends.resize(vertices.len(), end);
    Ok(ReachBlock { first: vertices.start, ends, targets: block.targets })
}

fn rules(edge: RelationId, vertex: RelationId, path: RelationId) -> Vec<FixpointRule> {
    let variables = |numbers: &[u32]| numbers.iter().map(|number| Term::Variable(*number)).collect::<Vec<_>>();
    let atom = |relation: RelationId, numbers: &[u32]| Atom { relation, terms: variables(numbers) };
    let variant = |atoms: Vec<Atom>, delta| Variant { atoms, delta, ..Variant::default() };
    let rule = |name: &str, output: &[u32], first, recursive| FixpointRule {
        name: name.to_owned(),
        head: path,
        output: variables(output),
        first,
        recursive,
    };
    let step = |delta| variant(vec![atom(path, &[0, 1]), atom(edge, &[1, 2])], delta);
    vec![
        rule("a pair is a path", &[0, 1], variant(vec![atom(edge, &[0, 1])], None), Vec::new()),
        rule("every id reaches itself", &[0, 0], variant(vec![atom(vertex, &[0])], None), Vec::new()),
        rule("a path and a pair are a path", &[0, 2], step(None), vec![step(Some(0))]),
    ]
}
