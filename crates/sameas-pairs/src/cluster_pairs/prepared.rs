//! Pairs that were read once, with what clusters of them refer to: clusters can be made of them in any number of ways.

use rayon::prelude::*;
use sameas_clusters::{ClusterConflict, Clusters, Edge, EdgeKind, Edges, RowFacts, cluster, cluster_with_cut_edges};

use super::conflict::contradiction;
use super::cut::CutWords;
use super::decided::Decisions;
use super::gathered::{ApartPair, GatheredRows, GatheredTables, RowValues};
use super::job::ClusterPairsJob;
use super::pair_rows::PairRows;
use super::read::ReadingTools;
use super::rows::RecordRows;
use crate::cancel::{Cancel, or_end};
use crate::cluster::{ClusterRules, rules_of_spec};
use crate::error::{Error, Result};
use crate::judgements::JudgementKind;
use crate::memory::{Held, INPUTS_SHARE, MemoryBudget, RESULTS_SHARE};
use crate::observer::{Progress, Stage};
use crate::rules::{ClusterSpec, MethodSpec};

/// Bytes of an edge, at least.
const BYTES_OF_EDGE: usize = 16;

/// Pairs and their records as rows, with all that clusterings of them refer to.
pub struct PreparedPairs {
    pub(super) rows: RecordRows,
    pub(super) pairs: PairRows,
    pub(super) limits: Vec<RowValues>,
    facts: RowFacts,
    /// Pairs that are decided to be the same.
    together: Vec<[u32; 2]>,
    /// Pairs that are decided to be different.
    apart: Vec<ApartPair>,
    decisions: Option<Decisions>,
    _held: Held,
}

impl PreparedPairs {
    /// Reads the tables of a job, in no more than `memory` bytes. How its clusters are made does not matter yet, but for what its
    /// limits count.
    pub fn read(job: &ClusterPairsJob, memory: usize, progress: Progress<'_>) -> Result<Self> {
        spec_of(job)?;
        let [reading, kept] = [INPUTS_SHARE, RESULTS_SHARE].map(|share| MemoryBudget::of_pairs(memory, share));
        progress.begin(&Stage::Reading, None);
        let tables = GatheredTables::read(job, ReadingTools { reading: &reading, kept: &kept, progress })?;
        progress.begin(&Stage::Sorting, None);
        let gathered = tables.number(job, progress.cancel().within(&kept))?;
        progress.memory_freed();
        Ok(Self::new(gathered))
    }

    /// Of tables whose records are rows.
    pub(super) fn new(gathered: GatheredRows) -> Self {
        let GatheredRows { rows, pairs, together, apart, forbidden, mut limits, decisions, held } = gathered;
        let facts = RowFacts {
            sources: rows.source_of.clone(),
            values: limits.iter_mut().map(|limit| std::mem::take(&mut limit.of_rows)).collect(),
            forbidden,
            apart: apart.iter().map(|pair| pair.rows).collect(),
        };
        Self { rows, pairs, limits, facts, together, apart, decisions, _held: held }
    }

    /// How many records there are.
    pub fn records(&self) -> u32 {
        self.rows.count()
    }

    /// The source of a record, where sources have names, and its id as text.
    pub fn record(&self, row: u32) -> (Option<&str>, String) {
        let source = self.rows.source_of.get(row as usize).map(|source| self.rows.sources[*source as usize].as_str());
        (source, self.rows.ids.text(row as usize))
    }

    /// The names of sources, ascending; none where records have no sources.
    pub fn sources(&self) -> &[String] {
        &self.rows.sources
    }

    /// The source of the left record of the first pair.
    pub fn left_source(&self) -> Option<&str> {
        self.record(self.pairs.first_left()?).0
    }

    /// What the column of the scores is called, if there is one.
    pub fn scored_by(&self) -> Option<&str> {
        self.pairs.scored_by.as_deref()
    }

    /// Whether pairs are decided to be different.
    pub fn has_pairs_apart(&self) -> bool {
        !self.apart.is_empty()
    }

    /// The pairs as they were read, in their order: repeated ones come again, decisions do not. None are left once they are
    /// [taken](Self::take_edges).
    pub fn par_pairs(&self) -> impl IndexedParallelIterator<Item = Edge> {
        self.pairs.par_edges()
    }

    /// Pairs and decisions as edges, and their memory. The pairs become these edges: both together would be twice as large.
    pub fn take_edges(&mut self, cancel: Cancel<'_>) -> (Edges, Held) {
        let decided = self.pairs.rule_names.len() as u32;
        let (mut edges, mut held) = (Edges::new(self.rows.count(), decided + 1), cancel.hold(0));
        let count = self.pairs.count() + self.together.len();
        cancel.check_room((BYTES_OF_EDGE * count).saturating_sub(self.pairs.bytes()));
        edges.reserve(count);
        self.pairs.move_into(&mut edges, &mut held, cancel);
        for pair in &self.together {
            edges.push(or_end(Edge::new(*pair, EdgeKind::DecidedTogether, None, decided)));
        }
        or_end(held.reach(edges.bytes()));
        cancel.check();
        (edges, held)
    }

    /// The clusters of these edges, made like this.
    pub fn clusters(&self, edges: Edges, spec: &ClusterSpec, cancel: Cancel<'_>) -> Result<Clusters> {
        check_scores(spec, self.scored_by().is_some())?;
        let rules = rules_of_spec(spec, &self.rows.sources)?;
        cluster(edges, &rules, &self.facts, cancel).map_err(|conflict| self.contradiction(&conflict, spec))
    }

    /// The clusters by the rules that were made of a spec, and the edges that were cut.
    pub(super) fn clusters_and_cut_edges(
        &self,
        edges: Edges,
        spec: &ClusterSpec,
        rules: &ClusterRules,
        cancel: Cancel<'_>,
    ) -> Result<(Clusters, Vec<Edge>)> {
        cluster_with_cut_edges(edges, rules, &self.facts, cancel)
            .map_err(|conflict| self.contradiction(&conflict, spec))
    }

    fn contradiction(&self, conflict: &ClusterConflict, spec: &ClusterSpec) -> Error {
        let words = CutWords { rows: &self.rows, spec, limits: &self.limits };
        contradiction(conflict, &words, |pair| self.place_of_decision(pair))
    }

    /// Where it was decided that two records are different.
    fn place_of_decision(&self, [a, b]: [u32; 2]) -> String {
        let found = self.apart.iter().find(|pair| pair.rows == [a, b] || pair.rows == [b, a]);
        let place = |pair: &ApartPair| self.decisions.as_ref().map(|all| all.place(JudgementKind::Different, pair.at));
        found.and_then(place).unwrap_or_default()
    }
}

/// How clusters are made, with what the job says beside it.
pub(super) fn spec_of(job: &ClusterPairsJob) -> Result<ClusterSpec> {
    let mut spec = job.spec.clone();
    if spec.keep_apart && job.keep_apart.is_none() {
        return Err(Error::usage("`keep_apart` needs the pairs that must not be together, and none are given")
            .with_help("of pairs alone it is not known what a `never` forbids: give a file of forbidden pairs"));
    }
    spec.keep_apart = job.keep_apart.is_some();
    if !spec.limits.is_empty() && job.records.is_empty() {
        return Err(Error::usage("a `[[limit]]` counts values of records, and only pairs are given")
            .with_help("give the records, too"));
    }
    if spec.has_several_thresholds() && job.decided.is_some() {
        return Err(Error::usage("several thresholds give components alone, and decisions may keep records apart")
            .with_help("give one threshold, or leave out the judgements"));
    }
    Ok(spec)
}

/// Refuses a threshold on scores that are not there: it would leave no pair.
pub(super) fn check_scores(spec: &ClusterSpec, has_scores: bool) -> Result<()> {
    let needs = match spec.method {
        _ if has_scores => None,
        _ if !spec.thresholds.is_empty() => Some("a threshold".to_owned()),
        MethodSpec::Average | MethodSpec::Complete => Some(format!("the method `{}`", spec.method.name())),
        _ => None,
    };
    match needs {
        Some(what) => Err(Error::usage(format!("{what} needs scores, and the pairs have none"))
            .with_help("name the column that has them, or leave it out")),
        None => Ok(()),
    }
}
