//! What connects two records of a run that are no pair of one cluster.
//!
//! Of one cluster it is the strongest chain of its pairs. Of two clusters it is the strongest pair between them, or, where there
//! is none, the strongest chain of all pairs, which leads through other clusters. All pairs are looked at once, and once more for
//! such a chain; only those of the two clusters, or of one component, are kept.

use rayon::prelude::*;
use sameas_clusters::{Edge, StrongestChain, strongest_chain, strongest_edge};

use crate::cancel::Cancel;
use crate::engine::{ConnectedRun, ConnectingPair, Connection, RunPair, SomePairs};
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::union_find::Components;

/// What an edge takes, about, beside its pair: with the lists of edges and rows that a search makes.
const EDGE_BYTES: usize = 120;

/// Edges have weights below this, either way. Scores of others may be larger: then they are equally strong.
const MOST_WEIGHT: f64 = i32::MAX as f64;

/// Two records of a run, and the clusters of all.
#[derive(Clone, Copy)]
pub struct ConnectionRequest<'a> {
    /// The numbers of the two records, the lower one first.
    pub records: [u32; 2],
    /// Whether they are a pair.
    pub is_pair: bool,
    /// The first record of each record's cluster.
    pub roots: &'a [u32],
    /// What may be held in memory.
    pub budget: &'a MemoryBudget,
    /// Whether the caller still wants it.
    pub cancel: Cancel<'a>,
}

/// What connects two records of a run; nothing where they are a pair of one cluster.
pub fn connection(run: &mut dyn ConnectedRun, request: ConnectionRequest<'_>) -> Result<Option<Connection>> {
    let clusters = request.records.map(|record| request.root(record));
    let is_one = clusters[0] == clusters[1];
    if is_one && request.is_pair {
        return Ok(None);
    }
    let _components_held = request.budget.hold(size_of_val(request.roots))?;
    let components = Components::new(request.roots.len() as u32);
    let is_around = |records: [u32; 2]| {
        let [l, r] = records;
        components.join(l, r);
        let ends = [request.root(l), request.root(r)];
        ends == clusters || [ends[1], ends[0]] == clusters
    };
    let around = PairEdges::new(run.pairs_where(&is_around, request.budget, request.cancel)?, request.budget)?;
    let mut found = Connection::of_clusters([run.record_name(clusters[0])?, run.record_name(clusters[1])?]);
    if is_one && let Some(chain) = strongest_chain(&around.edges, request.records) {
        found.parts = chain.parts.map(|parts| parts.map(|records| records as u64));
        found.weakest = Some(chain.weakest);
        found.chain = request.named(run, &around.led_by(&chain, request.records[0]))?;
    } else if !is_one && let Some(pair) = request.closest(&around) {
        let is_turned = request.root(pair.records[0]) != clusters[0];
        let ends = if is_turned { [pair.records[1], pair.records[0]] } else { pair.records };
        found.closest = request.named(run, &[LedPair { pair, ends }])?.pop();
    } else {
        drop(around);
        request.add_chain_outside(run, &components, &mut found)?;
    }
    Ok(Some(found))
}

impl ConnectionRequest<'_> {
    fn root(&self, record: u32) -> u32 {
        self.roots[record as usize]
    }

    /// The pair itself, or else the strongest between the two clusters.
    fn closest(&self, between: &PairEdges) -> Option<RunPair> {
        let pairs = &between.some.pairs;
        let itself = || pairs.binary_search_by_key(&self.records, |pair| pair.records).ok();
        let at = itself().or_else(|| strongest_edge(&between.edges))?;
        Some(pairs[at])
    }

    /// Adds the strongest chain of all pairs, if there is one.
    fn add_chain_outside(
        &self,
        run: &mut dyn ConnectedRun,
        components: &Components,
        found: &mut Connection,
    ) -> Result<()> {
        let _roots_held = self.budget.hold(size_of_val(self.roots))?;
        let roots = components.roots();
        let [from, to] = self.records.map(|record| roots[record as usize]);
        if from != to {
            return Ok(());
        }
        let is_inside = |[l, _]: [u32; 2]| roots[l as usize] == from;
        let all = PairEdges::new(run.pairs_where(&is_inside, self.budget, self.cancel)?, self.budget)?;
        if let Some(chain) = strongest_chain(&all.edges, self.records) {
            found.weakest = Some(chain.weakest);
            found.chain = self.named(run, &all.led_by(&chain, self.records[0]))?;
        }
        Ok(())
    }

    /// Pairs with the names of their records and rules, and with what has cut those between clusters.
    fn named(&self, run: &mut dyn ConnectedRun, pairs: &[LedPair]) -> Result<Vec<ConnectingPair>> {
        let is_between = |pair: &LedPair| self.root(pair.ends[0]) != self.root(pair.ends[1]);
        let between = pairs.iter().filter(|pair| is_between(pair));
        let between: Vec<[u32; 2]> = between.map(|pair| pair.pair.records).collect();
        let reasons = if between.is_empty() { Vec::new() } else { run.cut_reasons(&between, self.cancel)? };
        let mut reasons = reasons.into_iter();
        let named = |led: &LedPair| -> Result<ConnectingPair> {
            let cut = if is_between(led) { reasons.next().flatten() } else { None };
            let ids = [run.record_name(led.ends[0])?, run.record_name(led.ends[1])?];
            Ok(ConnectingPair::new(ids, run.rule_name(led.pair.rule), led.pair.score, cut))
        };
        pairs.iter().map(named).collect()
    }
}

/// A pair, and in which direction it is gone through.
#[derive(Clone, Copy)]
struct LedPair {
    pair: RunPair,
    ends: [u32; 2],
}

/// Pairs as edges, in the order of their records.
struct PairEdges {
    some: SomePairs,
    edges: Vec<Edge>,
    _held: Held,
}

impl PairEdges {
    fn new(mut some: SomePairs, budget: &MemoryBudget) -> Result<Self> {
        let held = budget.hold(EDGE_BYTES * some.pairs.len())?;
        some.pairs.par_sort_unstable_by_key(|pair| pair.records);
        let edges = some.pairs.par_iter().map(edge).collect::<Result<Vec<Edge>>>()?;
        Ok(Self { some, edges, _held: held })
    }

    /// The pairs of a chain from a record on.
    fn led_by(&self, chain: &StrongestChain, start: u32) -> Vec<LedPair> {
        let mut from = start;
        let led = chain.edges.iter().map(|at| {
            let pair = self.some.pairs[*at];
            let [l, r] = pair.records;
            let ends = if l == from { [l, r] } else { [r, l] };
            from = ends[1];
            LedPair { pair, ends }
        });
        led.collect()
    }
}

fn edge(pair: &RunPair) -> Result<Edge> {
    let weight = pair.score.map(|score| score.clamp(-MOST_WEIGHT, MOST_WEIGHT));
    Edge::new(pair.records, pair.kind, weight, pair.rule)
}
