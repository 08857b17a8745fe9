//! Evaluation: how good a result is, measured against the truth.
//!
//! Results and truth are each either pairs or clusters. Pairs are compared as sorted lists of record numbers, clusters
//! through the table of the number of records each two of them share, so that no cluster is ever written out as pairs.
//!
//! Where only a sample of pairs was judged, `estimate` says what that tells of the others. `cluster_changes` compares two results,
//! and `sweep` many ways to make clusters of the same pairs.
//!
//! Of the run that made a result only its record is asked, and not the job as a value (`JobSpec`) in it: results call their records
//! by names that inputs have when they are read (`InputRecord::name`, which no two share), and the numbers of records and pairs are
//! what a run has found. Records of runs that say nothing of their job suffice.

mod answer;
mod arithmetic;
mod cluster_changes;
mod cluster_scores;
mod compare;
mod estimate;
mod list;
mod partition;
mod read;
mod record_numbers;
mod reliability;
mod sampled_share;
mod scores;
mod sweep;
#[cfg(test)]
mod tests;
mod thresholds;

pub use answer::{Answer, PairSet, RecordClusters};
pub use cluster_changes::{
    ClusterChangeExample, ClusterChangeKind, ClusterChanges, ClusterComparison, ComparisonRequest, compare_clusters,
};
pub use cluster_scores::{ClusterScores, ClusterSizeScore, DividedClusters, ExactClusters};
pub use compare::{JudgedPair, PairScope, compare, judged_pairs, rule_scores, threshold_scores};
pub use estimate::{EstimateRequest, LabelCounts, LabelEstimates, LabelStratum, estimate};
pub use list::{EvaluationLists, PairList};
pub use read::{AnswerKind, AnswerReader, RecordIdentity};
pub use record_numbers::RecordNumbers;
pub use reliability::reliability;
pub use sampled_share::ShareEstimate;
pub use scores::{Blocking, Evaluation, PairCounts, ReliabilityBin, RuleScore, ThresholdScore};
pub use sweep::{SweepEstimates, SweepMethod, SweepRequest, SweepRow, SweepScores, SweepTable, sweep};
pub use thresholds::write_thresholds;

use crate::engine::RunRecord;
use crate::error::Result;
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::numbering::GrowingNumbers;
use crate::observer::{Progress, Stage};
use crate::output::current;
use crate::records::Input;
use cluster_scores::scores_of_clusters;
use list::{ListNames, difference};

/// What is to be evaluated, and against what.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvaluationRequest {
    /// The result.
    pub found: Input,
    /// Whether the result is pairs or clusters.
    pub found_kind: AnswerKind,
    /// The truth.
    pub truth: Input,
    /// Whether the truth is pairs or clusters; found from its columns if not given.
    pub truth_kind: Option<AnswerKind>,
    /// Only pairs with at least one record that the truth knows count. For a truth that covers a part of the records: a
    /// pair of other records is then not a mistake.
    pub among_known: bool,
    /// Only pairs of records of different inputs count.
    pub across: bool,
    /// The record of the run that made the result, if it is known: it has the number of all pairs and of the candidates.
    pub run: Option<RunRecord>,
    /// Numbers of records of the inputs, if they are known: one for a dedupe, one for each input of a link.
    pub records: Vec<u64>,
}

impl EvaluationRequest {
    /// A result and the truth; nothing else is known, and all pairs count.
    pub fn new(found: Input, found_kind: AnswerKind, truth: Input) -> Self {
        Self {
            found,
            found_kind,
            truth,
            truth_kind: None,
            among_known: false,
            across: false,
            run: None,
            records: Vec::new(),
        }
    }
}

/// Reads a result and the truth, compares them, and lists the pairs they differ in. Uses the threads of the current pool, and
/// no more than `memory` bytes.
///
/// If a truth of clusters does not name the inputs, ids are taken to be unique over all of them, and all pairs within
/// its clusters count.
pub fn evaluate(
    request: &EvaluationRequest,
    lists: EvaluationLists,
    memory: usize,
    progress: Progress<'_>,
) -> Result<Evaluation> {
    lists.protect_inputs(&[request.found.clone(), request.truth.clone()])?;
    let opening = MemoryBudget::share(memory, RESULTS_SHARE);
    let cancel = progress.cancel().within(&opening);
    let found = request.found.moved(current).open_until(cancel)?;
    let truth = request.truth.open_until(cancel)?;
    read::check_kind(&found, request.found_kind, "the result")?;
    let one_space = read::is_of_one_id_space(&truth, request.truth_kind);
    let scope = PairScope { among_known: request.among_known, across: request.across && !one_space };
    let records = RecordIdentity::beside_truth(one_space, scope.across);
    let mut inputs = GrowingNumbers::default();
    for input in request.run.iter().flat_map(|run| &run.inputs) {
        inputs.number(input.name.as_bytes());
    }
    progress.begin(&Stage::Reading, None);
    let mut reading = AnswerReader::new(inputs, records, memory, progress)?;
    let found = reading.read(found, Some(request.found_kind), "the result")?;
    let truth = reading.read(truth, request.truth_kind, "the truth")?;
    let budget = reading.budget().clone();
    let (numbers, names, _kept) = reading.finish()?;
    let working = budget.hold(working_bytes(&found, &numbers))?;
    progress.cancel().check();
    let counts = compare(&found, &truth, &numbers, scope);
    let names = ListNames { numbers: &numbers, inputs: names.as_ref() };
    progress.cancel().check();
    write_lists(lists, &found, &truth, &names, scope, &counts)?;
    let rules: Vec<String> = request.run.iter().flat_map(|run| &run.rules).map(|rule| rule.name.clone()).collect();
    let rules = match &found {
        Answer::Pairs(pairs) if !pairs.rules.is_empty() => {
            rule_scores(&found, &truth, numbers.count(), scope.among_known, &rules)
        }
        _ => Vec::new(),
    };
    let scored_by = if let Answer::Pairs(pairs) = &found { pairs.scored_by.clone() } else { None };
    let judged = judged_pairs(&found, &truth, numbers.count(), scope.among_known);
    let (thresholds, reliability) =
        (threshold_scores(&judged, counts.true_pairs), reliability(&judged, scored_by.as_deref()));
    let blocking = blocking(request, &found, &counts);
    drop(working);
    progress.cancel().check();
    let clusters = scores_of_clusters(&found, &truth, numbers.count(), scope.among_known, &budget)?;
    Ok(Evaluation { counts, blocking, rules, scored_by, thresholds, reliability, clusters })
}

/// What comparisons take for each record and each found pair, at most: lists to sort, and what each threshold would find.
fn working_bytes(found: &Answer, numbers: &RecordNumbers) -> usize {
    let of_records = numbers.count() * 2 * size_of::<(u64, u64)>();
    let of_pairs = match found {
        Answer::Pairs(pairs) if pairs.scored_by.is_some() => pairs.len() * 3 * size_of::<ThresholdScore>(),
        _ => 0,
    };
    of_records + of_pairs
}

/// Lists wrong pairs and missed ones, where that is wanted.
fn write_lists(
    lists: EvaluationLists,
    found: &Answer,
    truth: &Answer,
    names: &ListNames<'_>,
    scope: PairScope,
    counts: &PairCounts,
) -> Result<()> {
    let known = scope.among_known.then(|| truth.known(names.numbers.count()));
    if let Some(list) = lists.wrong {
        let wrong = difference(found, truth, names.numbers, scope, known.as_deref());
        let rules = if let Answer::Pairs(pairs) = found { &pairs.rules[..] } else { &[] };
        list.write(wrong, counts.found - counts.both, names, rules)?;
    }
    if let Some(list) = lists.missed {
        let missed = difference(truth, found, names.numbers, scope, None);
        list.write(missed, counts.true_pairs - counts.both, names, &[])?;
    }
    Ok(())
}

/// The number of all pairs, from the run, the user, or a list of all records; and the candidates among them.
fn blocking(request: &EvaluationRequest, found: &Answer, counts: &PairCounts) -> Blocking {
    let all_pairs = match (&request.records[..], &request.run, found) {
        ([n], _, _) => Some(arithmetic::pairs_of(*n)),
        ([_, _, ..], _, _) => Some(arithmetic::pairs_across(&request.records)),
        ([], Some(run), _) => Some(run.nominal_pairs),
        ([], None, Answer::Clusters(clusters)) if !request.across => Some(arithmetic::pairs_of(clusters.records())),
        ([], None, _) => None,
    };
    let candidates = request.run.as_ref().map(|run| run.candidates);
    Blocking { all_pairs, candidates, completeness: counts.recall() }
}
