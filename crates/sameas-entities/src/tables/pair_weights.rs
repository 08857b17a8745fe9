//! What the pairs of records weigh.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use super::{Cancel, Result};
use crate::pairs::PairsInOrder;

/// What a score weighs at most, and the steps of a weight: sums of these are exact.
const MOST: f64 = 1024.0;
const STEPS: f64 = (1 << 20) as f64;

/// What the pairs of each record with others of its cluster weigh together: their scores, or one step each where nothing is scored.
/// `right_offset` is added to right rows, to number all records.
pub fn pair_weights(
    pairs: &dyn PairsInOrder,
    roots: &[u32],
    right_offset: u32,
    cancel: Cancel<'_>,
) -> Result<Vec<i64>> {
    let weights: Vec<AtomicI64> = roots.iter().map(|_| AtomicI64::new(0)).collect();
    pairs.in_any_order(&|rows| {
        cancel.check();
        for (at, pair) in rows.pairs.iter().enumerate() {
            let records = [pair.l, right_offset + pair.r].map(|record| record as usize);
            if roots[records[0]] == roots[records[1]] {
                let weight = rows.scores.get(at).map_or(1, |score| steps_of(score.get()));
                records.iter().for_each(|record| _ = weights[*record].fetch_add(weight, Relaxed));
            }
        }
        Ok(())
    })?;
    Ok(weights.into_iter().map(AtomicI64::into_inner).collect())
}

/// A score as a whole number of steps; nothing for a pair without one.
pub fn steps_of(score: Option<f64>) -> i64 {
    (score.unwrap_or(0.0).clamp(-MOST, MOST) * STEPS).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_rounded_and_bounded() {
        assert_eq!([None, Some(1.0), Some(-0.5), Some(1e9)].map(steps_of), [0, 1 << 20, -(1 << 19), 1 << 30]);
    }
}
