//! Linkages: all pairs of clusters are looked at again before each union.

use super::case::WeightedEdge;
use super::counted::Counted;

/// Likeness as a fraction: a sum, and what it is divided by.
type Fraction = (i128, i128);

fn edges_between<'a>(
    a: &'a [usize],
    b: &'a [usize],
    edges: &'a [WeightedEdge],
) -> impl Iterator<Item = &'a WeightedEdge> {
    let joins = move |[l, r]: [usize; 2]| a.contains(&l) && b.contains(&r) || a.contains(&r) && b.contains(&l);
    edges.iter().filter(move |edge| joins(edge.rows))
}

/// The average of all pairs; nothing where no edge joins them.
pub(super) fn average(a: &[usize], b: &[usize], edges: &[WeightedEdge], counted: &Counted) -> Option<Fraction> {
    edges_between(a, b, edges).next()?;
    let sum = edges_between(a, b, edges).map(|edge| i128::from(counted.quarters(edge))).sum();
    Some((sum, (a.len() * b.len()) as i128))
}

/// The least of all pairs; nothing where one has no edge.
pub(super) fn least(a: &[usize], b: &[usize], edges: &[WeightedEdge], counted: &Counted) -> Option<Fraction> {
    let has_all = edges_between(a, b, edges).count() == a.len() * b.len();
    let least = edges_between(a, b, edges).map(|edge| counted.quarters(edge)).min()?;
    has_all.then_some((least.into(), 1))
}

/// Unites the two clusters that are most alike until none are alike enough. Clusters are in the order of their first rows.
pub(super) fn unite(
    mut clusters: Vec<Vec<usize>>,
    alike: impl Fn(&[usize], &[usize]) -> Option<Fraction>,
    threshold: i64,
) -> Vec<Vec<usize>> {
    loop {
        let mut best: Option<(usize, usize, Fraction)> = None;
        for a in 0..clusters.len() {
            for b in a + 1..clusters.len() {
                let Some(likeness) = alike(&clusters[a], &clusters[b]) else { continue };
                let is_enough = likeness.0 >= i128::from(threshold) * likeness.1;
                if is_enough && best.is_none_or(|(_, _, best)| likeness.0 * best.1 > best.0 * likeness.1) {
                    best = Some((a, b, likeness));
                }
            }
        }
        let Some((a, b, _)) = best else { return clusters };
        let more = clusters.remove(b);
        clusters[a].extend(more);
    }
}
