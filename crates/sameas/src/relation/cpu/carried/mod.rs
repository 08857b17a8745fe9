//! A carried fixpoint on the host: from the seeds of each value of the carried column along the steps, one value after
//! the other, on all cores. A value needs a bit for each value of the other column and a list of those that it has
//! reached, which is both the queue of the walk and its result.

mod follow;
mod pairs;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use self::follow::RowScratch;
use self::pairs::PairLists;
use super::HostRelations;
use super::store::{TupleBlock, TupleStore};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::relation::program::FixpointRule;
use crate::relation::report::{FixpointReport, FixpointRound, Method};
use crate::relation::rows::{CarriedSource, RowBlock};
use crate::relation::{Carried, RoundObserver};

/// What the walks of all threads take at most, as a share of the memory that is left.
const SHARE: usize = 2;
/// A domain is small enough if it has no more values than this, or than this for each pair there is.
const SMALL: usize = 1 << 20;
const PER_PAIR: usize = 64;
/// Targets that a task finds, at most, unless one row has more.
const TASK_TARGETS: usize = 1 << 20;
/// Parts in which a fixpoint is materialised, so that its progress can be seen.
const PARTS: usize = 32;

/// Seeds and steps of a carried fixpoint.
pub struct CarriedWalk {
    /// The first values of each value of the carried column.
    seeds: PairLists,
    /// The values that follow each.
    steps: PairLists,
    domain: usize,
    scratch: Mutex<Vec<RowScratch>>,
    budget: MemoryBudget,
    _held: Held,
}

impl CarriedWalk {
    /// Evaluates the rules that give seeds, and takes the tuples that the head has as seeds too. `None` if the walks would
    /// take too much memory.
    pub fn new(
        host: &mut HostRelations,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
    ) -> Result<Option<Self>> {
        let head = &host.relations[carried.head.0 as usize].declaration;
        let domain = head.domains[1 - carried.column] as usize;
        let pairs = pairs::pairs_of_steps(host, carried, cancel)?;
        let threads = rayon::current_num_threads().max(1);
        let Some(bytes) = (threads + 1).checked_mul(domain.saturating_mul(5)) else { return Ok(None) };
        let is_sparse = domain > SMALL.max(pairs.len().saturating_mul(PER_PAIR));
        if is_sparse || bytes > host.budget.room() / SHARE {
            return Ok(None);
        }
        let held = host.budget.hold(bytes)?;
        let seeds = pairs::pairs_of_seeds(host, rules, carried, cancel)?;
        if seeds.len().max(pairs.len()) >= u32::MAX as usize {
            return Ok(None);
        }
        let (seeds, steps) =
            (PairLists::by_key(&seeds, &host.budget)?, PairLists::by_value(&pairs, domain, &host.budget)?);
        let (scratch, budget) = (Mutex::new(Vec::new()), host.budget.clone());
        Ok(Some(Self { seeds, steps, domain, scratch, budget, _held: held }))
    }

    /// Keeps all tuples, in place of those that the head had, which are among them.
    pub fn materialise(
        self,
        host: &mut HostRelations,
        carried: &Carried,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        let head = &mut host.relations[carried.head.0 as usize];
        let mut before = head.store.len();
        head.store.clear();
        head.set = None;
        host.indexes.forget(|relation| relation == carried.head);
        let mut report = FixpointReport { rounds: Vec::new(), method: Vec::new() };
        let part = self.seeds.keys().len().div_ceil(PARTS).max(1);
        for start in (0..self.seeds.keys().len()).step_by(part) {
            let timer = Instant::now();
            let sources = start..(start + part).min(self.seeds.keys().len());
            let (blocks, candidates) = self.blocks(sources, carried.column, cancel)?;
            let store = &mut head.store;
            append(store, blocks, carried.column);
            let new = store.len().saturating_sub(before);
            before = before.max(store.len());
            let (number, relations) = (report.rounds.len() as u32 + 1, vec![(carried.head, new, store.len())]);
            let round = FixpointRound { number, relations, candidates, seconds: timer.elapsed().as_secs_f64() };
            seen(&round);
            report.rounds.push(round);
        }
        report.method.push((carried.head, Method::Carried { column: carried.column }));
        Ok(report)
    }

    /// The tuples of some sources as blocks, in their order, and how many steps were made.
    fn blocks(&self, sources: Range<usize>, column: usize, cancel: Cancel<'_>) -> Result<(Vec<TupleBlock>, u64)> {
        let blocks = self.tasks(sources).into_par_iter().with_max_len(1).map(|task| {
            cancel.check();
            let (rows, steps) = self.rows_of(task.clone(), cancel);
            let mut carried = Vec::with_capacity(rows.targets.len());
            for (key, end) in self.seeds.keys()[task].iter().zip(&rows.offsets[1..]) {
                carried.resize(*end, *key);
            }
            let columns = if column == 0 { vec![carried, rows.targets] } else { vec![rows.targets, carried] };
            Ok((TupleBlock::new(columns, &self.budget)?, steps))
        });
        let blocks = blocks.collect::<Result<Vec<_>>>()?;
        let steps = blocks.iter().map(|(_, steps)| *steps).sum();
        Ok((blocks.into_iter().map(|(block, _)| block).collect(), steps))
    }

    /// Sources that one thread follows.
    fn tasks(&self, sources: Range<usize>) -> Vec<Range<usize>> {
        let fair = sources.len().div_ceil(rayon::current_num_threads().max(1) * 8);
        let size = (TASK_TARGETS / self.domain.max(1)).min(fair).max(1);
        let starts = sources.clone().step_by(size);
        starts.map(|start| start..(start + size).min(sources.end)).collect()
    }

    /// The rows of some sources, and how many steps were made.
    fn rows_of(&self, sources: Range<usize>, cancel: Cancel<'_>) -> (RowBlock, u64) {
        self.with_scratch(|scratch| {
            let (mut rows, mut steps) = (RowBlock { offsets: vec![0], targets: Vec::new() }, 0);
            for source in sources {
                steps += scratch.follow(self.seeds.list(source), &self.steps, cancel);
                scratch.take_sorted(&mut rows.targets);
                rows.offsets.push(rows.targets.len());
            }
            (rows, steps)
        })
    }

    fn count_of(&self, sources: Range<usize>, cancel: Cancel<'_>) -> u64 {
        self.with_scratch(|scratch| {
            let mut targets = 0;
            for source in sources {
                scratch.follow(self.seeds.list(source), &self.steps, cancel);
                targets += scratch.forget() as u64;
            }
            targets
        })
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut RowScratch) -> T) -> T {
        let kept = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = kept().pop();
        let mut scratch = taken.unwrap_or_else(|| RowScratch::new(self.domain));
        let result = work(&mut scratch);
        kept().push(scratch);
        result
    }
}

/// Rows of the first column are sorted tuples.
fn append(store: &mut TupleStore, blocks: Vec<TupleBlock>, column: usize) {
    match (column, store.len()) {
        (0, 0) => store.append(blocks, true),
        (0, _) => store.append_in_order(blocks),
        _ => store.append(blocks, false),
    }
}

impl CarriedSource for CarriedWalk {
    fn sources(&self) -> &[u32] {
        self.seeds.keys()
    }

    fn rows(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<RowBlock> {
        let found = self.tasks(sources).into_par_iter().with_max_len(1).map(|task| {
            cancel.check();
            let rows = self.rows_of(task, cancel).0;
            Ok((self.budget.hold(rows.targets.capacity() * size_of::<u32>())?, rows))
        });
        let found = found.collect::<Result<Vec<_>>>()?;
        let mut all = RowBlock { offsets: vec![0], targets: Vec::new() };
        all.targets.reserve_exact(found.iter().map(|(_, rows)| rows.targets.len()).sum());
        for (_, rows) in found {
            let before = all.targets.len();
            all.offsets.extend(rows.offsets[1..].iter().map(|offset| before + offset));
            all.targets.extend_from_slice(&rows.targets);
        }
        Ok(all)
    }

    fn count(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<u64> {
        let counts = self.tasks(sources).into_par_iter().with_max_len(1).map(|task| {
            cancel.check();
            self.count_of(task, cancel)
        });
        Ok(counts.sum())
    }
}
