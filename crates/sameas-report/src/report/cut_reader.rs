//! The pairs between clusters, as the results of a run have them.

use arrow_array::Array;

use super::members::{column_text, needed};
use super::pair_reader::{PairReader, ReportedPair};
use super::results::RunResults;
use crate::cancel::Cancel;
use crate::engine::CutReason;
use crate::error::Result;

/// Shows all pairs between clusters, if the run has any, by their records, and those that are wanted with what has cut them.
pub fn each_cut(
    results: &dyn RunResults,
    reader: &mut PairReader<'_>,
    cancel: Cancel<'_>,
    mut is_wanted: impl FnMut([u32; 2]) -> bool,
    mut take: impl FnMut(ReportedPair, CutReason) -> Result<()>,
) -> Result<()> {
    let Some(batches) = results.cut()? else { return Ok(()) };
    for batch in batches {
        cancel.check();
        let batch = batch?;
        let (causes, because) = (needed(&batch, "cause")?, column_text(&batch, "because")?);
        for (row, pair) in reader.read(&batch)?.into_iter().enumerate() {
            if is_wanted([pair.left, pair.right]) {
                let text = because.as_ref().filter(|texts| texts.is_valid(row)).map(|texts| texts.value(row));
                let text = text.filter(|text| !text.is_empty());
                take(pair, CutReason::new(causes.value(row), text.map(str::to_owned)))?;
            }
        }
    }
    Ok(())
}
