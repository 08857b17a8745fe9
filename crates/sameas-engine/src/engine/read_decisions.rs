//! What people have decided about the pairs of a job, as it is read with the job: before anything is joined, it is refused if it
//! contradicts itself.

use sameas_clusters::{contradicting_chain, held_together};

use super::named_pair::name_of;
use crate::cancel::Cancel;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::job::Job;
use crate::judgements::DecidedPairs;
use crate::memory::MemoryBudget;
use crate::rules::RuleSet;

/// The `match_key` of pairs that are decided to be the same.
pub const DECIDED: &str = "decided";

/// Reads what was decided about the pairs of a job, if anything was, and refuses what contradicts itself.
pub(super) fn read_decisions(
    job: &Job,
    rules: &RuleSet,
    dataset: &Dataset,
    memory: usize,
    cancel: Cancel<'_>,
) -> Result<Option<DecidedPairs>> {
    let Some(input) = &job.decided else { return Ok(None) };
    if rules.rules.iter().any(|rule| rule.name == DECIDED) {
        return Err(Error::rules(format!("a rule is called `{DECIDED}`, as pairs are that somebody has decided"))
            .with_help("give the rule another name"));
    }
    let (names, budget) = (dataset.record_names(), MemoryBudget::new(memory));
    let decided = DecidedPairs::read(input, names.all(), &budget, cancel)?;
    let [together, apart] = [true, false].map(|is_same| decided_records(&decided, is_same, dataset));
    match contradicting_chain(&together, &apart, cancel)? {
        Some(chain) => Err(chain_error(&chain, &decided, dataset)),
        None => Ok(Some(decided)),
    }
}

/// Pairs of records, numbered over all inputs, of which this was decided.
pub(super) fn decided_records(decided: &DecidedPairs, is_same: bool, dataset: &Dataset) -> Vec<[u32; 2]> {
    let right_offset = dataset.layout().right_offset();
    let pairs = decided.as_slice().iter().filter(|pair| pair.is_same == is_same);
    pairs.map(|pair| [pair.l, right_offset + pair.r]).collect()
}

/// Decisions that contradict each other, as an error that shows them.
pub(super) fn chain_error(chain: &[u32], decided: &DecidedPairs, dataset: &Dataset) -> Error {
    let (least, most) = (chain.first().min(chain.last()), chain.first().max(chain.last()));
    let pair = least.zip(most).and_then(|(l, r)| decided.pair(*l, r - dataset.layout().right_offset()));
    let place = pair.map(|pair| decided.place(pair)).unwrap_or_default();
    held_together(chain, &place, &|row| record_name(dataset, row))
}

/// What a record is called.
pub(super) fn record_name(dataset: &Dataset, record: u32) -> String {
    let (layout, (frame, row)) = (dataset.layout(), dataset.layout().place(record));
    let (input, row) = layout.input_row(&layout.borders(), frame, row);
    name_of(dataset, (input, row as usize))
}
