//! The pass over the edges of a component.

use sameas_core::disjoint_sets::DisjointSets;

use super::counted::Constraints;
use super::decided::{check_apart, check_limits};
use super::refusals::{Refusal, Refusals};
use super::values::ClusterValues;
use crate::component::{Component, label_by_first, single_records};
use crate::edge::EdgeKind;
use crate::outcome::{ClusterConflict, CutCause, CutEdge};

/// Divides the clusters of a component until no constraint is broken: `labels` are the first records of clusters, before
/// and after it. Gives the edges that are cut by it.
pub(crate) fn constrain(
    component: &Component<'_>,
    constraints: &Constraints<'_>,
    labels: &mut [u32],
) -> Result<Vec<CutEdge>, ClusterConflict> {
    let mut pass = ConstraintPass::new(component, constraints);
    pass.unite_decided()?;
    let mut refused = Vec::new();
    let others = component.edges_within(labels).skip_while(|(_, edge)| edge.kind == EdgeKind::DecidedTogether);
    for (at, edge) in others {
        if let Some(cause) = pass.offer(at, edge.ends) {
            refused.push(CutEdge { rows: edge.ends, cause });
        }
    }
    label_by_first(&mut pass.sets, labels);
    // Ends that an edge could not unite may be together by others.
    refused.retain(|edge| labels[edge.rows[0] as usize] != labels[edge.rows[1] as usize]);
    refused.iter_mut().for_each(|edge| edge.rows = component.rows_of(edge.rows));
    Ok(refused)
}

/// The clusters so far. What is known of a cluster has a number, which is that of one of its records.
struct ConstraintPass<'a> {
    component: &'a Component<'a>,
    constraints: &'a Constraints<'a>,
    sets: DisjointSets,
    /// The number of each cluster, by its first record.
    numbers: Vec<u32>,
    sizes: Vec<usize>,
    refusals: Refusals,
    values: Vec<ClusterValues<'a>>,
}

impl<'a> ConstraintPass<'a> {
    fn new(component: &'a Component<'a>, constraints: &'a Constraints<'a>) -> Self {
        let records = component.records();
        Self {
            component,
            constraints,
            sets: single_records(records),
            numbers: (0..records as u32).collect(),
            sizes: vec![1; records],
            refusals: Refusals::new(records),
            values: constraints.limits.iter().map(|limit| ClusterValues::new(*limit, component.rows)).collect(),
        }
    }

    /// Unites what decisions hold together, and learns which clusters may not be united.
    fn unite_decided(&mut self) -> Result<(), ClusterConflict> {
        let component = self.component;
        for edge in component.edges().take_while(|edge| edge.kind == EdgeKind::DecidedTogether) {
            let [a, b] = edge.ends.map(|end| self.number(end));
            if a != b {
                self.unite(a, b);
            }
        }
        let mut labels = vec![0; component.records()];
        label_by_first(&mut self.sets, &mut labels);
        check_apart(component, self.constraints, &labels)?;
        let number = |first: u32| self.numbers[first as usize];
        check_limits(component, self.constraints, &labels, &number, &self.values)?;
        let constraints = self.constraints;
        for pair in constraints.apart_in(component) {
            self.forbid(pair, Refusal::Apart(component.rows_of(pair)));
        }
        for pair in constraints.forbidden_in(component) {
            self.forbid(pair, Refusal::Forbidden(component.rows_of(pair)));
        }
        Ok(())
    }

    fn forbid(&mut self, pair: [u32; 2], refusal: Refusal) {
        let [a, b] = pair.map(|record| self.number(record));
        // What decisions hold together, no forbidden pair divides.
        if a != b {
            self.refusals.add(a, b, refusal);
        }
    }

    /// Unites the clusters of two records, or says why they may not be united.
    fn offer(&mut self, edge: usize, ends: [u32; 2]) -> Option<CutCause> {
        let [left, right] = ends.map(|end| self.number(end));
        if left == right {
            return None;
        }
        if self.sizes[left as usize] + self.sizes[right as usize] > self.constraints.max_size {
            return Some(CutCause::MaxSize);
        }
        let refusal = self.refusals.get(left, right).or_else(|| self.refused_by_limit(edge, left, right));
        match refusal {
            Some(refusal) => Some(self.cause(refusal)),
            None => {
                self.unite(left, right);
                None
            }
        }
    }

    /// What the limits say of two clusters. A refusal is remembered.
    fn refused_by_limit(&mut self, edge: usize, left: u32, right: u32) -> Option<Refusal> {
        let mut refused = self.values.iter().enumerate().map(|(limit, values)| (limit, values.refused(left, right)));
        let refusal = refused.find_map(|(limit, value)| Some(Refusal::Limit { edge, limit, value: value? }))?;
        self.refusals.add(left, right, refusal);
        Some(refusal)
    }

    fn cause(&self, refusal: Refusal) -> CutCause {
        match refusal {
            Refusal::Apart(pair) => CutCause::DecidedApart { pair },
            Refusal::Forbidden(pair) => CutCause::Forbidden { pair },
            Refusal::Limit { limit, value, .. } => self.constraints.limits[limit].cause(value),
        }
    }

    /// The number of a record's cluster.
    fn number(&mut self, record: u32) -> u32 {
        self.numbers[self.sets.root(record as usize)]
    }

    /// Makes one cluster of two. The one with the longer list of refusals keeps its number.
    fn unite(&mut self, a: u32, b: u32) {
        let (kept, gone) = if self.refusals.len(a) >= self.refusals.len(b) { (a, b) } else { (b, a) };
        self.sets.join(a as usize, b as usize);
        let first = self.sets.root(a as usize);
        self.numbers[first] = kept;
        self.sizes[kept as usize] += self.sizes[gone as usize];
        self.refusals.unite(kept, gone);
        self.values.iter_mut().for_each(|values| values.unite(kept, gone));
    }
}
