//! Decisions are applied to the sorted pairs of all branches. So plans, counts of rules and checkpoints know nothing of them, and
//! other decisions need no other joins.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;
use sameas_clusters::{held_beyond_limit, limit_words};

use super::bound_job::BoundJob;
use super::cut_pairs::limit_value;
use super::read_decisions::{DECIDED, chain_error, record_name};
use super::record::RuleRecord;
use crate::candidates::BATCH;
use crate::cluster::{ClusterConflict, CutCause};
use crate::error::{Error, Result};
use crate::judgements::{DecidedPair, DecidedPairs, DecidedRecord};
use crate::observer::Progress;
use crate::output::{PairSorter, SortedPairs, sort_kept};
use crate::pairs::{Pair, PairScore, ResultPairs};
use crate::scoring::AnyScoreStage;
use crate::verify::PairBatch;

/// The pairs of a run with what was decided about them.
pub(super) fn decide(
    bound: &BoundJob,
    decided: &DecidedPairs,
    pairs: &SortedPairs,
    sorter: PairSorter,
    progress: Progress<'_>,
) -> Result<(SortedPairs, DecidedRecord)> {
    let [known, removed] = [AtomicU64::new(0), AtomicU64::new(0)];
    let is_kept = |pair: &Pair, _: PairScore| match decided.pair(pair.l, pair.r) {
        None => true,
        Some(of) => {
            let counted = if of.is_same { &known } else { &removed };
            counted.fetch_add(1, Relaxed);
            false
        }
    };
    let together = together(bound, decided, progress)?;
    let all = sort_kept(pairs, &is_kept, &together, sorter, progress.cancel())?;
    let same = together.pairs.len() as u64;
    let record = DecidedRecord {
        same,
        added: same - known.into_inner(),
        different: decided.as_slice().len() as u64 - same,
        removed: removed.into_inner(),
        unsure: decided.unsure() as u64,
    };
    Ok((all, record))
}

/// The pairs that are decided to be the same, after all rules, with the scores that they would have.
fn together(bound: &BoundJob, decided: &DecidedPairs, progress: Progress<'_>) -> Result<ResultPairs> {
    let set = bound.rules.set();
    let scoring = AnyScoreStage::for_scores(set, &bound.program, &bound.scores).map(AnyScoreStage::keeping_all);
    scoring.iter().for_each(|stage| stage.as_stage().begin());
    let same: Vec<&DecidedPair> = decided.as_slice().iter().filter(|pair| pair.is_same).collect();
    let score = |some: &[&DecidedPair]| -> Result<PairBatch> {
        progress.cancel().check();
        let mut batch = PairBatch::wanting(0);
        batch.pairs.extend(some.iter().map(|pair| Pair { l: pair.l, r: pair.r, rule: 0 }));
        scoring.iter().try_for_each(|stage| stage.as_stage().apply(&mut batch))?;
        Ok(batch)
    };
    let mut all = ResultPairs::default();
    for mut batch in same.par_chunks(BATCH).map(score).collect::<Result<Vec<PairBatch>>>()? {
        all.pairs.append(&mut batch.pairs);
        all.scores.append(&mut batch.scores);
    }
    let rule = set.written_rules() as u32;
    all.pairs.iter_mut().for_each(|pair| pair.rule = rule);
    Ok(all)
}

/// What decisions have come to, as that of a rule.
pub(super) fn as_rule(of: &DecidedRecord) -> RuleRecord {
    let (name, when) = (DECIDED.to_owned(), String::new());
    RuleRecord { name, named: true, when, alone: of.same, marginal: of.added, cumulative: of.same }
}

/// Decisions that cannot all hold, or not within the limits of clusters.
pub(super) fn contradiction(bound: &BoundJob, conflict: &ClusterConflict) -> Error {
    match (conflict, &bound.decided) {
        (ClusterConflict::HeldTogether { chain }, Some(decided)) => chain_error(chain, decided, &bound.dataset),
        (ClusterConflict::TooMany { limit, rows }, Some(_)) => {
            let (spec, set) = (bound.job.rules.cluster_spec(), bound.rules.set());
            let because = || match limit {
                CutCause::Limit { limit, value } => {
                    let value = limit_value(&bound.program, *set.limits.get(*limit as usize)?, *value);
                    let limit = spec.limits.get(*limit as usize)?;
                    Some(format!("{}: {}", limit.expression, value.unwrap_or_default()))
                }
                _ => None,
            };
            let sources: Vec<String> = bound.dataset.inputs().iter().map(|input| input.name.clone()).collect();
            held_beyond_limit(rows, &limit_words(*limit, spec.max_size, &sources, because), &|row| {
                record_name(&bound.dataset, row)
            })
        }
        (_, None) => Error::internal("pairs that nobody has decided contradict each other"),
    }
}
