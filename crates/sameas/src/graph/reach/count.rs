//! How many vertices each component reaches.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::sweep::Sweep;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::graph::{Condensation, Graph};

/// Words of a mask: a line of the cache.
const WIDE: usize = 8;

/// The number of targets of each component, and of all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachCounts {
    of_component: Vec<u64>,
    total: u64,
}

impl ReachCounts {
    /// All pairs of a source and a target.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of targets of each vertex of a component.
    pub fn of_component(&self, component: u32) -> u64 {
        self.of_component[component as usize]
    }

    /// Cuts the vertices into ranges with about `pairs` pairs each: a range ends when it has as many.
    pub fn cut(&self, condensed: &Condensation, pairs: u64) -> Vec<Range<u32>> {
        let (mut ranges, mut start, mut sum) = (Vec::new(), 0, 0);
        for vertex in 0..condensed.vertices() {
            sum += self.of_component(condensed.component(vertex));
            if sum >= pairs {
                ranges.push(start..vertex + 1);
                (start, sum) = (vertex + 1, 0);
            }
        }
        if sum > 0 {
            ranges.push(start..condensed.vertices());
        }
        ranges
    }
}

/// Counts the vertices that each vertex reaches by at least one edge; with `reflexive` itself in any case.
pub fn count(condensed: &Condensation, reflexive: bool, cancel: Cancel<'_>) -> Result<ReachCounts> {
    let components = condensed.components();
    let graph = upwards(condensed.graph(), cancel)?;
    let _held = cancel.hold(graph.bytes() + 8 * components as usize);
    let wide = Sweep::<WIDE>::bytes(components) * rayon::current_num_threads();
    let of_component = match cancel.budget().is_none_or(|budget| wide < budget.room() / 2) {
        true => swept::<WIDE>(condensed, &graph, cancel),
        false => swept::<1>(condensed, &graph, cancel),
    };
    let own = |component: u32| u64::from(!reflexive && !condensed.is_cyclic(component));
    let of_component: Vec<u64> = of_component.into_iter().zip(0..).map(|(count, c)| count - own(c)).collect();
    let total = (0..components).map(|c| u64::from(condensed.size(c)) * of_component[c as usize]).sum();
    Ok(ReachCounts { of_component, total })
}

/// The edges the other way round, with the components numbered from the other end: so they lead down again.
fn upwards(graph: &Graph, cancel: Cancel<'_>) -> Result<Graph> {
    let last = graph.vertices().saturating_sub(1);
    let pairs: Vec<[u32; 2]> = graph.pairs().map(|[from, to]| [last - to, last - from]).collect();
    Graph::from_pairs(graph.vertices(), &pairs, cancel)
}

/// The number of vertices that each component reaches, with its own. Threads sweep from some targets at a time; those at
/// the lower end have most above them and come first.
fn swept<const WORDS: usize>(condensed: &Condensation, graph: &Graph, cancel: Cancel<'_>) -> Vec<u64> {
    let components = condensed.components();
    let slices = components.div_ceil(Sweep::<WORDS>::LANES);
    let counts: Vec<AtomicU64> = (0..components).map(|_| AtomicU64::new(0)).collect();
    let next = AtomicU32::new(0);
    let workers = rayon::current_num_threads().min(slices as usize);
    (0..workers).into_par_iter().with_max_len(1).for_each(|worker| {
        // The first takes what it needs in any case; more work where there is room.
        let bytes = Sweep::<WORDS>::bytes(components);
        if worker > 0 && cancel.budget().is_some_and(|budget| budget.room() < 2 * bytes) {
            return;
        }
        let _held = cancel.hold(bytes);
        let mut sweep = Sweep::<WORDS>::new(components);
        loop {
            cancel.check();
            let slice = next.fetch_add(1, Relaxed);
            if slice >= slices {
                return;
            }
            let first = slice * Sweep::<WORDS>::LANES;
            let targets = first..components.min(first.saturating_add(Sweep::<WORDS>::LANES));
            let weights = Weights::<WORDS>::of(condensed, targets.clone());
            targets.for_each(|target| sweep.seed(components - 1 - target, target - first));
            sweep.run(graph, |above, mask| {
                counts[(components - 1 - above) as usize].fetch_add(weights.sum(mask), Relaxed);
            });
        }
    });
    counts.into_iter().map(AtomicU64::into_inner).collect()
}

/// The sizes of some components, of which most have one vertex.
struct Weights<const WORDS: usize> {
    /// The components with more.
    large: [u64; WORDS],
    has_large: bool,
    /// The vertices of each beyond the first.
    beyond: Vec<u32>,
}

impl<const WORDS: usize> Weights<WORDS> {
    fn of(condensed: &Condensation, components: Range<u32>) -> Self {
        let beyond: Vec<u32> = components.map(|component| condensed.size(component) - 1).collect();
        let mut large = [0; WORDS];
        for (lane, _) in beyond.iter().enumerate().filter(|(_, beyond)| **beyond > 0) {
            large[lane / 64] |= 1 << (lane % 64);
        }
        Self { large, has_large: large != [0; WORDS], beyond }
    }

    /// The vertices of the components in a mask.
    #[inline]
    fn sum(&self, mask: &[u64; WORDS]) -> u64 {
        let ones: u32 = mask.iter().map(|word| word.count_ones()).sum();
        u64::from(ones) + if self.has_large { self.sum_beyond(mask) } else { 0 }
    }

    fn sum_beyond(&self, mask: &[u64; WORDS]) -> u64 {
        let mut sum = 0;
        for (at, (word, large)) in mask.iter().zip(&self.large).enumerate() {
            let mut rest = word & large;
            while rest != 0 {
                sum += u64::from(self.beyond[64 * at + rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
        sum
    }
}
