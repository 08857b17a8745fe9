//! Distinct integers, and how the number of one is found.

use rayon::prelude::*;

use crate::memory::MemoryBudget;

/// A table of all integers between the least and the greatest is taken where it has at most this many entries for each
/// value: it is faster than a search.
const SPARSE: usize = 8;

/// A table of this size is always taken, unless memory is short.
const SMALL_TABLE: usize = 1 << 16;

/// Distinct integers in their order; the number of one is its place.
#[derive(Debug, Default)]
pub struct OrderedIntegers {
    values: Vec<i64>,
    /// The numbers of all integers from the least on, where that is not too large.
    table: Vec<u32>,
}

impl OrderedIntegers {
    /// These integers, in any order and with repetitions. Tables leave half of the memory for what is to come.
    pub fn new(mut values: Vec<i64>, budget: &MemoryBudget) -> Self {
        values.par_sort_unstable();
        values.dedup();
        values.shrink_to_fit();
        let range = match (values.first(), values.last()) {
            (Some(least), Some(greatest)) => greatest.checked_sub(*least).and_then(|range| usize::try_from(range).ok()),
            _ => None,
        };
        let spare = budget.room().saturating_sub(budget.most() / 2) / size_of::<u32>();
        let most = (values.len() * SPARSE).max(SMALL_TABLE).min(spare);
        let table = match range.filter(|range| *range < most) {
            Some(range) => table_of(&values, range + 1),
            None => Vec::new(),
        };
        Self { values, table }
    }

    /// All of them, ascending.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The number of an integer, if it is one of them.
    pub fn find(&self, value: i64) -> Option<u32> {
        if self.table.is_empty() {
            return self.values.binary_search(&value).ok().map(|number| number as u32);
        }
        let place = usize::try_from(value.checked_sub(self.values[0])?).ok()?;
        // An integer that is missing has the number of the next one.
        self.table.get(place).copied().filter(|number| self.values[*number as usize] == value)
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<i64>() + self.table.capacity() * size_of::<u32>()
    }
}

fn table_of(values: &[i64], range: usize) -> Vec<u32> {
    let mut table = vec![0; range];
    let mut at = 0;
    for (number, value) in values.iter().enumerate() {
        let place = value.wrapping_sub(values[0]) as usize;
        table[at..=place].fill(number as u32);
        at = place + 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_order_of_the_values() {
        let budgets = [MemoryBudget::unlimited(), MemoryBudget::of_relations(1 << 10)];
        for values in
            [vec![], vec![7], vec![5, -3, 5, 70_000, i64::MAX, i64::MIN], (-50..50).rev().step_by(7).collect()]
        {
            for budget in &budgets {
                let ordered = OrderedIntegers::new(values.clone(), budget);
                assert!(ordered.values().is_sorted_by(|a, b| a < b));
                for value in &values {
                    assert_eq!(ordered.values()[ordered.find(*value).unwrap() as usize], *value);
                }
                assert_eq!((ordered.find(6), ordered.find(-51), ordered.find(80_000)), (None, None, None));
            }
        }
    }

    #[test]
    fn tables_leave_half_of_the_memory() {
        let find = |limit: usize| {
            let values = (0..10_000).map(|at| at * 7).collect();
            let ordered = OrderedIntegers::new(values, &MemoryBudget::of_relations(limit));
            assert!(ordered.find(7 * 77) == Some(77) && ordered.find(8).is_none());
            (ordered.table.is_empty(), ordered.bytes())
        };
        assert_eq!(find(64 << 10), (true, 80_000));
        assert_eq!(find(1 << 20), (false, 80_000 + 4 * 69_994));
    }
}
