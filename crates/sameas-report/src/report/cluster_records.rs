//! The records of one cluster of a run, to be looked at side by side.

use sameas_entities::tables::{InspectedClusters, ShownColumn, ShownValue};
use serde::Serialize;

use super::cut_reader::each_cut;
use super::entity_examples::makes_entities;
use super::making::unreadable_input;
use super::members::ClusterMembers;
use super::options::WithoutValues;
use super::pair_reader::{PairReader, ReportedPair};
use super::pair_weights::PairWeights;
use super::results::RunResults;
use crate::engine::{AskedRecords, CutReason, InspectedRun, RunRecord, ShownRecords};
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::observer::{Progress, Stage};
use crate::settings::Settings;

/// The records of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClusterRecords {
    /// Its `cluster_id`.
    pub cluster_id: String,
    /// The number of its records, of which these may be the first.
    pub size: u64,
    /// The columns of the records.
    pub columns: Vec<ClusterColumn>,
    /// The records, in the order of the inputs.
    pub records: Vec<ClusterMember>,
    /// What all its records become together, by column, if the rules say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entity: Vec<ClusterEntityColumn>,
    /// The pairs among them.
    pub pairs: Vec<ClusterPair>,
    /// Their pairs with records of other clusters, which were cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<ClusterCut>,
    /// Why there are no values, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_values: Option<WithoutValues>,
}

/// A column of the records of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClusterColumn {
    /// Its name.
    pub name: String,
    /// Whether it is computed, by `derive`.
    pub is_derived: bool,
}

/// A record of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClusterMember {
    /// Its id.
    pub id: String,
    /// The name of its input.
    pub input: String,
    /// Its values by column; nothing where one is missing.
    pub values: Vec<Option<String>>,
}

/// A column of what the records of a cluster become.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClusterEntityColumn {
    /// Its name.
    pub column: String,
    /// How its value is taken.
    pub take: &'static str,
    /// The value; nothing where no record has one.
    pub value: Option<String>,
    /// The record that it was taken from, as clusters call it; nothing where it is made of several.
    pub record: Option<String>,
    /// Different values of the other records.
    pub others: u64,
}

/// A pair inside a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClusterPair {
    /// The places of the two records.
    pub records: [usize; 2],
    /// The rule that owns it.
    pub rule: String,
    /// Its score, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// A pair of a record of a cluster with one of another, which was cut.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClusterCut {
    /// The place of the record.
    pub record: usize,
    /// The id of the other record, with its input's name where there are several.
    pub other: String,
    /// The `cluster_id` of the other.
    pub cluster_id: String,
    /// The rule that owns the pair.
    pub rule: String,
    /// Its score, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What has cut it.
    #[serde(flatten)]
    pub reason: CutReason,
}

/// What such a pair takes, about.
const CUT_BYTES: usize = 300;

/// The run that has a cluster.
pub struct ClusterRequest<'a> {
    /// The record of the run.
    pub run: &'a RunRecord,
    /// Its results.
    pub results: &'a dyn RunResults,
    /// The job, if it is known.
    pub job: Option<&'a Job>,
    /// Its records, if the run has kept them.
    pub at_hand: Option<&'a AskedRecords>,
}

/// The first records of a cluster, at most `most`: of the one with this id, or the one that the record with this id is in.
pub fn cluster_records(
    ClusterRequest { run, results, job, at_hand }: ClusterRequest<'_>,
    id: &str,
    most: usize,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<ClusterRecords> {
    progress.begin(&Stage::Reporting, None);
    let budget = MemoryBudget::share(settings.memory, RESULTS_SHARE);
    let members = ClusterMembers::read(results, run, &budget, progress.cancel())?;
    let root = root_of(&members, run, id)?;
    let all = (root..members.len() as u32).filter(|record| members.roots[*record as usize] == root);
    let all: Vec<u32> = all.collect();
    let records = all[..all.len().min(most)].to_vec();
    let mut reader = PairReader::new(&members, run, &budget);
    let roots = vec![root; all.len()];
    let mut weights = PairWeights::new(&all, &roots, run.scores.is_some());
    let pairs = pairs_of(results, &mut reader, &records, &mut weights, progress)?;
    let some = SomeOfCluster { records: &records, members: &members, budget: &budget };
    let cut = some.cut(results, &mut reader, progress)?;
    let at_hand = at_hand.filter(|records| records.dataset.has_tables());
    let why = if at_hand.is_some() { None } else { unreadable_input(job, run) };
    let opened = match (job, &why) {
        (Some(job), None) => {
            let inspected = InspectedRun { job, at_hand, run, secret: None, memory: settings.memory };
            Some(ShownRecords::open(inspected, &records, progress)?)
        }
        _ => None,
    };
    let entity = match &opened {
        Some((_, asked)) if makes_entities(run, asked) && unreadable_input(job, run).is_none() => {
            let clusters = InspectedClusters { records: &all, roots: &roots, weights: &weights.weights };
            asked.entities(clusters, &budget, progress)?
        }
        _ => Vec::new(),
    };
    let shown = opened.map(|(shown, _)| shown);
    let columns = shown.as_ref().map(|records| &records.columns[..]).unwrap_or_default();
    let member = |(place, record): (usize, &u32)| ClusterMember {
        id: members.id(*record).to_owned(),
        input: run.inputs[members.input_of(*record)].name.clone(),
        values: shown.iter().flat_map(|records| columns.iter().map(move |of| records.value(place, of))).collect(),
    };
    Ok(ClusterRecords {
        cluster_id: members.cluster_id(root),
        size: u64::from(members.sizes[root as usize]),
        records: records.iter().enumerate().map(member).collect(),
        columns: columns.iter().map(|of| ClusterColumn { name: of.name.clone(), is_derived: of.is_derived }).collect(),
        entity: entity.iter().filter_map(|column| entity_column(column, &members)).collect(),
        pairs,
        cut,
        without_values: why,
    })
}

/// What one cluster has in a column.
fn entity_column(of: &ShownColumn, members: &ClusterMembers) -> Option<ClusterEntityColumn> {
    let ShownValue { text, record, others } = of.values.first()?;
    Some(ClusterEntityColumn {
        column: of.name.clone(),
        take: of.take.name(),
        value: text.clone(),
        record: record.map(|record| members.cluster_id(record)),
        others: u64::from(*others),
    })
}

/// The first record of the cluster that an id means.
fn root_of(members: &ClusterMembers, run: &RunRecord, id: &str) -> Result<u32> {
    let mut scratch = Vec::new();
    let inputs = run.inputs.iter().enumerate();
    let named = inputs.filter_map(|(at, input)| {
        let id = id.strip_prefix(input.name.as_str())?.strip_prefix(':')?;
        members.find(at, id, &mut scratch)
    });
    let mut found: Vec<u32> = named.collect();
    if found.is_empty() {
        found = (0..run.inputs.len()).filter_map(|input| members.find(input, id, &mut scratch)).collect();
    }
    let mut roots: Vec<u32> = found.iter().map(|record| members.roots[*record as usize]).collect();
    roots.dedup();
    match roots[..] {
        [root] => Ok(root),
        [] => Err(Error::usage(format!("there is no cluster and no record with id `{id}`"))
            .with_help("ids are compared as text; the clusters are in the file `clusters` of the results")
            .with_code(ErrorCode::NoSuchId)),
        _ => Err(Error::usage(format!("several inputs have a record with id `{id}`"))
            .with_help(format!("say which is meant: `{}:{id}`, for example", run.inputs[0].name))),
    }
}

/// The pairs of these records; weighs all pairs.
fn pairs_of(
    results: &dyn RunResults,
    reader: &mut PairReader<'_>,
    records: &[u32],
    weights: &mut PairWeights<'_>,
    progress: Progress<'_>,
) -> Result<Vec<ClusterPair>> {
    let mut pairs = Vec::new();
    for batch in results.pairs()? {
        progress.cancel().check();
        for pair in reader.read(&batch?)? {
            weights.add(&pair);
            let places = [pair.left, pair.right].map(|record| records.binary_search(&record));
            if let [Ok(left), Ok(right)] = places {
                let rule = reader.rules.text(pair.rule).to_owned();
                pairs.push(ClusterPair {
                    records: [left, right],
                    rule,
                    score: Some(pair.score).filter(|s| !s.is_nan()),
                });
            }
        }
    }
    Ok(pairs)
}

/// Some records of a cluster, ascending, and those of all.
#[derive(Clone, Copy)]
struct SomeOfCluster<'a> {
    records: &'a [u32],
    members: &'a ClusterMembers,
    budget: &'a MemoryBudget,
}

impl SomeOfCluster<'_> {
    /// Their pairs with records of other clusters.
    fn cut(
        self,
        results: &dyn RunResults,
        reader: &mut PairReader<'_>,
        progress: Progress<'_>,
    ) -> Result<Vec<ClusterCut>> {
        let place = |record: u32| self.records.binary_search(&record).ok();
        let (mut found, mut held) = (Vec::new(), self.budget.hold(0)?);
        let is_wanted = |pair: [u32; 2]| pair.iter().any(|record| place(*record).is_some());
        each_cut(results, reader, progress.cancel(), is_wanted, |pair, reason| {
            found.push((pair, reason));
            held.reach(found.len() * CUT_BYTES)
        })?;
        let cut = |(pair, reason): (ReportedPair, CutReason)| {
            let (record, other) = match place(pair.left) {
                Some(record) => (record, pair.right),
                None => (place(pair.right)?, pair.left),
            };
            let cluster_id = self.members.cluster_id(self.members.roots[other as usize]);
            let (other, rule) = (self.members.cluster_id(other), reader.rules.text(pair.rule).to_owned());
            let score = Some(pair.score).filter(|score| !score.is_nan());
            Some(ClusterCut { record, other, cluster_id, rule, score, reason })
        };
        Ok(found.into_iter().filter_map(cut).collect())
    }
}
