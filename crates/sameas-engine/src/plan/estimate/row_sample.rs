//! The rows that all samples of a job are made of, a few thousand of each side or input: those with the least hashes.
//!
//! Every sample is the beginning of one list: whatever a plan asks about single pairs, it looks at the same records.

use super::across::SampledInputs;
use super::draw::{Drawn, SampledSides};
use super::input_sample::InputSample;
use super::joined_rows::JoinedRows;
use crate::records::stats::{Random, SampledRow, Statistics};

/// The rows that pairs are drawn from.
#[derive(Debug)]
pub enum RowSample {
    /// Of both sides.
    Sides(SampledSides),
    /// Of inputs in one frame, of which only pairs across them count.
    Inputs(SampledInputs),
}

impl RowSample {
    /// The sample of a job's rows; `place` says where in its frame a record lies.
    pub fn new(statistics: &Statistics, place: &dyn Fn(SampledRow) -> u32) -> Self {
        let inputs = InputSample::of_each(statistics, place);
        match &inputs[..] {
            [left, right] if statistics.has_two_sides() => Self::Sides(SampledSides::of_two([left, right])),
            inputs if statistics.is_across() => Self::Inputs(SampledInputs::new(inputs, statistics.seed)),
            inputs => Self::Sides(SampledSides::of_one(inputs)),
        }
    }

    /// Those that can be joined.
    pub fn joined(&self) -> JoinedRows {
        match self {
            Self::Sides(sides) => sides.joined(),
            Self::Inputs(inputs) => inputs.joined(),
        }
    }

    /// Pairs of any kind, of which there are `nominal`.
    pub fn draw(&self, nominal: f64, random: &mut Random) -> Drawn {
        match self {
            Self::Sides(sides) => sides.draw(nominal, random),
            Self::Inputs(inputs) => inputs.draw(nominal, random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::estimate::joined_rows::JOINED;
    use crate::records::stats::{HashedRow, SAMPLE, least_rows};

    fn input(records: u32, seed: u64) -> InputSample {
        let sampled = least_rows(records, SAMPLE, seed);
        InputSample::new(records.into(), sampled.into_iter().map(|row| (row.hash, row.row as u32)).collect())
    }

    fn sides(rows: [u32; 2]) -> RowSample {
        RowSample::Sides(SampledSides::of_two([&input(rows[0], 1), &input(rows[1], 0)]))
    }

    fn one(rows: u32) -> RowSample {
        RowSample::Sides(SampledSides::of_one(&[input(rows, 1)]))
    }

    #[test]
    fn a_smaller_sample_is_part_of_a_larger_one() {
        let joined = sides([100_000, 3000]).joined();
        let all = joined.first(usize::MAX);
        assert_eq!(all.each_ref().map(Vec::len), [JOINED; 2]);
        for most in [1, 2, 100, JOINED - 1] {
            for (rows, of) in joined.first(most).iter().zip(&all) {
                assert_eq!(rows.len(), most);
                assert!(rows.windows(2).all(|two| two[0] < two[1]), "{rows:?}");
                assert!(rows.iter().all(|row| of.binary_search(row).is_ok()), "{rows:?}");
            }
        }
    }

    /// Were the rows of both sides the same, records in the same place of two tables would meet too often.
    #[test]
    fn two_sides_are_sampled_apart() {
        let [left, right] = sides([100_000; 2]).joined().first(JOINED);
        let both = left.iter().filter(|row| right.binary_search(row).is_ok()).count();
        assert!(both < 20, "{both} rows of {JOINED}");
    }

    #[test]
    fn pairs_are_drawn_from_the_sampled_rows() {
        let sampled = least_rows(1_000_000, SAMPLE, 1);
        let is_sampled = |row: &u32| sampled.iter().any(|HashedRow { row: other, .. }| *other == u64::from(*row));
        let Drawn { pairs, .. } = one(1_000_000).draw(1e12, &mut Random::new(1));
        assert!(pairs.l.len() > 200 && pairs.l.iter().zip(&pairs.r).all(|(l, r)| l < r));
        assert!(pairs.l.iter().chain(&pairs.r).all(is_sampled));
    }

    #[test]
    fn few_rows_are_all_sampled() {
        let all: Vec<u32> = (0..300).collect();
        assert_eq!(one(300).joined().first(JOINED), [all.clone(), all]);
        assert!(one(1).draw(0.0, &mut Random::new(1)).pairs.l.is_empty());
    }
}
