//! Clusters of a report whose records disagree, by the columns of their entities.

use std::cmp::Reverse;

use sameas_entities::tables::{InspectedClusters, ShownColumn, ShownValue};

use super::cluster_choice::ClusterEdges;
use super::data_facts::cut;
use super::mask::ColumnMasks;
use super::members::ClusterMembers;
use super::pair_weights::PairWeights;
use super::tables::VALUE_CHARACTERS;
use crate::engine::{AskedRecords, RunRecord};
use crate::error::Result;
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::observer::Progress;
use crate::rules::{EntryText, RuleFile};

/// What an example takes, about.
const EXAMPLE_BYTES: usize = 200;

/// A column of entities with clusters whose records disagree in it.
#[derive(Clone, Debug)]
pub struct ColumnExamples {
    /// Its name.
    pub name: String,
    /// Whether its values are masked.
    pub is_masked: bool,
    /// Those with the most other values first.
    pub examples: Vec<EntityExample>,
}

/// A cluster whose records disagree.
#[derive(Clone, Debug)]
pub struct EntityExample {
    /// Its first record.
    pub root: u32,
    /// The value of its entity, cut and masked.
    pub value: Option<String>,
    /// The record that this was taken from.
    pub record: Option<u32>,
    /// Different values of the other records.
    pub others: u64,
}

/// Whether a run makes entities.
pub fn makes_entities(run: &RunRecord, asked: &AskedRecords) -> bool {
    run.entities.is_some() || asked.job.rules.entity.is_given
}

/// Where examples are looked for.
pub struct ExampleRequest<'a> {
    /// The record of the run.
    pub run: &'a RunRecord,
    /// Its records, which can be read once more.
    pub asked: &'a AskedRecords,
    /// All records.
    pub members: &'a ClusterMembers,
    /// Those that go into the report, in this order.
    pub queue: &'a [u32],
    /// Whether the pairs of a cluster were read, by its first record.
    pub wanted: &'a [bool],
    /// These pairs.
    pub edges: &'a ClusterEdges,
    /// What is masked.
    pub masks: &'a ColumnMasks,
}

/// Examples among the clusters of a report, by column.
pub fn entity_examples(
    request: &ExampleRequest<'_>,
    memory: usize,
    progress: Progress<'_>,
) -> Result<Vec<ColumnExamples>> {
    let ExampleRequest { run, asked, edges, masks, .. } = *request;
    let budget = MemoryBudget::share(memory, RESULTS_SHARE);
    let some = ClustersOfReport::new(request);
    if some.records.is_empty() {
        return Ok(Vec::new());
    }
    let mut weights = PairWeights::new(&some.records, &some.roots, run.scores.is_some());
    some.firsts.iter().flat_map(|root| edges.in_cluster(*root)).for_each(|edge| weights.add(&edge.pair));
    let clusters = InspectedClusters { records: &some.records, roots: &some.roots, weights: &weights.weights };
    let columns = asked.entities(clusters, &budget, progress)?;
    let values: usize = columns.iter().map(|column| column.values.len()).sum();
    let _held = budget.hold(values * EXAMPLE_BYTES)?;
    Ok(columns.into_iter().map(|column| some.examples(column, masks, &asked.job.rules)).collect())
}

/// Clusters of two records or more that a report may have.
struct ClustersOfReport {
    /// Their first records, ascending.
    firsts: Vec<u32>,
    /// All their records, ascending.
    records: Vec<u32>,
    /// The first record of the cluster of each.
    roots: Vec<u32>,
}

impl ClustersOfReport {
    /// In the order in which records go into a report, as many as have about as many records as it, of those whose pairs were read.
    fn new(request: &ExampleRequest<'_>) -> Self {
        let ExampleRequest { members, queue, wanted, .. } = *request;
        let most = queue.len();
        let (mut is_taken, mut taken) = (vec![false; members.len()], 0_usize);
        for record in queue {
            let root = members.roots[*record as usize];
            let size = members.sizes[root as usize] as usize;
            let is_wanted = size > 1 && wanted[root as usize] && !is_taken[root as usize];
            if is_wanted && taken + size <= most {
                is_taken[root as usize] = true;
                taken += size;
            }
        }
        let all = 0..members.len() as u32;
        let root = |record: &u32| members.roots[*record as usize];
        let records: Vec<u32> = all.filter(|record| is_taken[root(record) as usize]).collect();
        let roots: Vec<u32> = records.iter().map(root).collect();
        let firsts = records.iter().filter(|record| root(record) == **record).copied().collect();
        Self { firsts, records, roots }
    }

    /// Those of a column whose records disagree.
    fn examples(&self, column: ShownColumn, masks: &ColumnMasks, rules: &RuleFile) -> ColumnExamples {
        let is_masked = masks.has(&column.name) || computes(rules, &column.name, |text| masks.is_read_by(text));
        let shown = |text: String| if is_masked { masks.mask(&text) } else { cut(text, VALUE_CHARACTERS) };
        let values = self.firsts.iter().zip(column.values).filter(|(_, value)| value.others > 0);
        let example = |(root, ShownValue { text, record, others }): (&u32, ShownValue)| EntityExample {
            root: *root,
            value: text.map(shown),
            record,
            others: u64::from(others),
        };
        let mut examples: Vec<EntityExample> = values.map(example).collect();
        examples.sort_by_key(|example| (Reverse(example.others), example.root));
        ColumnExamples { name: column.name, is_masked, examples }
    }
}

/// Whether a column of entities is computed by such an expression.
fn computes(rules: &RuleFile, column: &str, is_such: impl Fn(&str) -> bool) -> bool {
    let named = rules.entity.entries.iter().filter(|entry| entry.name.to_lowercase() == column.to_lowercase());
    let values = named.flat_map(|entry: &EntryText| entry.value.iter().flat_map(|value| value.expressions()));
    values.into_iter().any(|expression| is_such(&expression.text))
}
