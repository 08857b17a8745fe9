//! One row for each cluster: what the rules take of its records, or the best of these.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use arrow_select::take::take;
use rayon::prelude::*;

use super::chunks::TableChunks;
use super::clustered::{ClusteredRecords, TableTools};
use super::entity_plan::{EntityPlan, rule_columns, rule_inputs};
use super::names::{ENTITY_ID, ENTITY_SIZE, EntityColumnRecord, check_names};
use super::sink::{TableCounts, TableSink};
use super::{MemoryBudget, Result, broken};
use crate::partitions::{ClusterNumbers, ClusterRows, DividedRows, Partitions, divided_rows};
use crate::record_stream::{InputSchemas, StreamedInputs};
use crate::rules::{EntityRules, RuleFile, entity_rules};
use crate::survivorship::{EntryColumns, Survivors, scratch_bytes};

/// What begins the name of a column that says which record a value came from, and of one that says how many others there are.
const FROM: &str = "_record";
const OTHERS: &str = "_disagreed";

/// The table of entities; with `provenance` it says of each value which record it came from, and how many others there are.
pub fn entities(
    records: ClusteredRecords<'_>,
    rules: &RuleFile,
    provenance: bool,
    tools: TableTools<'_>,
    sink: &mut dyn TableSink,
) -> Result<TableCounts> {
    let opened = StreamedInputs::open(records.inputs, tools.cancel.within(tools.budget))?;
    let plan = entity_plan(rules, &opened.schemas(), tools.budget)?;
    EntityTable { records, kind: TableKind::Entities { provenance }, plan }.write(opened, tools, sink)
}

/// What entities are made of, by the rules.
pub fn entity_plan(rules: &RuleFile, schemas: &InputSchemas<'_>, budget: &MemoryBudget) -> Result<EntityPlan> {
    let columns = rule_columns(schemas);
    let rules = entity_rules(rules, &rule_inputs(schemas, &columns), budget)?;
    EntityPlan::new(&rules, schemas, false)
}

/// The best record of each cluster, with all its columns.
pub fn best_records(
    records: ClusteredRecords<'_>,
    rules: &RuleFile,
    tools: TableTools<'_>,
    sink: &mut dyn TableSink,
) -> Result<TableCounts> {
    let opened = StreamedInputs::open(records.inputs, tools.cancel.within(tools.budget))?;
    let schemas = opened.schemas();
    let columns = rule_columns(&schemas);
    let rules = EntityRules::of_best(rules, &rule_inputs(&schemas, &columns), tools.budget)?;
    let plan = EntityPlan::new(&rules, &schemas, true)?;
    EntityTable { records, kind: TableKind::Best, plan }.write(opened, tools, sink)
}

/// A table with a row for each cluster.
struct EntityTable<'a> {
    records: ClusteredRecords<'a>,
    kind: TableKind,
    plan: EntityPlan,
}

/// What a row is.
#[derive(Clone, Copy)]
enum TableKind {
    /// What the rules take.
    Entities { provenance: bool },
    /// One of the records.
    Best,
}

/// What was made of a partition.
struct MadeRows {
    batch: RecordBatch,
    filled: Vec<u64>,
    disagreeing: Vec<u64>,
}

/// The rows that were made of partitions, after what is known of their columns was added.
fn counted(made: Vec<Result<MadeRows>>, counts: &mut TableCounts) -> Result<Vec<RecordBatch>> {
    let mut batches = Vec::with_capacity(made.len());
    for made in made {
        let MadeRows { batch, filled, disagreeing } = made?;
        for (column, (filled, others)) in counts.columns.iter_mut().zip(filled.iter().zip(&disagreeing)) {
            column.filled += filled;
            column.disagreeing += others;
        }
        batches.push(batch);
    }
    Ok(batches)
}

impl EntityTable<'_> {
    fn write(
        &self,
        opened: StreamedInputs<'_>,
        tools: TableTools<'_>,
        sink: &mut dyn TableSink,
    ) -> Result<TableCounts> {
        let schema = self.schema();
        check_names(&schema)?;
        opened.check_columns(&self.plan.read)?;
        // Before any work: some want to know the columns alone.
        let mut chunks = TableChunks::begin(sink, schema.clone())?;
        let _numbers = tools.budget.hold(ClusterNumbers::bytes_of(self.records.roots.len()))?;
        let clusters = ClusterNumbers::of_roots(self.records.roots);
        let weights = if self.plan.needs_weights() { (self.records.weights)()? } else { Vec::new() };
        let rows = |batch: &_| self.plan.rows(batch, tools.cancel.within(tools.budget));
        let (read, spill) = (&self.plan.read, tools.spill_folder);
        let work = DividedRows { schema: &self.plan.schema, read, rows: &rows, clusters: &clusters };
        let partitions = divided_rows(opened, &work, tools.budget, spill, tools.progress)?;
        let mut counts = TableCounts { rows: 0, columns: self.column_records() };
        let all: Vec<usize> = (0..partitions.count()).collect();
        let make = |partition: &usize| self.made(&schema, &partitions, *partition, &clusters, &weights, tools);
        let mut add = |made: Vec<Result<MadeRows>>| chunks.add(counted(made, &mut counts)?);
        // Some partitions are made while the rows of those before them are handed on.
        let (mut waves, mut ready) = (all.chunks(rayon::current_num_threads()), Vec::new());
        loop {
            let wave = waves.next();
            let make_wave = || wave.map(|some| some.par_iter().map(make).collect());
            let (made, added) = rayon::join(make_wave, || add(std::mem::take(&mut ready)));
            added?;
            match made {
                Some(made) => ready = made,
                None => break,
            }
        }
        counts.rows = chunks.finish()?;
        Ok(counts)
    }

    fn column_records(&self) -> Vec<EntityColumnRecord> {
        let record = |(column, take): (&String, _)| EntityColumnRecord {
            column: column.clone(),
            take,
            filled: 0,
            disagreeing: 0,
        };
        self.plan.outputs.iter().map(|output| record((&output.name, output.take))).collect()
    }

    fn schema(&self) -> SchemaRef {
        let mut fields = vec![self.records.name_field(ENTITY_ID, false)];
        match self.kind {
            TableKind::Entities { .. } => fields.push(Field::new(ENTITY_SIZE, DataType::UInt32, false)),
            TableKind::Best if self.records.ids.has_sources() => {
                fields.push(Field::new("source_dataset", DataType::Utf8, false));
            }
            TableKind::Best => {}
        }
        let outputs = &self.plan.outputs;
        fields.extend(outputs.iter().map(|output| Field::new(&output.name, output.data_type.clone(), true)));
        if let TableKind::Entities { provenance: true } = self.kind {
            for output in outputs {
                fields.push(self.records.name_field(&format!("{}{FROM}", output.name), true));
                fields.push(Field::new(format!("{}{OTHERS}", output.name), DataType::UInt32, false));
            }
        }
        Arc::new(Schema::new(fields.into_iter().collect::<Fields>()))
    }

    /// The rows of the clusters of a partition.
    fn made(
        &self,
        schema: &SchemaRef,
        partitions: &Partitions,
        partition: usize,
        clusters: &ClusterNumbers,
        weights: &[i64],
        tools: TableTools<'_>,
    ) -> Result<MadeRows> {
        let (rows, _held) = partitions.rows(partition, tools.cancel.within(tools.budget))?;
        let range = partitions.clusters(partition);
        let Some((numbers, columns)) = rows.columns().split_last() else { return Err(no_rows()) };
        let numbers = numbers.as_primitive::<UInt32Type>().values();
        let of_rows: Vec<u32> =
            numbers.iter().map(|row| clusters.of_records(*row as usize..*row as usize + 1)[0]).collect();
        let groups = ClusterRows::new(&of_rows, range.start as u32, clusters.sizes(range.clone()));
        let _scratch = tools.budget.hold(scratch_bytes(&groups))?;
        let work = PartitionWork { columns, numbers, groups: &groups, weights, borders: &self.records.borders() };
        let firsts = clusters.firsts(range.clone());
        let mut all: Vec<ArrayRef> = vec![self.records.names(firsts)?];
        let (filled, disagreeing) = match self.kind {
            TableKind::Best => {
                self.add_best(&work, &mut all)?;
                Default::default()
            }
            TableKind::Entities { provenance } => {
                all.push(Arc::new(UInt32Array::from(clusters.sizes(range).to_vec())));
                self.add_survivors(&work, provenance, &mut all)?
            }
        };
        let options = RecordBatchOptions::new().with_row_count(Some(groups.len()));
        let batch = RecordBatch::try_new_with_options(schema.clone(), all, &options).map_err(|error| broken(&error))?;
        Ok(MadeRows { batch, filled, disagreeing })
    }

    /// Adds what each entry takes; gives for each column how many entities have a value, and how many have others besides.
    fn add_survivors(
        &self,
        work: &PartitionWork<'_>,
        provenance: bool,
        all: &mut Vec<ArrayRef>,
    ) -> Result<(Vec<u64>, Vec<u64>)> {
        let mut taken = Vec::with_capacity(self.plan.entries.len());
        for (entry, ranks) in self.plan.entries.iter().zip(&self.plan.ranks) {
            taken.push(work.with(ranks, |survivors| survivors.of_entry(entry))?);
        }
        let (mut filled, mut disagreeing, mut origins) = (Vec::new(), Vec::new(), Vec::new());
        for output in &self.plan.outputs {
            let column = &taken[output.entry.0][output.entry.1];
            all.push(column.values.clone());
            let nulls = column.values.logical_nulls().map_or(0, |nulls| nulls.null_count());
            filled.push((column.values.len() - nulls) as u64);
            disagreeing.push(column.disagreed.iter().filter(|others| **others > 0).count() as u64);
            if provenance {
                let record = |row: &Option<u32>| row.map(|row| work.numbers[row as usize]);
                let records = match &column.rows {
                    Some(rows) => rows.iter().map(record).collect(),
                    None => vec![None; work.groups.len()],
                };
                origins.push(self.records.names_of_some(&records)?);
                origins.push(Arc::new(UInt32Array::from(column.disagreed.clone())) as ArrayRef);
            }
        }
        all.extend(origins);
        Ok((filled, disagreeing))
    }

    /// Adds the columns of the best record of each cluster: the first one where no record counts.
    fn add_best(&self, work: &PartitionWork<'_>, all: &mut Vec<ArrayRef>) -> Result<()> {
        let (Some(entry), Some(ranks)) = (self.plan.entries.first(), self.plan.ranks.first()) else {
            return Err(no_rows());
        };
        let chosen = work.with(ranks, |survivors| survivors.chosen(entry))?;
        let best = chosen.iter().zip(work.groups.each()).map(|(chosen, rows)| chosen.unwrap_or(rows[0]));
        let best = UInt32Array::from_iter_values(best);
        if self.records.ids.has_sources() {
            let numbers: Vec<u32> = best.values().iter().map(|row| work.numbers[*row as usize]).collect();
            all.push(self.records.sources(&numbers)?);
        }
        for column in &entry.columns {
            all.push(take(&work.columns[*column], &best, None).map_err(|error| broken(&error))?);
        }
        Ok(())
    }
}

fn no_rows() -> super::Error {
    super::Error::internal("rows of entities have no columns")
}

/// The rows of a partition, and what is known of them.
struct PartitionWork<'a> {
    columns: &'a [ArrayRef],
    /// The number of each row among all records.
    numbers: &'a [u32],
    groups: &'a ClusterRows,
    weights: &'a [i64],
    /// The first record of each input after the first.
    borders: &'a [u32],
}

impl PartitionWork<'_> {
    fn with<T>(&self, ranks: &[u32], work: impl FnOnce(&Survivors<'_>) -> T) -> T {
        let rank = |row: u32| ranks[self.borders.partition_point(|border| *border <= self.numbers[row as usize])];
        let weight = |row: u32| self.weights[self.numbers[row as usize] as usize];
        let columns = EntryColumns { columns: self.columns, rows: self.numbers.len(), ranks: &rank, weights: &weight };
        work(&Survivors::new(self.groups, &columns))
    }
}
