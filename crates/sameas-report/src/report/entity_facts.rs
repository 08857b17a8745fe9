//! Entities as a report has them: what was counted of all, and examples that are in the report.

use sameas_entities::tables::{EntityColumnRecord, EntityRecord};

use super::entity_examples::{ColumnExamples, EntityExample};
use super::facts::{ReportColumn, ReportEntities, ReportEntityColumn, ReportEntityExample};
use super::mask::ColumnMasks;
use super::tables::TableSelection;

/// Examples of a column.
const MOST: usize = 20;

/// What facts about entities are made of.
pub struct EntityMaterial<'a> {
    /// What was counted.
    pub record: &'a EntityRecord,
    /// Clusters whose records disagree.
    pub examples: &'a [ColumnExamples],
    /// The columns of records.
    pub columns: &'a [ReportColumn],
    /// What is masked.
    pub masks: &'a ColumnMasks,
}

impl EntityMaterial<'_> {
    /// The facts of a report that has room for some records.
    pub fn facts(&self, selection: &TableSelection) -> ReportEntities {
        let columns = self.record.columns.iter().map(|column| self.column(column, selection)).collect();
        ReportEntities { entities: self.record.entities, columns }
    }

    fn column(&self, counted: &EntityColumnRecord, selection: &TableSelection) -> ReportEntityColumn {
        let known = self.examples.iter().find(|known| known.name == counted.column);
        let example = |of: &EntityExample| {
            Some(ReportEntityExample {
                cluster: selection.cluster(of.root)?,
                value: of.value.clone(),
                record: of.record.and_then(|record| selection.record(record)),
                others: of.others,
            })
        };
        ReportEntityColumn {
            name: counted.column.clone(),
            take: counted.take.name(),
            column: self.columns.iter().position(|column| column.name == counted.column),
            masked: known.map_or_else(|| self.masks.has(&counted.column), |known| known.is_masked),
            filled: counted.filled,
            disagreeing: counted.disagreeing,
            examples: known.iter().flat_map(|known| &known.examples).filter_map(example).take(MOST).collect(),
        }
    }
}
