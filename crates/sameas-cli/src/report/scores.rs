//! The figures of an evaluation.

use sameas::evaluate::{Evaluation, PairCounts, ReliabilityBin, RuleScore, ThresholdScore};
use sameas::printable;
use serde_json::json;

use super::cluster_scores::{cluster_scores, cluster_scores_json};
use super::figures::{aligned, share};
use crate::text::{count, cut, table};

/// The figures as a table.
pub fn scores(evaluation: &Evaluation) -> String {
    let Evaluation { counts, blocking, rules, .. } = evaluation;
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
    let rules = if rules.is_empty() { String::new() } else { format!("\n{}", by_rule(rules, counts)) };
    let clusters =
        evaluation.clusters.as_ref().map_or(String::new(), |clusters| format!("\n{}", cluster_scores(clusters)));
    aligned(&judged)
        + "\n"
        + &aligned(&work)
        + &rules
        + &by_threshold(evaluation)
        + &by_probability(evaluation)
        + &clusters
}

/// What the model expects of pairs, and what is true of them; nothing where pairs have no probability.
fn by_probability(evaluation: &Evaluation) -> String {
    if evaluation.reliability.is_empty() {
        return String::new();
    }
    let mut rows = vec![["match_probability", "pairs", "expected", "true"].map(str::to_owned).to_vec()];
    rows.extend(evaluation.reliability.iter().map(|bin| {
        let shares = [bin.expected_share(), bin.true_share()].map(|of| share(Some(of)));
        [vec![format!("{} to {}", bin.from, bin.to), count(bin.pairs)], shares.to_vec()].concat()
    }));
    format!("\n{}", table(&rows))
}

/// Rows of the table of thresholds.
const THRESHOLDS: usize = 12;

/// The figures of some thresholds: the best one, and others evenly over them.
fn by_threshold(evaluation: &Evaluation) -> String {
    let all = &evaluation.thresholds;
    let f1 = |row: &ThresholdScore| row.counts.f1().unwrap_or(0.0);
    let Some(best) = all.iter().enumerate().max_by(|a, b| f1(a.1).total_cmp(&f1(b.1))).map(|(at, _)| at) else {
        return String::new();
    };
    let mut shown: Vec<usize> =
        (0..THRESHOLDS).map(|at| at * (all.len() - 1) / (THRESHOLDS - 1)).chain([best]).collect();
    shown.sort_unstable();
    shown.dedup();
    let column = evaluation.scored_by.as_deref().unwrap_or("score");
    let mut heads = vec![column];
    heads.extend((column == WEIGHT).then_some("probability"));
    heads.extend(["found", "true", "precision", "recall", "F1", ""]);
    let mut rows = vec![heads.into_iter().map(str::to_owned).collect()];
    let note = |at: usize| if at == best { "best F1" } else { "" };
    rows.extend(shown.into_iter().map(|at| of_threshold(column, &all[at], note(at))));
    format!("\n{}", table(&rows))
}

/// The column of scores that has a probability to each.
const WEIGHT: &str = "match_weight";

/// A row of the table of thresholds. Weights tell pairs apart whose probabilities are all close to 1.
fn of_threshold(column: &str, row: &ThresholdScore, note: &str) -> Vec<String> {
    let ThresholdScore { threshold, counts, .. } = row;
    let mut cells = match column {
        WEIGHT => vec![format!("{threshold:.3}"), format!("{:.6}", 1.0 / (1.0 + (-threshold).exp2()))],
        _ => vec![format!("{threshold:.6}")],
    };
    cells.extend([count(counts.found), count(counts.both)]);
    cells.extend([counts.precision(), counts.recall(), counts.f1()].map(share));
    cells.push(note.to_owned());
    cells
}

/// The figures of each rule.
fn by_rule(rules: &[RuleScore], counts: &PairCounts) -> String {
    let mut rows = vec![["Rule (match_key)", "found", "true", "precision", "recall"].map(str::to_owned).to_vec()];
    rows.extend(rules.iter().map(|rule| {
        let precision = rule.precision().map_or("-".into(), |precision| share(Some(precision)));
        let name = cut(&printable(&rule.name), 48);
        vec![name, count(rule.found), count(rule.both), precision, share(rule.recall(counts))]
    }));
    table(&rows)
}

/// The figures for programs; what is unknown is null.
pub fn scores_json(evaluation: &Evaluation) -> String {
    let Evaluation { counts, blocking, rules, .. } = evaluation;
    let rule = |rule: &RuleScore| {
        json!({
            "name": rule.name,
            "found": rule.found,
            "found_and_true": rule.both,
            "precision": rule.precision(),
            "recall": rule.recall(counts),
        })
    };
    let threshold = |row: &ThresholdScore| {
        let ThresholdScore { threshold, counts, .. } = row;
        json!({
            "threshold": threshold,
            "found": counts.found,
            "found_and_true": counts.both,
            "precision": counts.precision(),
            "recall": counts.recall(),
            "f1": counts.f1(),
        })
    };
    let bin = |bin: &ReliabilityBin| {
        json!({
            "from": bin.from,
            "to": bin.to,
            "pairs": bin.pairs,
            "expected": bin.expected,
            "found_and_true": bin.both,
            "expected_share": bin.expected_share(),
            "true_share": bin.true_share(),
        })
    };
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
        "rules": rules.iter().map(rule).collect::<Vec<_>>(),
        "scored_by": evaluation.scored_by,
        "thresholds": evaluation.thresholds.iter().map(threshold).collect::<Vec<_>>(),
        "reliability": evaluation.reliability.iter().map(bin).collect::<Vec<_>>(),
        "clusters": evaluation.clusters.as_ref().map(cluster_scores_json),
    });
    format!("{value:#}\n")
}

fn known(number: Option<u64>) -> String {
    number.map_or("unknown".into(), count)
}
