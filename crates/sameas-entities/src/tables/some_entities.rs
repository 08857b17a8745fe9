//! The entities of some clusters, to be looked at: their values as readers see them, and where these are from.

use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch, UInt32Array};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use rayon::prelude::*;

use super::clustered::TableTools;
use super::entities::entity_plan;
use super::entity_plan::{EntityPlan, OutputColumn};
use super::{Result, broken};
use crate::partitions::{ClusterNumbers, ClusterRows, bytes_of};
use crate::record_stream::{InputBatch, StreamedInput, StreamedInputs};
use crate::records::shown_values;
use crate::rules::{RuleFile, Take};
use crate::survivorship::{EntryColumns, Survivors};

/// Clusters of the records of some inputs.
#[derive(Clone, Copy, Debug)]
pub struct SomeClusters<'a> {
    /// The inputs, one after the other.
    pub inputs: &'a [StreamedInput<'a>],
    /// Which they are.
    pub clusters: InspectedClusters<'a>,
}

/// Clusters that are looked at.
#[derive(Clone, Copy, Debug)]
pub struct InspectedClusters<'a> {
    /// All records of these clusters by their numbers among those of all inputs, ascending.
    pub records: &'a [u32],
    /// The first record of the cluster of each.
    pub roots: &'a [u32],
    /// What the pairs of each with others of its cluster weigh.
    pub weights: &'a [i64],
}

/// A column of some entities.
#[derive(Clone, Debug)]
pub struct ShownColumn {
    /// Its name.
    pub name: String,
    /// How its values are taken.
    pub take: Take,
    /// The value of each cluster, in the order of their first records.
    pub values: Vec<ShownValue>,
}

/// The value of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// As readers see it; nothing where there is none.
    pub text: Option<String>,
    /// The record that it was taken from, if it was taken from one.
    pub record: Option<u32>,
    /// Different values of the other records.
    pub others: u32,
}

/// What becomes of some clusters. The inputs are read once more, and only the records of these clusters are held.
pub fn some_entities(of: SomeClusters<'_>, rules: &RuleFile, tools: TableTools<'_>) -> Result<Vec<ShownColumn>> {
    let opened = StreamedInputs::open(of.inputs, tools.cancel.within(tools.budget))?;
    let plan = entity_plan(rules, &opened.schemas(), tools.budget)?;
    let mut held = tools.budget.hold(0)?;
    let mut found = Vec::new();
    opened.read(&plan.read, tools.budget, tools.progress, &mut |batch| {
        if let Some(rows) = of.rows_of(&batch, &plan, tools)? {
            held.add(bytes_of(&rows))?;
            found.push(rows);
        }
        Ok(())
    })?;
    let rows = concat_batches(&plan.schema, &found).map_err(|error| broken(&error))?;
    of.survivors(&rows, &plan)
}

impl SomeClusters<'_> {
    /// The rows of those records of a batch that are wanted.
    fn rows_of(&self, of: &InputBatch, plan: &EntityPlan, tools: TableTools<'_>) -> Result<Option<RecordBatch>> {
        tools.cancel.check();
        let (first, end) = (of.first, of.first + of.batch.num_rows() as u32);
        let place = |record: u32| self.clusters.records.partition_point(|wanted| *wanted < record);
        let wanted = &self.clusters.records[place(first)..place(end)];
        if wanted.is_empty() {
            return Ok(None);
        }
        let mut is_wanted = vec![false; of.batch.num_rows()];
        wanted.iter().for_each(|record| is_wanted[(record - first) as usize] = true);
        let batch = filter_record_batch(&of.batch, &BooleanArray::from(is_wanted)).map_err(|error| broken(&error))?;
        let rows = plan.rows(&InputBatch { batch, ..*of }, tools.cancel.within(tools.budget))?;
        // The plan numbers them as if they followed each other.
        let (schema, mut columns, _) = rows.into_parts();
        columns.pop();
        columns.push(Arc::new(UInt32Array::from(wanted.to_vec())));
        RecordBatch::try_new(schema, columns).map(Some).map_err(|error| broken(&error))
    }

    /// What the rules take of the rows of all these records.
    fn survivors(&self, rows: &RecordBatch, plan: &EntityPlan) -> Result<Vec<ShownColumn>> {
        let place = |root: &u32| self.clusters.records.partition_point(|record| record < root) as u32;
        let clusters = ClusterNumbers::of_roots(&self.clusters.roots.iter().map(place).collect::<Vec<u32>>());
        let numbers = clusters.of_records(0..self.clusters.records.len());
        let groups = ClusterRows::new(numbers, 0, clusters.sizes(0..clusters.len()));
        let borders = self.borders();
        let weight = |row: u32| self.clusters.weights[row as usize];
        let mut taken = Vec::with_capacity(plan.entries.len());
        for (entry, ranks) in plan.entries.iter().zip(&plan.ranks) {
            let input = |row: u32| borders.partition_point(|border| *border <= self.clusters.records[row as usize]);
            let rank = |row: u32| ranks[input(row)];
            let columns =
                EntryColumns { columns: rows.columns(), rows: rows.num_rows(), ranks: &rank, weights: &weight };
            taken.push(Survivors::new(&groups, &columns).of_entry(entry)?);
        }
        let column = |output: &OutputColumn| {
            let of = &taken[output.entry.0][output.entry.1];
            let record =
                |at: usize| of.rows.as_ref().and_then(|rows| rows[at]).map(|row| self.clusters.records[row as usize]);
            let texts = shown_values(&of.values).into_iter().enumerate();
            let value = |(at, text)| ShownValue { text, record: record(at), others: of.disagreed[at] };
            ShownColumn { name: output.name.clone(), take: output.take, values: texts.map(value).collect() }
        };
        Ok(plan.outputs.par_iter().map(column).collect())
    }

    /// The first record of each input after the first.
    fn borders(&self) -> Vec<u32> {
        let mut end = 0;
        let inputs = self.inputs.iter().map(|input| input.rows as u32);
        let ends = inputs.map(|rows| {
            end += rows;
            end
        });
        ends.take(self.inputs.len().saturating_sub(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, StringArray};

    use super::*;
    use crate::cancel::Cancel;
    use crate::memory::MemoryBudget;
    use crate::records::{Input, SkippedRecords};

    fn input(name: &str, columns: [(&'static str, Vec<Option<&'static str>>); 2]) -> Input {
        let columns = columns.map(|(name, values)| (name, Arc::new(StringArray::from(values)) as ArrayRef));
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        Input::batches(name, batch.schema(), vec![batch]).unwrap()
    }

    #[test]
    fn some_clusters_have_the_values_that_they_have_among_all() {
        let crm = input(
            "crm",
            [("id", vec![Some("1"), Some("2"), Some("3")]), ("name", vec![Some("ann"), Some("bob"), Some("anna")])],
        );
        let web = input("web", [("id", vec![Some("1"), Some("2")]), ("name", vec![Some("anna"), None])]);
        let skipped = SkippedRecords::default();
        let streamed = |name, source, rows| StreamedInput { name, source, id: Some("id"), skipped: &skipped, rows };
        let inputs = [streamed("crm", &crm, 3), streamed("web", &web, 2)];
        // Two clusters: records 0, 2 and 3, and record 4 alone.
        let clusters = InspectedClusters { records: &[0, 2, 3, 4], roots: &[0, 0, 0, 4], weights: &[0, 3, 2, 0] };
        let some = SomeClusters { inputs: &inputs, clusters };
        let shown = |rules: &str| {
            let rules = RuleFile::parse(rules, "e.toml").unwrap();
            let budget = MemoryBudget::unlimited();
            let tools = TableTools { budget: &budget, spill_folder: None, cancel: Cancel::NEVER, progress: &|_| {} };
            let mut columns = some_entities(some, &rules, tools).unwrap();
            columns.pop().unwrap().values
        };
        let value = |text: Option<&str>, record, others| ShownValue { text: text.map(str::to_owned), record, others };
        assert_eq!(shown(""), [value(Some("anna"), Some(2), 1), value(None, None, 0)]);
        let web_first = "[entity]\nname = { take = \"priority\", sources = [\"web\"] }\n";
        assert_eq!(shown(web_first)[0], value(Some("anna"), Some(3), 1));
        assert_eq!(shown("[entity]\nname = \"strongest\"\n")[0], value(Some("anna"), Some(2), 1));
        assert_eq!(shown("[entity]\nname = \"union\"\n")[0], value(Some("[ann, anna]"), None, 0));
    }
}
