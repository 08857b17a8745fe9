//! Pairs drawn at random from those that a predicate joins, and how many there are of them.
//!
//! What candidates of a join look like is read off candidates of that join: records that share a surname share much
//! else. Pairs of equalities were drawn from all records. Bands and similarities are joined over a sample of the rows.

use super::bits::SAMPLED;
use super::input_sample::InputSample;
use super::joined_rows::{JoinedRows, in_row_order};
use crate::candidates::{Batch, Batches, Path, Shape, Sink, Tile};
use crate::expr::Num;
use crate::records::InputRows;
use crate::records::stats::{Random, SAMPLE};
use crate::verify::{Check, Sides};

/// Drawn pairs, and the number of all that they stand for.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The pairs.
    pub pairs: Batch,
    /// All pairs of the join.
    pub total: f64,
    /// Whether that number is exact.
    pub exact: bool,
}

/// The earlier row on the left; a record is not its own partner.
pub(super) fn ascending(pairs: Batch) -> Batch {
    let (l, r) = pairs.l.into_iter().zip(pairs.r).filter(|(l, r)| l != r).map(|(l, r)| (l.min(r), l.max(r))).unzip();
    Batch { l, r }
}

/// The rows of both sides that pairs of any kind are drawn from, those with the least hashes first: the same ones where
/// both are one frame.
#[derive(Debug)]
pub struct SampledSides {
    rows: [Vec<u32>; 2],
    shape: Shape,
}

impl SampledSides {
    /// The sample of a left and a right input.
    pub fn of_two(inputs: [&InputSample; 2]) -> Self {
        Self { rows: inputs.map(|input| input.first(SAMPLE)), shape: Shape::Rectangle }
    }

    /// The sample of inputs that lie in one frame, any two records of which are a pair.
    pub fn of_one(inputs: &[InputSample]) -> Self {
        let rows = InputSample::least_of_all(inputs, SAMPLE);
        Self { rows: [rows.clone(), rows], shape: Shape::Triangle }
    }

    /// Those that can be joined.
    pub fn joined(&self) -> JoinedRows {
        JoinedRows::new(self.rows.each_ref().map(|rows| &rows[..]))
    }

    /// Draws from all pairs, of which there are `nominal`.
    pub fn draw(&self, nominal: f64, random: &mut Random) -> Drawn {
        if nominal < 1.0 {
            return Drawn { exact: true, ..Drawn::default() };
        }
        let [left, right] = self.rows.each_ref().map(|rows| in_row_order(rows));
        let (l, r) = (0..SAMPLED).map(|_| (one_of(&left, random), one_of(&right, random))).unzip();
        let pairs = Batch { l, r };
        let pairs = if self.shape == Shape::Triangle { ascending(pairs) } else { pairs };
        Drawn { pairs, total: nominal, exact: true }
    }
}

/// One of some rows.
pub(super) fn one_of(rows: &[u32], random: &mut Random) -> u32 {
    rows[random.below(rows.len() as u32) as usize]
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
