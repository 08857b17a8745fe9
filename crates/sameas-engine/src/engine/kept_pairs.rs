//! The pairs that a run keeps by their scores, and what the model expects of them.
//!
//! Where a job asks for a precision, its threshold is not known before its pairs are. Its branches then give the pairs from even
//! odds on, sorted and within the memory of a sort as always; the threshold is found from these, and those above it are sorted
//! once more. Which pairs there are depends on nothing but the job, and the sums that decide are sums of integers, so the
//! threshold is the same however the job runs. A pair of a certain rule stays whatever its score, and counts for nothing here.

use std::sync::{Mutex, PoisonError};

use super::bound_job::BoundJob;
use crate::error::Result;
use crate::model::MatchWeight;
use crate::observer::Progress;
use crate::output::{PairSorter, SortedPairs, sort_kept};
use crate::pairs::{Pair, PairScore, PairsInOrder, ResultPairs};
use crate::score::PairExpectation;
use crate::scoring::ScoreExpectation;

/// The pairs of a run.
pub(super) struct PairsOfRun {
    pub pairs: SortedPairs,
    /// The threshold, where it was found from the pairs.
    pub threshold: Option<MatchWeight>,
    /// What the model expects, where there is one.
    pub expected: Option<ScoreExpectation>,
}

impl PairsOfRun {
    /// Of the pairs that the branches of a job have given; `sorter` makes one more sorter.
    pub fn found(
        pairs: SortedPairs,
        bound: &BoundJob,
        sorter: impl FnOnce() -> Result<PairSorter>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let Some(scoring) = bound.scores.model() else { return Ok(Self { pairs, threshold: None, expected: None }) };
        let is_certain = bound.rules.set().rules.iter().map(|rule| rule.is_certain).collect();
        let given = PairsWithScores { pairs, is_certain, progress };
        let (threshold, kept) = match scoring.precision {
            None => (None, given),
            Some(precision) => {
                let (counted, _) = given.counted(PairExpectation::in_steps)?;
                let threshold = counted.lowest_with(precision).unwrap_or(scoring.threshold);
                (Some(threshold), given.reaching(threshold, sorter()?)?)
            }
        };
        let from = threshold.unwrap_or(scoring.threshold);
        let (counted, certain) = kept.counted(|| PairExpectation::between(ScoreExpectation::cuts(from)))?;
        let by_prior = scoring.model.prior * bound.dataset.layout().pairs() as f64;
        let expected = Some(ScoreExpectation::new(&counted, certain, by_prior));
        Ok(Self { pairs: kept.pairs, threshold, expected })
    }
}

/// Sorted pairs that have scores.
struct PairsWithScores<'a> {
    pairs: SortedPairs,
    /// By rule.
    is_certain: Vec<bool>,
    progress: Progress<'a>,
}

impl PairsWithScores<'_> {
    /// The pairs that were not given by certain rules, counted by their scores, and how many were. A sum of integers is the same
    /// whichever thread adds what.
    fn counted(&self, none: impl Fn() -> PairExpectation + Sync) -> Result<(PairExpectation, u64)> {
        let idle: Mutex<Vec<(PairExpectation, u64)>> = Mutex::default();
        let take = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_else(|| (none(), 0));
        self.pairs.in_any_order(&|rows| {
            self.progress.cancel().check();
            let (mut counted, mut certain) = take();
            for (pair, score) in rows.pairs.iter().zip(rows.numbers()) {
                match score {
                    _ if self.is_certain[pair.rule as usize] => certain += 1,
                    Some(bits) => counted.add(bits),
                    None => {}
                }
            }
            idle.lock().unwrap_or_else(PoisonError::into_inner).push((counted, certain));
            Ok(())
        })?;
        let (mut all, mut certain) = (none(), 0);
        for (counted, more) in idle.into_inner().unwrap_or_else(PoisonError::into_inner) {
            all.add_all(&counted);
            certain += more;
        }
        Ok((all, certain))
    }

    /// The pairs that reach a threshold, and those of certain rules.
    fn reaching(self, threshold: MatchWeight, sorter: PairSorter) -> Result<Self> {
        let least = threshold.bits();
        let is_kept = |pair: &Pair, score: PairScore| {
            score.get().is_some_and(|score| score >= least) || self.is_certain[pair.rule as usize]
        };
        let pairs = sort_kept(&self.pairs, &is_kept, &ResultPairs::default(), sorter, self.progress.cancel())?;
        Ok(Self { pairs, ..self })
    }
}
