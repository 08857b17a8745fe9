//! Optimal pairs: every way to pair rows is tried.

use super::case::WeightedEdge;
use super::counted::Counted;

/// How often 2^-32 is in a quarter.
const PARTS_OF_A_QUARTER: i128 = 1 << 30;

/// Where each left row may have a partner, with what that counts.
type Choices = Vec<Vec<(usize, i128)>>;

/// The largest sum so far, and the partner of each left row there.
type Best = (i128, Vec<Option<usize>>);

/// The rows of a component in pairs and alone; nothing where decisions hold two rows of a source together.
pub(super) fn pairs(
    sources: &[usize],
    component: &[usize],
    edges: &[WeightedEdge],
    counted: &Counted,
    groups: Vec<Vec<usize>>,
) -> Option<Vec<Vec<usize>>> {
    let has_two = |group: &Vec<usize>| {
        let mut found: Vec<usize> = group.iter().map(|row| sources[*row]).collect();
        found.sort_unstable();
        found.windows(2).any(|two| two[0] == two[1])
    };
    if groups.iter().any(has_two) {
        return None;
    }
    let first = component.iter().map(|row| sources[*row]).min()?;
    let free = |row: usize| groups.iter().any(|group| *group == [row]);
    let least = edges.iter().map(|edge| counted.quarters(edge)).min()?;
    let lefts: Vec<usize> = component.iter().copied().filter(|row| sources[*row] == first && free(*row)).collect();
    let choices: Choices = lefts
        .iter()
        .map(|left| {
            let partner = |edge: &WeightedEdge| {
                let [a, b] = edge.rows;
                let other = if a == *left { b } else { a };
                let is_possible = (a == *left || b == *left) && sources[other] != first && free(other);
                let worth = i128::from(counted.quarters(edge) - least) * PARTS_OF_A_QUARTER + 1;
                is_possible.then_some((other, worth))
            };
            let mut partners: Vec<(usize, i128)> = edges.iter().filter_map(partner).collect();
            partners.sort_unstable();
            partners
        })
        .collect();
    let mut best: Best = (0, vec![None; lefts.len()]);
    try_from(&choices, 0, 0, &mut vec![None; lefts.len()], &mut best);
    let (mut taken, mut clusters): (Vec<usize>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    for (left, partner) in lefts.iter().zip(best.1) {
        if let Some(right) = partner {
            clusters.push(vec![*left, right]);
            taken.extend([*left, right]);
        }
    }
    clusters.extend(groups.into_iter().filter(|group| !taken.contains(&group[0])));
    Some(clusters)
}

/// Tries all partners of the left rows from one on, the lowest first and none last: the first of the best stays.
fn try_from(choices: &Choices, left: usize, worth: i128, partners: &mut [Option<usize>], best: &mut Best) {
    let Some(own) = choices.get(left) else {
        if worth > best.0 {
            *best = (worth, partners.to_vec());
        }
        return;
    };
    for (right, more) in own {
        if !partners.contains(&Some(*right)) {
            partners[left] = Some(*right);
            try_from(choices, left + 1, worth + more, partners, best);
            partners[left] = None;
        }
    }
    try_from(choices, left + 1, worth, partners, best);
}
