//! Evaluation: how good a result is, measured against the truth.
//!
//! Results and truth are each either pairs or clusters. Pairs are compared as sorted lists of record numbers, clusters
//! through the table of the number of records each two of them share, so that no cluster is ever written out as pairs.

mod answer;
mod compare;
mod read;
mod record_numbers;
mod run_facts;
mod scores;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Clustering, PairSet};
pub use compare::{PairScope, compare};
pub use read::{AnswerKind, AnswerReader, RecordIdentity};
pub use record_numbers::{InputNames, RecordNumbers};
pub use run_facts::RunFacts;
pub use scores::{Blocking, Evaluation, PairCounts};

use crate::error::{Error, Result};
use crate::records::{Input, Source};

/// What is to be evaluated, and against what.
#[derive(Clone, Debug)]
pub struct Request {
    /// The result.
    pub found: Input,
    /// Whether the result is pairs or clusters.
    pub found_kind: AnswerKind,
    /// The truth.
    pub truth: Input,
    /// Whether the truth is pairs or clusters; found from its columns if not given.
    pub truth_kind: Option<AnswerKind>,
    /// Which pairs count.
    pub scope: PairScope,
    /// What is known about the run that made the result.
    pub run: Option<RunFacts>,
    /// Numbers of records of the inputs, if the user gave them: one for a dedupe, two for a link.
    pub records: Vec<u64>,
}

/// Reads a result and the truth and compares them. Uses the threads of the current pool.
///
/// If a truth of clusters does not name the inputs, ids are taken to be unique over both of them, and all pairs within
/// its clusters count.
pub fn evaluate(request: &Request) -> Result<Evaluation> {
    let (found, truth) = (Source::open(&request.found)?, Source::open(&request.truth)?);
    let one_space = read::is_of_one_id_space(&truth, request.truth_kind);
    let scope = PairScope { across: request.scope.across && !one_space, ..request.scope };
    let records = match (one_space, scope.across) {
        (true, _) => RecordIdentity::ById,
        (_, true) => RecordIdentity::BySide,
        _ => RecordIdentity::ByInput,
    };
    let names = request.run.as_ref().map_or(Vec::new(), |run| run.input_names());
    let mut reading = AnswerReader::new(InputNames::new(names), records);
    let found = reading.read(found, Some(request.found_kind), "the result")?;
    let truth = reading.read(truth, request.truth_kind, "the truth")?;
    let numbers = reading.finish()?;
    let counts = compare(&found, &truth, &numbers, scope);
    Ok(Evaluation { counts, blocking: blocking(request, &found, &counts)? })
}

/// The number of all pairs, from the run, the user, or a list of all records; and the candidates among them.
fn blocking(request: &Request, found: &Answer, counts: &PairCounts) -> Result<Blocking> {
    let all_pairs = match (&request.records[..], &request.run, found) {
        ([n], _, _) => Some(scores::pairs_of(*n)),
        ([left, right], _, _) => Some(left.saturating_mul(*right)),
        ([], Some(run), _) => Some(run.nominal_pairs),
        ([], None, Answer::Clusters(clusters)) if !request.scope.across => Some(scores::pairs_of(clusters.records())),
        ([], None, _) => None,
        _ => return Err(Error::usage("at most two numbers of records can be given, one for each input")),
    };
    let candidates = request.run.as_ref().map(|run| run.candidates);
    Ok(Blocking { all_pairs, candidates, completeness: counts.recall() })
}
