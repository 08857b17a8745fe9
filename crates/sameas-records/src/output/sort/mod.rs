//! The external merge sort of result pairs within a memory budget.
//!
//! Every worker pushes into a buffer of its own. A full buffer is sorted and packed into a run; runs stay in memory
//! while the budget lasts and go to unnamed temporary files after that. The sorted whole is then read by rank.
//!
//! A sorter of scored pairs has the score of each beside it, in the buffer and in the run; others hold nothing for it.

mod kept;
mod radix;
mod run;
mod saved;
mod scored;
mod sorted;
mod store;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::Pair;
use crate::error::{Error, Result};
use crate::pairs::{PairScore, ResultPairs};
pub use kept::sort_kept;
pub use run::BlockRange;
use run::SortedRun;
pub use saved::{SavedRun, are_intact};
use scored::SortScratch;
pub use sorted::SortedPairs;
use store::SpillFile;

/// Pairs of a buffer at most: beyond some tens of megabytes a longer run makes the merge no cheaper.
const MAX_BUFFER: usize = 1 << 22;

/// Pairs of a buffer at least, whatever the budget: shorter runs would cost more in bookkeeping than they save.
const MIN_BUFFER: usize = 1 << 4;

/// Bytes that a worker holds for each pair of its buffer: the pair, its place in the scratch buffer of the sort, and
/// its packed form, which takes four bytes or fewer unless the pairs are far apart.
const BYTES_PER_PAIR: usize = 2 * size_of::<Pair>() + 4;

/// The same for each score: twice in the buffers, once packed, and the rule of its pair while that is sorted.
const BYTES_PER_SCORE: usize = 3 * PairScore::BYTES + size_of::<u32>();

/// Collects the pairs of all workers; see the module.
pub struct PairSorter {
    shared: Arc<Shared>,
    capacity: usize,
}

/// What all buffers of a sorter share.
struct Shared {
    dir: Option<PathBuf>,
    /// Bytes that packed runs may still take in memory.
    memory_left: AtomicUsize,
    /// Buffers handed out and not yet returned.
    buffers_out: AtomicUsize,
    /// Whether every pair has a score beside it, if only that there is none.
    has_scores: bool,
    runs: Mutex<Vec<SortedRun>>,
}

/// A place in the list of runs.
#[derive(Clone, Copy, Debug)]
pub struct SorterMark {
    runs: usize,
}

/// One worker's buffer of pairs.
pub struct PairBuffer {
    rows: ResultPairs,
    scratch: SortScratch,
    packed: Vec<u8>,
    capacity: usize,
    has_scores: bool,
    spill: Option<SpillFile>,
    shared: Arc<Shared>,
}

impl PairSorter {
    /// A sorter for `workers` buffers that holds `budget_bytes` of memory and spills the rest into files in `dir`, or in
    /// the system's folder for temporary files. The files have no names and vanish with the sorter.
    pub fn new(budget_bytes: usize, workers: usize, dir: Option<&Path>) -> Result<Self> {
        Self::sized(budget_bytes, workers, dir, false)
    }

    /// The same for pairs that carry scores.
    pub fn with_scores(budget_bytes: usize, workers: usize, dir: Option<&Path>) -> Result<Self> {
        Self::sized(budget_bytes, workers, dir, true)
    }

    fn sized(budget_bytes: usize, workers: usize, dir: Option<&Path>, has_scores: bool) -> Result<Self> {
        if workers == 0 {
            return Err(Error::internal("a sort without workers"));
        }
        let bytes_per_pair = BYTES_PER_PAIR + if has_scores { BYTES_PER_SCORE } else { 0 };
        // Half of the budget for buffers, half for packed runs.
        let capacity = (budget_bytes / 2 / workers / bytes_per_pair).clamp(MIN_BUFFER, MAX_BUFFER);
        let shared = Shared {
            dir: dir.map(Path::to_path_buf),
            memory_left: AtomicUsize::new(budget_bytes.saturating_sub(capacity * workers * bytes_per_pair)),
            buffers_out: AtomicUsize::new(0),
            has_scores,
            runs: Mutex::new(Vec::new()),
        };
        Ok(Self { shared: Arc::new(shared), capacity })
    }

    /// A buffer for one worker. Every buffer must come back through [`PairSorter::finish`].
    pub fn buffer(&self) -> PairBuffer {
        self.shared.buffers_out.fetch_add(1, Ordering::Relaxed);
        let has_scores = self.shared.has_scores;
        let scores = Vec::with_capacity(if has_scores { self.capacity } else { 0 });
        PairBuffer {
            rows: ResultPairs { pairs: Vec::with_capacity(self.capacity), scores },
            scratch: SortScratch::default(),
            packed: Vec::new(),
            capacity: self.capacity,
            has_scores,
            spill: None,
            shared: Arc::clone(&self.shared),
        }
    }

    /// Where the runs up to now end.
    pub fn mark(&self) -> SorterMark {
        self.shared.mark()
    }

    /// Takes the workers' buffers back and returns all pairs in output order.
    pub fn finish(self, buffers: Vec<PairBuffer>) -> Result<SortedPairs> {
        if buffers.len() != self.shared.buffers_out.load(Ordering::Relaxed) {
            return Err(Error::internal("a buffer of pairs was not returned"));
        }
        buffers.into_par_iter().try_for_each(|mut buffer| buffer.flush())?;
        let runs = std::mem::take(&mut *lock(&self.shared.runs));
        Ok(SortedPairs::new(runs))
    }
}

impl PairBuffer {
    /// Adds a pair that has no score. No pair may be added twice, in whatever buffer.
    #[inline]
    pub fn push(&mut self, pair: Pair) -> Result<()> {
        self.push_scored(pair, PairScore::NONE)
    }

    /// Adds a pair with what it carries. No pair may be added twice, in whatever buffer.
    #[inline]
    pub fn push_scored(&mut self, pair: Pair, score: PairScore) -> Result<()> {
        self.rows.pairs.push(pair);
        if self.has_scores {
            self.rows.scores.push(score);
        }
        if self.rows.pairs.len() < self.capacity { Ok(()) } else { self.flush() }
    }

    /// Where the runs of all buffers end. What is in a buffer comes after it: flush all of them first.
    pub fn mark(&self) -> SorterMark {
        self.shared.mark()
    }

    /// Drops what is in this buffer, and all runs after a mark. No buffer may be in use meanwhile.
    pub fn roll_back(&mut self, mark: SorterMark) {
        self.rows.clear();
        let mut runs = lock(&self.shared.runs);
        if mark.runs < runs.len() {
            let freed: usize = runs.drain(mark.runs..).map(|run| run.memory()).sum();
            self.shared.memory_left.fetch_add(freed, Ordering::Relaxed);
        }
    }

    /// Makes a run of the buffered pairs and leaves the buffer empty.
    #[cold]
    pub fn flush(&mut self) -> Result<()> {
        if self.rows.pairs.is_empty() {
            return Ok(());
        }
        scored::sort(&mut self.rows, &mut self.scratch);
        let index = run::pack(&self.rows.pairs, &self.rows.scores, &mut self.packed);
        self.rows.clear();
        self.keep(index)
    }

    /// Adds pairs in output order with what they carry, as runs of their own. None of them may be added twice, in whatever
    /// buffer.
    pub fn add_runs(&mut self, mut pairs: impl Iterator<Item = (Pair, PairScore)>) -> Result<()> {
        loop {
            let SortScratch { pairs: some, scores, .. } = &mut self.scratch;
            some.clear();
            scores.clear();
            let next = pairs.by_ref().take(self.capacity);
            if self.has_scores {
                some.extend(next.map(|(pair, score)| {
                    scores.push(score);
                    pair
                }));
            } else {
                some.extend(next.map(|(pair, _)| pair));
            }
            if some.is_empty() {
                return Ok(());
            }
            debug_assert!(some.is_sorted_by_key(|pair| pair.key()), "the pairs of a run are in order");
            let index = run::pack(some, scores, &mut self.packed);
            self.keep(index)?;
        }
    }

    /// Keeps what is packed, in memory while there is some left.
    fn keep(&mut self, index: run::Index) -> Result<()> {
        let run = if self.shared.reserve(self.packed.len()) {
            SortedRun::in_memory(index, self.packed.as_slice().into())
        } else {
            let spill = match self.spill.take() {
                Some(spill) => spill,
                None => SpillFile::create(self.shared.dir.as_deref())?,
            };
            self.spill.insert(spill).append(index, &self.packed)?
        };
        self.packed.clear();
        lock(&self.shared.runs).push(run);
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn mark(&self) -> SorterMark {
        SorterMark { runs: lock(&self.runs).len() }
    }

    /// Takes `bytes` from what is left for runs in memory, if there is enough.
    fn reserve(&self, bytes: usize) -> bool {
        let take = |left: usize| left.checked_sub(bytes);
        self.memory_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

#[cfg(test)]
mod scored_tests;
#[cfg(test)]
mod tests;
