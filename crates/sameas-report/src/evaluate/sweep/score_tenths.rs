//! Thresholds where none are given: they part the scores into tenths.

use rayon::prelude::*;

use crate::rules::ClusterSpec;

/// How many thresholds there are at most.
const TENTHS: usize = 10;

/// More decimals than these say nothing of a score.
const MOST_DECIMALS: i32 = 15;

/// The thresholds that all pairs, nine tenths of them, eight tenths and so on reach, ascending: fewer than ten where scores are
/// equal. Each has as few decimals as part the same pairs.
pub(super) fn tenths_of(mut scores: Vec<f64>) -> Vec<f64> {
    scores.par_sort_unstable_by(f64::total_cmp);
    let (Some(least), Some(highest)) = (scores.first(), scores.last()) else { return Vec::new() };
    let below_all = least - (highest - least) / TENTHS as f64;
    let mut chosen: Vec<f64> = (0..TENTHS).map(|tenth| scores[scores.len() * tenth / TENTHS]).collect();
    chosen.dedup();
    let shortened = |score: &f64| {
        let lower = scores.partition_point(|other| other < score).checked_sub(1).map(|at| scores[at]);
        shortest(*score, lower.unwrap_or(below_all))
    };
    chosen.iter().map(shortened).collect()
}

/// The number with the fewest decimals that is at most this score, and above a lower one.
fn shortest(score: f64, lower: f64) -> f64 {
    let rounded_down = |decimals: i32| {
        let scale = 10_f64.powi(decimals);
        // Of -0 and 0 the sum is 0.
        (score * scale).floor() / scale + 0.0
    };
    let parts_the_same = |number: &f64| *number <= score && *number > lower && ClusterSpec::is_score(*number);
    (0..=MOST_DECIMALS).map(rounded_down).find(parts_the_same).unwrap_or(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_have_few_decimals() {
        let scores: Vec<f64> = (0..1000).map(|at| 0.5 + f64::from(at) / 2000.0 + 1e-9).collect();
        assert_eq!(tenths_of(scores), [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]);
        assert_eq!(tenths_of(vec![0.9, 0.3, 0.9, 0.9]), [0.3, 0.9]);
        assert_eq!(tenths_of(vec![-3.75, 12.25]), [-4.0, 12.0]);
        assert_eq!(tenths_of(vec![1.0 / 3.0; 4]), [1.0 / 3.0]);
        assert_eq!(tenths_of(vec![-2_147_483_647.5, 1.0]), [-2_147_483_647.5, 1.0]);
        assert!(tenths_of(Vec::new()).is_empty());
    }

    #[test]
    fn a_threshold_parts_what_its_score_parts() {
        let scores: Vec<f64> =
            (0..5000_u32).map(|at| f64::from(at.wrapping_mul(2_654_435_761)) / 1e7 - 200.0).collect();
        for threshold in tenths_of(scores.clone()) {
            let reached = scores.iter().filter(|score| **score >= threshold).count();
            assert!(reached.is_multiple_of(scores.len() / TENTHS), "{threshold}: {reached}");
        }
    }
}
