//! How the rules of a job have clusters made, where connected components of all pairs are not enough.

use super::bound_job::BoundJob;
use super::cluster_record::{ClusterFacts, ThresholdClusters};
use super::read_decisions::decided_records;
use super::run_plan::PlannedJob;
use crate::cluster::{AskedClusters, ClusterRules, EdgeKind, rules_of_spec};
use crate::error::{Error, Result};
use crate::model::MatchWeight;
use crate::observer::Progress;
use crate::output::ClusterIdColumn;
use crate::rules::{Rule, RuleSet};
use crate::scoring::Scores;

/// The column of clusters.
const COLUMN: &str = "cluster_id";

/// What the rules of a job say of clusters.
pub(super) struct JobClusters {
    rules: ClusterRules,
    /// Several thresholds, each with clusters of its own, or none.
    thresholds: Vec<f64>,
    /// Pairs of records that are decided to be different.
    apart: Vec<[u32; 2]>,
}

impl JobClusters {
    /// What they say, checked against the inputs; nothing where connected components are asked for, and no decision keeps records
    /// apart.
    pub fn of_job(bound: &BoundJob) -> Result<Option<Self>> {
        let spec = bound.job.rules.cluster_spec();
        let apart = bound.decided.as_ref().map(|decided| decided_records(decided, false, &bound.dataset));
        let apart = apart.unwrap_or_default();
        if spec.is_default() && apart.is_empty() {
            return Ok(None);
        }
        let sources: Vec<String> = bound.dataset.inputs().iter().map(|input| input.name.clone()).collect();
        let rules = rules_of_spec(spec, &sources)?;
        if !spec.thresholds.is_empty() && bound.scores.is_none() {
            let message = "`[clusters]`, `threshold`: the pairs of this job have no scores";
            return Err(Error::rules(message).with_help("compare records, by `[[compare]]`, or leave it out"));
        }
        if spec.has_several_thresholds() && !apart.is_empty() {
            let message =
                "`[clusters]`, `threshold`: several of them give components alone, and decisions keep records apart";
            return Err(Error::rules(message).with_help("give one threshold, or leave out the judgements"));
        }
        let thresholds = if spec.has_several_thresholds() { spec.thresholds.clone() } else { Vec::new() };
        Ok(Some(Self { rules, thresholds, apart }))
    }

    /// The clustering of the pairs of a job.
    pub fn clustering<'a>(&'a self, job: PlannedJob<'a>, progress: Progress<'a>) -> AskedClusters<'a> {
        let (bound, set) = (job.bound, job.bound.rules.set());
        // Thresholds of a job with a model are probabilities, as `threshold` of `[score]` is.
        let weight: fn(f64) -> f64 = match &bound.scores {
            Scores::Model(_) => MatchWeight::probability_of_bits,
            Scores::None | Scores::Weighted(_) | Scores::Given(_) => std::convert::identity,
        };
        AskedClusters {
            rules: &self.rules,
            thresholds: &self.thresholds,
            limits: &set.limits,
            kinds: edge_kinds(set),
            apart: self.apart.clone(),
            weight,
            program: &bound.program,
            layout: bound.dataset.layout(),
            most_pairs: bound.job.max_candidates,
            memory: job.machine.memory.join,
            cancel: progress.cancel(),
        }
    }

    /// Whether pairs may lie between clusters.
    pub fn cuts(&self) -> bool {
        self.thresholds.is_empty()
    }

    /// Whether pairs below a threshold are not looked at.
    pub fn has_threshold(&self) -> bool {
        self.rules.threshold.is_some()
    }

    /// The clusters at each threshold after the first as columns, and what there is at each, where there are several. `first` is
    /// what there is at the first.
    pub fn at_thresholds(
        &self,
        first: &ClusterFacts,
        at_more: Vec<Vec<u32>>,
    ) -> (Vec<ClusterIdColumn>, Vec<ThresholdClusters>) {
        let Some((threshold, others)) = self.thresholds.split_first() else { return Default::default() };
        let mut counted = vec![ThresholdClusters::new(*threshold, COLUMN, first)];
        let column = |(threshold, roots): (&f64, Vec<u32>)| {
            let name = format!("{COLUMN}_{threshold}");
            counted.push(ThresholdClusters::new(*threshold, &name, &ClusterFacts::count(&roots)));
            ClusterIdColumn { name, roots }
        };
        let columns = others.iter().zip(at_more).map(column).collect();
        (columns, counted)
    }
}

/// What the pairs of each rule are as edges. Decided pairs come after those of all rules that are written.
pub(super) fn edge_kinds(rules: &RuleSet) -> Vec<EdgeKind> {
    let kind = |rule: &Rule| if rule.is_certain { EdgeKind::Certain } else { EdgeKind::Scored };
    let written = rules.rules[..rules.written_rules()].iter();
    written.map(kind).chain([EdgeKind::DecidedTogether]).collect()
}
