//! Pairs drawn at random from those that a predicate joins, and how many there are of them.
//!
//! What candidates of a join look like is read off candidates of that join: records that share a surname share much
//! else. Equalities are drawn exactly: a value by the number of its pairs, then two of its rows. Bands and similarities
//! are joined over a sample of the rows.

use super::bits::SAMPLED;
use super::find_rows::{WantedRow, find_rows};
use crate::candidates::{Batch, Batches, Path, Shape, Sink, Tile};
use crate::expr::Num;
use crate::records::InputRows;
use crate::records::encode::EncodedColumn;
use crate::records::stats::Random;
use crate::records::stats::{Frequencies, sample_rows};
use crate::verify::{Check, Sides};

/// Drawn pairs, and the number of all that they stand for.
#[derive(Debug, Default)]
pub struct Drawn {
    /// The pairs.
    pub pairs: Batch,
    /// All pairs of the join.
    pub total: f64,
    /// Whether that number is exact.
    pub exact: bool,
}

/// Pairs with equal values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// All of them.
    pub pairs: f64,
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
}

impl EqualSides<'_> {
    /// Distinct values; the code after the last stands for null.
    fn values(&self) -> usize {
        self.left_rows.counts.len()
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

    /// The number of pairs with equal values, and of the value with the most of them; with `null_safe`, two nulls are
    /// equal.
    pub fn total(&self, null_safe: bool) -> Total {
        let mut total = Total::default();
        for code in 0..self.values() + usize::from(null_safe) {
            let pairs = self.pairs_of(code);
            total.pairs += pairs;
            if pairs > total.most && code < self.values() {
                (total.most, total.heaviest) = (pairs, Some(code as u32));
            }
        }
        total
    }

    /// Draws some of `total` pairs with equal values.
    pub fn draw(&self, null_safe: bool, total: f64, random: &mut Random) -> Drawn {
        let exact = self.is_self_join || self.shape == Shape::Rectangle;
        let few = exact && total <= SAMPLED as f64;
        let picks = if few { self.all_pairs(null_safe) } else { self.some_pairs(null_safe, total, random) };
        let wanted = |which: fn(&(usize, u32, u32)) -> u32| {
            let of =
                |(pick, found): (usize, &(usize, u32, u32))| WantedRow { code: found.0, ordinal: which(found), pick };
            picks.iter().enumerate().map(of).collect::<Vec<WantedRow>>()
        };
        let (left, right) = (wanted(|pick| pick.1), wanted(|pick| pick.2));
        let find = |column: &EncodedColumn, wanted| find_rows(&column.codes, self.values(), wanted);
        let pairs = Batch { l: find(self.left, left), r: find(self.right, right) };
        Drawn { pairs: if self.shape == Shape::Triangle { ascending(pairs) } else { pairs }, total, exact }
    }

    /// Every pair, as a value and the places of two rows among those of the value.
    fn all_pairs(&self, null_safe: bool) -> Vec<(usize, u32, u32)> {
        let of_value = |code: usize| {
            let (left, right) = (Self::rows(self.left_rows, code), Self::rows(self.right_rows, code));
            let from = move |a: u32| if self.is_self_join { a + 1 } else { 0 };
            (0..left).flat_map(move |a| (from(a)..right).map(move |b| (code, a, b)))
        };
        (0..self.values() + usize::from(null_safe)).flat_map(of_value).collect()
    }

    /// Pairs drawn at random, in that form.
    fn some_pairs(&self, null_safe: bool, total: f64, random: &mut Random) -> Vec<(usize, u32, u32)> {
        let values = self.draw_values(null_safe, total, random);
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
    fn draw_values(&self, null_safe: bool, total: f64, random: &mut Random) -> Vec<usize> {
        let wanted = total.min(SAMPLED as f64) as usize;
        let (step, mut sum) = (total / wanted as f64, 0.0);
        let mut next = step * random.unit();
        let mut drawn = Vec::with_capacity(wanted);
        for code in 0..self.values() + usize::from(null_safe) {
            sum += self.pairs_of(code);
            while next < sum && drawn.len() < wanted {
                drawn.push(code);
                next += step;
            }
        }
        drawn
    }
}

/// The earlier row on the left; a record is not its own partner.
pub(super) fn ascending(pairs: Batch) -> Batch {
    let (l, r) = pairs.l.into_iter().zip(pairs.r).filter(|(l, r)| l != r).map(|(l, r)| (l.min(r), l.max(r))).unzip();
    Batch { l, r }
}

/// Rows of a side of which a band or a similarity is joined to estimate it.
const ROWS: usize = 512;

/// The rows to draw from, at most `most` of each side: of the left and of the right side, the same ones where both are one
/// frame.
pub fn sampled_rows(rows: [u32; 2], shape: Shape, most: usize, seed: u64) -> [Vec<u32>; 2] {
    let most = most.min(ROWS);
    let left = sample_rows(rows[0], most, seed);
    let right = if shape == Shape::Triangle { left.clone() } else { sample_rows(rows[1], most, seed ^ 1) };
    [left, right]
}

/// Draws from all pairs.
pub fn draw_any(rows: [u32; 2], shape: Shape, nominal: f64, random: &mut Random) -> Drawn {
    if nominal < 1.0 {
        return Drawn { exact: true, ..Drawn::default() };
    }
    let (l, r) = (0..SAMPLED).map(|_| (random.below(rows[0]), random.below(rows[1]))).unzip();
    let pairs = Batch { l, r };
    Drawn { pairs: if shape == Shape::Triangle { ascending(pairs) } else { pairs }, total: nominal, exact: true }
}

/// Draws pairs whose numbers lie in a band. Sorted, the partners of a number are neighbours of it.
pub fn draw_band(
    check: &Check,
    numbers: &dyn Fn(usize, u32) -> Option<Num>,
    operands: Sides<usize>,
    [left, right]: &[Vec<u32>; 2],
    shape: Shape,
    mut reservoir: Reservoir<'_>,
) -> Drawn {
    let known = |operand: usize, rows: &[u32]| -> Vec<(Num, u32)> {
        rows.iter().filter_map(|row| numbers(operand, *row).map(|number| (number, *row))).collect()
    };
    let mut right = known(operands.right, right);
    right.sort_unstable();
    for (a, l) in known(operands.left, left) {
        let from = right.partition_point(|(b, _)| *b < a && !check.holds_for_numbers(a, *b));
        let to = right.partition_point(|(b, _)| *b < a || check.holds_for_numbers(a, *b));
        for (_, r) in &right[from..to.max(from)] {
            if shape == Shape::Rectangle || l < *r {
                reservoir.offer(l, *r);
            }
        }
    }
    reservoir.into_drawn()
}

/// Draws pairs that an access path finds among sampled rows.
pub fn draw_path(mut path: Path<'_>, mut reservoir: Reservoir<'_>) -> Drawn {
    for round in 0..path.rounds() {
        path.prepare(round);
        (0..path.tasks()).for_each(|task| path.run(task, &mut reservoir));
        path.pieces().iter().for_each(|piece| path.run_piece(piece, &mut reservoir));
    }
    reservoir.into_drawn()
}

/// Keeps as many pairs as a sample holds, each offered one with equal probability.
pub struct Reservoir<'r> {
    kept: Vec<(u32, u32)>,
    offered: u64,
    random: &'r mut Random,
    /// Only pairs of two of these inputs count, where there are any.
    across: Option<&'r InputRows>,
}

impl<'r> Reservoir<'r> {
    /// Nothing was offered yet.
    pub fn new(random: &'r mut Random, across: Option<&'r InputRows>) -> Self {
        Self { kept: Vec::new(), offered: 0, random, across }
    }

    fn offer(&mut self, l: u32, r: u32) {
        if self.across.is_some_and(|inputs| !inputs.are_apart(l, r)) {
            return;
        }
        self.offered += 1;
        if self.kept.len() < SAMPLED {
            self.kept.push((l, r));
            return;
        }
        let place = self.random.word() % self.offered;
        if place < SAMPLED as u64 {
            self.kept[place as usize] = (l, r);
        }
    }

    fn into_drawn(self) -> Drawn {
        let (l, r) = self.kept.into_iter().unzip();
        Drawn { pairs: Batch { l, r }, total: self.offered as f64, exact: false }
    }
}

impl Sink for Reservoir<'_> {
    fn tile(&mut self, tile: Tile<'_>) {
        let mut batch = Batch::default();
        let take = |batch: &Batch| batch.l.iter().zip(&batch.r).for_each(|(l, r)| self.offer(*l, *r));
        let mut batches = Batches::new(&mut batch, take);
        batches.tile(tile);
        batches.flush();
    }
}
