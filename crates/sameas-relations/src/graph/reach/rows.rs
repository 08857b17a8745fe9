//! The targets of some sources, ascending.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::sweep::Sweep;
use super::worklist::Worklist;
use crate::cancel::Cancel;
use crate::graph::Condensation;
use crate::memory::Held;

/// Sources of one sweep.
const LANES: u32 = Sweep::<1>::LANES;

/// Lists what vertices reach. May be asked from several threads at once.
#[derive(Debug)]
pub struct ReachRows<'a> {
    condensed: &'a Condensation,
    reflexive: bool,
    /// What threads have swept with and may use again.
    unused: Mutex<Vec<RowSweep>>,
}

/// The targets of some sources, one source after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReachBlock {
    /// The first source.
    pub first: u32,
    /// Where the targets of each source end.
    pub ends: Vec<usize>,
    /// The targets of all sources, ascending for each.
    pub targets: Vec<u32>,
}

impl ReachBlock {
    /// Each source and its targets.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let rows = starts.zip(&self.ends).map(|(start, end)| &self.targets[start..*end]);
        (self.first..).zip(rows)
    }
}

/// The memory of a sweep.
#[derive(Debug)]
struct RowSweep {
    sweep: Sweep<1>,
    /// Vertices that some source reaches, from the other end.
    reached: Worklist,
    _held: Held,
}

impl<'a> ReachRows<'a> {
    /// The pairs of a graph; with `reflexive` every vertex is a target of its own.
    pub fn new(condensed: &'a Condensation, reflexive: bool) -> Self {
        Self { condensed, reflexive, unused: Mutex::default() }
    }

    /// The targets of these sources.
    pub fn rows(&self, sources: Range<u32>, cancel: Cancel<'_>) -> ReachBlock {
        let unused = self.unused.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut memory = unused.unwrap_or_else(|| RowSweep::new(self.condensed, cancel));
        let mut block = ReachBlock { first: sources.start, ..ReachBlock::default() };
        for first in sources.clone().step_by(LANES as usize) {
            cancel.check();
            memory.append(self, first..sources.end.min(first.saturating_add(LANES)), &mut block, cancel);
        }
        self.unused.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        block
    }
}

impl RowSweep {
    fn new(condensed: &Condensation, cancel: Cancel<'_>) -> Self {
        let (components, vertices) = (condensed.components(), condensed.vertices());
        let _held = cancel.hold(Sweep::<1>::bytes(components) + Worklist::bytes(vertices));
        Self { sweep: Sweep::new(components), reached: Worklist::new(vertices), _held }
    }

    /// Adds the rows of up to as many sources as there are lanes.
    fn append(&mut self, rows: &ReachRows<'_>, sources: Range<u32>, block: &mut ReachBlock, cancel: Cancel<'_>) {
        let (condensed, last) = (rows.condensed, rows.condensed.vertices() - 1);
        let mut counts = [0_usize; LANES as usize];
        sources.clone().zip(0..).for_each(|(source, lane)| self.sweep.seed(condensed.component(source), lane));
        let reached = &mut self.reached;
        self.sweep.run(condensed.graph(), cancel, |component, mask| {
            each_lane(mask[0], |lane| counts[lane] += condensed.size(component) as usize);
            condensed.members(component).iter().for_each(|vertex| drop_new(reached.insert(last - vertex)));
        });
        // A source on no cycle has a bit of its own, but does not reach itself: its row is written without it.
        let is_without = |source: u32| !rows.reflexive && !condensed.is_cyclic(condensed.component(source));
        let mut places = [0_usize; LANES as usize];
        let mut end = block.targets.len();
        for (lane, source) in sources.clone().enumerate() {
            places[lane] = end;
            end += counts[lane] - usize::from(is_without(source));
            block.ends.push(end);
        }
        block.targets.resize(end, 0);
        while let Some(from_end) = self.reached.take_highest() {
            let vertex = last - from_end;
            let mut mask = self.sweep.mask(condensed.component(vertex))[0];
            if sources.contains(&vertex) && is_without(vertex) {
                mask &= !(1 << (vertex - sources.start));
            }
            each_lane(mask, |lane| {
                block.targets[places[lane]] = vertex;
                places[lane] += 1;
            });
        }
    }
}

/// A vertex belongs to one component, which is visited once: it is always new.
fn drop_new(is_new: bool) {
    debug_assert!(is_new);
}

#[inline]
fn each_lane(mut mask: u64, mut work: impl FnMut(usize)) {
    while mask != 0 {
        work(mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}
