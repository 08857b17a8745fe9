//! What a job found: pairs, clusters, and how it came to them.

use std::time::SystemTime;

use arrow_array::ArrayRef;
use arrow_schema::Field;
use sameas_entities::tables::EntityRecord;

use super::bound_job::BoundJob;
use super::cluster_record::{ClusterFacts, LargestCluster, ThresholdClusters};
use super::cut_pairs::{CutColumns, CutPairs, CutTable};
use super::explain::Explanation;
use super::job_record::{JobRecord, named_files};
use super::near::{NearFound, NearRecord};
use super::record::{NeverRecord, RuleRecord, RunRecord};
use super::run_plan::{PlannedJob, RunPlan};
use crate::error::Result;
use crate::execute::Machine;
use crate::job::{Job, Resumption};
use crate::judgements::DecidedRecord;
use crate::memory;
use crate::output::{ClusterIdColumn, ClusterTable, ExtraColumns, FileRecord, PairTable, SortedPairs};
use crate::pairs::ResultPairs;
use crate::plan::BranchRecord;
use crate::records::RowIds;
use crate::rules::{Rule, RuleSet};
use crate::scoring::{ScoreColumns, ScoreRecord};
use crate::timeline::Timeline;
use crate::verify::Tally;

/// The results of a job, found and not yet written.
pub struct JobResults {
    /// The job, its records and its rules.
    pub(super) bound: BoundJob,
    /// How it was planned.
    pub(super) plan: RunPlan,
    /// What it ran on.
    pub(super) machine: Machine,
    /// What has ended, writing included.
    pub(super) timeline: Timeline,
    pub(super) pairs: SortedPairs,
    pub(super) roots: Vec<u32>,
    pub(super) clusters: ClusterFacts,
    pub(super) largest_cluster: Option<LargestCluster>,
    /// The clusters at each threshold after the first, where there are several.
    pub(super) more_clusters: Vec<ClusterIdColumn>,
    /// What there is at each threshold, where there are several.
    pub(super) clusters_at: Vec<ThresholdClusters>,
    /// The pairs between clusters, where the rules say how clusters are made.
    pub(super) cut: Option<CutPairs>,
    /// What came of decisions, where there are some.
    pub(super) decided: Option<DecidedRecord>,
    pub(super) tally: Tally,
    pub(super) branches: Vec<BranchRecord>,
    /// Seconds that each table took.
    pub(super) made: Vec<f64>,
    pub(super) started: SystemTime,
    /// The ids of left and right rows of pairs.
    pub(super) pair_ids: [RowIds; 2],
    /// The ids of all records.
    pub(super) all_ids: RowIds,
    pub(super) rule_names: Vec<String>,
    /// What the pairs are called by: the rules that are written, on which alone their bytes depend, and decisions, if there are some.
    pub(super) pair_rules: Vec<String>,
    /// The files of results that were written.
    pub(super) files: Vec<FileRecord>,
    /// What is known of entities, once they were made.
    pub(super) entities: Option<EntityRecord>,
    pub(super) resumption: Option<Resumption>,
    pub(super) near: Option<NearFound>,
    /// What was scored, if anything was.
    pub(super) scores: Option<ScoreRecord>,
    /// The condition that is loosened in each near rule, after nothing for each rule.
    pub(super) near_names: Vec<String>,
}

impl JobResults {
    /// The pairs as a table.
    pub fn pair_table(&self) -> PairTable<'_> {
        let [left, right] = &self.pair_ids;
        let more = (!self.score_columns().is_empty()).then_some(self as &dyn ExtraColumns);
        PairTable { pairs: &self.pairs, left, right, rules: &self.pair_rules, loosened: None, more }
    }

    /// What makes the columns of pairs.
    pub(super) fn score_columns(&self) -> ScoreColumns<'_> {
        let BoundJob { rules, program, scores, .. } = &self.bound;
        ScoreColumns { rules: rules.set(), program, scores }
    }

    /// The job again, over what it has read and nothing else.
    pub fn job_again(&self) -> Job {
        let BoundJob { job, inputs, .. } = &self.bound;
        let inputs = job.inputs.iter().zip(inputs);
        let inputs = inputs.map(|(input, read)| input.clone().expecting(Some(read.content()))).collect();
        Job { inputs, named_files: named_files(&self.bound), ..job.clone() }
    }

    /// The near pairs as a table, if they were looked for.
    pub fn near_table(&self) -> Option<PairTable<'_>> {
        let pairs = &self.near.as_ref()?.pairs;
        Some(PairTable { pairs, rules: &self.rule_names, loosened: Some(&self.near_names), ..self.pair_table() })
    }

    /// The pairs between clusters as a table, where the rules say how clusters are made.
    pub fn cut_table(&self) -> Option<CutTable<'_>> {
        let cut = self.cut.as_ref()?;
        let pairs = PairTable { pairs: &cut.pairs, ..self.pair_table() };
        Some(CutTable::new(pairs, self.cut_columns(cut)))
    }

    /// What makes the columns of pairs between clusters.
    pub(super) fn cut_columns<'a>(&'a self, cut: &'a CutPairs) -> CutColumns<'a> {
        let set = self.bound.rules.set();
        CutColumns {
            cut,
            scores: self.score_columns(),
            sources: self.bound.dataset.inputs().iter().map(|input| input.name.as_str()).collect(),
            ids: &self.all_ids,
            right_offset: self.bound.right_offset(),
            limits: self.bound.job.rules.cluster_spec().limits.iter().zip(set.limits.iter().copied()).collect(),
        }
    }

    pub(super) fn near_record(&self) -> Option<NearRecord> {
        let (near, BoundJob { rules, job, .. }) = (self.near.as_ref()?, &self.bound);
        job.near.map(|amount| NearRecord::new(amount, rules.set(), near.branches.clone(), Some(near)))
    }

    /// What was done, and what came of it.
    pub(super) fn explanation(&self) -> Explanation {
        let planned = PlannedJob { bound: &self.bound, plan: &self.plan, machine: &self.machine };
        Explanation::new(planned, self.branches.clone(), &self.made, &self.timeline)
    }

    /// Its job with the threshold that was found from the pairs, where the job asks for a precision.
    pub fn resolved(&self, job: Job) -> Job {
        match &self.scores {
            Some(scores) => scores.resolved(job),
            None => job,
        }
    }

    /// The clusters as a table.
    pub fn cluster_table(&self) -> ClusterTable<'_> {
        ClusterTable { rows: &self.all_ids, roots: &self.roots, more: &self.more_clusters }
    }

    /// Everything about the run up to now.
    pub fn record(&self) -> RunRecord {
        let (bound, set) = (&self.bound, self.bound.rules.set());
        let never = |(never, removed): (&Rule, &u64)| NeverRecord {
            name: never.name.clone(),
            when: never.text.clone(),
            removed: *removed,
        };
        let explanation = self.explanation();
        RunRecord {
            version: crate::VERSION.into(),
            job: JobRecord::new(bound, self.started),
            device: self.machine.device.kind,
            no_gpu: self.machine.device.no_gpu.clone(),
            threads: self.machine.settings.threads,
            link_type: set.link_type,
            inputs: explanation.inputs,
            lists: set.lists.iter().map(|list| FileRecord::of_list(list)).collect(),
            term_frequencies: explanation.term_frequencies,
            unreadable_values: bound.findings.unreadable.clone(),
            doubts: bound.findings.doubts.clone(),
            rules: rule_records(set, &self.tally),
            never: set.nevers.iter().zip(&self.tally.forbidden).map(never).collect(),
            strategy: explanation.strategy,
            resumption: self.resumption.clone(),
            simplifications: explanation.simplifications,
            tables: explanation.tables,
            plan: explanation.plan,
            operators: self.timeline.operators().to_vec(),
            nominal_pairs: explanation.nominal_pairs,
            candidates: self.tally.candidates,
            pairs: self.pairs.len(),
            decided: self.decided.clone(),
            files: self.files.clone(),
            clusters: self.clusters.clusters,
            clusters_of_two_or_more: self.clusters.of_two_or_more,
            cluster_sizes: self.clusters.sizes.clone(),
            largest_cluster: self.largest_cluster.clone(),
            clusters_at: self.clusters_at.clone(),
            cut: self.cut.as_ref().map(CutPairs::record),
            entities: self.entities.clone(),
            seconds: self.timeline.begun().elapsed().as_secs_f64(),
            peak_memory: memory::peak().map(|bytes| bytes as u64),
            near: self.near_record(),
            scores: self.scores.clone(),
            statistics: bound.column_facts.clone(),
        }
    }
}

/// What its pairs are written with: a table of them lends it.
impl ExtraColumns for JobResults {
    fn fields(&self) -> Vec<Field> {
        self.score_columns().fields()
    }

    fn columns(&self, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        self.score_columns().columns(pairs)
    }
}

/// What each rule has given.
pub(super) fn rule_records(rules: &RuleSet, tally: &Tally) -> Vec<RuleRecord> {
    let mut cumulative = 0;
    let record = |(index, rule): (usize, &Rule)| {
        cumulative += tally.owned[index];
        RuleRecord {
            name: rule.name.clone(),
            named: rule.named,
            when: rule.text.clone(),
            alone: tally.alone[index],
            marginal: tally.owned[index],
            cumulative,
        }
    };
    rules.rules[..rules.written_rules()].iter().enumerate().map(record).collect()
}
