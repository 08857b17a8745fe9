//! From pairs of distinct values to tiles of the rows that hold them.

use std::sync::{Mutex, PoisonError};

use super::tile::{Pairing, Sink, Tile};
use super::value_join::AnyValueJoin;
use super::{Rows, Shape};
use crate::records::encode::NULL;

/// Pairs of rows that one task enumerates at most for one pair of values. What is larger waits until the values are
/// joined and is then cut into pieces for all cores.
const LARGE: u64 = 1 << 22;

/// Rows by the code of their value.
#[derive(Debug)]
pub struct RowsByCode {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl RowsByCode {
    /// The given rows, by their codes in `codes`; nulls are left out.
    pub fn new(codes: &[u32], rows: &Rows, values: usize) -> Self {
        let mut starts = vec![0; values + 1];
        let known = || rows.iter().map(|row| (*row, codes[*row as usize])).filter(|(_, code)| *code != NULL);
        known().for_each(|(_, code)| starts[code as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut grouped = vec![0; starts[values] as usize];
        for (row, code) in known() {
            grouped[next[code as usize] as usize] = row;
            next[code as usize] += 1;
        }
        Self { starts, rows: grouped }
    }

    /// The rows of a value, ascending.
    #[inline]
    pub fn of(&self, code: u32) -> &[u32] {
        &self.rows[self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize]
    }

    /// The values that some row holds.
    pub fn codes(&self) -> Vec<u32> {
        (0..self.starts.len() as u32 - 1).filter(|code| !self.of(*code).is_empty()).collect()
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
}

impl<'a> ByValue<'a> {
    /// Rows of values joined with themselves (`right` is `None`), or of two lists of values.
    ///
    /// No loss and no repetition: the join yields a pair of values once, a row holds one value, and in a triangle of two
    /// lists only the pair of rows in ascending order is taken.
    pub fn new(join: Box<dyn AnyValueJoin + 'a>, left: RowsByCode, right: Option<RowsByCode>, shape: Shape) -> Self {
        let pairing = match (shape, &right) {
            (Shape::Triangle, None) => Pairing::Sorted,
            (Shape::Triangle, Some(_)) => Pairing::Before,
            (Shape::Rectangle, _) => Pairing::All,
        };
        Self { join, left, right, pairing, large: Mutex::default() }
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

    /// Runs a task; what is too large for it is kept for [`pieces`](Self::pieces).
    pub fn run(&self, task: usize, sink: &mut impl Sink) {
        self.join.any_run(task, &mut |a, b| {
            let tile = self.tile(a, b);
            if area(&tile) <= LARGE {
                sink.tile(tile);
            } else {
                self.large.lock().unwrap_or_else(PoisonError::into_inner).push((a, b));
            }
        });
    }

    /// The large tiles of the round in pieces for many cores, each at most [`LARGE`] pairs unless a single row has more.
    pub fn pieces(&mut self) -> Vec<Piece> {
        let large = std::mem::take(self.large.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut pieces = Vec::new();
        for (a, b) in large {
            let tile = self.tile(a, b);
            let step = (LARGE / tile.right.len() as u64).max(1) as usize;
            let starts = (0..tile.left.len()).step_by(step);
            pieces.extend(starts.map(|start| Piece { a, b, start, end: (start + step).min(tile.left.len()) }));
        }
        pieces
    }

    /// Runs a piece.
    pub fn run_piece(&self, piece: &Piece, sink: &mut impl Sink) {
        let tile = self.tile(piece.a, piece.b);
        let left = &tile.left[piece.start..piece.end];
        if tile.pairing != Pairing::Ascending {
            return sink.tile(Tile { left, ..tile });
        }
        // The rows of the piece among themselves, then with those behind the piece.
        sink.tile(Tile { left, right: left, pairing: Pairing::Ascending });
        sink.tile(Tile { left, right: &tile.right[piece.end..], pairing: Pairing::All });
    }

    fn tile(&self, a: u32, b: u32) -> Tile<'_> {
        match &self.right {
            Some(right) => Tile { left: self.left.of(a), right: right.of(b), pairing: self.pairing },
            None => {
                let pairing = if a == b { Pairing::Ascending } else { self.pairing };
                Tile { left: self.left.of(a), right: self.left.of(b), pairing }
            }
        }
    }
}

fn area(tile: &Tile<'_>) -> u64 {
    tile.left.len() as u64 * tile.right.len() as u64
}

/// A range of the left rows of a pair of values.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    a: u32,
    b: u32,
    start: usize,
    end: usize,
}
