//! Which tables of records and entities are asked for.

use arrow_schema::SchemaRef;
use serde::{Deserialize, Serialize};

use super::clustered::{ClusteredRecords, TableTools};
use super::entities::{best_records, entities, entity_plan};
use super::pairs_with::{SideColumns, WithColumns};
use super::record_rows::records;
use super::sink::{TableCounts, TableSink};
use super::{MemoryBudget, Result};
use crate::record_stream::{InputSchemas, StreamedInput};
use crate::rules::RuleFile;

/// The tables that results have besides pairs and clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct ResultTables {
    /// Entities, which rules with `[entity]` always ask for.
    pub entities: bool,
    /// Whether they say which records values came from, and how many others there are.
    pub provenance: bool,
    /// Records with their entities.
    pub records: bool,
    /// Whether these are the best record of each entity alone.
    pub best: bool,
    /// The columns of both records that pairs have.
    pub with: Option<WithColumns>,
}

/// A table of records or entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordTable {
    /// One row for each entity.
    Entities {
        /// Whether it says which records values came from.
        provenance: bool,
    },
    /// All records with their entities.
    Records,
    /// The best record of each entity.
    Best,
}

impl ResultTables {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The tables that a folder gets.
    pub fn of_folder(&self, rules: &RuleFile) -> Vec<RecordTable> {
        let has_entities = self.entities || self.provenance || rules.entity.is_given;
        let has_records = self.records || self.best;
        has_entities.then(|| self.entities()).into_iter().chain(has_records.then(|| self.records())).collect()
    }

    /// The table of entities.
    pub fn entities(&self) -> RecordTable {
        RecordTable::Entities { provenance: self.provenance }
    }

    /// The table of records.
    pub fn records(&self) -> RecordTable {
        if self.best { RecordTable::Best } else { RecordTable::Records }
    }

    /// Says what is wrong with the rules of entities and the columns of pairs, before anything is computed.
    pub fn check(
        &self,
        rules: &RuleFile,
        inputs: &[StreamedInput<'_>],
        schemas: Vec<SchemaRef>,
        has_two_sides: bool,
        budget: &MemoryBudget,
    ) -> Result<()> {
        let schemas = InputSchemas { inputs, of_rules: schemas.clone(), kept: schemas };
        if let Some(with) = &self.with {
            SideColumns::find(&schemas, has_two_sides, with)?;
        }
        if self.of_folder(rules).is_empty() { Ok(()) } else { entity_plan(rules, &schemas, budget).map(drop) }
    }
}

impl RecordTable {
    /// The name of its file, without an ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entities { .. } => "entities",
            Self::Records | Self::Best => "records",
        }
    }

    /// Gives its rows to a sink.
    pub fn write(
        self,
        of: ClusteredRecords<'_>,
        rules: &RuleFile,
        tools: TableTools<'_>,
        sink: &mut dyn TableSink,
    ) -> Result<TableCounts> {
        match self {
            Self::Entities { provenance } => entities(of, rules, provenance, tools, sink),
            Self::Records => records(of, tools, sink),
            Self::Best => best_records(of, rules, tools, sink),
        }
    }
}
