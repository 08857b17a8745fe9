//! What is to be compared, and by what.

use super::super::read::AnswerKind;
use super::method::SweepMethod;
use crate::cluster_pairs::ClusterPairsJob;
use crate::records::Input;

/// What a split at bridges asks of both parts, unless something else is said.
const DENSITY: f64 = 0.3;

/// Pairs, and the ways to make clusters of them that are to be compared.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SweepRequest {
    /// The pairs and their records. Of how it makes clusters, constraints and limits hold for all rows; thresholds, methods and
    /// splits are those of the rows.
    pub job: ClusterPairsJob,
    /// The thresholds on the score; none where they are to be chosen from the scores.
    pub thresholds: Vec<f64>,
    /// The methods; none for all that fit the pairs.
    pub methods: Vec<SweepMethod>,
    /// The share of their pairs that both parts of a cluster must have that is divided at bridges.
    pub density: f64,
    /// The truth, if it is known.
    pub truth: Option<Input>,
    /// Whether the truth is pairs or clusters; found from its columns if not given.
    pub truth_kind: Option<AnswerKind>,
    /// Judged pairs, where the truth is not known.
    pub labels: Option<Input>,
    /// Only pairs with at least one record that the truth knows count.
    pub among_known: bool,
    /// Only pairs of records of different inputs count.
    pub across: bool,
}

impl SweepRequest {
    /// All methods that fit these pairs, at thresholds chosen from their scores, judged by nothing.
    pub fn new(job: ClusterPairsJob) -> Self {
        Self {
            job,
            thresholds: Vec::new(),
            methods: Vec::new(),
            density: DENSITY,
            truth: None,
            truth_kind: None,
            labels: None,
            among_known: false,
            across: false,
        }
    }

    /// All that it reads.
    pub fn files_read(&self) -> Vec<Input> {
        self.job.files_read().into_iter().chain(self.truth.clone()).chain(self.labels.clone()).collect()
    }
}
