//! The pairs between clusters that a report has: those of the records in it, with what has cut them.

use super::cut_reader::each_cut;
use super::members::ClusterMembers;
use super::pair_reader::{PairReader, ReportedPair};
use super::results::RunResults;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Pairs that are kept, at most: the first ones.
const MOST: usize = 200_000;

/// What one takes, about.
const PAIR_BYTES: usize = 100;

/// A pair between clusters.
pub struct ReportedCut {
    /// The pair.
    pub pair: ReportedPair,
    /// What has cut it.
    pub cause: String,
}

/// The pairs between clusters, as far as a report has them.
#[derive(Default)]
pub struct CutOfReport {
    /// Those of the records in the report.
    pub pairs: Vec<ReportedCut>,
    /// How many each cluster has in all, by its first record; no numbers where nothing was cut.
    counts: Vec<u32>,
    _held: Held,
}

impl CutOfReport {
    /// Looks at the pairs between the clusters of a run. The report has these records, ascending.
    pub fn read(
        results: &dyn RunResults,
        reader: &mut PairReader<'_>,
        members: &ClusterMembers,
        records: &[u32],
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let mut held = budget.hold(size_of::<u32>() * members.len())?;
        let most = MOST.min(budget.room() / 4 / PAIR_BYTES);
        let (mut counts, mut pairs) = (vec![0_u32; members.len()], Vec::new());
        let mut kept = 0;
        let is_wanted = |pair: [u32; 2]| {
            pair.iter().for_each(|record| counts[members.roots[*record as usize] as usize] += 1);
            let is_there = kept < most && pair.iter().any(|record| records.binary_search(record).is_ok());
            kept += usize::from(is_there);
            is_there
        };
        each_cut(results, reader, cancel, is_wanted, |pair, reason| {
            pairs.push(ReportedCut { pair, cause: reason.cause });
            Ok(())
        })?;
        held.add(pairs.len() * PAIR_BYTES)?;
        Ok(Self { pairs, counts, _held: held })
    }

    /// How many the cluster with this first record has.
    pub fn in_cluster(&self, root: u32) -> u32 {
        self.counts.get(root as usize).copied().unwrap_or(0)
    }
}
