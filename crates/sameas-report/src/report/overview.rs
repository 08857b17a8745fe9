//! The run as a whole, as a report has it, and how good its result is.

use std::collections::HashMap;

use super::facts::{
    ReportEvaluation, ReportFile, ReportInput, ReportInputFile, ReportLargestCluster, ReportOverview,
    ReportReliabilityBin, ReportRuleScore, ReportThresholdPoint,
};
use super::results::RunResults;
use crate::dataset::{InputFileRecord, InputRecord};
use crate::device::DeviceKind;
use crate::engine::RunRecord;
use crate::error::Result;
use crate::evaluate::{
    self, AnswerKind, Evaluation, EvaluationLists, EvaluationRequest, ReliabilityBin, RuleScore, ThresholdScore,
};
use crate::observer::Progress;
use crate::records::Input;
use crate::rules::LinkType;

/// Points of a curve over the threshold.
const POINTS: usize = 400;

/// The run as a whole; its record is masked already.
pub fn overview(run: &RunRecord, evaluation: Option<ReportEvaluation>) -> ReportOverview {
    let records: u64 = run.inputs.iter().map(|input| input.rows).sum();
    ReportOverview {
        inputs: run.inputs.iter().map(input).collect(),
        records,
        possible_pairs: run.nominal_pairs,
        candidates: run.candidates,
        pairs: run.pairs,
        clusters: run.clusters,
        clusters_of_two_or_more: run.clusters_of_two_or_more,
        duplicates: records - run.clusters.min(records),
        largest_cluster: run.largest_cluster.as_ref().map(|largest| ReportLargestCluster {
            id: largest.cluster_id.clone(),
            records: largest.records,
            average_of_others: largest.average_of_others,
            out_of_proportion: largest.out_of_proportion.is_some(),
        }),
        seconds: run.seconds,
        threads: run.threads as u64,
        device: match run.device {
            DeviceKind::Cpu => "cpu",
            DeviceKind::Cuda => "cuda",
            DeviceKind::Emulated => "emulated",
        }
        .to_owned(),
        peak_memory_bytes: run.peak_memory,
        version: run.version.clone(),
        files: run.files.iter().map(|file| ReportFile { name: file.name.clone(), bytes: file.bytes }).collect(),
        evaluation,
    }
}

fn input(input: &InputRecord) -> ReportInput {
    let on_disk: HashMap<&String, &InputFileRecord> = input.on_disk.iter().map(|file| (&file.path, file)).collect();
    let file = |path: &String| {
        let known = on_disk.get(path);
        ReportInputFile {
            path: path.clone(),
            bytes: known.map(|file| file.bytes),
            modified: known.and_then(|file| file.modified.clone()),
        }
    };
    ReportInput {
        name: input.name.clone(),
        files: input.files.iter().map(file).collect(),
        records: input.rows,
        skipped: input.skipped_records,
        hash: input.xxh128.clone(),
        id_column: input.id.clone(),
    }
}

/// The result compared with a truth, of the thresholds only those that a curve shows.
pub fn evaluated(
    run: &RunRecord,
    results: &dyn RunResults,
    truth: Input,
    memory: usize,
    progress: Progress<'_>,
) -> Result<Evaluation> {
    let mut request = EvaluationRequest::new(results.pairs_as_input()?, AnswerKind::Pairs, truth);
    request.across = run.link_type == LinkType::LinkOnly;
    request.run = Some(run.clone());
    let evaluation = evaluate::evaluate(&request, EvaluationLists::default(), memory, progress)?;
    Ok(Evaluation { thresholds: some_thresholds(&evaluation.thresholds), ..evaluation })
}

/// The same as a report has it; `names` are its rules.
pub fn compared(evaluation: &Evaluation, names: &[String]) -> ReportEvaluation {
    let Evaluation { counts, rules, thresholds, reliability, .. } = evaluation;
    let scores: HashMap<&String, &RuleScore> = rules.iter().map(|score| (&score.name, score)).collect();
    let of_rule = |(rule, name): (usize, &String)| {
        let score = scores.get(name)?;
        Some(ReportRuleScore { rule, found: score.found, both: score.both })
    };
    let point = |score: &ThresholdScore| ReportThresholdPoint {
        threshold: score.threshold,
        found: score.counts.found,
        both: score.counts.both,
    };
    let bin = |bin: &ReliabilityBin| ReportReliabilityBin {
        from: bin.from,
        to: bin.to,
        pairs: bin.pairs,
        expected: bin.expected,
        both: bin.both,
    };
    ReportEvaluation {
        found: counts.found,
        true_pairs: counts.true_pairs,
        both: counts.both,
        precision: counts.precision(),
        recall: counts.recall(),
        f1: counts.f1(),
        rules: names.iter().enumerate().filter_map(of_rule).collect(),
        thresholds: thresholds.iter().map(point).collect(),
        reliability: reliability.iter().map(bin).collect(),
    }
}

/// The first, the last, and thresholds at about equal steps of recall between them.
fn some_thresholds(all: &[ThresholdScore]) -> Vec<ThresholdScore> {
    let most = all.last().map_or(0, |last| last.counts.both);
    let step = (most as f64 / (POINTS - 2) as f64).max(f64::MIN_POSITIVE);
    let mut points = Vec::new();
    let mut next = 0.0;
    for (at, score) in all.iter().enumerate() {
        let is_last = at + 1 == all.len();
        if at == 0 || is_last || (score.counts.both as f64 >= next && points.len() < POINTS - 1) {
            points.push(*score);
            next = score.counts.both as f64 + step;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::PairCounts;

    #[test]
    fn a_curve_has_some_points() {
        let score = |at: u64| ThresholdScore {
            threshold: -(at as f64),
            counts: PairCounts { found: 2 * at, true_pairs: 20_000, both: at },
        };
        let all: Vec<ThresholdScore> = (1..=10_000).map(score).collect();
        let points = some_thresholds(&all);
        assert!(points.len() > 200 && points.len() <= POINTS, "{}", points.len());
        assert_eq!((points[0].counts.both, points[points.len() - 1].counts.both), (1, 10_000));
        assert!(some_thresholds(&[]).is_empty());
        assert_eq!(some_thresholds(&all[..1]).len(), 1);
    }
}
