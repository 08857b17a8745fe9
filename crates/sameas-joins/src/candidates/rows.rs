//! The records of one side that may take part.

use std::ops::Deref;
use std::sync::Arc;

use rayon::prelude::*;

/// Rows that one task divides.
const ROWS_OF_A_TASK: usize = 1 << 16;

/// Records, in row order. A copy shares them: most branches have all records of a job on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows(Arc<Vec<u32>>);

impl Rows {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// All records of two sides, by their numbers.
    pub fn of_sides([left, right]: [u32; 2]) -> [Self; 2] {
        let all = |count: u32| Self(Arc::new((0..count).into_par_iter().collect()));
        let lefts = all(left);
        let rights = if left == right { lefts.clone() } else { all(right) };
        [lefts, rights]
    }

    /// Those of which something holds.
    #[must_use]
    pub fn filtered(&self, holds: impl Fn(u32) -> bool + Sync) -> Self {
        Self(Arc::new(self.0.par_iter().copied().filter(|row| holds(*row)).collect()))
    }

    /// The rows of each of some groups, found in one pass; a row may be in none.
    pub fn divided(&self, groups: usize, group_of: impl Fn(u32) -> Option<usize> + Sync) -> Vec<Self> {
        let divide = |rows: &[u32]| {
            let mut parts = vec![Vec::new(); groups];
            for row in rows {
                if let Some(group) = group_of(*row) {
                    parts[group].push(*row);
                }
            }
            parts
        };
        let tasks: Vec<Vec<Vec<u32>>> = self.0.par_chunks(ROWS_OF_A_TASK).map(divide).collect();
        let of_group = |group: usize| tasks.iter().map(|parts| &parts[group][..]).collect::<Vec<_>>().concat();
        (0..groups).into_par_iter().map(|group| Self::from(of_group(group))).collect()
    }
}

impl Deref for Rows {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl From<Vec<u32>> for Rows {
    fn from(rows: Vec<u32>) -> Self {
        Self(Arc::new(rows))
    }
}

impl FromIterator<u32> for Rows {
    fn from_iter<I: IntoIterator<Item = u32>>(rows: I) -> Self {
        Self::from(rows.into_iter().collect::<Vec<u32>>())
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = &'a u32;
    type IntoIter = std::slice::Iter<'a, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_rows_that_a_filter_finds() {
        let group_of = |row: u32| (row % 7 != 5).then_some((row % 7 % 3) as usize);
        for count in [0, 1, 20, 3 * ROWS_OF_A_TASK as u32 + 17] {
            let rows: Rows = (0..count).map(|row| 2 * row).collect();
            let groups = rows.divided(4, group_of);
            let filtered = |group: usize| rows.filtered(|row| group_of(row) == Some(group));
            assert_eq!(groups, (0..4).map(filtered).collect::<Vec<_>>(), "{count} rows");
        }
    }
}
