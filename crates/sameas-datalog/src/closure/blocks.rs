//! The rows of chunks, of which a device finds many at a time: few of them would leave most of it idle.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;
use crate::graph::Condensation;
use crate::graph::reach::{ReachBlock, ReachCounts};
use crate::memory::{Held, MemoryBudget};

/// Pairs that are found at a time, if the memory allows it.
const PAIRS_AT_A_TIME: u64 = 1 << 24;

/// Bytes of a pair while it is copied from the device, and put into rows.
const BYTES_OF_PAIR: usize = 16;

/// Finds the rows of some sources; the targets of each may be in any order. It must not share its work with threads of
/// the host: they may wait for it.
pub(super) type FindRows<'a> = dyn Fn(Range<u32>) -> Result<ReachBlock> + Sync + 'a;

/// Rows that are found before they are asked for.
pub(super) struct RowBlocks<'a> {
    find: &'a FindRows<'a>,
    budget: MemoryBudget,
    /// Sources that are found together, and their pairs.
    groups: Vec<(Range<u32>, u64)>,
    /// The last two: chunks are asked for in their order, by several threads.
    kept: Mutex<Vec<Arc<KeptRows>>>,
}

struct KeptRows {
    rows: ReachBlock,
    _held: Held,
}

impl<'a> RowBlocks<'a> {
    /// For chunks of these sources.
    pub(super) fn new(
        find: &'a FindRows<'a>,
        condensed: &Condensation,
        counts: &ReachCounts,
        chunks: &[Range<u32>],
        budget: &MemoryBudget,
    ) -> Self {
        let most = PAIRS_AT_A_TIME.min((budget.room() / (4 * BYTES_OF_PAIR)) as u64);
        let mut groups: Vec<(Range<u32>, u64)> = Vec::new();
        for chunk in chunks {
            let of_source = |source: u32| counts.of_component(condensed.component(source));
            let pairs: u64 = chunk.clone().map(of_source).sum();
            match groups.last_mut() {
                Some((sources, sum)) if *sum + pairs <= most => (sources.end, *sum) = (chunk.end, *sum + pairs),
                _ => groups.push((chunk.clone(), pairs)),
            }
        }
        Self { find, budget: budget.clone(), groups, kept: Mutex::default() }
    }

    /// The pairs of some sources of one chunk, in order: sources and targets.
    pub(super) fn pairs(&self, sources: Range<u32>) -> Result<[Vec<u32>; 2]> {
        let kept = self.rows_with(sources.start)?;
        let rows = kept.rows.iter().skip((sources.start - kept.rows.first) as usize).take(sources.len());
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        for (source, targets) in rows {
            let begin = right.len();
            right.extend_from_slice(targets);
            right[begin..].sort_unstable();
            left.resize(right.len(), source);
        }
        Ok([left, right])
    }

    fn rows_with(&self, source: u32) -> Result<Arc<KeptRows>> {
        let (sources, pairs) = &self.groups[self.groups.partition_point(|(sources, _)| sources.end <= source)];
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.iter().find(|known| known.rows.first == sources.start) {
            return Ok(Arc::clone(known));
        }
        if kept.len() == 2 {
            kept.remove(0);
        }
        let held = self.budget.hold(BYTES_OF_PAIR * *pairs as usize)?;
        let found = Arc::new(KeptRows { rows: (self.find)(sources.clone())?, _held: held });
        kept.push(Arc::clone(&found));
        Ok(found)
    }
}
