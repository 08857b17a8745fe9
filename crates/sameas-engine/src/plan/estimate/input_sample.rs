//! The sampled rows of an input.

use crate::records::stats::{SampledRow, Statistics};

/// The rows of an input that were sampled, as rows of its frame.
#[derive(Debug)]
pub struct InputSample {
    /// How many records the input has.
    pub records: u64,
    /// Hashes and rows, ascending by hash.
    sampled: Vec<(u64, u32)>,
}

impl InputSample {
    /// Those of an input with this many records: hashes and rows, ascending by hash.
    pub fn new(records: u64, sampled: Vec<(u64, u32)>) -> Self {
        Self { records, sampled }
    }

    /// Those of each input; `place` says where in its frame a record lies.
    pub fn of_each(statistics: &Statistics, place: &dyn Fn(SampledRow) -> u32) -> Vec<Self> {
        let mut inputs = Vec::with_capacity(statistics.inputs.len());
        for (input, (counted, sampled)) in statistics.inputs.iter().zip(&statistics.samples).enumerate() {
            let placed = |row: u64| place(SampledRow { input: input as u32, row });
            inputs.push(Self::new(counted.rows, sampled.iter().map(|row| (row.hash, placed(row.row))).collect()));
        }
        inputs
    }

    /// The rows with the least hashes, at most `most`.
    pub fn first(&self, most: usize) -> Vec<u32> {
        self.sampled.iter().take(most).map(|(_, row)| *row).collect()
    }

    /// The rows with the least hashes of several inputs in one frame, at most `most`. Hashes are as evenly spread in one input
    /// as in another, so that each has as many of them as it has records, in proportion.
    pub fn least_of_all(inputs: &[Self], most: usize) -> Vec<u32> {
        // Beyond the last row that is known of an input, others of it would come.
        let is_part = |input: &&Self| (input.sampled.len() as u64) < input.records;
        let bound = inputs.iter().filter(is_part).filter_map(|input| Some(input.sampled.last()?.0)).min();
        let all = inputs.iter().flat_map(|input| input.sampled.iter().copied());
        let mut rows: Vec<(u64, u32)> = all.filter(|(hash, _)| bound.is_none_or(|bound| *hash <= bound)).collect();
        rows.sort_unstable();
        rows.truncate(most);
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_as_many_rows_as_is_known_of_each() {
        let whole = InputSample::new(3, vec![(1, 0), (50, 2), (90, 1)]);
        let part = InputSample::new(100, vec![(10, 7), (20, 5), (60, 9)]);
        let inputs = [whole, part];
        assert_eq!(InputSample::least_of_all(&inputs, 10), [0, 7, 5, 2, 9]);
        assert_eq!(InputSample::least_of_all(&inputs, 2), [0, 7]);
        assert_eq!(InputSample::least_of_all(&inputs[..1], 10), [0, 2, 1]);
        assert_eq!(inputs[1].first(2), [7, 5]);
    }
}
