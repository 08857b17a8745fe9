//! The figures of an evaluation.

use sameas::Evaluation;
use serde_json::json;

use crate::text::{count, facts};

/// The figures as a table.
pub fn scores(evaluation: &Evaluation) -> String {
    let Evaluation { counts, blocking, .. } = evaluation;
    let judged = [
        ("Pairs found", count(counts.found)),
        ("True pairs", count(counts.true_pairs)),
        ("Found and true", count(counts.both)),
        ("Precision", share(counts.precision())),
        ("Recall", share(counts.recall())),
        ("F1", share(counts.f1())),
    ];
    let work = [
        ("All pairs", known(blocking.all_pairs)),
        ("Candidates", known(blocking.candidates)),
        ("Candidate-set size ratio", share(blocking.candidate_set_size_ratio())),
        ("Reduction ratio", share(blocking.reduction_ratio())),
        ("Pairs completeness", format!("{} (of the pairs given)", share(blocking.completeness))),
    ];
    aligned(&judged) + "\n" + &aligned(&work)
}

/// Both parts share the width of their names.
fn aligned(rows: &[(&str, String)]) -> String {
    let padded: Vec<(String, String)> =
        rows.iter().map(|(name, value)| (format!("{name:<24}"), value.clone())).collect();
    facts(&padded.iter().map(|(name, value)| (name.as_str(), value.clone())).collect::<Vec<_>>())
}

/// The figures for programs; what is unknown is null.
pub fn scores_json(evaluation: &Evaluation) -> String {
    let Evaluation { counts, blocking, .. } = evaluation;
    let value = json!({
        "found": counts.found,
        "true_pairs": counts.true_pairs,
        "found_and_true": counts.both,
        "precision": counts.precision(),
        "recall": counts.recall(),
        "f1": counts.f1(),
        "all_pairs": blocking.all_pairs,
        "candidates": blocking.candidates,
        "candidate_set_size_ratio": blocking.candidate_set_size_ratio(),
        "reduction_ratio": blocking.reduction_ratio(),
        "pairs_completeness": blocking.completeness,
    });
    format!("{value:#}\n")
}

fn known(number: Option<u64>) -> String {
    number.map_or("unknown".into(), count)
}

fn share(value: Option<f64>) -> String {
    match value {
        None => "unknown".into(),
        // As many decimals as three digits take.
        Some(value) if value > 0.0 && value < 0.01 => {
            let decimals = 2 + (-value.log10()).ceil() as usize;
            format!("{value:.decimals$}")
        }
        Some(value) => format!("{value:.4}"),
    }
}
