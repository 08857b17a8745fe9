//! The pass over the edges of a component.

use super::counted::Constraints;
use super::decided::{check_apart, check_limits};
use super::growing::GrowingClusters;
use super::refusals::Refusals;
use super::values::ClusterValues;
use crate::component::{Component, OpenComponent};
use crate::edge::EdgeKind;
use crate::outcome::{ClusterConflict, CutCause};
use crate::packed::PackedEdge;
use crate::work_memory::{ComponentSize, WorkMemory};

/// What needs the memory of a pass.
const STEP: &str = "the pass of constraints";

/// Edges between two looks at whether the pass is still wanted.
const EDGES_AT_A_TIME: usize = 1 << 16;

/// Bytes that the pass takes at most: with limits each edge may be refused by one.
pub(crate) fn most_bytes(constraints: &Constraints<'_>, size: ComponentSize) -> usize {
    let places = size.first..size.first + size.records as u32;
    let pairs = constraints.apart_among(places.clone()).len() + constraints.forbidden_among(places).len();
    let refusals = pairs + if constraints.limits.is_empty() { 0 } else { size.edges };
    least_bytes(constraints, size.records) + refusals * Refusals::BYTES_OF_REFUSAL
}

/// Bytes that the pass takes beside what is refused.
fn least_bytes(constraints: &Constraints<'_>, records: usize) -> usize {
    let of_limits = constraints.limits.len() * ClusterValues::BYTES_OF_RECORD;
    records * (GrowingClusters::BYTES_OF_RECORD + Refusals::BYTES_OF_CLUSTER + of_limits)
}

/// Divides the clusters of a component until no constraint is broken, and cuts edges for that: `labels` are the first records
/// of clusters, before and after it.
pub(crate) fn constrain<K: PackedEdge>(
    component: &mut OpenComponent<'_, K>,
    constraints: &Constraints<'_>,
    labels: &mut [u32],
    memory: &mut WorkMemory<'_>,
) -> Result<(), ClusterConflict> {
    let mut pass = ConstraintPass::new(component.rows, component.first, constraints, memory);
    pass.unite_decided(&component.view())?;
    for at in 0..component.edges.len() {
        let ends = component.ends(at);
        if labels[ends[0] as usize] == labels[ends[1] as usize] {
            match pass.offer(at, ends) {
                UnionAnswer::Together => {}
                UnionAnswer::Refused(cause) => component.cut(at, cause),
                UnionAnswer::RefusedAs(earlier) => {
                    let cause = component.cause(earlier).expect("what was refused is cut");
                    component.cut(at, cause);
                }
            }
        }
        if at % EDGES_AT_A_TIME == EDGES_AT_A_TIME - 1 {
            memory.check();
            memory.grow(STEP, pass.bytes());
        }
    }
    pass.clusters.label(labels);
    Ok(())
}

/// What becomes of two clusters that an edge joins.
enum UnionAnswer {
    /// They are one.
    Together,
    /// They stay two, for this cause.
    Refused(CutCause),
    /// They stay two, as where the edge at this place was refused.
    RefusedAs(usize),
}

/// The clusters so far.
struct ConstraintPass<'a> {
    rows: &'a [u32],
    first: u32,
    constraints: &'a Constraints<'a>,
    /// The pairs of places that are decided to be different, and those that are forbidden. The reason of a refusal is the number
    /// of such a pair among all of them, or more than that by the place of an edge that a limit refused.
    apart: &'a [[u32; 2]],
    forbidden: &'a [[u32; 2]],
    clusters: GrowingClusters,
    refusals: Refusals,
    values: Vec<ClusterValues<'a>>,
}

impl<'a> ConstraintPass<'a> {
    /// Each row is a cluster.
    fn new(rows: &'a [u32], first: u32, constraints: &'a Constraints<'a>, memory: &mut WorkMemory<'_>) -> Self {
        let places = first..first + rows.len() as u32;
        let (apart, forbidden) = (constraints.apart_among(places.clone()), constraints.forbidden_among(places));
        let pairs = apart.len() + forbidden.len();
        memory.reach(STEP, least_bytes(constraints, rows.len()) + pairs * Refusals::BYTES_OF_REFUSAL);
        let may_refuse = !constraints.limits.is_empty() || pairs > 0;
        let values = constraints.limits.iter().map(|limit| ClusterValues::new(*limit, rows)).collect();
        let clusters = GrowingClusters::new(rows.len());
        let refusals = Refusals::new(if may_refuse { rows.len() } else { 0 });
        Self { rows, first, constraints, apart, forbidden, clusters, refusals, values }
    }

    /// Unites what decisions hold together, and learns which clusters may not be united.
    fn unite_decided(&mut self, component: &Component<'_>) -> Result<(), ClusterConflict> {
        let mut decided = component.edges().take_while(|edge| edge.kind == EdgeKind::DecidedTogether).peekable();
        let has_decided = decided.peek().is_some();
        for edge in decided {
            let [a, b] = edge.ends.map(|end| self.clusters.cluster(end));
            if a != b {
                self.unite(a, b);
            }
        }
        if has_decided {
            check_apart(component, self.apart, &self.clusters)?;
            check_limits(component, self.constraints, &self.clusters, &self.values)?;
        }
        for (reason, pair) in (0..).zip(self.apart.iter().chain(self.forbidden)) {
            let [a, b] = pair.map(|place| self.clusters.cluster(place - self.first));
            // What decisions hold together, no forbidden pair divides.
            if a != b {
                self.refusals.add(a, b, reason);
            }
        }
        Ok(())
    }

    /// Bytes that it takes, at most.
    fn bytes(&self) -> usize {
        least_bytes(self.constraints, self.rows.len()) + self.refusals.count() * Refusals::BYTES_OF_REFUSAL
    }

    /// Unites the clusters of two records, or says why they may not be united.
    fn offer(&mut self, edge: usize, ends: [u32; 2]) -> UnionAnswer {
        let [left, right] = ends.map(|end| self.clusters.cluster(end));
        if left == right {
            return UnionAnswer::Together;
        }
        if self.clusters.size(left) + self.clusters.size(right) > self.constraints.max_size {
            return UnionAnswer::Refused(CutCause::MaxSize);
        }
        if let Some(reason) = self.refusals.get(left, right) {
            return self.answer(reason as usize);
        }
        if let Some(cause) = self.refused_by_limit(left, right) {
            let reason = self.apart.len() + self.forbidden.len() + edge;
            self.refusals.add(left, right, reason as u64);
            return UnionAnswer::Refused(cause);
        }
        self.unite(left, right);
        UnionAnswer::Together
    }

    /// The answer to an edge between two clusters that were refused before.
    fn answer(&self, reason: usize) -> UnionAnswer {
        let row = |place: u32| self.rows[(place - self.first) as usize];
        let Some(reason) = reason.checked_sub(self.apart.len()) else {
            return UnionAnswer::Refused(CutCause::DecidedApart { pair: self.apart[reason].map(row) });
        };
        match reason.checked_sub(self.forbidden.len()) {
            Some(edge) => UnionAnswer::RefusedAs(edge),
            None => UnionAnswer::Refused(CutCause::Forbidden { pair: self.forbidden[reason].map(row) }),
        }
    }

    /// What the limits say of two clusters: the first one that refuses their union.
    fn refused_by_limit(&self, left: u32, right: u32) -> Option<CutCause> {
        self.values.iter().find_map(|values| Some(values.limit.cause(values.refused(left, right)?)))
    }

    /// Makes one cluster of two. The one with more records and refusals keeps its number.
    fn unite(&mut self, a: u32, b: u32) {
        let [weight_of_a, weight_of_b] =
            [a, b].map(|cluster| self.clusters.size(cluster) + self.refusals.of_cluster(cluster));
        let (kept, gone) = if weight_of_a >= weight_of_b { (a, b) } else { (b, a) };
        self.clusters.unite(kept, gone);
        self.refusals.unite(kept, gone);
        self.values.iter_mut().for_each(|values| values.unite(kept, gone));
    }
}
