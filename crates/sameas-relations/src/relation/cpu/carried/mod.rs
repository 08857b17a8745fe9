//! A carried fixpoint on the host: from the seeds of each value of the carried column along the steps, on all cores. A
//! thread follows a batch of values at once (`batch`), or one after the other (`follow`) where memory is short: then a
//! value needs a bit for each value of the other column and a list of those that it has reached, which is both the queue
//! of the walk and its result.

mod batch;
mod follow;
mod pairs;
mod ranks;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use self::batch::{BYTES_PER_VALUE, BatchScratch, WALKS};
use self::follow::RowScratch;
use self::pairs::PairLists;
use self::ranks::SweepOrder;
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
/// Bytes for each value of the other column where walks are followed one by one: a place in a list and a bit.
const SINGLE_BYTES: usize = 5;
/// Walks that are followed one by one in a task find this many targets at most, unless one row has more.
const TASK_TARGETS: usize = 1 << 20;
/// Tasks for each thread, so that one that takes long is made up for.
const TASKS: usize = 4;
/// Parts in which a fixpoint is materialised, so that its progress can be seen.
const PARTS: usize = 32;

/// Seeds and steps of a carried fixpoint.
pub struct CarriedWalk {
    /// The first values of each value of the carried column.
    seeds: PairLists,
    /// The values that follow each; by ranks, where there are.
    steps: PairLists,
    /// The order in which batches are swept.
    ranks: Option<SweepOrder>,
    domain: usize,
    /// Sources that a thread follows at once.
    batch: usize,
    scratch: Mutex<Vec<ThreadScratch>>,
    budget: MemoryBudget,
    _held: Held,
}

/// What one thread needs.
enum ThreadScratch {
    /// One walk after the other.
    Single(RowScratch),
    /// Some at once.
    Batch(BatchScratch),
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
        let is_sparse = domain > SMALL.max(pairs.len().saturating_mul(PER_PAIR));
        let fits =
            |per_value: usize| threads.saturating_mul(domain).saturating_mul(per_value) <= host.budget.room() / SHARE;
        if is_sparse || !fits(SINGLE_BYTES) {
            return Ok(None);
        }
        // Rows of a batch are listed at once, and must not take all that is left.
        let listed = host.budget.room() / 8 / threads / (domain.max(1) * size_of::<u32>());
        let batch = if fits(BYTES_PER_VALUE) { listed.min(WALKS) } else { 1 };
        let per_value = if batch > 1 { BYTES_PER_VALUE } else { SINGLE_BYTES };
        let held = host.budget.hold(threads * domain * per_value)?;
        let seeds = pairs::pairs_of_seeds(host, rules, carried, cancel)?;
        if seeds.len().max(pairs.len()) >= u32::MAX as usize {
            return Ok(None);
        }
        let seeds = PairLists::by_key(&seeds, &host.budget)?;
        let mut steps = PairLists::by_value(&pairs, domain, &host.budget)?;
        let ranks = (batch > 1).then(|| SweepOrder::new(&steps, domain));
        if let Some(ranks) = &ranks {
            steps = steps.ranked(ranks, &host.budget)?;
        }
        let (scratch, budget) = (Mutex::new(Vec::new()), host.budget.clone());
        Ok(Some(Self { seeds, steps, ranks, domain, batch: batch.max(1), scratch, budget, _held: held }))
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
        host.indexes.forget(&[carried.head]);
        let mut report = FixpointReport { rounds: Vec::new(), method: Vec::new() };
        // Each thread has some batches of a part, and all of them are full.
        let least = self.batch * rayon::current_num_threads().max(1) * TASKS;
        let part = self.seeds.keys().len().div_ceil(PARTS).max(least);
        for start in (0..self.seeds.keys().len()).step_by(part) {
            let timer = Instant::now();
            let sources = start..(start + part).min(self.seeds.keys().len());
            let (blocks, candidates) = self.blocks(sources, carried.column, cancel)?;
            let store = &mut head.store;
            append(store, blocks, carried.column);
            let new = store.len().saturating_sub(before);
            before = before.max(store.len());
            let (number, tuples) = (report.rounds.len() as u32 + 1, store.len());
            let relations = vec![(carried.head, new, tuples)];
            let round = FixpointRound { number, relations, tuples, candidates, seconds: timer.elapsed().as_secs_f64() };
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
            let (rows, steps) = self.rows_of(task.clone(), cancel)?;
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
        let fair = sources.len().div_ceil(rayon::current_num_threads().max(1) * TASKS);
        let most = if self.batch > 1 { self.batch } else { TASK_TARGETS / self.domain.max(1) };
        let size = most.min(fair).max(1);
        let starts = sources.clone().step_by(size);
        starts.map(|start| start..(start + size).min(sources.end)).collect()
    }

    /// The rows of the sources of a task, and how many steps were made.
    fn rows_of(&self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<(RowBlock, u64)> {
        let walks = sources.len();
        let seeds = sources.map(|source| self.seeds.list(source));
        self.with_scratch(|scratch| match (scratch, &self.ranks) {
            (ThreadScratch::Batch(batch), Some(ranks)) => {
                let counts = batch.follow(seeds, &self.steps, ranks, cancel);
                Ok((batch.take_rows(walks, counts.targets, ranks, &self.budget)?, counts.steps))
            }
            (ThreadScratch::Single(single), _) => {
                let (mut rows, mut steps) = (RowBlock { offsets: vec![0], targets: Vec::new() }, 0);
                for seeds in seeds {
                    steps += single.follow(seeds, &self.steps, cancel);
                    single.take_sorted(&mut rows.targets);
                    rows.offsets.push(rows.targets.len());
                }
                Ok((rows, steps))
            }
            (ThreadScratch::Batch(_), None) => unreachable!("batches have ranks"),
        })
    }

    /// The number of targets of the sources of a task.
    fn count_of(&self, sources: Range<usize>, cancel: Cancel<'_>) -> u64 {
        let mut seeds = sources.map(|source| self.seeds.list(source));
        self.with_scratch(|scratch| match (scratch, &self.ranks) {
            (ThreadScratch::Batch(batch), Some(ranks)) => {
                let counts = batch.follow(seeds, &self.steps, ranks, cancel);
                batch.forget();
                counts.targets
            }
            (ThreadScratch::Single(single), _) => seeds.by_ref().fold(0, |targets, seeds| {
                single.follow(seeds, &self.steps, cancel);
                targets + single.forget() as u64
            }),
            (ThreadScratch::Batch(_), None) => unreachable!("batches have ranks"),
        })
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut ThreadScratch) -> T) -> T {
        let kept = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = kept().pop();
        let mut scratch = taken.unwrap_or_else(|| match self.ranks {
            Some(_) => ThreadScratch::Batch(BatchScratch::new(self.domain)),
            None => ThreadScratch::Single(RowScratch::new(self.domain)),
        });
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
            let rows = self.rows_of(task, cancel)?.0;
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
