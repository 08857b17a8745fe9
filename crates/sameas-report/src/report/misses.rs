//! The pairs of a report with their reasons, and near misses where the run has not looked for any.

use std::collections::HashSet;

use super::explained::{ExplainedPair, Explainer, PairKind, PairToExplain, unexplained};
use super::facts::{MissSource, ReportSearch};
use super::making::ReportRequest;
use super::pair_reader::ReportedPair;
use super::result_scan::{ChosenRecords, ResultScan};
use crate::cancel::catch;
use crate::engine::{AskedRecords, InspectedRecords, NearMiss, RunRecord, low_scores, near_misses};
use crate::error::{ErrorKind, Result};
use crate::judgements::DecidedPairs;
use crate::observer::Progress;
use crate::settings::Settings;

/// Near misses that a report looks for.
const MOST_MISSES: usize = 1_000;

/// Pairs that are looked at where scores decide which of them are near misses, and what each of them takes, about.
const MOST_SCORED: usize = 20_000;
const SCORED_BYTES: usize = 16 << 10;

/// The part of the memory that decisions may take, as the records and results of the run are there, too.
const DECISIONS_SHARE: usize = 4;

/// The pairs of a run whose inputs cannot be read.
pub fn without_reasons(run: &RunRecord, mut asked: Vec<PairToExplain>) -> (Vec<ExplainedPair>, ReportSearch) {
    asked.retain(|asked| asked.kind != PairKind::Together);
    let misses = if run.near.is_some() { MissSource::Run } else { MissSource::None };
    (unexplained(asked), ReportSearch { misses, among: 0, explained: 0 })
}

/// Explains pairs, and looks for near misses where the run has not.
pub fn with_reasons(
    request: &ReportRequest<'_>,
    records: &InspectedRecords,
    explainer: &Explainer,
    ResultScan { scanned, chosen, .. }: &ResultScan,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<(Vec<ExplainedPair>, ReportSearch)> {
    let mut asked = chosen.asked.clone();
    for asked in asked.iter_mut().filter(|asked| asked.kind == PairKind::Near) {
        asked.condition = scanned.loosened.get(asked.pair.loosened as usize).and_then(|text| explainer.condition(text));
    }
    let mut search = ReportSearch::default();
    if request.run.near.is_some() {
        (search.misses, search.among) = (MissSource::Run, request.run.inputs.iter().map(|input| input.rows).sum());
    } else if let Some(decided) = RunDecisions::read(&records.asked, settings, progress)?
        && let Some(misses) = misses_of(request, records, settings, progress)?
    {
        (search.misses, search.among) = (MissSource::Report, chosen.near_rows.len() as u64);
        let known: HashSet<(u32, u32)> = asked.iter().map(|asked| (asked.pair.left, asked.pair.right)).collect();
        let misses = misses.iter().filter_map(|miss| miss_to_explain(miss, explainer, chosen, &scanned.names));
        let misses = misses.filter(|miss| !decided.has(&miss.pair));
        asked.extend(misses.filter(|miss| !known.contains(&(miss.pair.left, miss.pair.right))));
    }
    let place = |record: u32| chosen.rows.partition_point(|row| *row < record);
    let mut pairs = explainer.explain(records, asked, &place, progress);
    if let Some(scores) = &request.run.scores {
        keep_low_scores(&mut pairs, scores.threshold_weight.unwrap_or(scores.threshold));
    }
    search.explained = pairs.iter().filter(|pair| pair.asked.kind != PairKind::Result).count() as u64;
    Ok((pairs, search))
}

/// What people have decided about pairs: none of these is a near miss.
struct RunDecisions {
    pairs: Option<DecidedPairs>,
    /// What is taken from the number of a right record.
    right_offset: u32,
}

impl RunDecisions {
    /// Reads them again; nothing where they are not there any more as the run has read them, or take too much memory.
    fn read(asked: &AskedRecords, settings: &Settings, progress: Progress<'_>) -> Result<Option<Self>> {
        // What ends for lack of memory unwinds.
        match catch(|| asked.decisions(settings.memory / DECISIONS_SHARE, progress.cancel())) {
            Ok(pairs) => Ok(Some(Self { pairs, right_offset: asked.dataset.layout().right_offset() })),
            Err(error) if matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Internal) => Err(error),
            Err(_) => Ok(None),
        }
    }

    fn has(&self, pair: &ReportedPair) -> bool {
        let decided = self.pairs.as_ref();
        decided.is_some_and(|decided| decided.pair(pair.left, pair.right - self.right_offset).is_some())
    }
}

/// Of the pairs whose score was looked for, those that it is too low for, the highest ones.
fn keep_low_scores(pairs: &mut Vec<ExplainedPair>, threshold: f64) {
    let is_miss = |pair: &ExplainedPair| pair.asked.kind == PairKind::Miss;
    let low = |pair: &ExplainedPair| pair.score().filter(|score| *score < threshold && pair.never.is_none());
    let mut scores: Vec<f64> = pairs.iter().filter(|pair| is_miss(pair)).filter_map(low).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    let least = scores.get(MOST_MISSES - 1).copied().unwrap_or(f64::NEG_INFINITY);
    pairs.retain(|pair| !is_miss(pair) || low(pair).is_some_and(|score| score >= least));
}

fn miss_to_explain(
    miss: &NearMiss,
    explainer: &Explainer,
    chosen: &ChosenRecords,
    names: &[String],
) -> Option<PairToExplain> {
    let [left, right] = miss.records.map(|place| chosen.near_rows[place as usize]);
    let rule = names.iter().position(|known| *known == miss.rule)? as u32;
    Some(PairToExplain {
        pair: ReportedPair { left, right, rule, score: f64::NAN, loosened: 0 },
        kind: PairKind::Miss,
        condition: miss.condition.as_ref().and_then(|condition| explainer.condition(&condition.to_string())),
        weight: 0.0,
    })
}

/// Near misses among some records.
fn misses_of(
    request: &ReportRequest<'_>,
    records: &InspectedRecords,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let job = &records.asked.job;
    match &request.run.scores {
        // Of scores that others have given nothing is known below the threshold.
        Some(scores) if scores.given => Ok(None),
        Some(_) => {
            let most = MOST_SCORED.min(settings.memory / SCORED_BYTES).max(MOST_MISSES);
            low_scores(job, &records.near, most, settings, progress)
        }
        None => near_misses(job, &records.near, MOST_MISSES, settings, progress),
    }
}
