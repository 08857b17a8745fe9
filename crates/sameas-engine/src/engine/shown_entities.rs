//! The entities of some clusters of a run, to be looked at.

use sameas_entities::tables::{ShownColumn, SomeClusters, TableTools, some_entities};

use super::asked_records::AskedRecords;
use super::entity_tables::streamed;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::observer::Progress;

/// Clusters of the records that are asked about.
#[derive(Clone, Copy, Debug)]
pub struct InspectedClusters<'a> {
    /// All records of these clusters by their numbers among those of all inputs, ascending.
    pub records: &'a [u32],
    /// The first record of the cluster of each.
    pub roots: &'a [u32],
    /// What the pairs of each with others of its cluster weigh.
    pub weights: &'a [i64],
}

impl AskedRecords {
    /// What becomes of some clusters, by the rules of the job. The inputs are read once more for that, block by block.
    pub fn entities(
        &self,
        clusters: InspectedClusters<'_>,
        budget: &MemoryBudget,
        progress: Progress<'_>,
    ) -> Result<Vec<ShownColumn>> {
        let inputs = streamed(&self.dataset);
        let InspectedClusters { records, roots, weights } = clusters;
        let some = SomeClusters { inputs: &inputs, records, roots, weights };
        let tools = TableTools { budget, spill_folder: None, cancel: progress.cancel(), progress: &|_| {} };
        some_entities(some, &self.job.rules, tools)
    }
}
