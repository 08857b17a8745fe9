//! The different values of each cluster: how many there are, and which of them most rows have.

use arrow_buffer::BooleanBuffer;

use super::ClusterRows;
use super::order::ValueOrder;

/// Clusters of up to this many rows are looked through for each value; the values of larger ones are sorted.
const FEW: usize = 16;

/// What is known of the values of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValuesOfCluster {
    /// How many different ones there are.
    pub count: u32,
    /// The first row of the one that most rows have, and of several of these the earliest.
    pub most_frequent: Option<u32>,
}

/// The different values of the rows that count, cluster by cluster.
pub fn different_values(groups: &ClusterRows, counting: &BooleanBuffer, order: &ValueOrder) -> Vec<ValuesOfCluster> {
    let mut scratch = Vec::new();
    groups.each().map(|rows| of_cluster(rows, counting, order, &mut scratch)).collect()
}

fn of_cluster(
    rows: &[u32],
    counting: &BooleanBuffer,
    order: &ValueOrder,
    scratch: &mut Vec<(u32, u32)>,
) -> ValuesOfCluster {
    let counts = |row: &&u32| counting.value(**row as usize);
    if let [only] = rows {
        let most_frequent = Some(*only).filter(|row| counts(&row));
        return ValuesOfCluster { count: u32::from(most_frequent.is_some()), most_frequent };
    }
    scratch.clear();
    match rows.len() {
        ..=FEW => rows.iter().filter(counts).for_each(|row| {
            match scratch.iter_mut().find(|(first, _)| order.is_same(*first, *row)) {
                Some((_, count)) => *count += 1,
                None => scratch.push((*row, 1)),
            }
        }),
        _ => of_many(rows.iter().filter(counts).copied().collect(), order, scratch),
    }
    let best = scratch.iter().max_by(|(a, a_count), (b, b_count)| a_count.cmp(b_count).then(b.cmp(a)));
    ValuesOfCluster { count: scratch.len() as u32, most_frequent: best.map(|(row, _)| *row) }
}

/// The first row of each value, and how many have it.
fn of_many(mut rows: Vec<u32>, order: &ValueOrder, found: &mut Vec<(u32, u32)>) {
    rows.sort_unstable_by(|a, b| order.compare(*a, *b).then(a.cmp(b)));
    for row in rows {
        match found.last_mut() {
            Some((first, count)) if order.is_same(*first, row) => *count += 1,
            _ => found.push((row, 1)),
        }
    }
}

/// The first row of each different value of a cluster, in order.
pub fn first_rows(rows: &[u32], counting: &BooleanBuffer, order: &ValueOrder, firsts: &mut Vec<(u32, u32)>) {
    firsts.clear();
    let counted: Vec<u32> = rows.iter().copied().filter(|row| counting.value(*row as usize)).collect();
    of_many(counted, order, firsts);
    firsts.sort_unstable();
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, StringArray};

    use super::*;

    #[test]
    fn few_rows_and_many_are_counted_alike() {
        let texts: Vec<String> = (0..600_u32).map(|row| format!("{}", row * 7919 % 13 % (1 + row % 5))).collect();
        let column: ArrayRef = Arc::new(StringArray::from(texts.clone()));
        let counting = BooleanBuffer::collect_bool(600, |row| row % 7 != 3);
        let order = ValueOrder::of_column(&column).unwrap();
        for size in [1_u32, 2, 3, 16, 17, 60] {
            let clusters: Vec<u32> = (0..600).map(|row| row / size).collect();
            let sizes: Vec<u32> = (0..600).step_by(size as usize).map(|from| size.min(600 - from)).collect();
            let groups = ClusterRows::new(&clusters, 0, &sizes);
            let found = different_values(&groups, &counting, &order);
            for (rows, found) in groups.each().zip(found) {
                let values: Vec<(&str, u32)> = rows
                    .iter()
                    .filter(|row| counting.value(**row as usize))
                    .map(|row| (texts[*row as usize].as_str(), *row))
                    .collect();
                let count = |text: &str| values.iter().filter(|(other, _)| *other == text).count();
                let most = values.iter().map(|(text, _)| count(text)).max();
                let first = values.iter().find(|(text, _)| Some(count(text)) == most).map(|(_, row)| *row);
                let mut distinct: Vec<&str> = values.iter().map(|(text, _)| *text).collect();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(found, ValuesOfCluster { count: distinct.len() as u32, most_frequent: first }, "{size}");
            }
        }
    }
}
