//! `neighbourhood`: pairs whose numbers differ by little: numeric and date bands, and `neighbours(...)`, whose numbers
//! are ranks.
//!
//! Both sides are sorted by number; the partners of a left number are one run of the right order, its window. All pairs
//! are numbered through, and a task takes the same quantity of numbers as any other, so that a number that a million
//! records share is work for all cores.
//!
//! No loss and nothing too much: a window holds exactly the right numbers for which the condition holds (see
//! `window`). No repetition: a record has one number, hence one place in one order, and each two places meet in one
//! window: of two orders, in that of the left one; of one order, in that of the first.

pub(super) mod declaration;
pub mod gpu;
mod order;
#[cfg(test)]
mod tests;
mod window;

use order::KINDS;
pub use order::SortedNumbers;

use super::Shape;
use super::tile::{Pairing, Sink, Tile};
use crate::expr::Num;
use window::Window;

/// Pairs of a task.
const TASK: u64 = 1 << 20;

/// The pairs of rows whose numbers are near each other.
#[derive(Debug)]
pub struct Neighbourhood {
    /// Rows in the orders of their numbers, by kind; right rows after left rows, where there are two sides.
    rows: Vec<Vec<u32>>,
    parts: Vec<WindowList>,
    exact: bool,
    task: u64,
}

/// The windows between the rows of two kinds.
#[derive(Debug)]
struct WindowList {
    /// Which rows of [`Neighbourhood::rows`] are the left ones.
    left: usize,
    /// Which are the right ones; the left ones, where an order is joined with itself.
    right: usize,
    /// How the rows of two orders meet.
    pairing: Pairing,
    windows: Vec<Window>,
    /// Number of pairs up to and with each window.
    ends: Vec<u64>,
}

impl Neighbourhood {
    /// The pairs of left and right numbers for which `holds(left, right)`; without right ones, of two rows of the left
    /// ones, the smaller row first. In a triangle of two sides only the pairs whose left row is the smaller are meant.
    ///
    /// `holds` must be a condition `<` or `<=` between a constant and the absolute difference as the verifier computes
    /// it: of the nearest floats if one is a float, else exact to 76 digits, and null on overflow for two integers.
    pub fn new(
        left: SortedNumbers,
        right: Option<SortedNumbers>,
        shape: Shape,
        holds: impl Fn(Num, Num) -> bool + Sync,
    ) -> Self {
        let pairing = if shape == Shape::Triangle { Pairing::Before } else { Pairing::All };
        let exact = right.is_none() || shape == Shape::Rectangle;
        let (parts, orders): (Vec<WindowList>, Vec<order::NumberOrder>) = match right {
            None => {
                let orders = left.orders;
                let of_one = |kind: usize| WindowList::of_one(kind, window::ahead(&orders[kind], &holds));
                let of_two = |(l, r): (usize, usize)| {
                    WindowList::of_two([l, r], Pairing::Sorted, window::between(&orders[l], &orders[r], &holds))
                };
                let parts = (0..KINDS).map(of_one).chain(two_kinds().map(of_two)).collect();
                (parts, orders.into())
            }
            Some(right) => {
                let orders: Vec<order::NumberOrder> = left.orders.into_iter().chain(right.orders).collect();
                let of_two = |(l, r): (usize, usize)| {
                    WindowList::of_two([l, r], pairing, window::between(&orders[l], &orders[r], &holds))
                };
                let parts = (0..KINDS).flat_map(|l| (KINDS..2 * KINDS).map(move |r| (l, r))).map(of_two).collect();
                (parts, orders)
            }
        };
        let rows = orders.into_iter().map(order::NumberOrder::into_rows).collect();
        Self { rows, parts, exact, task: TASK }
    }

    /// How many pairs there are; where it is not [exact](Self::is_exact), at most.
    pub fn pairs(&self) -> u64 {
        self.parts.iter().map(WindowList::pairs).sum()
    }

    /// Whether the number of pairs is exact: in a triangle of two sides only some pairs of a window are meant.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Number of tasks.
    pub fn tasks(&self) -> usize {
        self.parts.iter().map(|part| self.tasks_of(part)).sum()
    }

    fn tasks_of(&self, part: &WindowList) -> usize {
        part.pairs().div_ceil(self.task) as usize
    }

    /// Runs a task.
    pub fn run(&self, mut task: usize, sink: &mut impl Sink) {
        for part in &self.parts {
            let tasks = self.tasks_of(part);
            if task < tasks {
                let start = task as u64 * self.task;
                return part.run(&self.rows, start, (start + self.task).min(part.pairs()), sink);
            }
            task -= tasks;
        }
    }
}

/// Each two different kinds, once.
fn two_kinds() -> impl Iterator<Item = (usize, usize)> {
    (0..KINDS).flat_map(|l| (l + 1..KINDS).map(move |r| (l, r)))
}

impl WindowList {
    /// An order with itself.
    fn of_one(order: usize, windows: Vec<Window>) -> Self {
        let area = |window: &Window| pairs_before(window.right().len(), window.left().len());
        Self::new([order, order], Pairing::Ascending, windows, area)
    }

    fn of_two(orders: [usize; 2], pairing: Pairing, windows: Vec<Window>) -> Self {
        let area = |window: &Window| window.left().len() as u64 * window.right().len() as u64;
        Self::new(orders, pairing, windows, area)
    }

    fn new([left, right]: [usize; 2], pairing: Pairing, windows: Vec<Window>, area: impl Fn(&Window) -> u64) -> Self {
        let mut sum = 0;
        let ends = windows.iter().map(|window| {
            sum += area(window);
            sum
        });
        Self { left, right, pairing, ends: ends.collect(), windows }
    }

    fn pairs(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Hands on the pairs with the numbers from `at` to `end`.
    fn run(&self, rows: &[Vec<u32>], mut at: u64, end: u64, sink: &mut impl Sink) {
        let (left, right) = (&rows[self.left], &rows[self.right]);
        let mut next = self.ends.partition_point(|end| *end <= at);
        while at < end {
            let (window, start) = (self.windows[next], if next == 0 { 0 } else { self.ends[next - 1] });
            let (now, until) = (at - start, end.min(self.ends[next]) - start);
            if self.pairing == Pairing::Ascending {
                triangle(&right[window.right()], window.left().len(), now, until, sink);
            } else {
                rectangle(&left[window.left()], &right[window.right()], self.pairing, now, until, sink);
            }
            at = start + until;
            next += 1;
        }
    }
}

/// The pairs `at..end` of all left rows with all right rows, one left row after another: the rest of a row, whole rows,
/// the begin of a row.
fn rectangle(left: &[u32], right: &[u32], pairing: Pairing, mut at: u64, end: u64, sink: &mut impl Sink) {
    let width = right.len() as u64;
    while at < end {
        let (row, column) = ((at / width) as usize, (at % width) as usize);
        let whole = ((end - at) / width) as usize;
        let (left, right) = if column == 0 && whole > 0 {
            (&left[row..row + whole], right)
        } else {
            let stop = (column as u64 + end - at).min(width) as usize;
            (&left[row..=row], &right[column..stop])
        };
        sink.tile(Tile { left, right, pairing });
        at += left.len() as u64 * right.len() as u64;
    }
}

/// The pairs `at..end` of each of the first `count` rows with all rows after it.
fn triangle(rows: &[u32], count: usize, mut at: u64, end: u64, sink: &mut impl Sink) {
    let before = |row: usize| pairs_before(rows.len(), row);
    let last_up_to = |pairs: u64| {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if before(middle) <= pairs { low = middle } else { high = middle - 1 }
        }
        low
    };
    while at < end {
        let row = last_up_to(at);
        let (column, stop) = ((at - before(row)) as usize, last_up_to(end));
        if column == 0 && stop > row {
            let (left, right) = (&rows[row..stop], &rows[stop..]);
            push(Tile { left, right: left, pairing: Pairing::Ascending }, sink);
            push(Tile { left, right, pairing: Pairing::Sorted }, sink);
            at = before(stop);
        } else {
            let first = row + 1 + column;
            let right = &rows[first..rows.len().min(first + (end - at) as usize)];
            push(Tile { left: &rows[row..=row], right, pairing: Pairing::Sorted }, sink);
            at += right.len() as u64;
        }
    }
}

fn push(tile: Tile<'_>, sink: &mut impl Sink) {
    let least = if tile.pairing == Pairing::Ascending { 2 } else { 1 };
    if tile.right.len() >= least {
        sink.tile(tile);
    }
}

/// How many pairs the first `count` of `rows` rows form with the rows after them.
fn pairs_before(rows: usize, count: usize) -> u64 {
    let (rows, count) = (rows as u64, count as u64);
    (count * (2 * rows).saturating_sub(count + 1)) / 2
}
