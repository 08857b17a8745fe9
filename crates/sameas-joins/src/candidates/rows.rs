//! The records of one side that may take part.

use std::ops::Deref;
use std::sync::Arc;

use rayon::prelude::*;

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
