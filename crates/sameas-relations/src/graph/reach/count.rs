//! How many vertices each component reaches.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
    /// From the number of targets of each component.
    pub fn new(condensed: &Condensation, of_component: Vec<u64>) -> Self {
        let pairs = of_component.iter().zip(0..).map(|(targets, c)| u64::from(condensed.size(c)) * targets);
        Self { total: pairs.sum(), of_component }
    }

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

/// The parts that [`count`] does its work in.
pub fn count_parts(condensed: &Condensation) -> u64 {
    u64::from(condensed.components().div_ceil(Sweep::<WIDE>::LANES))
}

/// Counts the vertices that each vertex reaches by at least one edge; with `reflexive` itself in any case. `done` learns
/// how many more parts of the work are done.
pub fn count(
    condensed: &Condensation,
    reflexive: bool,
    cancel: Cancel<'_>,
    done: &(dyn Fn(u64) + Sync),
) -> Result<ReachCounts> {
    let components = condensed.components();
    let graph = upwards(condensed.graph(), cancel)?;
    let _held = cancel.hold(graph.bytes() + 8 * components as usize);
    let wide = (Sweep::<WIDE>::bytes(components) + 8 * components as usize) * rayon::current_num_threads();
    let of_component = match cancel.budget().is_none_or(|budget| wide < budget.room() / 2) {
        true => swept::<WIDE>(condensed, &graph, cancel, done),
        false => swept::<1>(condensed, &graph, cancel, done),
    };
    let own = |component: u32| u64::from(!reflexive && !condensed.is_cyclic(component));
    let of_component = of_component.into_iter().zip(0..).map(|(count, c)| count - own(c)).collect();
    Ok(ReachCounts::new(condensed, of_component))
}

/// The edges the other way round, with the components numbered from the other end: so they lead down again.
fn upwards(graph: &Graph, cancel: Cancel<'_>) -> Result<Graph> {
    let last = graph.vertices().saturating_sub(1);
    let pairs: Vec<[u32; 2]> = graph.pairs().map(|[from, to]| [last - to, last - from]).collect();
    Graph::from_pairs(graph.vertices(), &pairs, cancel)
}

/// The number of vertices that each component reaches, with its own. Threads sweep from some targets at a time; those at
/// the lower end have most above them and come first.
fn swept<const WORDS: usize>(
    condensed: &Condensation,
    graph: &Graph,
    cancel: Cancel<'_>,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<u64> {
    let components = condensed.components();
    let next = AtomicU32::new(0);
    let slices = components.div_ceil(Sweep::<WORDS>::LANES);
    let workers = rayon::current_num_threads().min(slices as usize);
    let work = |worker: usize| {
        // The first takes what it needs in any case; more work where there is room.
        let bytes = Sweep::<WORDS>::bytes(components) + 8 * components as usize;
        if worker > 0 && cancel.budget().is_some_and(|budget| budget.room() < 2 * bytes) {
            return Vec::new();
        }
        let _held = cancel.hold(bytes);
        let mut sweep = Sweep::<WORDS>::new(components);
        let mut counts = vec![0; components as usize];
        loop {
            cancel.check();
            let slice = next.fetch_add(1, Relaxed);
            if slice >= slices {
                return counts;
            }
            add_slice(slice * Sweep::<WORDS>::LANES, condensed, graph, &mut sweep, &mut counts, cancel);
            let parts = |slices: u32| u64::from(slices) * WORDS as u64 / WIDE as u64;
            done(parts(slice + 1) - parts(slice));
        }
    };
    let sum = |mut counts: Vec<u64>, more: Vec<u64>| {
        counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        counts
    };
    let of_workers: Vec<Vec<u64>> = (0..workers).into_par_iter().with_max_len(1).map(work).collect();
    // One that finds no room, or comes when all is done, has counted nothing.
    of_workers.into_iter().filter(|counts| !counts.is_empty()).reduce(sum).unwrap_or_default()
}

/// Adds the targets from `first` on to the counts of all that reach them.
fn add_slice<const WORDS: usize>(
    first: u32,
    condensed: &Condensation,
    graph: &Graph,
    sweep: &mut Sweep<WORDS>,
    counts: &mut [u64],
    cancel: Cancel<'_>,
) {
    let last = condensed.components() - 1;
    let targets = first..condensed.components().min(first.saturating_add(Sweep::<WORDS>::LANES));
    let weights = Weights::<WORDS>::new(condensed, targets.clone());
    targets.for_each(|target| sweep.seed(last - target, target - first));
    sweep.run(graph, cancel, |above, mask| counts[(last - above) as usize] += weights.sum(mask));
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
    fn new(condensed: &Condensation, components: Range<u32>) -> Self {
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

/// What some sweeps have met, and what all together would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReachSample {
    /// Pairs of a source and a target.
    pub pairs: u64,
    /// Components that sweeps visit, and edges that they follow.
    pub steps: u64,
}

/// Sweeps that a sample takes.
const SAMPLED: u32 = 8;

/// Estimates the pairs of a graph, each vertex with itself among them, and the work of counting them. The pairs are
/// those of some vertices that lie far apart, the work is that of a few sweeps from neighbouring components.
pub fn sample(condensed: &Condensation, cancel: Cancel<'_>) -> ReachSample {
    let (components, vertices) = (condensed.components(), u64::from(condensed.vertices()));
    let _held = cancel.hold(Sweep::<WIDE>::bytes(components));
    let mut sweep = Sweep::<WIDE>::new(components);
    let graph = condensed.graph();
    let slices = components.div_ceil(Sweep::<WIDE>::LANES);
    let (sampled, mut steps) = (slices.min(SAMPLED), 0);
    for at in 0..sampled {
        let first = (u64::from(slices) * u64::from(at) / u64::from(sampled)) as u32 * Sweep::<WIDE>::LANES;
        let sources = first..components.min(first.saturating_add(Sweep::<WIDE>::LANES));
        sources.for_each(|source| sweep.seed(source, source - first));
        sweep.run(graph, cancel, |component, _| steps += 1 + graph.successors(component).len() as u64);
    }
    let (lanes, mut pairs) = (vertices.min(u64::from(Sweep::<WIDE>::LANES)), 0);
    (0..lanes).for_each(|lane| sweep.seed(condensed.component((vertices * lane / lanes) as u32), lane as u32));
    sweep.run(graph, cancel, |component, mask| {
        let sources: u32 = mask.iter().map(|word| word.count_ones()).sum();
        pairs += u64::from(sources) * u64::from(condensed.size(component));
    });
    let of_all = |seen: u64, all: u64, part: u64| (u128::from(seen) * u128::from(all) / u128::from(part.max(1))) as u64;
    ReachSample { pairs: of_all(pairs, vertices, lanes), steps: of_all(steps, u64::from(slices), u64::from(sampled)) }
}
