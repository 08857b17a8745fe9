//! The pairs of a run that has just been made, by the numbers of their records: for what connects two of these.

use std::sync::{Mutex, PoisonError};

use super::connection::{ConnectedRun, CutReason, RunPair, SomePairs};
use super::job_clusters::edge_kinds;
use super::job_results::JobResults;
use super::largest_cluster::shown_id;
use super::named_pair::find_called;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::pairs::PairsInOrder;

impl JobResults {
    /// The first record of each record's cluster.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The number among all records of the one that an answer calls so.
    pub fn record_called(&self, name: &str) -> Result<u32> {
        let dataset = &self.bound.dataset;
        let (input, row) = find_called(dataset, name).ok_or_else(|| Error::internal("an answer is about no record"))?;
        Ok(dataset.layout().record(input, row as u32))
    }
}

impl ConnectedRun for &JobResults {
    fn pairs_where(
        &mut self,
        is_wanted: &(dyn Fn([u32; 2]) -> bool + Sync),
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<SomePairs> {
        let (right_offset, kinds) = (self.bound.right_offset(), edge_kinds(self.bound.rules.set()));
        let found = Mutex::new(SomePairs::new(budget)?);
        self.pairs.in_any_order(&|rows| {
            cancel.check();
            let pairs = rows.pairs.iter().enumerate().map(|(at, pair)| RunPair {
                records: [pair.l, right_offset + pair.r],
                rule: pair.rule,
                kind: kinds[pair.rule as usize],
                score: rows.scores.get(at).and_then(|score| score.get()),
            });
            let wanted: Vec<RunPair> = pairs.filter(|pair| is_wanted(pair.records)).collect();
            if wanted.is_empty() {
                return Ok(());
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).add(&wanted)
        })?;
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn cut_reasons(&mut self, pairs: &[[u32; 2]], _cancel: Cancel<'_>) -> Result<Vec<Option<CutReason>>> {
        let Some(cut) = &self.cut else { return Ok(vec![None; pairs.len()]) };
        let columns = self.cut_columns(cut);
        pairs.iter().map(|records| columns.reason(*records)).collect()
    }

    fn record_name(&self, record: u32) -> Result<String> {
        shown_id(&self.all_ids, record)
    }

    fn rule_name(&self, rule: u32) -> String {
        self.pair_rules[rule as usize].clone()
    }
}
