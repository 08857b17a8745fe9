//! How good a result is where the truth is a sample: pairs that people have judged.
//!
//! What is estimated holds for the frame, the pairs that the sample was drawn from, and for no others.

use serde::Serialize;

use super::answer::Answer;
use super::read::{self, AnswerKind, AnswerReader, KeptMemory, RecordIdentity};
use super::record_numbers::RecordNumbers;
use super::sampled_share::{EstimatedShare, LabelledPair, ShareEstimate};
use crate::engine::RunRecord;
use crate::error::{Error, Result};
use crate::judgements::{Judgement, JudgementKind, JudgementReading, Judgements};
use crate::memory::{Held, MemoryBudget, RESULTS_SHARE};
use crate::numbering::GrowingNumbers;
use crate::observer::{Progress, Stage};
use crate::output::current;
use crate::records::{Input, OpenSource};

/// What is to be estimated, and from which labels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EstimateRequest {
    /// The result.
    pub found: Input,
    /// Whether the result is pairs or clusters.
    pub found_kind: AnswerKind,
    /// The judged pairs.
    pub labels: Input,
    /// Whether the result has only pairs of records of different inputs.
    pub across: bool,
    /// The record of the run that made the result, if it is known: it has the names of the inputs.
    pub run: Option<RunRecord>,
}

impl EstimateRequest {
    /// A result and the judged pairs; nothing else is known.
    pub fn new(found: Input, found_kind: AnswerKind, labels: Input) -> Self {
        Self { found, found_kind, labels, across: false, run: None }
    }
}

/// How good a result is, by a sample: what `Session::estimate` gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LabelEstimates {
    /// All labels.
    pub labels: LabelCounts,
    /// Pairs of the result.
    pub found: u64,
    /// Labelled pairs with a record that the clusters of the result do not have; they count as not found.
    pub of_unknown_records: u64,
    /// Pairs of the frame, as far as inclusion probabilities say it.
    pub frame_pairs: Option<f64>,
    /// Pairs of the frame that were found, as far as inclusion probabilities say it.
    pub frame_found: Option<f64>,
    /// The share of the found pairs of the frame that are the same; unknown where no label tells.
    pub precision: Option<ShareEstimate>,
    /// The share of the pairs of the frame that are the same that were found.
    pub recall: Option<ShareEstimate>,
    /// The harmonic mean of both.
    pub f1: Option<ShareEstimate>,
    /// The strata by name; one without a name where labels have none.
    pub strata: Vec<LabelStratum>,
}

/// How many pairs are labelled, and as what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LabelCounts {
    /// Pairs that are the same.
    pub same: u64,
    /// Pairs that are not.
    pub different: u64,
    /// Pairs of which nobody can tell; they count for nothing else.
    pub unsure: u64,
    /// Those of all three that the result has.
    pub found: u64,
}

impl LabelCounts {
    /// All of them.
    pub fn all(&self) -> u64 {
        self.same + self.different + self.unsure
    }

    fn add(&mut self, kind: JudgementKind, is_found: bool) {
        match kind {
            JudgementKind::Same => self.same += 1,
            JudgementKind::Different => self.different += 1,
            JudgementKind::Unsure => self.unsure += 1,
        }
        self.found += u64::from(is_found);
    }
}

/// The labels of a stratum.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LabelStratum {
    /// Its name, if labels have one.
    pub name: Option<String>,
    /// Its labels.
    pub labels: LabelCounts,
    /// The pairs that they were drawn from, as far as inclusion probabilities say it.
    pub pairs: Option<f64>,
}

/// Reads a result and judged pairs, and estimates how good the result is among the pairs that these were drawn from. Uses the
/// threads of the current pool, and no more than `memory` bytes.
pub fn estimate(request: &EstimateRequest, memory: usize, progress: Progress<'_>) -> Result<LabelEstimates> {
    let opening = MemoryBudget::share(memory, RESULTS_SHARE);
    let cancel = progress.cancel().within(&opening);
    let found = request.found.moved(current).open_until(cancel)?;
    let labels = request.labels.open_until(cancel)?;
    read::check_kind(&found, request.found_kind, "the result")?;
    let mut inputs = GrowingNumbers::default();
    for input in request.run.iter().flat_map(|run| &run.inputs) {
        inputs.number(input.name.as_bytes());
    }
    let records = RecordIdentity::beside_truth(false, request.across);
    progress.begin(&Stage::Reading, None);
    let mut reading = AnswerReader::new(inputs, records, memory, progress)?;
    let found = reading.read(found, Some(request.found_kind), "the result")?;
    let labels = LabelledPairs::read(labels, request.across, reading, memory, progress)?;
    progress.cancel().check();
    Ok(labels.estimates(&found))
}

/// Judged pairs, with the numbers of their records.
pub(super) struct LabelledPairs {
    judgements: Judgements,
    /// The pairs of the judgements.
    pairs: Vec<(u32, u32)>,
    numbers: RecordNumbers,
    across: bool,
    _kept: KeptMemory,
    _held: Held,
}

impl LabelledPairs {
    /// Reads judgements after all else: `reading` has numbered the records of the result.
    pub fn read(
        labels: OpenSource,
        across: bool,
        mut reading: AnswerReader<'_>,
        memory: usize,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let budget = reading.budget().clone();
        let how = JudgementReading {
            has_sides: across,
            reading: &MemoryBudget::share(memory, RESULTS_SHARE),
            kept: &budget,
            progress: &|rows| progress.advance(rows),
        };
        let judgements = Judgements::read(labels, &how)?;
        let _held = budget.hold(judgements.as_slice().len().saturating_mul(LABEL_BYTES))?;
        let pairs = reading.judged(&judgements)?;
        let (numbers, _, _kept) = reading.finish()?;
        check_probabilities(&judgements)?;
        if across {
            check_inputs(&judgements, &pairs, &numbers)?;
        }
        Ok(Self { judgements, pairs, numbers, across, _kept, _held })
    }

    /// How good a result of the numbered records is.
    pub fn estimates(&self, found: &Answer) -> LabelEstimates {
        estimates(found, &self.judgements, &self.pairs, &self.numbers, self.across)
    }
}

/// What a label takes beside the judgement: its pair, and twice what is counted of it.
const LABEL_BYTES: usize = size_of::<(u32, u32)>() + 2 * size_of::<(JudgementKind, LabelledPair)>();

/// Refuses a sample that says only of some pairs how likely they were to be drawn: the others would weigh anything.
fn check_probabilities(judgements: &Judgements) -> Result<()> {
    let first = |is_given: bool| {
        judgements.as_slice().iter().find(|judgement| judgement.inclusion_probability.is_some() == is_given)
    };
    let (Some(given), Some(missing)) = (first(true), first(false)) else { return Ok(()) };
    let (given, missing) = (judgements.place(given), judgements.place(missing));
    let message = format!("{missing}: `inclusion_probability` is missing, and {given} has one");
    Err(Error::data(message).with_help("say it of all pairs, or of none: then each counts the same"))
}

/// Refuses labels of pairs that cannot be in the result of a link.
fn check_inputs(judgements: &Judgements, pairs: &[(u32, u32)], numbers: &RecordNumbers) -> Result<()> {
    let is_within = |(_, (a, b)): &(&Judgement, &(u32, u32))| numbers.source(*a) == numbers.source(*b);
    let Some((judgement, _)) = judgements.as_slice().iter().zip(pairs).find(is_within) else { return Ok(()) };
    let message =
        format!("{}: both records are of one input, and only pairs across inputs count", judgements.place(judgement));
    Err(Error::data(message).with_help("leave out the pairs within inputs"))
}

/// The estimates; `pairs` are those of the judgements.
fn estimates(
    found: &Answer,
    judgements: &Judgements,
    pairs: &[(u32, u32)],
    numbers: &RecordNumbers,
    across: bool,
) -> LabelEstimates {
    let strata = stratum_names(judgements);
    let label = |(judgement, pair): (&Judgement, &(u32, u32))| {
        let of_pair = LabelledPair {
            stratum: strata.partition_point(|name| *name < judgement.stratum.as_deref()) as u32,
            is_found: found.has(*pair),
            is_same: judgement.kind.is_same(),
            inclusion_probability: judgement.inclusion_probability,
        };
        (judgement.kind, of_pair)
    };
    let mut labels: Vec<(JudgementKind, LabelledPair)> = judgements.as_slice().iter().zip(pairs).map(label).collect();
    labels.sort_by_key(|(_, pair)| pair.key());
    let sample: Vec<LabelledPair> = labels.iter().map(|(_, pair)| *pair).collect();
    let has_probabilities = sample.iter().all(|pair| pair.inclusion_probability.is_some());
    let pairs_of = |sample: &[LabelledPair], counts: fn(&LabelledPair) -> bool| {
        has_probabilities
            .then(|| sample.iter().filter(|pair| counts(pair)).map(LabelledPair::weight).fold(0.0, |a, b| a + b))
    };
    let of_stratum = |labels: &[(JudgementKind, LabelledPair)]| LabelStratum {
        name: strata[labels[0].1.stratum as usize].map(str::to_owned),
        labels: counted(labels),
        pairs: pairs_of(&labels.iter().map(|(_, pair)| *pair).collect::<Vec<_>>(), |_| true),
    };
    LabelEstimates {
        labels: counted(&labels),
        found: found.pairs(numbers, across),
        of_unknown_records: of_unknown_records(found, pairs),
        frame_pairs: pairs_of(&sample, |_| true),
        frame_found: pairs_of(&sample, |pair| pair.is_found),
        precision: EstimatedShare::Precision.estimate(&sample),
        recall: EstimatedShare::Recall.estimate(&sample),
        f1: EstimatedShare::F1.estimate(&sample),
        strata: labels.chunk_by(|a, b| a.1.stratum == b.1.stratum).map(of_stratum).collect(),
    }
}

/// The names of all strata, in order; nothing comes before all names.
fn stratum_names(judgements: &Judgements) -> Vec<Option<&str>> {
    let mut names: Vec<Option<&str>> =
        judgements.as_slice().iter().map(|judgement| judgement.stratum.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn counted(labels: &[(JudgementKind, LabelledPair)]) -> LabelCounts {
    let mut counts = LabelCounts::default();
    labels.iter().for_each(|(kind, pair)| counts.add(*kind, pair.is_found));
    counts
}

/// The pairs with a record that is in no cluster. A result of pairs does not say which records there are.
fn of_unknown_records(found: &Answer, pairs: &[(u32, u32)]) -> u64 {
    let Answer::Clusters(clusters) = found else { return 0 };
    let is_unknown = |record: u32| clusters.cluster_of(record).is_none();
    pairs.iter().filter(|(a, b)| is_unknown(*a) || is_unknown(*b)).count() as u64
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn estimated(found: &str, kind: AnswerKind, labels: &str, across: bool) -> Result<LabelEstimates> {
        let (found, labels) = (file(found), file(labels));
        let request = EstimateRequest::new(Input::files([found.path()]), kind, Input::files([labels.path()]));
        estimate(&EstimateRequest { across, ..request }, usize::MAX, Progress::new(&(), &|| false))
    }

    fn shares(estimates: &LabelEstimates) -> [Option<f64>; 3] {
        [estimates.precision, estimates.recall, estimates.f1].map(|share| share.map(|share| share.estimate))
    }

    const LABELS: &str = "unique_id_l,unique_id_r,judgement,stratum,inclusion_probability\n1,2,same,high,0.5\n4,3,different,high,0.5\n\
                          5,6,same,low,0.25\n7,8,unsure,low,0.25\n";

    #[test]
    fn a_sample_judges_pairs_and_clusters() {
        let found =
            estimated("unique_id_l,unique_id_r\n1,2\n3,4\n8,7\n9,10\n", AnswerKind::Pairs, LABELS, false).unwrap();
        // Weights 2, 2 and 4: 2 of 4 found, 2 of 6 that are the same.
        assert_eq!(shares(&found), [Some(0.5), Some(1.0 / 3.0), Some(0.4)]);
        assert_eq!((found.labels.same, found.labels.different, found.labels.unsure, found.labels.found), (2, 1, 1, 3));
        assert_eq!((found.found, found.frame_pairs, found.frame_found), (4, Some(12.0), Some(8.0)));
        let strata: Vec<_> = found.strata.iter().map(|of| (of.name.as_deref(), of.labels.all(), of.pairs)).collect();
        assert_eq!(strata, [(Some("high"), 2, Some(4.0)), (Some("low"), 2, Some(8.0))]);
        let clusters = "id,cluster\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n7,d\n";
        let found = estimated(clusters, AnswerKind::Clusters, LABELS, false).unwrap();
        assert_eq!((shares(&found)[1], found.found, found.of_unknown_records), (Some(1.0), 3, 1));
    }

    #[test]
    fn no_order_of_labels_changes_a_digit() {
        let mut rows: Vec<&str> = LABELS.lines().skip(1).collect();
        rows.reverse();
        let turned = LABELS.lines().take(1).chain(rows).map(|row| format!("{row}\n")).collect::<String>();
        let found = "unique_id_l,unique_id_r\n1,2\n3,4\n";
        let [a, b] = [LABELS, &turned].map(|labels| estimated(found, AnswerKind::Pairs, labels, false).unwrap());
        assert_eq!(a, b);
    }

    #[test]
    fn without_probabilities_each_label_counts_the_same() {
        let labels = "unique_id_l,unique_id_r,judgement\n1,2,same\n3,4,same\n5,6,different\n";
        let found = estimated("a,b\n1,2\n5,6\n", AnswerKind::Pairs, labels, false).unwrap();
        assert_eq!((shares(&found), found.frame_pairs), ([Some(0.5), Some(0.5), Some(0.5)], None));
        assert_eq!((found.strata.len(), &found.strata[0].name), (1, &None));
        let mixed = "unique_id_l,unique_id_r,judgement,inclusion_probability\n1,2,same,\n3,4,same,0.5\n";
        let message = estimated("a,b\n1,2\n", AnswerKind::Pairs, mixed, false).unwrap_err().to_string();
        assert!(
            message.contains(".csv:2: `inclusion_probability` is missing, and ") || message.contains("row 1"),
            "{message}"
        );
    }

    #[test]
    fn across_inputs_the_left_id_comes_first() {
        let labels = "unique_id_l,unique_id_r,judgement\n1,1,same\n1,2,different\n2,1,same\n";
        let found = estimated("unique_id_l,unique_id_r\n1,1\n1,2\n", AnswerKind::Pairs, labels, true).unwrap();
        assert_eq!((shares(&found)[0], shares(&found)[1]), (Some(0.5), Some(0.5)));
        let named = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\na,1,a,2,same\n";
        let found = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\n";
        let message = estimated(found, AnswerKind::Pairs, named, true).unwrap_err().to_string();
        assert!(message.contains("both records are of one input"), "{message}");
    }
}
