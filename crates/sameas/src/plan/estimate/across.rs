//! Estimates of a link of several inputs in one frame, where only pairs across inputs count.

use std::collections::HashMap;

use super::bits::SAMPLED;
use super::draw::{Drawn, EqualSides, ascending};
use crate::candidates::Batch;
use crate::records::InputRows;
use crate::records::encode::NULL;
use crate::records::stats::{Random, sample_rows};

/// Pairs within inputs that have equal values: exactly where both sides are one operand, otherwise about half of the pairs
/// of a left and a right value, as for the frame as a whole.
pub fn within_inputs(sides: &EqualSides<'_>, null_safe: bool, inputs: &InputRows) -> f64 {
    let counts = |code: &u32| null_safe || *code != NULL;
    let mut pairs = 0.0;
    for range in inputs.ranges() {
        let range = range.start as usize..range.end as usize;
        let mut rows: HashMap<u32, [u32; 2], foldhash::fast::FixedState> = HashMap::default();
        let (left, right) = (&sides.left.codes[range.clone()], &sides.right.codes[range]);
        left.iter().filter(|code| counts(code)).for_each(|code| rows.entry(*code).or_default()[0] += 1);
        right.iter().filter(|code| counts(code)).for_each(|code| rows.entry(*code).or_default()[1] += 1);
        let of_value = |[left, right]: &[u32; 2]| {
            let (left, right) = (f64::from(*left), f64::from(*right));
            if sides.is_self_join { left * (left - 1.0) / 2.0 } else { left * right / 2.0 }
        };
        pairs += rows.values().map(of_value).sum::<f64>();
    }
    pairs
}

/// Those of drawn pairs that are across inputs; `total` is the number of all such pairs.
pub fn only_across(drawn: Drawn, inputs: &InputRows, total: f64) -> Drawn {
    let pairs = drawn.pairs.l.into_iter().zip(drawn.pairs.r);
    let (l, r) = pairs.filter(|(l, r)| inputs.are_apart(*l, *r)).unzip();
    Drawn { pairs: Batch { l, r }, total, exact: drawn.exact }
}

/// How likely a row of each input is to be in a pair across inputs, as numbers whose sum is that of the last.
fn weights(inputs: &InputRows) -> Vec<(f64, std::ops::Range<u32>)> {
    let rows: f64 = inputs.ranges().map(|range| range.len() as f64).sum();
    let mut sum = 0.0;
    let weight = |range: std::ops::Range<u32>| {
        sum += range.len() as f64 * (rows - range.len() as f64);
        (sum, range)
    };
    inputs.ranges().map(weight).collect()
}

/// Draws from all pairs across inputs.
pub fn draw_across(inputs: &InputRows, nominal: f64, random: &mut Random) -> Drawn {
    if nominal < 1.0 {
        return Drawn { exact: true, ..Drawn::default() };
    }
    let weights = weights(inputs);
    let (sum, rows) = weights.last().map_or((0.0, 0), |(sum, range)| (*sum, range.end));
    let pair = |_| {
        let at = random.unit() * sum;
        let (_, own) = &weights[weights.partition_point(|(to, _)| *to <= at).min(weights.len() - 1)];
        let row = own.start + random.below(own.len() as u32);
        // The rows of the other inputs, as if those of this one were not there.
        let other = random.below(rows - own.len() as u32);
        (row, if other < own.start { other } else { other + own.len() as u32 })
    };
    let (l, r) = (0..SAMPLED).map(pair).unzip();
    Drawn { pairs: ascending(Batch { l, r }), total: nominal, exact: true }
}

/// The most rows of which a band or a similarity is joined to estimate it.
const ROWS: usize = 512;

/// Rows to draw from: of each input about as many as it has places in pairs across inputs, so that a small one is not
/// left out beside a large one.
pub fn sampled_across(inputs: &InputRows, most: usize, seed: u64) -> [Vec<u32>; 2] {
    let weights = weights(inputs);
    let sum = weights.last().map_or(1.0, |(sum, _)| sum.max(1.0));
    let most = most.min(ROWS) as f64;
    let (mut rows, mut before) = (Vec::new(), 0.0);
    for (to, range) in weights {
        // Rounded down to whole rows over all inputs before, so that thousands of inputs have not thousands of rows.
        let wanted = (most * to / sum) as usize - (most * before / sum) as usize;
        rows.extend(sample_rows(range.len() as u32, wanted, seed).into_iter().map(|row| range.start + row));
        before = to;
    }
    [rows.clone(), rows]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_input_beside_a_large_one_is_drawn() {
        let inputs = InputRows::new([0, 1_000_000, 1_000_100], 1_000_200);
        let drawn = draw_across(&inputs, inputs.pairs_across() as f64, &mut Random::new(1));
        assert_eq!(drawn.pairs.l.len(), SAMPLED);
        assert!(drawn.pairs.l.iter().zip(&drawn.pairs.r).all(|(l, r)| l < r && inputs.are_apart(*l, *r)));
        let [rows, _] = sampled_across(&inputs, 1000, 1);
        assert!(rows.windows(2).all(|two| two[0] < two[1]), "{rows:?}");
        assert!(rows.iter().filter(|row| **row >= 1_000_000).count() > 100, "{}", rows.len());
    }

    #[test]
    fn thousands_of_inputs_have_few_sampled_rows() {
        let inputs = InputRows::new((0..4000).map(|at| at * 10), 40_000);
        assert!(sampled_across(&inputs, 1000, 1)[0].len() <= ROWS);
        let drawn = draw_across(&inputs, inputs.pairs_across() as f64, &mut Random::new(1));
        assert!(drawn.pairs.l.iter().zip(&drawn.pairs.r).all(|(l, r)| inputs.are_apart(*l, *r)));
    }
}
