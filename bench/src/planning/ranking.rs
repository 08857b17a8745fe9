//! How well one order agrees with another.

use super::random::Random;

/// The normalised discounted cumulative gain of ordering by `predicted`, the least first, where `actual` is right.
///
/// The relevance of an item is the number of items that are actually no less than it, itself included: `n` for the
/// least, 1 for the greatest. The gain at place `i`, from 0, counts relevance / log2(i + 2). Items that are predicted
/// equal share the mean of their relevances, as if their order were drawn at random.
pub fn ndcg(predicted: &[f64], actual: &[f64]) -> f64 {
    let relevance: Vec<f64> = actual.iter().map(|a| actual.iter().filter(|b| *b >= a).count() as f64).collect();
    gain(predicted, &relevance) / gain(actual, &relevance)
}

fn gain(values: &[f64], relevance: &[f64]) -> f64 {
    let order = ascending(values);
    let tied = order.chunk_by(|a, b| values[*a] == values[*b]);
    let shared = tied.flat_map(|group| {
        let mean = group.iter().map(|at| relevance[*at]).sum::<f64>() / group.len() as f64;
        std::iter::repeat_n(mean, group.len())
    });
    shared.enumerate().map(|(place, relevance)| relevance / (place as f64 + 2.0).log2()).sum()
}

/// The mean of [`ndcg`] over random orders: what knowing nothing is worth.
pub fn ndcg_of_chance(actual: &[f64]) -> f64 {
    const ORDERS: usize = 2000;
    let mut random = Random(7);
    let one = |_| ndcg(&actual.iter().map(|_| random.unit()).collect::<Vec<_>>(), actual);
    (0..ORDERS).map(one).sum::<f64>() / ORDERS as f64
}

/// Spearman's rank correlation; equal values have the mean of their ranks.
pub fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    if spread == 0.0 { 0.0 } else { product(&a, &b) / spread }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let (mut ranks, mut before) = (vec![0.0; values.len()], 0);
    for group in ascending(values).chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = before as f64 + (group.len() as f64 - 1.0) / 2.0;
        group.iter().for_each(|at| ranks[*at] = rank);
        before += group.len();
    }
    ranks
}

fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order
}

/// The root of the mean squared difference of logarithms.
pub fn log_error(predicted: &[f64], actual: &[f64]) -> f64 {
    let squares = predicted.iter().zip(actual).map(|(p, a)| (p / a).ln().powi(2));
    (squares.sum::<f64>() / actual.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_order_is_best_and_its_opposite_worst() {
        let actual = [1.0, 5.0, 2.0, 9.0];
        assert_eq!(ndcg(&[10.0, 50.0, 20.0, 90.0], &actual), 1.0);
        let worst = ndcg(&actual.map(|a| -a), &actual);
        let chance = ndcg_of_chance(&actual);
        assert!(worst < chance && chance < 1.0, "{worst} {chance}");
        assert!((ndcg(&[0.0; 4], &actual) - chance).abs() < 0.01);
        assert_eq!(spearman(&actual, &actual), 1.0);
        assert_eq!(spearman(&actual, &actual.map(|a| -a)), -1.0);
        assert_eq!(spearman(&actual, &[0.0; 4]), 0.0);
    }
}
