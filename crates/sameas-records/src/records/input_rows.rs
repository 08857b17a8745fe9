//! Several inputs in one frame: which rows are of which input, and the pairs across them.

use std::ops::Range;

/// The rows of inputs that lie in one frame, one after the other. Inputs without records do not count.
#[derive(Clone, Debug)]
pub struct InputRows {
    /// The first row of each input, and the number of all rows.
    starts: Vec<u32>,
}

impl InputRows {
    /// Inputs with these first rows, ascending, and the number of all rows.
    pub fn new(firsts: impl IntoIterator<Item = u32>, rows: u32) -> Self {
        let mut starts: Vec<u32> = firsts.into_iter().chain([rows]).collect();
        starts.dedup();
        Self { starts }
    }

    /// The rows of each input.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.starts.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// Whether two rows are of different inputs.
    #[inline]
    pub fn are_apart(&self, a: u32, b: u32) -> bool {
        self.place(a) != self.place(b)
    }

    /// The inputs of some of these rows, ascending, which are numbered from 0.
    pub fn part(&self, rows: &[u32]) -> Self {
        let first = |range: Range<u32>| rows.partition_point(|row| *row < range.start) as u32;
        Self::new(self.ranges().map(first), rows.len() as u32)
    }

    /// The rows of the input that a row is of.
    #[inline]
    pub fn around(&self, row: u32) -> Range<u32> {
        let place = self.place(row);
        self.starts[place - 1]..self.starts[place]
    }

    #[inline]
    fn place(&self, row: u32) -> usize {
        self.starts.partition_point(|start| *start <= row)
    }

    /// All pairs of rows of different inputs.
    pub fn pairs_across(&self) -> u64 {
        let rows = u64::from(self.starts.last().copied().unwrap_or(0));
        // Every pair is counted at both of its rows.
        self.ranges().map(|range| range.len() as u64).map(|own| u128::from(own) * u128::from(rows - own)).sum::<u128>()
            as u64
            / 2
    }

    /// Rectangles of rows that have every pair across inputs once, the earlier input's row first, and no other pair.
    ///
    /// The inputs are cut into two halves of about as many rows, those before meet those after, and each half is cut
    /// again. Two inputs are separated by exactly one cut. A row is in as many rectangles as it takes cuts until its input
    /// is alone: in proportion to the logarithm of the number of rows.
    pub fn rectangles(&self) -> Vec<[Range<u32>; 2]> {
        let mut rectangles = Vec::new();
        let mut groups: Vec<Range<usize>> = std::iter::once(0..self.starts.len().saturating_sub(1)).collect();
        while let Some(group) = groups.pop() {
            if group.len() < 2 {
                continue;
            }
            let [begin, end] = [self.starts[group.start], self.starts[group.end]];
            let middle = begin + (end - begin) / 2;
            let inner = &self.starts[group.start + 1..group.end];
            let after = inner.partition_point(|start| *start <= middle).min(inner.len() - 1);
            let nearest = [after.saturating_sub(1), after].into_iter().min_by_key(|at| inner[*at].abs_diff(middle));
            let cut = group.start + 1 + nearest.unwrap_or(after);
            rectangles.push([begin..self.starts[cut], self.starts[cut]..end]);
            groups.extend([group.start..cut, cut..group.end]);
        }
        rectangles
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inputs(sizes: &[u32]) -> (InputRows, Vec<usize>) {
        let (mut firsts, mut rows, mut of) = (Vec::new(), 0, Vec::new());
        for (input, size) in sizes.iter().enumerate() {
            firsts.push(rows);
            rows += size;
            of.extend(vec![input; *size as usize]);
        }
        (InputRows::new(firsts, rows), of)
    }

    proptest! {
        #[test]
        fn rectangles_have_every_pair_across_once(sizes in prop::collection::vec(0u32..7, 0..9)) {
            let (inputs, of) = inputs(&sizes);
            let all = (0..of.len() as u32).flat_map(|l| (l + 1..of.len() as u32).map(move |r| (l, r)));
            let expected: Vec<(u32, u32)> = all.filter(|(l, r)| of[*l as usize] != of[*r as usize]).collect();
            let rectangles = inputs.rectangles();
            let pairs = |[left, right]: &[Range<u32>; 2]| -> Vec<(u32, u32)> {
                left.clone().flat_map(|l| right.clone().map(move |r| (l, r))).collect()
            };
            let mut found: Vec<(u32, u32)> = rectangles.iter().flat_map(pairs).collect();
            found.sort_unstable();
            prop_assert_eq!(inputs.pairs_across(), expected.len() as u64);
            prop_assert!(expected.iter().all(|(l, r)| inputs.are_apart(*l, *r)));
            prop_assert!((0..of.len() as u32).all(|row| inputs.around(row).all(|other| of[other as usize] == of[row as usize])));
            prop_assert_eq!(found, expected);
        }
    }

    proptest! {
        #[test]
        fn some_of_the_rows_are_of_the_inputs_they_were_of(
            sizes in prop::collection::vec(0u32..7, 0..9),
            kept in prop::collection::vec(any::<bool>(), 54),
        ) {
            let (inputs, of) = inputs(&sizes);
            let rows: Vec<u32> = (0..of.len() as u32).filter(|row| kept[*row as usize]).collect();
            let part = inputs.part(&rows);
            for (a, of_a) in rows.iter().enumerate() {
                for (b, of_b) in rows.iter().enumerate() {
                    prop_assert_eq!(part.are_apart(a as u32, b as u32), inputs.are_apart(*of_a, *of_b));
                }
            }
            prop_assert_eq!(part.ranges().map(|range| range.len()).sum::<usize>(), rows.len());
        }
    }

    #[test]
    fn a_row_is_in_few_rectangles_however_unequal_the_inputs() {
        let equal = vec![3; 5000];
        let mut unequal: Vec<u32> = (0..18).map(|power| 1 << power).collect();
        unequal.extend(vec![1; 3000]);
        for sizes in [equal, unequal] {
            let (inputs, of) = inputs(&sizes);
            let rectangles = inputs.rectangles();
            assert_eq!(rectangles.len(), sizes.len() - 1);
            let rows: u64 = rectangles.iter().flatten().map(|range| range.len() as u64).sum();
            assert!(rows < 30 * of.len() as u64, "{rows} of {}", of.len());
        }
    }
}
