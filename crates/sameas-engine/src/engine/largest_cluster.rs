//! The largest cluster of a run; if it is out of proportion, with what made it.

use arrow_array::UInt32Array;
use arrow_array::cast::AsArray;
use rayon::prelude::*;

use super::cluster_record::{ClusterCause, ClusterFacts, LargestCluster, rules_by_pairs};
use super::record::RuleRecord;
use crate::error::Result;
use crate::observer::Progress;
use crate::output::{BlockRange, SortedPairs};
use crate::pairs::Pair;
use crate::records::RowIds;

/// Pairs and the clusters that they make.
pub(super) struct ClusteredPairs<'a> {
    /// The pairs.
    pub pairs: &'a SortedPairs,
    /// The first record of each record's cluster.
    pub roots: &'a [u32],
    /// What is added to the right row of a pair to number all records.
    pub right_offset: u32,
    /// The ids of left and right rows of pairs.
    pub pair_ids: &'a [RowIds; 2],
    /// The ids of all records.
    pub all_ids: &'a RowIds,
}

impl ClusteredPairs<'_> {
    /// The largest cluster, if there are records; if it is out of proportion, with the rules that made it.
    pub fn largest(
        &self,
        clusters: &ClusterFacts,
        rules: &[RuleRecord],
        progress: Progress<'_>,
    ) -> Result<Option<LargestCluster>> {
        let Some((root, records)) = clusters.largest else { return Ok(None) };
        let cause = clusters.out_of_proportion().map(|root| self.cause_of(root, rules, progress)).transpose()?;
        Ok(Some(LargestCluster {
            cluster_id: shown_id(self.all_ids, root)?,
            records,
            average_of_others: clusters.average_of_others(),
            out_of_proportion: cause,
        }))
    }

    /// The pairs inside a cluster by rule, from one more look at all pairs.
    fn cause_of(&self, root: u32, rules: &[RuleRecord], progress: Progress<'_>) -> Result<ClusterCause> {
        let none = || vec![(0, None); rules.len()];
        let of_range = |mut found: Vec<(u64, Option<Pair>)>, range: BlockRange<'_>| {
            progress.cancel().check();
            range.each(|pair| {
                if [pair.l, self.right_offset + pair.r].iter().all(|row| self.roots[*row as usize] == root) {
                    let of_rule = &mut found[pair.rule as usize];
                    *of_rule = (of_rule.0 + 1, earlier(of_rule.1, Some(pair)));
                }
            })?;
            Ok(found)
        };
        let both = |a: Vec<(u64, Option<Pair>)>, b: Vec<(u64, Option<Pair>)>| {
            Ok(a.into_iter().zip(b).map(|(a, b)| (a.0 + b.0, earlier(a.1, b.1))).collect())
        };
        let ranges = self.pairs.block_ranges().into_par_iter();
        let found = ranges.try_fold(none, of_range).try_reduce(none, both)?;
        let counts: Vec<u64> = found.iter().map(|(pairs, _)| *pairs).collect();
        // Of rules with equally many pairs the first, as they are listed.
        let most = found.iter().enumerate().max_by_key(|(at, (pairs, _))| (*pairs, std::cmp::Reverse(*at)));
        let example = most.and_then(|(_, (_, pair))| *pair).map_or(Ok(Default::default()), |pair| self.ids_of(pair))?;
        Ok(ClusterCause { pairs: counts.iter().sum(), rules: rules_by_pairs(rules, &counts), example })
    }

    /// The ids of a pair, as results and messages show them.
    fn ids_of(&self, pair: Pair) -> Result<[String; 2]> {
        let [left, right] = self.pair_ids;
        Ok([shown_id(left, pair.l)?, shown_id(right, pair.r)?])
    }
}

/// The pair that comes first in the output.
fn earlier(a: Option<Pair>, b: Option<Pair>) -> Option<Pair> {
    a.into_iter().chain(b).min_by_key(|pair| pair.key())
}

/// The id of a record; with its input's name where ids have one.
pub(super) fn shown_id(ids: &RowIds, row: u32) -> Result<String> {
    if !ids.has_sources() {
        return Ok(ids.text(row as usize));
    }
    let names = ids.gather_names(&UInt32Array::from(vec![row]))?;
    Ok(names.as_string::<i32>().value(0).to_owned())
}
