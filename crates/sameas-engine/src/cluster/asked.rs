//! The clusters that a rule file asks for, made of the sorted pairs of a run.
//!
//! Pairs become edges in one pass, and what the rules of clusters refer to is read of the records: the inputs that they are of,
//! and the values that limits count. Where pairs that a `never` forbids are kept apart, those inside components are looked
//! for. Everything else is done by `sameas_clusters`.

use std::iter::repeat_n;
use std::sync::{Mutex, PoisonError};

use sameas_clusters::{ClusterMethod, ClusterRules, Edge, EdgeKind, Edges, NO_VALUE, RowFacts, cluster, components_at};

use super::forbidden::{ForbiddenPairs, check_inside_pairs};
use super::inside_pairs::InsidePairs;
use super::{ClusterInput, Clustering, FoundClusters};
use crate::cancel::Cancel;
use crate::dataset::RecordLayout;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::pairs::Pair;
use crate::records::encode::NULL;
use crate::threshold::Check;
use crate::union_find::Components;
use crate::verify::Program;

const _: () = assert!(NULL == NO_VALUE, "a record without a value counts for nothing");

/// Clusters by the rules of a file, of the records of a job.
pub struct AskedClusters<'a> {
    /// How clusters are made.
    pub rules: &'a ClusterRules,
    /// The thresholds, where each of several gives clusters of its own; otherwise there are none.
    pub thresholds: &'a [f64],
    /// For each limit the equality of the values that it counts.
    pub limits: &'a [usize],
    /// What the pairs of each rule are as edges.
    pub kinds: Vec<EdgeKind>,
    /// Pairs of records that are decided to be different.
    pub apart: Vec<[u32; 2]>,
    /// What a score weighs.
    pub weight: fn(f64) -> f64,
    /// The rules over the records, whose values are read.
    pub program: &'a Program,
    /// Where the records are.
    pub layout: &'a RecordLayout,
    /// The pairs inside components that may be looked at.
    pub most_pairs: Option<u64>,
    /// Bytes that edges and clusters may take.
    pub memory: usize,
    /// Whether the caller still wants them.
    pub cancel: Cancel<'a>,
}

impl Clustering for AskedClusters<'_> {
    fn roots(&self, input: ClusterInput<'_>) -> Result<Vec<u32>> {
        Ok(self.clusters(input)?.roots)
    }

    fn clusters(&self, input: ClusterInput<'_>) -> Result<FoundClusters> {
        let budget = MemoryBudget::of_clusters(self.memory);
        let cancel = self.cancel.within(&budget);
        let components = self.rules.keep_apart.then(|| Components::new(input.records));
        let (edges, _edges_held) = self.edges(&input, components.as_ref(), &budget)?;
        if !self.thresholds.is_empty() {
            let mut at_each = components_at(edges, self.thresholds, cancel).into_iter();
            let roots = at_each.next().unwrap_or_default();
            return Ok(FoundClusters { roots, at_more: at_each.collect(), ..FoundClusters::default() });
        }
        let (mut facts, _facts_held) = self.facts(&budget)?;
        let apart = components.map(|components| self.forbidden(&components.into_roots(), &budget)).transpose()?;
        let (kept_apart, _apart_held) = match apart {
            Some(found) => {
                facts.forbidden = found.pairs;
                (Some(found.looked_at), Some(found.held))
            }
            None => (None, None),
        };
        let found = match cluster(edges, self.rules, &facts, cancel) {
            Ok(found) => found,
            Err(conflict) => return Ok(FoundClusters { conflict: Some(conflict), ..FoundClusters::default() }),
        };
        budget.check_room(size_of_val(&found.cut[..]))?;
        Ok(FoundClusters { roots: found.first_rows, cut: found.cut, kept_apart, ..FoundClusters::default() })
    }
}

/// Pairs inside components that a `never` forbids.
struct FoundForbidden {
    pairs: Vec<[u32; 2]>,
    looked_at: u64,
    held: Held,
}

impl AskedClusters<'_> {
    /// All pairs as edges, and their components by those that reach the threshold.
    fn edges(
        &self,
        input: &ClusterInput<'_>,
        components: Option<&Components>,
        budget: &MemoryBudget,
    ) -> Result<(Edges, Held)> {
        let (all, rules) = (input.pairs.count() as usize, self.kinds.len().max(1) as u32);
        let gathered = Mutex::new((Edges::new(input.records, rules), budget.hold(0)?));
        input.pairs.in_any_order(&|rows| {
            self.cancel.check();
            let mut some = Edges::new(input.records, rules);
            for (at, pair) in rows.pairs.iter().enumerate() {
                let edge = self.edge(input, pair, rows.scores.get(at).and_then(|score| score.get()))?;
                if let Some(components) = components.filter(|_| self.is_reached_by(&edge)) {
                    let [a, b] = edge.rows();
                    components.join(a, b);
                }
                some.push(edge);
            }
            let (edges, held) = &mut *gathered.lock().unwrap_or_else(PoisonError::into_inner);
            if edges.is_empty() && !some.is_empty() {
                // All take as much each as the first ones do.
                held.reach(some.bytes() / some.len() * all)?;
                edges.reserve(all);
            }
            edges.append(some);
            Ok(())
        })?;
        Ok(gathered.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn edge(&self, input: &ClusterInput<'_>, pair: &Pair, score: Option<f64>) -> Result<Edge> {
        Edge::new(input.records_of(pair), self.kinds[pair.rule as usize], score.map(self.weight), pair.rule)
    }

    fn is_reached_by(&self, edge: &Edge) -> bool {
        let reaches = |threshold: f64| edge.weight().is_some_and(|weight| weight >= threshold);
        edge.kind() != EdgeKind::Scored || self.rules.threshold.is_none_or(reaches)
    }

    /// What the rules refer to, but for forbidden pairs.
    fn facts(&self, budget: &MemoryBudget) -> Result<(RowFacts, Held)> {
        let wants_sources = self.rules.one_to.is_some() || self.rules.method == ClusterMethod::Optimal;
        let columns = self.limits.len() + usize::from(wants_sources);
        let held = budget.hold(columns * size_of::<u32>() * self.layout.records() as usize)?;
        let sources = if wants_sources { self.sources() } else { Vec::new() };
        let values = self.limits.iter().map(|limit| self.values(*limit)).collect::<Result<_>>()?;
        Ok((RowFacts { sources, values, apart: self.apart.clone(), ..RowFacts::default() }, held))
    }

    /// The input of each record.
    fn sources(&self) -> Vec<u32> {
        let inputs = self.layout.inputs().iter().enumerate();
        inputs.flat_map(|(input, records)| repeat_n(input as u32, *records as usize)).collect()
    }

    /// The values of all records that an equality compares, by number.
    fn values(&self, predicate: usize) -> Result<Vec<u32>> {
        let Some(Check::Equal { operands, .. }) = self.program.checks.get(predicate) else {
            return Err(Error::internal("a limit of clusters counts no values"));
        };
        let codes = |operand: usize| &self.program.encoded.columns[operand].codes[..];
        let mut values = codes(operands.left).to_vec();
        if self.layout.has_two_sides() {
            values.extend_from_slice(codes(operands.right));
        }
        Ok(values)
    }

    /// The pairs inside components that a `never` forbids.
    fn forbidden(&self, roots: &[u32], budget: &MemoryBudget) -> Result<FoundForbidden> {
        let _order_held = budget.hold(InsidePairs::BYTES_OF_RECORD * roots.len())?;
        let inside = InsidePairs::new(roots, self.layout);
        let looked_at = if self.program.nevers.is_empty() { 0 } else { inside.count() };
        check_inside_pairs(looked_at, self.most_pairs)?;
        let forbidden =
            ForbiddenPairs { program: self.program, layout: self.layout, budget, cancel: self.cancel.within(budget) };
        let (pairs, held) = forbidden.among(&inside)?;
        Ok(FoundForbidden { pairs, looked_at: u64::try_from(looked_at).unwrap_or(u64::MAX), held })
    }
}
