//! What the rules of clusters make of one component: the method, the constraints, the split.

use crate::bridges::{self, split_at_bridges};
use crate::component::OpenComponent;
use crate::constraints::{self, Constraints, constrain};
use crate::division::ComponentWork;
use crate::linkage::{self, link};
use crate::louvain::{self, find_communities};
use crate::optimal::{self, match_pairs};
use crate::outcome::{ClusterConflict, CutCause};
use crate::packed::PackedEdge;
use crate::rules::{ClusterMethod, ClusterRules, RowFacts};
use crate::work_memory::{ComponentSize, WorkMemory};

/// How components are divided.
pub(crate) struct DividedByRules<'a> {
    pub(crate) rules: &'a ClusterRules,
    pub(crate) facts: &'a RowFacts,
    pub(crate) constraints: &'a Constraints<'a>,
}

impl ComponentWork for DividedByRules<'_> {
    /// The most of all steps: each gives back what it takes.
    fn most_bytes(&self, size: ComponentSize) -> usize {
        let of_method = match self.rules.method {
            ClusterMethod::Components => 0,
            ClusterMethod::Optimal => optimal::most_bytes(size),
            ClusterMethod::Linkage { .. } => linkage::most_bytes(size),
            ClusterMethod::Louvain => louvain::most_bytes(size),
        };
        let of_constraints = if self.is_constrained() { constraints::most_bytes(self.constraints, size) } else { 0 };
        let of_split = if self.rules.split.is_some() { bridges::most_bytes(size) } else { 0 };
        of_method.max(of_constraints).max(of_split)
    }

    fn divide<K: PackedEdge>(
        &self,
        mut component: OpenComponent<'_, K>,
        labels: &mut [u32],
        memory: &mut WorkMemory<'_>,
    ) -> Result<(), ClusterConflict> {
        match self.rules.method {
            ClusterMethod::Components => {}
            ClusterMethod::Optimal => match_pairs(&component.view(), &self.facts.sources, labels, memory)?,
            ClusterMethod::Linkage { linkage, threshold } => {
                link(&component.view(), linkage, threshold, labels, memory);
            }
            ClusterMethod::Louvain => find_communities(&component.view(), labels, memory),
        }
        if self.rules.method != ClusterMethod::Components {
            component.cut_between(labels, CutCause::Method);
        }
        if self.is_constrained() {
            constrain(&mut component, self.constraints, labels, memory)?;
        }
        if let Some(split) = self.rules.split {
            let bridges = split_at_bridges(&component.view(), split, labels, memory);
            bridges.into_iter().for_each(|edge| component.cut(edge, CutCause::Bridge));
        }
        Ok(())
    }

    /// Constraints are what all cores can do.
    fn uses_all_cores(&self) -> bool {
        self.rules.method == ClusterMethod::Components && self.is_constrained()
    }

    /// Methods count edges, and so does a split.
    fn takes_repeated(&self) -> bool {
        self.rules.method == ClusterMethod::Components && self.rules.split.is_none()
    }
}

impl DividedByRules<'_> {
    fn is_constrained(&self) -> bool {
        self.rules.has_constraints(self.facts)
    }
}
