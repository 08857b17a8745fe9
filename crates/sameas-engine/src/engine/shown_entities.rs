//! The entities of some clusters of a run, to be looked at.

use sameas_entities::tables::{InspectedClusters, ShownColumn, SomeClusters, TableTools, some_entities};

use super::asked_records::AskedRecords;
use super::entity_tables::streamed;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::observer::Progress;

impl AskedRecords {
    /// What becomes of some clusters, by the rules of the job. The inputs are read once more for that, block by block.
    pub fn entities(
        &self,
        clusters: InspectedClusters<'_>,
        budget: &MemoryBudget,
        progress: Progress<'_>,
    ) -> Result<Vec<ShownColumn>> {
        let inputs = streamed(&self.dataset);
        let some = SomeClusters { inputs: &inputs, clusters };
        let tools = TableTools { budget, spill_folder: None, cancel: progress.cancel(), progress: &|_| {} };
        some_entities(some, &self.job.rules, tools)
    }
}
