//! The pairs of records with equal values: how many there are, and some of them, drawn from all.
//!
//! A value is drawn by the number of its pairs, then two of its rows.

use std::collections::HashMap;

use super::find_rows::{WantedRow, find_rows};
use crate::candidates::Shape;
use crate::records::InputRows;
use crate::records::encode::{EncodedColumn, NULL};
use crate::records::stats::{DRAWN_PAIRS, Frequencies, Random};

/// Pairs with equal values.
#[derive(Clone, Copy, Debug, Default)]
pub struct EqualCount {
    /// All of them.
    pub pairs: f64,
    /// Twice as many, exactly.
    pub twice: u128,
    /// The code of the value with the most.
    pub heaviest: Option<u32>,
    /// How many it has.
    pub most: f64,
}

/// The rows of an equality's two sides, and how often each value occurs there.
pub struct EqualSides<'a> {
    /// Codes by left row.
    pub left: &'a EncodedColumn,
    /// Codes by right row.
    pub right: &'a EncodedColumn,
    /// Rows by code on the left.
    pub left_rows: &'a Frequencies,
    /// Rows by code on the right.
    pub right_rows: &'a Frequencies,
    /// Both sides are one list of rows.
    pub is_self_join: bool,
    /// Pairs of one frame count once.
    pub shape: Shape,
    /// Two nulls are equal.
    pub null_safe: bool,
}

impl EqualSides<'_> {
    /// Distinct values; the code after the last stands for null.
    fn values(&self) -> usize {
        self.left_rows.counts.len()
    }

    /// The codes whose rows are equal.
    fn codes(&self) -> std::ops::Range<usize> {
        0..self.values() + usize::from(self.null_safe)
    }

    fn rows(of: &Frequencies, code: usize) -> u32 {
        of.counts.get(code).copied().unwrap_or(of.nulls)
    }

    /// Pairs of rows with a value.
    fn pairs_of(&self, code: usize) -> f64 {
        let (left, right) = (f64::from(Self::rows(self.left_rows, code)), f64::from(Self::rows(self.right_rows, code)));
        match (self.is_self_join, self.shape) {
            (true, _) => left * (left - 1.0).max(0.0) / 2.0,
            // Of two different lists of one frame about half of the pairs have the left row first.
            (false, Shape::Triangle) => left * right / 2.0,
            (false, Shape::Rectangle) => left * right,
        }
    }

    /// Left rows by right rows of a value; in a list joined with itself, those of two different rows.
    fn product(&self, left: u32, right: u32) -> u64 {
        u64::from(left) * u64::from(if self.is_self_join { right.saturating_sub(1) } else { right })
    }

    /// The number of pairs with equal values, and of the value with the most of them.
    pub fn count(&self) -> EqualCount {
        let (mut count, mut products) = (EqualCount::default(), 0);
        for code in self.codes() {
            let pairs = self.pairs_of(code);
            count.pairs += pairs;
            // The sum is at most the product of all left and all right rows, which fits.
            products += self.product(Self::rows(self.left_rows, code), Self::rows(self.right_rows, code));
            if pairs > count.most && code < self.values() {
                (count.most, count.heaviest) = (pairs, Some(code as u32));
            }
        }
        count.twice = u128::from(products) * if self.shape == Shape::Rectangle { 2 } else { 1 };
        count
    }

    /// Twice the number of those within inputs that lie in one frame: exactly where both sides are one operand, otherwise
    /// about half of the pairs of a left and a right value count, as for the frame as a whole.
    pub fn twice_within(&self, inputs: &InputRows) -> u128 {
        let counts = |code: &u32| self.null_safe || *code != NULL;
        let mut products = 0;
        for range in inputs.ranges() {
            let range = range.start as usize..range.end as usize;
            let mut rows: HashMap<u32, [u32; 2], foldhash::fast::FixedState> = HashMap::default();
            let (left, right) = (&self.left.codes[range.clone()], &self.right.codes[range]);
            left.iter().filter(|code| counts(code)).for_each(|code| rows.entry(*code).or_default()[0] += 1);
            right.iter().filter(|code| counts(code)).for_each(|code| rows.entry(*code).or_default()[1] += 1);
            products += rows.values().map(|[left, right]| self.product(*left, *right)).sum::<u64>();
        }
        u128::from(products)
    }

    /// Draws some of `total` pairs with equal values; in a frame, the earlier row is the left one.
    pub fn draw(&self, total: f64, random: &mut Random) -> Vec<(u32, u32)> {
        let is_exact = self.is_self_join || self.shape == Shape::Rectangle;
        let are_few = is_exact && total <= DRAWN_PAIRS as f64;
        let picks = if are_few { self.all_pairs() } else { self.some_pairs(total, random) };
        let wanted = |which: fn(&(usize, u32, u32)) -> u32| {
            let of =
                |(pick, found): (usize, &(usize, u32, u32))| WantedRow { code: found.0, ordinal: which(found), pick };
            picks.iter().enumerate().map(of).collect::<Vec<WantedRow>>()
        };
        let (left, right) = (wanted(|pick| pick.1), wanted(|pick| pick.2));
        let find = |column: &EncodedColumn, wanted| find_rows(&column.codes, self.values(), wanted);
        let pairs = find(self.left, left).into_iter().zip(find(self.right, right));
        match self.shape {
            Shape::Rectangle => pairs.collect(),
            // A record is not its own partner.
            Shape::Triangle => pairs.filter(|(l, r)| l != r).map(|(l, r)| (l.min(r), l.max(r))).collect(),
        }
    }

    /// Every pair, as a value and the places of two rows among those of the value.
    fn all_pairs(&self) -> Vec<(usize, u32, u32)> {
        let of_value = |code: usize| {
            let (left, right) = (Self::rows(self.left_rows, code), Self::rows(self.right_rows, code));
            let from = move |a: u32| if self.is_self_join { a + 1 } else { 0 };
            (0..left).flat_map(move |a| (from(a)..right).map(move |b| (code, a, b)))
        };
        self.codes().flat_map(of_value).collect()
    }

    /// Pairs drawn at random, in that form.
    fn some_pairs(&self, total: f64, random: &mut Random) -> Vec<(usize, u32, u32)> {
        let values = self.draw_values(total, random);
        let of_value = |code: usize| {
            let (left, right) = (Self::rows(self.left_rows, code), Self::rows(self.right_rows, code));
            let first = random.below(left);
            // In a list joined with itself any other row of the value.
            let other = |random: &mut Random| (first + 1 + random.below(left - 1)) % left;
            (code, first, if self.is_self_join { other(random) } else { random.below(right) })
        };
        values.into_iter().map(of_value).collect()
    }

    /// One value for each pair to draw, by the number of its pairs.
    fn draw_values(&self, total: f64, random: &mut Random) -> Vec<usize> {
        let wanted = total.min(DRAWN_PAIRS as f64) as usize;
        let (step, mut sum) = (total / wanted as f64, 0.0);
        let mut next = step * random.unit();
        let mut drawn = Vec::with_capacity(wanted);
        for code in self.codes() {
            sum += self.pairs_of(code);
            while next < sum && drawn.len() < wanted {
                drawn.push(code);
                next += step;
            }
        }
        drawn
    }
}
