//! Estimates of a link of several inputs in one frame, where only pairs across inputs count.

use std::ops::Range;

use super::bits::SAMPLED;
use super::draw::{Drawn, ascending, one_of};
use super::input_sample::InputSample;
use super::joined_rows::{JOINED, JoinedRows, in_row_order};
use crate::candidates::Batch;
use crate::records::stats::{Random, SAMPLE, SAMPLE_OF_ALL, SAMPLE_OF_LEAST};

/// The rows of inputs in one frame that pairs across them are drawn from.
#[derive(Debug)]
pub struct SampledInputs {
    inputs: Vec<SampledInput>,
    /// Those that can be joined, in the order in which they come into a sample.
    line: Vec<u32>,
}

#[derive(Debug)]
struct SampledInput {
    /// All of its records, numbered through all inputs.
    range: Range<u64>,
    /// The weights of the inputs up to this one: how likely a record of each is to be in a pair across inputs.
    weights: f64,
    /// The rows with the least hashes; ascending.
    rows: Vec<u32>,
}

impl SampledInput {
    fn records(&self) -> u64 {
        self.range.end - self.range.start
    }
}

impl SampledInputs {
    /// The sample of some inputs.
    pub fn new(inputs: &[InputSample], seed: u64) -> Self {
        let all: u64 = inputs.iter().map(|input| input.records).sum();
        let weight = |input: &InputSample| input.records as f64 * (all - input.records) as f64;
        let sum = inputs.iter().map(weight).sum::<f64>().max(1.0);
        let (mut sampled, mut line, mut weights, mut begin) = (Vec::new(), Vec::new(), 0.0, 0);
        // Inputs without records do not count.
        for (at, input) in inputs.iter().filter(|input| input.records > 0).enumerate() {
            let share = weight(input) / sum;
            let most = ((share * SAMPLE_OF_ALL as f64) as usize).clamp(SAMPLE_OF_LEAST, SAMPLE);
            let rows = input.first(most);
            // Where the first one stands is left to chance: of many small inputs some come early, whichever they are.
            let start = Random::after(!seed, at as u64).unit();
            let place = |(number, row): (usize, &u32)| ((number as f64 + start) / share, *row);
            line.extend(rows.iter().take(JOINED).enumerate().map(place));
            weights += weight(input);
            let range = begin..begin + input.records;
            begin = range.end;
            sampled.push(SampledInput { range, weights, rows: in_row_order(&rows) });
        }
        Self { inputs: sampled, line: first_in_line(line) }
    }

    /// Those that can be joined: of each input about as many as it has places in pairs across inputs, so that a small one
    /// is not left out beside a large one. Both sides are one frame.
    pub fn joined(&self) -> JoinedRows {
        JoinedRows::new([&self.line[..]; 2])
    }

    /// Draws from all pairs across inputs, of which there are `nominal`.
    pub fn draw(&self, nominal: f64, random: &mut Random) -> Drawn {
        if nominal < 1.0 {
            return Drawn { exact: true, ..Drawn::default() };
        }
        let (sum, rows) = self.inputs.last().map_or((0.0, 0), |last| (last.weights, last.range.end));
        let pair = |_| {
            let at = random.unit() * sum;
            let place = self.inputs.partition_point(|input| input.weights <= at).min(self.inputs.len() - 1);
            let own = &self.inputs[place];
            let row = one_of(&own.rows, random);
            // The rows of the other inputs, as if those of this one were not there.
            let other = random.below_wide(rows - own.records());
            (row, self.stand_in(if other < own.range.start { other } else { other + own.records() }))
        };
        let (l, r) = (0..SAMPLED).map(pair).unzip();
        Drawn { pairs: ascending(Batch { l, r }), total: nominal, exact: true }
    }

    /// The sampled row that stands for a record of its input: each stands for as many as the others, give or take one.
    fn stand_in(&self, record: u64) -> u32 {
        let input = &self.inputs[self.inputs.partition_point(|input| input.range.end <= record)];
        let place = u128::from(record - input.range.start) * input.rows.len() as u128;
        input.rows[(place / u128::from(input.records())) as usize]
    }
}

/// As many rows as can be joined, those with the first places in line.
fn first_in_line(mut line: Vec<(f64, u32)>) -> Vec<u32> {
    let by_place = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if line.len() > JOINED {
        line.select_nth_unstable_by(JOINED, by_place);
        line.truncate(JOINED);
    }
    line.sort_unstable_by(by_place);
    line.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::InputRows;
    use crate::records::stats::{least_rows, sampled_of_each};

    /// The sample of inputs that lie in one frame.
    fn sample(inputs: &InputRows) -> SampledInputs {
        let ranges: Vec<Range<u32>> = inputs.ranges().collect();
        let of_input = |(at, range): (usize, &Range<u32>)| {
            let least = least_rows(range.len() as u32, sampled_of_each(ranges.len()), 1 ^ at as u64);
            let sampled = least.into_iter().map(|row| (row.hash, range.start + row.row as u32)).collect();
            InputSample::new(range.len() as u64, sampled)
        };
        SampledInputs::new(&ranges.iter().enumerate().map(of_input).collect::<Vec<_>>(), 1)
    }

    /// Pairs drawn from all pairs across inputs.
    fn drawn(inputs: &InputRows) -> Vec<(u32, u32)> {
        let nominal = inputs.pairs_across() as f64;
        let Drawn { pairs, .. } = sample(inputs).draw(nominal, &mut Random::new(1));
        pairs.l.into_iter().zip(pairs.r).collect()
    }

    #[test]
    fn a_small_input_beside_a_large_one_is_drawn() {
        let inputs = InputRows::new([0, 1_000_000, 1_000_100], 1_000_200);
        let drawn = drawn(&inputs);
        assert_eq!(drawn.len(), SAMPLED);
        assert!(drawn.iter().all(|(l, r)| l < r && inputs.are_apart(*l, *r)));
        let [rows, _] = sample(&inputs).joined().first(1000);
        assert_eq!(rows.len(), JOINED);
        assert!(rows.windows(2).all(|two| two[0] < two[1]), "{rows:?}");
        assert!(rows.iter().filter(|row| **row >= 1_000_000).count() > 100, "{rows:?}");
    }

    #[test]
    fn thousands_of_inputs_have_few_sampled_rows() {
        let inputs = InputRows::new((0..4000).map(|at| at * 10), 40_000);
        let sample = sample(&inputs);
        let [rows, _] = sample.joined().first(1000);
        assert_eq!(rows.len(), JOINED);
        // As many of the first half of the inputs as of the other, and not always the same row of an input.
        let of_first_half = rows.iter().filter(|row| **row < 20_000).count();
        assert!((150..362).contains(&of_first_half), "{of_first_half}");
        let firsts = rows.iter().filter(|row| **row % 10 == 0).count();
        assert!((10..150).contains(&firsts), "{firsts}");
        assert!(drawn(&inputs).iter().all(|(l, r)| inputs.are_apart(*l, *r)));
    }

    #[test]
    fn a_smaller_sample_is_part_of_a_larger_one() {
        let inputs = InputRows::new([0, 7, 30_000, 30_020, 31_000], 90_000);
        let joined = sample(&inputs).joined();
        let mut smaller: Vec<u32> = Vec::new();
        for most in 0..=JOINED {
            let [rows, others] = joined.first(most);
            assert_eq!((rows.len(), &rows), (most, &others));
            assert!(smaller.iter().all(|row| rows.binary_search(row).is_ok()), "{most}");
            smaller = rows;
        }
    }

    /// A list of all rows of its input stands for each row by itself.
    #[test]
    fn rows_of_small_inputs_stand_for_themselves() {
        let inputs = InputRows::new([0, 5, 600], 1000);
        let sample = sample(&inputs);
        assert!((0..1000).all(|row| sample.stand_in(u64::from(row)) == row));
        let large = self::sample(&InputRows::new([0, 500_000], 1_000_000));
        let is_of_its_input = |row: u64| (large.stand_in(row) < 500_000) == (row < 500_000);
        assert!((0..1_000_000).step_by(997).all(is_of_its_input));
    }
}
