//! Precision and recall by a sample of labelled pairs.

use sameas::evaluate::{LabelCounts, LabelEstimates, LabelStratum, ShareEstimate};
use sameas::printable;
use serde_json::{Value, json};

use super::figures::{aligned, share};
use crate::text::{count, counted, cut, table, wrap};

/// How intervals are made, in the words of statisticians.
const METHOD: &str = "Method: shares are ratios of weighted sums (Hájek; the weight of a pair is 1 / its inclusion probability). Their \
    variances are linearised, stratum by stratum, and intervals are Wilson's for as many pairs as have that variance.";

/// The estimates as a table.
pub fn estimates(estimates: &LabelEstimates) -> String {
    let LabelEstimates { labels, .. } = estimates;
    let judged = format!(
        "{}: {} same, {} different, {} unsure (left out)",
        count(labels.all()),
        count(labels.same),
        count(labels.different),
        count(labels.unsure)
    );
    let mut rows = vec![("Labelled pairs", judged), ("Frame", frame(estimates))];
    rows.push(("Pairs found", found(estimates)));
    if estimates.of_unknown_records > 0 {
        let pairs = counted(estimates.of_unknown_records, "labelled pair");
        rows.push(("Unknown records", format!("{pairs} with a record that is in no cluster; not found")));
    }
    rows.extend([
        ("Precision", with_interval(estimates.precision)),
        ("Recall", with_interval(estimates.recall)),
        ("F1", with_interval(estimates.f1)),
    ]);
    aligned(&rows) + &by_stratum(&estimates.strata) + "\n" + &wrap(METHOD, 0, 0) + "\n"
}

/// What the estimates hold for.
fn frame(estimates: &LabelEstimates) -> String {
    match estimates.frame_pairs {
        Some(pairs) => format!(
            "about {} pairs, those that the labels were drawn from; nothing is said of others",
            count(pairs.round() as u64)
        ),
        None => "the pairs that the labels were drawn from; without inclusion probabilities each label counts the same"
            .to_owned(),
    }
}

fn found(estimates: &LabelEstimates) -> String {
    let all = count(estimates.found);
    let labelled = count(estimates.labels.found);
    match estimates.frame_found {
        Some(pairs) => {
            format!("{all}, about {} of them in the frame, {labelled} labelled", count(pairs.round() as u64))
        }
        None => format!("{all}, {labelled} of them labelled"),
    }
}

fn with_interval(of: Option<ShareEstimate>) -> String {
    match of {
        None => "unknown: no label tells".to_owned(),
        Some(ShareEstimate { estimate, low, high, .. }) => {
            let [estimate, low, high] = [estimate, low, high].map(|of| share(Some(of)));
            format!("{estimate}, with 95 % confidence from {low} to {high}")
        }
    }
}

/// The labels of each stratum; nothing where there is only one without a name.
fn by_stratum(strata: &[LabelStratum]) -> String {
    if strata.iter().all(|stratum| stratum.name.is_none()) {
        return String::new();
    }
    let heads = ["Stratum", "pairs", "labels", "found", "same", "different", "unsure"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(strata.iter().map(|LabelStratum { name, labels, pairs, .. }| {
        let name = name.as_ref().map_or("(none)".to_owned(), |name| cut(&printable(name), 40));
        let pairs = pairs.map_or("unknown".to_owned(), |pairs| count(pairs.round() as u64));
        let counts = [labels.all(), labels.found, labels.same, labels.different, labels.unsure].map(count);
        [vec![name, pairs], counts.to_vec()].concat()
    }));
    format!("\n{}", table(&rows))
}

/// The estimates for programs; what is unknown is null.
pub fn estimates_json(estimates: &LabelEstimates) -> String {
    let stratum = |stratum: &LabelStratum| json!({ "name": stratum.name, "pairs": stratum.pairs, "labels": labels_json(&stratum.labels) });
    let value = json!({
        "labels": labels_json(&estimates.labels),
        "found": estimates.found,
        "of_unknown_records": estimates.of_unknown_records,
        "frame": {
            "pairs": estimates.frame_pairs,
            "found": estimates.frame_found,
            "weighted": estimates.frame_pairs.is_some(),
        },
        "method": "hajek_linearised_wilson",
        "confidence": 0.95,
        "precision": estimates.precision.map(share_json),
        "recall": estimates.recall.map(share_json),
        "f1": estimates.f1.map(share_json),
        "strata": estimates.strata.iter().map(stratum).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn labels_json(labels: &LabelCounts) -> Value {
    json!({
        "all": labels.all(),
        "same": labels.same,
        "different": labels.different,
        "unsure": labels.unsure,
        "found": labels.found,
    })
}

fn share_json(of: ShareEstimate) -> Value {
    json!({ "estimate": of.estimate, "low": of.low, "high": of.high })
}
