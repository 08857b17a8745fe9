//! Thresholds and ways to make clusters, as a report has them.

use super::facts::{ReportSweep, ReportSweepEstimates, ReportSweepRow, ReportSweepScores};
use crate::engine::RunRecord;
use crate::error::{Error, Result};
use crate::evaluate::{SweepEstimates, SweepRow, SweepScores, SweepTable};

/// Refuses a sweep of other pairs: its figures would be taken for those of the run.
pub fn check_sweep(swept: Option<&SweepTable>, run: &RunRecord) -> Result<()> {
    match swept {
        Some(swept) if swept.pairs != run.pairs => {
            Err(Error::usage(format!("the sweep is of {} pairs, and the run has {}", swept.pairs, run.pairs))
                .with_help("compare thresholds and methods on the pairs of this run"))
        }
        _ => Ok(()),
    }
}

/// A sweep as a report has it.
pub fn sweep_facts(swept: &SweepTable) -> ReportSweep {
    ReportSweep { scored_by: swept.scored_by.clone(), rows: swept.rows.iter().map(row).collect(), best: swept.best() }
}

fn row(row: &SweepRow) -> ReportSweepRow {
    ReportSweepRow {
        method: row.method.name(),
        threshold: row.threshold,
        pairs: row.pairs,
        clusters: row.clusters_of_two_or_more,
        records: row.clustered_records,
        largest: row.largest,
        cut: row.cut,
        bridges: row.bridges,
        density: row.density,
        agreement: row.agreement,
        by_truth: row.scores.as_ref().map(by_truth),
        by_labels: row.estimates.as_ref().map(by_labels),
    }
}

fn by_truth(SweepScores { pairs, cluster_pairs, clusters }: &SweepScores) -> ReportSweepScores {
    ReportSweepScores {
        pair_f1: pairs.f1(),
        precision: cluster_pairs.precision(),
        recall: cluster_pairs.recall(),
        f1: cluster_pairs.f1(),
        bcubed_f1: clusters.as_ref().map(|clusters| clusters.bcubed_f1()),
    }
}

fn by_labels(estimates: &SweepEstimates) -> ReportSweepEstimates {
    let SweepEstimates { precision, recall, f1 } = *estimates;
    ReportSweepEstimates { precision, recall, f1 }
}
