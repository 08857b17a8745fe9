//! From pairs of distinct values to tiles of the rows that hold them.

pub mod gpu;

use std::sync::{Mutex, PoisonError};

use super::declaration::{ValueDeclaration, ValueLists};
use super::tile::{Pairing, Sink, Tile};
use super::value_join::AnyValueJoin;
use super::{Path, PathInput, Rows, Shape};
use crate::numbering::ByNumber;
use crate::records::encode::NULL;
use crate::threshold::Check;

/// Pairs of rows that one task enumerates at most for one pair of values. What is larger waits until the values are
/// joined and is then cut into pieces for all cores.
const LARGE: u64 = 1 << 18;
/// A task that has enumerated this many times [`LARGE`] pairs is full: further tiles wait too, unless they are small.
const FULL: u64 = 4;
/// A tile of this part of [`LARGE`] or less is small and never waits: joins may yield very many, and what waits is kept.
const SMALL: u64 = 64;

/// Rows by the code of their value.
#[derive(Debug)]
pub struct RowsByCode {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl RowsByCode {
    /// The given rows, by their codes in `codes`; nulls are left out.
    pub fn new(codes: &[u32], rows: &Rows, values: usize) -> Self {
        let known = rows.iter().map(|row| (codes[*row as usize], *row)).filter(|(code, _)| *code != NULL);
        let (starts, rows) = ByNumber::new(known.map(|(code, row)| (code as usize, row)), values).into_parts();
        Self { starts, rows }
    }

    /// The rows of a value, ascending.
    #[inline]
    pub fn rows_with(&self, code: u32) -> &[u32] {
        &self.rows[self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize]
    }

    /// Where the rows of each value start, and the rows.
    fn parts(&self) -> (&[u32], &[u32]) {
        (&self.starts, &self.rows)
    }

    /// Memory it takes, on a device too.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.rows[..])
    }

    /// The values that some row holds.
    pub fn codes(&self) -> Vec<u32> {
        (0..self.starts.len() as u32 - 1).filter(|code| !self.rows_with(*code).is_empty()).collect()
    }
}

/// A join of values, and where the rows of each value are.
pub struct ByValue<'a> {
    join: Box<dyn AnyValueJoin + 'a>,
    left: RowsByCode,
    /// `None` where the values are joined with themselves.
    right: Option<RowsByCode>,
    pairing: Pairing,
    large: Mutex<Vec<(u32, u32)>>,
    /// Pairs of a tile or piece at most.
    limit: u64,
}

impl<'a> ByValue<'a> {
    /// Rows of values joined with themselves (`right` is `None`), or of two lists of values.
    ///
    /// No loss and no repetition: the join yields a pair of values once, a row holds one value, and in a triangle of two
    /// lists only the pair of rows in ascending order is taken.
    pub fn new(join: Box<dyn AnyValueJoin + 'a>, left: RowsByCode, right: Option<RowsByCode>, shape: Shape) -> Self {
        let pairing = pairing(shape, right.is_none());
        Self { join, left, right, pairing, large: Mutex::default(), limit: LARGE }
    }

    /// How often an index is built.
    pub fn rounds(&self) -> usize {
        self.join.any_rounds()
    }

    /// Builds the index of a round.
    pub fn prepare(&mut self, round: usize) {
        self.join.any_prepare(round);
    }

    /// Tasks of the round.
    pub fn tasks(&self) -> usize {
        self.join.any_tasks()
    }

    /// Runs a task; what is too large for it is kept for [`pieces`](Self::pieces): single tiles, and whatever is not
    /// small once the task has had its share.
    pub fn run(&self, task: usize, sink: &mut impl Sink) {
        let (mut done, mut later) = (0, Vec::new());
        self.join.any_run(task, &mut |a, b| {
            let tile = self.tile(a, b);
            let area = area(&tile);
            let most = if done < FULL * self.limit { self.limit } else { self.limit / SMALL };
            if area <= most {
                done += area;
                sink.tile(tile);
            } else {
                later.push((a, b));
            }
        });
        if !later.is_empty() {
            self.large.lock().unwrap_or_else(PoisonError::into_inner).append(&mut later);
        }
    }

    /// The tiles that tasks of the round have left, in pieces for many cores, each at most `LARGE` pairs unless a
    /// single row has more.
    pub fn pieces(&mut self) -> Vec<TilePiece> {
        let large = std::mem::take(self.large.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut pieces = Vec::new();
        for (a, b) in large {
            let tile = self.tile(a, b);
            let step = (self.limit / tile.right.len() as u64).max(1) as usize;
            let starts = (0..tile.left.len()).step_by(step);
            pieces.extend(starts.map(|start| TilePiece { a, b, start, end: (start + step).min(tile.left.len()) }));
        }
        pieces
    }

    /// Runs a piece.
    pub fn run_piece(&self, piece: &TilePiece, sink: &mut impl Sink) {
        let tile = self.tile(piece.a, piece.b);
        let left = &tile.left[piece.start..piece.end];
        if tile.pairing != Pairing::Ascending {
            return sink.tile(Tile { left, ..tile });
        }
        // The rows of the piece among themselves, then with those after the piece.
        sink.tile(Tile { left, right: left, pairing: Pairing::Ascending });
        sink.tile(Tile { left, right: &tile.right[piece.end..], pairing: Pairing::All });
    }

    fn tile(&self, a: u32, b: u32) -> Tile<'_> {
        match &self.right {
            Some(right) => Tile { left: self.left.rows_with(a), right: right.rows_with(b), pairing: self.pairing },
            None => {
                let pairing = if a == b { Pairing::Ascending } else { self.pairing };
                Tile { left: self.left.rows_with(a), right: self.left.rows_with(b), pairing }
            }
        }
    }
}

/// The path that joins the values of a predicate, and from there goes to rows.
pub(super) fn path_over_values<'a>(of: &dyn ValueDeclaration, predicate: usize, input: &PathInput<'a>) -> Path<'a> {
    let (check, encoded) = (&input.source.checks[predicate], input.source.encoded);
    let (left, right) = rows_by_code(check, input);
    let values = ValueLists { left: left.codes(), right: right.as_ref().map(RowsByCode::codes) };
    let join = of.join(check, encoded, &values, input.memory);
    Path::Values(ByValue::new(join, left, right, input.shape))
}

/// The rows of a check's operands by value: of the left side, and of the right side unless it is the same.
pub fn rows_by_code(check: &Check, input: &PathInput<'_>) -> (RowsByCode, Option<RowsByCode>) {
    let encoded = input.source.encoded;
    let Some(operands) = check.operands() else { unreachable!("a join of values is one of operands") };
    let of = |operand: usize, rows: &Rows| {
        RowsByCode::new(&encoded.columns[operand].codes, rows, encoded.domain(operand).dictionary.len())
    };
    let one_list = check.has_one_value_list() && input.is_self_join([operands]);
    let right = (!one_list).then(|| of(operands.right, &input.rows[1]));
    (of(operands.left, &input.rows[0]), right)
}

/// How the rows of two different values are paired.
fn pairing(shape: Shape, one_list: bool) -> Pairing {
    match (shape, one_list) {
        (Shape::Triangle, true) => Pairing::Sorted,
        (Shape::Triangle, false) => Pairing::Before,
        (Shape::Rectangle, _) => Pairing::All,
    }
}

fn area(tile: &Tile<'_>) -> u64 {
    tile.left.len() as u64 * tile.right.len() as u64
}

/// A range of the left rows of a pair of values.
#[derive(Clone, Copy, Debug)]
pub struct TilePiece {
    a: u32,
    b: u32,
    start: usize,
    end: usize,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::candidates::batch::{Batch, Batches};
    use crate::candidates::value_join::ValueJoin;

    /// Values in the sample.
    const VALUES: usize = 5;

    /// A join that knows its pairs of values; every task has `each` of them.
    #[derive(Clone)]
    struct Known {
        pairs: Vec<(u32, u32)>,
        each: usize,
    }

    impl ValueJoin for Known {
        fn rounds(&self) -> usize {
            1
        }

        fn prepare(&mut self, _round: usize) {}

        fn tasks(&self) -> usize {
            self.pairs.len().div_ceil(self.each)
        }

        fn run(&self, task: usize, found: &mut impl FnMut(u32, u32)) {
            self.pairs.chunks(self.each).nth(task).into_iter().flatten().for_each(|(a, b)| found(*a, *b));
        }
    }

    /// Adds the areas of tiles, and keeps the pairs sorted.
    #[derive(Default)]
    struct Keep {
        area: u64,
        pairs: Vec<(u32, u32)>,
    }

    impl Sink for Keep {
        fn tile(&mut self, tile: Tile<'_>) {
            self.area += area(&tile);
            let mut batch = Batch::default();
            let take = |batch: &Batch| self.pairs.extend(batch.l.iter().copied().zip(batch.r.iter().copied()));
            let mut batches = Batches::new(&mut batch, take);
            batches.tile(tile);
            batches.flush();
        }
    }

    /// One side: codes of all rows, and the rows that take part.
    #[derive(Clone, Debug)]
    struct Side {
        codes: Vec<u32>,
        rows: Rows,
    }

    impl Side {
        fn by_code(&self) -> RowsByCode {
            RowsByCode::new(&self.codes, &self.rows, VALUES)
        }

        fn known(&self) -> impl Iterator<Item = (u32, u32)> {
            self.rows.iter().map(|row| (*row, self.codes[*row as usize])).filter(|(_, code)| *code != NULL)
        }
    }

    fn side() -> impl Strategy<Value = Side> {
        let code = prop_oneof![1 => Just(NULL), 4 => Just(0), 8 => 0..VALUES as u32];
        prop::collection::vec((code, prop::bool::weighted(0.8)), 0..60).prop_map(|rows| {
            let chosen = rows.iter().enumerate().filter(|(_, (_, chosen))| *chosen).map(|(at, _)| at as u32).collect();
            Side { codes: rows.into_iter().map(|(code, _)| code).collect(), rows: chosen }
        })
    }

    /// Runs everything; checks on the way that no task and no piece exceeds its share.
    fn found(mut join: ByValue<'_>, each: usize) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        for round in 0..join.rounds() {
            join.prepare(round);
            for task in 0..join.tasks() {
                let mut keep = Keep::default();
                join.run(task, &mut keep);
                assert!(keep.area <= (FULL + 1) * join.limit + each as u64 * (join.limit / SMALL));
                all.append(&mut keep.pairs);
            }
            for piece in join.pieces() {
                let mut keep = Keep::default();
                join.run_piece(&piece, &mut keep);
                assert!(keep.area <= join.limit || piece.end - piece.start == 1);
                all.append(&mut keep.pairs);
            }
            assert!(join.pieces().is_empty(), "pieces are handed out once");
        }
        all.sort_unstable();
        all
    }

    /// The nested loop over rows, with the predicate looked up.
    fn naive(left: &Side, right: &Side, shape: Shape, holds: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (l, a) in left.known() {
            let meets = |(r, b): &(u32, u32)| (shape == Shape::Rectangle || l < *r) && holds(a, *b);
            pairs.extend(right.known().filter(meets).map(|(r, _)| (l, r)));
        }
        pairs.sort_unstable();
        pairs
    }

    fn codes() -> impl Iterator<Item = (u32, u32)> {
        (0..VALUES as u32).flat_map(|a| (0..VALUES as u32).map(move |b| (a, b)))
    }

    proptest! {
        #[test]
        fn values_joined_with_themselves(
            side in side(), holds: [[bool; VALUES]; VALUES], turned: bool, each in 1usize..26, limit in 1u64..300,
        ) {
            let holds = |a: u32, b: u32| holds[a.min(b) as usize][a.max(b) as usize];
            let pairs = codes().filter(|(a, b)| a <= b && holds(*a, *b));
            let pairs = pairs.map(|(a, b)| if turned { (b, a) } else { (a, b) }).collect();
            let join = ByValue::new(Box::new(Known { pairs, each }), side.by_code(), None, Shape::Triangle);
            let expected = naive(&side, &side, Shape::Triangle, holds);
            prop_assert_eq!(found(ByValue { limit, ..join }, each), expected);
        }

        #[test]
        fn two_lists_of_values(
            left in side(), right in side(), holds: [[bool; VALUES]; VALUES], each in 1usize..26, limit in 1u64..300,
        ) {
            let holds = |a: u32, b: u32| holds[a as usize][b as usize];
            let known = Known { pairs: codes().filter(|(a, b)| holds(*a, *b)).collect(), each };
            for shape in [Shape::Rectangle, Shape::Triangle] {
                let join = ByValue::new(Box::new(known.clone()), left.by_code(), Some(right.by_code()), shape);
                let expected = naive(&left, &right, shape, holds);
                prop_assert_eq!(found(ByValue { limit, ..join }, each), expected);
            }
        }
    }

    #[test]
    fn a_task_of_many_medium_tiles_is_shared() {
        let codes: Vec<u32> = (0..500).map(|row| row % VALUES as u32).collect();
        let side = Side { rows: (0..500).collect(), codes };
        let known = Known { pairs: super::tests::codes().collect(), each: VALUES * VALUES };
        let join = ByValue::new(Box::new(known), side.by_code(), Some(side.by_code()), Shape::Rectangle);
        // 25 tiles of 10,000 pairs each: four are run at once, the others become a piece each.
        let mut join = ByValue { limit: 10_000, ..join };
        let mut keep = Keep::default();
        join.run(0, &mut keep);
        assert_eq!((keep.area, join.pieces().len()), (40_000, 21));
    }

    #[test]
    fn codes_that_no_row_holds_are_left_out() {
        let side = Side { codes: vec![3, NULL, 1, 3, 0], rows: vec![0, 1, 2, 3].into() };
        assert_eq!(side.by_code().codes(), [1, 3]);
        assert_eq!(side.by_code().rows_with(3), [0, 3]);
    }
}
