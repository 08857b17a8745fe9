//! Tables of entities and of records with their clusters. They go to a [`TableSink`] some rows at a time, in chunks whose sizes depend
//! on the columns alone.

mod chunks;
mod clustered;
mod entities;
mod entity_plan;
mod names;
mod pair_weights;
mod pairs_with;
mod record_rows;
mod request;
mod sink;
mod some_entities;

pub use clustered::{ClusteredRecords, TableTools};
pub use entities::{best_records, entities};
pub use entity_plan::EntityPlan;
pub use names::{EntityColumnRecord, EntityRecord};
pub use pair_weights::{pair_weights, steps_of};
pub use pairs_with::{PairsOfRecords, WithColumns, pairs_with};
pub use record_rows::records;
pub use request::{RecordTable, ResultTables};
pub use sink::{TableCounts, TableFile, TableSink};
pub use some_entities::{InspectedClusters, ShownColumn, ShownValue, SomeClusters, some_entities};

use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::MemoryBudget;
use crate::output::{Format, TableStream};
use crate::records::broken;
