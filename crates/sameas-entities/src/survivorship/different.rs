//! The different values of each cluster: how many there are, and which of them most rows have.

use arrow_buffer::BooleanBuffer;
use rayon::prelude::*;

use super::ClusterRows;
use super::hashes::ValueHash;
use super::order::ValueOrder;

/// Clusters of up to this many rows are looked through for each value; the values of larger ones are sorted.
const FEW: usize = 16;

/// From this many rows on a cluster is worth all threads: one chain of records can be half of a table.
const MANY: usize = 1 << 15;

/// What counting the values of a large cluster takes besides them.
pub fn scratch_bytes(groups: &ClusterRows) -> usize {
    let largest = groups.each().map(<[u32]>::len).filter(|rows| *rows >= MANY).max().unwrap_or_default();
    largest * (size_of::<u32>() + size_of::<(u64, u32)>() + size_of::<(u32, u32)>())
}

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

/// The first row of each value, and how many have it, in any order.
fn of_many(rows: Vec<u32>, order: &ValueOrder, found: &mut Vec<(u32, u32)>) {
    match &order.hashes {
        Some(hashes) if rows.len() >= MANY => by_hash(&rows, order, hashes, found),
        _ => by_order(rows, order, found),
    }
}

fn by_order(mut rows: Vec<u32>, order: &ValueOrder, found: &mut Vec<(u32, u32)>) {
    let in_order = |a: &u32, b: &u32| order.compare(*a, *b).then(a.cmp(b));
    match rows.len() {
        ..MANY => rows.sort_unstable_by(in_order),
        _ => rows.par_sort_unstable_by(in_order),
    }
    for row in rows {
        match found.last_mut() {
            Some((first, count)) if order.is_same(*first, row) => *count += 1,
            _ => found.push((row, 1)),
        }
    }
}

/// The same on all threads: rows are brought together by the hashes of their values, which are numbers to sort.
fn by_hash(rows: &[u32], order: &ValueOrder, hashes: &ValueHash, found: &mut Vec<(u32, u32)>) {
    let mut hashed: Vec<(u64, u32)> = rows.par_iter().map(|row| (hashes(*row), *row)).collect();
    hashed.par_sort_unstable();
    let of_hash = |rows: &[(u64, u32)]| {
        let ((_, first), mut others) = (rows[0], Vec::new());
        if rows.par_iter().with_min_len(MANY).all(|(_, row)| order.is_same(first, *row)) {
            return Some((first, rows.len() as u32)).into_iter().chain(others);
        }
        by_order(rows.iter().map(|(_, row)| *row).collect(), order, &mut others);
        None.into_iter().chain(others)
    };
    found.par_extend(hashed.par_chunk_by(|(a, _), (b, _)| a == b).flat_map_iter(of_hash));
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
    fn a_hash_of_several_values_counts_each() {
        let column: ArrayRef = Arc::new(StringArray::from_iter_values((0..600).map(|row| (row % 7).to_string())));
        let order = ValueOrder::of_column(&column).unwrap();
        let rows: Vec<u32> = (0..600).rev().collect();
        let (mut by_few_hashes, mut expected) = (Vec::new(), Vec::new());
        by_hash(&rows, &order, &(Box::new(|row: u32| u64::from(row % 7 / 3)) as ValueHash), &mut by_few_hashes);
        by_order(rows, &order, &mut expected);
        by_few_hashes.sort_unstable();
        expected.sort_unstable();
        assert_eq!((by_few_hashes, expected.len()), (expected.clone(), 7));
    }

    #[test]
    fn large_clusters_are_counted_by_hashes_as_by_order() {
        let rows = 3 * MANY as u32;
        let texts = (0..rows).map(|row| (!row.is_multiple_of(11)).then(|| format!("v{}", row * 7919 % 5000)));
        let text: ArrayRef = Arc::new(StringArray::from_iter(texts));
        let number: ArrayRef =
            Arc::new(arrow_array::Float64Array::from_iter_values((0..rows).map(|row| f64::from(row % 9))));
        let list: ArrayRef =
            Arc::new(arrow_array::ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>(
                (0..rows).map(|row| Some(vec![Some((row % 3) as i32)])),
            ));
        for columns in [vec![text.clone()], vec![number.slice(5, rows as usize - 5)], vec![text, number], vec![list]] {
            let order = ValueOrder::of_columns(&columns).unwrap();
            let rows: Vec<u32> = (0..rows - 5).filter(|row| row % 13 != 2).collect();
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            of_many(rows.clone(), &order, &mut found);
            by_order(rows, &order, &mut expected);
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{:?}", columns[0].data_type());
        }
    }

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
