//! Clusters: which records belong together, by the pairs of a run.
//!
//! A [`Clustering`] makes clusters of pairs that are found, sorted and scored. [`ConnectedComponents`] is one: records are
//! in one cluster where a path of pairs connects them. These are formed while pairs are still being found, in whatever
//! order they come ([`Components`]); devices have a form of the same (`kernels/components.h`).
//!
//! A clustering reads the pairs as often as it likes, in order or in any order on all threads, and always some at a
//! time: they may be more than fit the memory. Where components are lost with a device, they are made of the pairs.
//!
//! [`AskedClusters`] are those that a rule file asks for, by the crate `sameas-clusters`: `rules_of_spec` makes its rules of what
//! was written, and `forbidden` finds the pairs inside components that a `never` forbids, in the order of `inside_pairs`.

mod asked;
mod connected;
mod forbidden;
mod inside_pairs;
mod rules_of_spec;

pub use asked::AskedClusters;
pub use connected::ConnectedComponents;
pub use rules_of_spec::rules_of_spec;
pub use sameas_clusters::{ClusterConflict, ClusterRules, CutCause, CutEdge, EdgeKind};

use crate::error::Result;
use crate::pairs::{Pair, PairsInOrder};
use crate::union_find::Components;

/// How clusters are made of pairs.
///
/// No cluster reaches beyond a connected component of all pairs. So a clustering that looks for smaller ones can do it
/// component by component, and what it does there may depend on the pairs of that component in one order alone: by score,
/// the highest first, pairs without one last, and equals by rule and rows. Threads, memory and devices change nothing then.
pub trait Clustering: Sync {
    /// Whether it begins with connected components, which cost no pass over the pairs: they are formed while pairs are found,
    /// unsorted, by the threads and the devices that find them, and are [given](ClusterInput::components) to it.
    fn begins_with_components(&self) -> bool {
        false
    }

    /// For each record the first record of its cluster.
    fn roots(&self, input: ClusterInput<'_>) -> Result<Vec<u32>>;

    /// The same with all else that there is to say of it.
    fn clusters(&self, input: ClusterInput<'_>) -> Result<FoundClusters> {
        Ok(FoundClusters { roots: self.roots(input)?, ..FoundClusters::default() })
    }
}

/// What a clustering has found.
#[derive(Debug, Default)]
pub struct FoundClusters {
    /// For each record the first record of its cluster.
    pub roots: Vec<u32>,
    /// The same at each threshold after the first, where there are several.
    pub at_more: Vec<Vec<u32>>,
    /// The pairs between clusters, in the order of their records.
    pub cut: Vec<CutEdge>,
    /// The pairs inside components that were looked at for what a `never` forbids, where that was asked for.
    pub kept_apart: Option<u64>,
    /// Decisions that cannot all hold: there are no clusters then.
    pub conflict: Option<ClusterConflict>,
}

/// What clusters are made of.
pub struct ClusterInput<'a> {
    /// The pairs.
    pub pairs: &'a dyn PairsInOrder,
    /// How many records there are.
    pub records: u32,
    /// What is added to the right row of a pair to number all records: where the right side begins, or 0 where both rows are
    /// of one list.
    pub right_offset: u32,
    /// The components, where they were asked for, and not lost with a device that had formed them.
    pub components: Option<Components>,
}

impl ClusterInput<'_> {
    /// The two records of a pair.
    pub fn records_of(&self, pair: &Pair) -> [u32; 2] {
        [pair.l, self.right_offset + pair.r]
    }

    /// The connected components: those that there are, or else by one more look at the pairs.
    pub fn into_components(mut self) -> Result<Components> {
        if let Some(components) = self.components.take() {
            return Ok(components);
        }
        let components = Components::new(self.records);
        self.pairs.in_any_order(&|rows| {
            rows.pairs.iter().map(|pair| self.records_of(pair)).for_each(|[a, b]| components.join(a, b));
            Ok(())
        })?;
        Ok(components)
    }
}

#[cfg(test)]
mod tests;
