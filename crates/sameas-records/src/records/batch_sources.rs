//! Record batches as sources: those in memory, and those that come once.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::SchemaRef;

use super::read::{OpenSource, Opening, SpooledBatches, schema_difference};
use super::source::{Source, SourceDescription};
use crate::error::{Error, Result};

/// Batches in memory, all of one schema.
#[derive(Debug)]
pub(super) struct BatchesSource {
    name: String,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl BatchesSource {
    pub(super) fn new(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        match batches.iter().find_map(|batch| schema_difference(batch, &schema)) {
            Some(what) => Err(Error::data(format!("`{name}`: {what}"))),
            None => Ok(Self { name: name.to_owned(), schema, batches }),
        }
    }
}

impl Source for BatchesSource {
    fn open(&self, _opening: &Opening<'_>) -> Result<OpenSource> {
        OpenSource::of_batches(&self.name, self.schema.clone(), self.batches.clone())
    }

    fn description(&self) -> SourceDescription {
        SourceDescription::Records { name: self.name.clone() }
    }
}

/// A stream of batches, which comes once: what has come is kept in a temporary file.
#[derive(Debug)]
pub(super) struct ReaderSource {
    name: String,
    batches: SpooledBatches,
}

impl ReaderSource {
    pub(super) fn new(name: &str, reader: impl RecordBatchReader + Send + 'static) -> Self {
        Self { name: name.to_owned(), batches: SpooledBatches::new(Box::new(reader)) }
    }
}

impl Source for ReaderSource {
    fn open(&self, _opening: &Opening<'_>) -> Result<OpenSource> {
        let batches = self.batches.clone();
        let read = move |columns: &[usize]| {
            batches.read_from_start(columns).map(|pass| Box::new(pass) as Box<dyn RecordBatchReader + Send>)
        };
        OpenSource::of_reader(&self.name, self.batches.schema().clone(), read)
    }

    fn description(&self) -> SourceDescription {
        SourceDescription::Records { name: self.name.clone() }
    }

    fn can_be_read_again(&self) -> bool {
        self.batches.is_kept()
    }
}
