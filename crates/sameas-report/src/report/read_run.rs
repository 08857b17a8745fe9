//! The pairs of a run as its results have them, by the numbers of their records: for what connects two of these.

use std::collections::HashMap;

use sameas_clusters::EdgeKind;

use super::connection::{ConnectionRequest, connection};
use super::cut_reader::each_cut;
use super::members::ClusterMembers;
use super::pair_reader::{PairReader, ReportedPair};
use super::results::RunResults;
use crate::cancel::Cancel;
use crate::engine::{ConnectedRun, Connection, CutReason, DECIDED, RunPair, RunRecord, SomePairs, Why};
use crate::error::{Error, Result};
use crate::job::Job;
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::observer::{Progress, Stage};

/// What connects the two records of an answer in the results of a run of a job; nothing where they are a pair of one cluster.
pub fn connection_in_results(
    results: &dyn RunResults,
    run: &RunRecord,
    job: &Job,
    answer: &Why,
    memory: usize,
    progress: Progress<'_>,
) -> Result<Option<Connection>> {
    progress.begin(&Stage::Reporting, None);
    let (budget, cancel) = (&MemoryBudget::share(memory, RESULTS_SHARE), progress.cancel());
    let members = ClusterMembers::read(results, run, budget, cancel)?;
    let mut scratch = Vec::new();
    let [Some(l), Some(r)] = answer.ids.each_ref().map(|id| members.find_named(id, &mut scratch)) else {
        return Err(Error::data("the clusters of the run do not have the records that are asked about"));
    };
    let (records, is_pair) = ([l, r], answer.match_key.is_some());
    let request = ConnectionRequest { records, is_pair, roots: &members.roots, budget, cancel };
    connection(&mut ReadRun::new(results, &members, run, job, budget), request)
}

/// A run whose results are read.
struct ReadRun<'a> {
    results: &'a dyn RunResults,
    members: &'a ClusterMembers,
    reader: PairReader<'a>,
    /// How many rules are certain: the first ones.
    certain_rules: u32,
}

impl<'a> ReadRun<'a> {
    fn new(
        results: &'a dyn RunResults,
        members: &'a ClusterMembers,
        run: &RunRecord,
        job: &Job,
        budget: &'a MemoryBudget,
    ) -> Self {
        let certain_rules = job.rules.rules.iter().filter(|rule| rule.is_certain).count() as u32;
        Self { results, members, reader: PairReader::new(members, run, budget), certain_rules }
    }

    fn run_pair(&self, pair: &ReportedPair) -> RunPair {
        RunPair {
            records: [pair.left, pair.right],
            rule: pair.rule,
            kind: self.kind_of(pair.rule),
            score: Some(pair.score).filter(|score| !score.is_nan()),
        }
    }

    fn kind_of(&self, rule: u32) -> EdgeKind {
        match rule < self.certain_rules {
            true => EdgeKind::Certain,
            false if self.reader.rules.text(rule) == DECIDED => EdgeKind::DecidedTogether,
            false => EdgeKind::Scored,
        }
    }
}

impl ConnectedRun for ReadRun<'_> {
    fn pairs_where(
        &mut self,
        is_wanted: &(dyn Fn([u32; 2]) -> bool + Sync),
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<SomePairs> {
        let mut found = SomePairs::new(budget)?;
        for batch in self.results.pairs()? {
            cancel.check();
            let pairs = self.reader.read(&batch?)?;
            let wanted = pairs.iter().filter(|pair| is_wanted([pair.left, pair.right]));
            found.add(&wanted.map(|pair| self.run_pair(pair)).collect::<Vec<RunPair>>())?;
        }
        Ok(found)
    }

    fn cut_reasons(&mut self, pairs: &[[u32; 2]], cancel: Cancel<'_>) -> Result<Vec<Option<CutReason>>> {
        let places: HashMap<[u32; 2], usize> = pairs.iter().copied().zip(0..).collect();
        let mut reasons = vec![None; pairs.len()];
        let is_wanted = |records: [u32; 2]| places.contains_key(&records);
        each_cut(self.results, &mut self.reader, cancel, is_wanted, |pair, reason| {
            reasons[places[&[pair.left, pair.right]]] = Some(reason);
            Ok(())
        })?;
        Ok(reasons)
    }

    fn record_name(&self, record: u32) -> Result<String> {
        Ok(self.members.cluster_id(record))
    }

    fn rule_name(&self, rule: u32) -> String {
        self.reader.rules.text(rule).to_owned()
    }
}
