//! The clusters of a component while edges unite them, and what refuses that.
//!
//! What takes a few steps to find is asked for each edge. A limit that must look at many values of both clusters is asked once for
//! each two clusters: that it has refused is remembered with the pairs that may not be together.

use rayon::iter::Either;
use rayon::prelude::*;

use super::counted::Constraints;
use super::decided::{check_apart, check_limits};
use super::growing::GrowingClusters;
use super::refusals::Refusals;
use super::values::ClusterValues;
use crate::component::Component;
use crate::edge::EdgeKind;
use crate::outcome::{ClusterConflict, CutCause};
use crate::work_memory::WorkMemory;

/// What needs the memory of a pass.
pub(super) const STEP: &str = "the pass of constraints";

/// The reason of a refusal by a limit. Of several reasons the least counts, so it is that of no pair.
const BY_LIMIT: u32 = u32::MAX;

/// The clusters so far.
pub(super) struct ClusterUnions<'a> {
    rows: &'a [u32],
    first: u32,
    constraints: &'a Constraints<'a>,
    /// The pairs of places that are decided to be different, and those that are forbidden. The reason of a refusal is the number
    /// of such a pair among all of them.
    apart: &'a [[u32; 2]],
    forbidden: &'a [[u32; 2]],
    clusters: GrowingClusters,
    refusals: Refusals,
    values: Vec<ClusterValues<'a>>,
}

impl<'a> ClusterUnions<'a> {
    /// Each row is a cluster.
    pub(super) fn new(
        rows: &'a [u32],
        first: u32,
        constraints: &'a Constraints<'a>,
        memory: &mut WorkMemory<'_>,
    ) -> Self {
        let places = first..first + rows.len() as u32;
        let (apart, forbidden) = (constraints.apart_among(places.clone()), constraints.forbidden_among(places));
        let pairs = apart.len() + forbidden.len();
        memory.reach(STEP, Self::least_bytes(constraints, rows.len()) + pairs * Refusals::BYTES_OF_REFUSAL);
        let at_least = memory.least_at_a_time();
        let values = constraints.limits.iter().map(|limit| ClusterValues::new(*limit, rows, at_least)).collect();
        let (clusters, refusals) = (GrowingClusters::new(rows.len(), at_least), Refusals::new(rows.len()));
        Self { rows, first, constraints, apart, forbidden, clusters, refusals, values }
    }

    /// Bytes that it takes beside what is refused.
    pub(super) fn least_bytes(constraints: &Constraints<'_>, records: usize) -> usize {
        let of_limits = constraints.limits.len() * ClusterValues::BYTES_OF_RECORD;
        records * (GrowingClusters::BYTES_OF_RECORD + Refusals::BYTES_OF_CLUSTER + of_limits)
    }

    /// Bytes that it takes, at most.
    pub(super) fn bytes(&self) -> usize {
        Self::least_bytes(self.constraints, self.rows.len()) + self.refusals.count() * Refusals::BYTES_OF_REFUSAL
    }

    /// Unites what decisions hold together, and learns which clusters may not be united.
    pub(super) fn unite_decided(&mut self, component: &Component<'_>) -> Result<(), ClusterConflict> {
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

    /// The clusters of the ends of an edge, if they are two.
    pub(super) fn divided(&self, ends: [u32; 2]) -> Option<[u32; 2]> {
        let [left, right] = ends.map(|end| self.clusters.cluster(end));
        (left != right).then_some([left, right])
    }

    /// The clusters of the ends of an edge, if it may unite two, as far as a few steps say.
    pub(super) fn open(&self, ends: [u32; 2]) -> Option<[u32; 2]> {
        self.divided(ends).filter(|pair| !self.is_refused_at_once(*pair))
    }

    /// Unites the clusters of the ends of an edge, unless they are one or something refuses it.
    pub(super) fn offer(&mut self, ends: [u32; 2]) {
        let Some([left, right]) = self.open(ends) else { return };
        if self.is_refused_by_many([left, right]) {
            self.refusals.add(left, right, BY_LIMIT);
        } else {
            self.unite(left, right);
        }
    }

    /// Unites each two of these clusters, unless something refuses it that takes more than a few steps to find; nothing else does, and
    /// each cluster is there once.
    pub(super) fn unite_all(&mut self, offered: &[[u32; 2]]) {
        let known = &*self;
        let (refused, mut united): (Vec<[u32; 2]>, Vec<[u32; 2]>) = offered.par_iter().partition_map(|pair| {
            if known.is_refused_by_many(*pair) {
                Either::Left(*pair)
            } else {
                Either::Right(known.heavier_first(*pair))
            }
        });
        // By their numbers, clusters are pieces of every list over clusters.
        united.par_sort_unstable();
        self.clusters.unite_all(&united);
        self.values.iter_mut().for_each(|values| values.unite_all(&united));
        if self.refusals.count() > 0 {
            united.iter().for_each(|[kept, gone]| self.refusals.unite(*kept, *gone));
        }
        refused.iter().for_each(|[left, right]| self.refusals.add(*left, *right, BY_LIMIT));
    }

    /// What refuses the union of two different clusters, if a few steps say it.
    pub(super) fn cause_at_once(&self, [left, right]: [u32; 2]) -> Option<CutCause> {
        if self.is_too_large(left, right) {
            return Some(CutCause::MaxSize);
        }
        let is_long = || self.values.iter().any(|values| values.is_long(left, right));
        let of_limit = || if is_long() { None } else { self.limit_cause([left, right]) };
        self.pair_cause(left, right).or_else(of_limit)
    }

    /// The first limit that refuses the union of two clusters.
    pub(super) fn limit_cause(&self, [left, right]: [u32; 2]) -> Option<CutCause> {
        self.values.iter().find_map(|values| Some(values.limit.cause(values.refused(left, right)?)))
    }

    /// Labels each record by the first one of its cluster.
    pub(super) fn label(self, labels: &mut [u32]) {
        self.clusters.label(labels);
    }

    /// Whether a few steps say that two clusters stay two.
    fn is_refused_at_once(&self, [left, right]: [u32; 2]) -> bool {
        let refuses =
            |values: &ClusterValues<'_>| !values.is_long(left, right) && values.refused(left, right).is_some();
        self.is_too_large(left, right) || self.refusals.get(left, right).is_some() || self.values.iter().any(refuses)
    }

    /// Whether a limit with many values refuses the union of two clusters.
    fn is_refused_by_many(&self, [left, right]: [u32; 2]) -> bool {
        self.values.iter().any(|values| values.is_long(left, right) && values.refused(left, right).is_some())
    }

    fn is_too_large(&self, left: u32, right: u32) -> bool {
        let most = self.constraints.max_size;
        // Where all records together are few enough, sizes need not be looked at.
        most < self.rows.len() && self.clusters.size(left) + self.clusters.size(right) > most
    }

    /// The first pair that keeps two clusters apart.
    fn pair_cause(&self, left: u32, right: u32) -> Option<CutCause> {
        let reason = self.refusals.get(left, right).filter(|reason| *reason != BY_LIMIT)? as usize;
        let row = |place: u32| self.rows[(place - self.first) as usize];
        Some(match self.apart.get(reason) {
            Some(pair) => CutCause::DecidedApart { pair: pair.map(row) },
            None => CutCause::Forbidden { pair: self.forbidden[reason - self.apart.len()].map(row) },
        })
    }

    /// Two clusters, first the one with more records and refusals: it keeps its number.
    fn heavier_first(&self, [a, b]: [u32; 2]) -> [u32; 2] {
        let [weight_of_a, weight_of_b] =
            [a, b].map(|cluster| self.clusters.size(cluster) + self.refusals.of_cluster(cluster));
        if weight_of_a >= weight_of_b { [a, b] } else { [b, a] }
    }

    /// Makes one cluster of two.
    fn unite(&mut self, a: u32, b: u32) {
        let [kept, gone] = self.heavier_first([a, b]);
        self.clusters.unite(kept, gone);
        self.refusals.unite(kept, gone);
        self.values.iter_mut().for_each(|values| values.unite(kept, gone));
    }

    /// How often many values have been looked at to answer one question.
    #[cfg(test)]
    pub(super) fn long_questions(&self) -> u64 {
        self.values.iter().map(ClusterValues::long_questions).sum()
    }
}
