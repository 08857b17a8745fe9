//! The records of all inputs, one after the other, with all columns in their own types.

mod grouped;
mod opened;

pub use grouped::{BatchWork, GroupedBatches};
pub use opened::{InputBatch, InputSchemas, StreamedInput, StreamedInputs};

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::{Input, KeptColumns, OpenSource, SkippedRecords};
