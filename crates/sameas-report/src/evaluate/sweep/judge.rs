//! What the rows of a sweep are judged by: the truth, labelled pairs, or nothing.
//!
//! Records have the numbers of their rows; those that only the truth or the labels know come after them.

use super::super::answer::{Answer, RecordClusters};
use super::super::cluster_scores::scores_of_clusters;
use super::super::compare::{PairScope, compare};
use super::super::estimate::LabelledPairs;
use super::super::read::{AnswerReader, KeptMemory, RecordIdentity, is_of_one_id_space};
use super::super::record_numbers::RecordNumbers;
use super::super::scores::PairCounts;
use super::request::SweepRequest;
use super::row::{SweepEstimates, SweepScores};
use crate::cluster_pairs::PreparedPairs;
use crate::error::{Error, Result};
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::numbering::GrowingNumbers;
use crate::observer::{Progress, Stage};
use crate::records::Input;

/// What rows are judged by.
#[derive(Default)]
pub(super) struct SweepJudge {
    truth: Option<SweepTruth>,
    labels: Option<LabelledPairs>,
}

/// The truth, and what counts of it.
struct SweepTruth {
    answer: Answer,
    numbers: RecordNumbers,
    scope: PairScope,
    /// Records that the truth knows, if it matters.
    known: Vec<bool>,
    budget: MemoryBudget,
    _kept: KeptMemory,
}

/// What the truth says of a pair.
#[derive(Clone, Copy, Default)]
pub(super) struct PairVerdict {
    /// Whether it counts.
    pub counts: bool,
    /// Whether it counts and is true.
    pub is_true: bool,
}

impl SweepJudge {
    /// Reads the truth or the labels of a request.
    pub fn read(request: &SweepRequest, pairs: &PreparedPairs, memory: usize, progress: Progress<'_>) -> Result<Self> {
        match (&request.truth, &request.labels) {
            (None, None) => Ok(Self::default()),
            (Some(_), Some(_)) => {
                Err(Error::usage("the truth and labels cannot both be used").with_help("give one of them"))
            }
            (Some(truth), None) => {
                let truth = SweepTruth::read(truth, request, pairs, memory, progress)?;
                Ok(Self { truth: Some(truth), labels: None })
            }
            (None, Some(labels)) => {
                let opening = MemoryBudget::share(memory, RESULTS_SHARE);
                let source = labels.open_until(progress.cancel().within(&opening))?;
                progress.begin(&Stage::Reading, None);
                let reading = reader(pairs, RecordIdentity::beside_truth(false, request.across), memory, progress)?;
                let labels = LabelledPairs::read(source, request.across, reading, memory, progress)?;
                Ok(Self { truth: None, labels: Some(labels) })
            }
        }
    }

    /// Whether there is nothing to judge by.
    pub fn knows_nothing(&self) -> bool {
        self.truth.is_none() && self.labels.is_none()
    }

    /// What the truth says of a pair.
    pub fn verdict(&self, rows: [u32; 2]) -> PairVerdict {
        self.truth.as_ref().map(|truth| truth.verdict(rows)).unwrap_or_default()
    }

    /// How many pairs are true.
    pub fn true_pairs(&self) -> u64 {
        self.truth.as_ref().map_or(0, |truth| truth.answer.pairs(&truth.numbers, truth.scope.across))
    }

    /// How good clusters are by the truth, and by labels. `pairs` are those that reach the threshold.
    pub fn judge(
        &self,
        first_rows: &[u32],
        pairs: PairCounts,
    ) -> Result<(Option<SweepScores>, Option<SweepEstimates>)> {
        if self.knows_nothing() {
            return Ok((None, None));
        }
        let found = answer_of(first_rows);
        let scores = self.truth.as_ref().map(|truth| truth.scores(&found, pairs)).transpose()?;
        let estimates = self.labels.as_ref().map(|labels| {
            let all = labels.estimates(&found);
            SweepEstimates { precision: all.precision, recall: all.recall, f1: all.f1 }
        });
        Ok((scores, estimates))
    }
}

impl SweepTruth {
    fn read(
        truth: &Input,
        request: &SweepRequest,
        pairs: &PreparedPairs,
        memory: usize,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let opening = MemoryBudget::share(memory, RESULTS_SHARE);
        let source = truth.open_until(progress.cancel().within(&opening))?;
        let is_one_space = is_of_one_id_space(&source, request.truth_kind);
        let scope = PairScope { among_known: request.among_known, across: request.across && !is_one_space };
        progress.begin(&Stage::Reading, None);
        let mut reading = reader(pairs, RecordIdentity::beside_truth(is_one_space, scope.across), memory, progress)?;
        let answer = reading.read(source, request.truth_kind, "the truth")?;
        let budget = reading.budget().clone();
        let (numbers, _, _kept) = reading.finish()?;
        let known = if scope.among_known { answer.known(numbers.count()) } else { Vec::new() };
        Ok(Self { answer, numbers, scope, known, budget, _kept })
    }

    fn verdict(&self, [l, r]: [u32; 2]) -> PairVerdict {
        if self.scope.across && self.numbers.source(l) == self.numbers.source(r) {
            return PairVerdict::default();
        }
        let is_true = self.answer.has((l, r));
        let is_known = || self.known[l as usize] || self.known[r as usize];
        PairVerdict { counts: is_true || !self.scope.among_known || is_known(), is_true }
    }

    fn scores(&self, found: &Answer, pairs: PairCounts) -> Result<SweepScores> {
        let (records, among_known) = (self.numbers.count(), self.scope.among_known);
        Ok(SweepScores {
            pairs,
            cluster_pairs: compare(found, &self.answer, &self.numbers, self.scope),
            clusters: scores_of_clusters(found, &self.answer, records, among_known, &self.budget)?,
        })
    }
}

/// A reader that knows the records of the pairs, and of the sources first the one that is left.
fn reader<'p>(
    pairs: &PreparedPairs,
    identity: RecordIdentity,
    memory: usize,
    progress: Progress<'p>,
) -> Result<AnswerReader<'p>> {
    if identity == RecordIdentity::BySide && pairs.sources().is_empty() && pairs.records() > 0 {
        return Err(Error::usage("only pairs across inputs count, and nothing says which inputs the records are from")
            .with_help("name the sources of both sides"));
    }
    let mut inputs = GrowingNumbers::default();
    for name in pairs.left_source().into_iter().chain(pairs.sources().iter().map(String::as_str)) {
        inputs.number(name.as_bytes());
    }
    let mut reading = AnswerReader::new(inputs, identity, memory, progress)?;
    reading.number_records((0..pairs.records()).map(|row| pairs.record(row)))?;
    Ok(reading)
}

/// Clusters as a result: of each record the first one of its cluster.
fn answer_of(first_rows: &[u32]) -> Answer {
    let mut clusters = RecordClusters::default();
    for (row, first) in (0..).zip(first_rows) {
        clusters.put(row, *first);
    }
    Answer::Clusters(clusters)
}
