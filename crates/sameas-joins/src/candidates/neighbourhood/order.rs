//! The rows of one side in the order of their numbers.

use rayon::iter::Either;
use rayon::prelude::*;

use crate::expr::{Decimal, Num};

/// How many kinds of numbers there are.
pub(super) const KINDS: usize = 3;

/// The kinds are kept apart: between them, the difference does not follow the order (see [`window`](super::window)).
#[derive(Clone, Debug)]
enum NumberKind {
    /// [`Num::Int`].
    Int,
    /// [`Num::Float`].
    Float,
    /// [`Num::Wide`]: the distinct ones, ascending, whose places are the keys.
    Wide(Vec<Decimal>),
}

/// The numbers of one side, sorted.
#[derive(Debug)]
pub struct SortedNumbers {
    /// Those that are integers, floats and decimals.
    pub(super) orders: [NumberOrder; KINDS],
}

impl SortedNumbers {
    /// Sorts the given rows by their numbers, on all cores; a row without a number (null) takes no part.
    pub fn new(rows: &[u32], number: impl Fn(u32) -> Option<Num> + Sync) -> Self {
        let known = rows.par_iter().filter_map(|row| number(*row).map(|number| (number, *row)));
        let (ints, others): (Vec<_>, Vec<_>) = known.partition_map(|(number, row)| match number {
            Num::Int(value) => Either::Left((int_key(value), row)),
            Num::Float(value) => Either::Right((Either::Left(float_key(value)), row)),
            Num::Wide(value) => Either::Right((Either::Right(value), row)),
        });
        let (floats, wides) = others.into_par_iter().partition_map(|(number, row)| match number {
            Either::Left(key) => Either::Left((key, row)),
            Either::Right(value) => Either::Right((value, row)),
        });
        let (distinct, wides) = by_place(wides);
        let orders = [(NumberKind::Int, ints), (NumberKind::Float, floats), (NumberKind::Wide(distinct), wides)];
        Self { orders: orders.map(|(kind, entries)| NumberOrder::new(kind, entries)) }
    }
}

/// The distinct decimals, ascending, and the place of each row's among them.
fn by_place(mut wides: Vec<(Decimal, u32)>) -> (Vec<Decimal>, Vec<(u64, u32)>) {
    wides.par_sort_unstable();
    let mut distinct: Vec<Decimal> = Vec::new();
    let mut place = |(value, row): (Decimal, u32)| {
        if distinct.last() != Some(&value) {
            distinct.push(value);
        }
        (distinct.len() as u64 - 1, row)
    };
    let entries = wides.into_iter().map(&mut place).collect();
    (distinct, entries)
}

/// Rows by number, and by row where numbers are equal.
#[derive(Debug)]
pub struct NumberOrder {
    kind: NumberKind,
    /// The distinct numbers, ascending, as keys.
    keys: Vec<u64>,
    /// Where the rows of each number begin; one more than numbers.
    starts: Vec<u32>,
    /// The rows.
    rows: Vec<u32>,
}

impl NumberOrder {
    fn new(kind: NumberKind, mut entries: Vec<(u64, u32)>) -> Self {
        sort(&mut entries);
        let is_first = |at: &usize| *at == 0 || entries[at - 1].0 != entries[*at].0;
        let mut starts: Vec<u32> =
            (0..entries.len()).into_par_iter().filter(is_first).map(|start| start as u32).collect();
        let keys = starts.par_iter().map(|start| entries[*start as usize].0).collect();
        starts.push(entries.len() as u32);
        Self { kind, keys, starts, rows: entries.par_iter().map(|(_, row)| *row).collect() }
    }

    /// How many distinct numbers there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The distinct number at a place.
    #[inline]
    pub fn number(&self, at: usize) -> Num {
        match &self.kind {
            NumberKind::Int => Num::Int((self.keys[at] ^ SIGN) as i64),
            NumberKind::Float => Num::Float(float_of(self.keys[at])),
            NumberKind::Wide(distinct) => Num::Wide(distinct[self.keys[at] as usize]),
        }
    }

    /// Where the rows of the number at a place begin: those of the places `a..b` are `start(a)..start(b)`.
    pub fn start(&self, at: usize) -> u32 {
        self.starts[at]
    }

    /// The rows, without the numbers, which nobody needs once the windows are known.
    pub fn into_rows(self) -> Vec<u32> {
        self.rows
    }
}

/// Sorts by key, then by row. Keys that lie close together share a word with their rows, which halves what is moved.
fn sort(entries: &mut [(u64, u32)]) {
    let least = entries.par_iter().map(|(key, _)| *key).min().unwrap_or(0);
    let most = entries.par_iter().map(|(key, _)| *key).max().unwrap_or(0);
    if most - least > u64::from(u32::MAX) {
        return entries.par_sort_unstable();
    }
    let mut packed: Vec<u64> = entries.par_iter().map(|(key, row)| (key - least) << 32 | u64::from(*row)).collect();
    packed.par_sort_unstable();
    entries.par_iter_mut().zip(&packed).for_each(|(entry, packed)| *entry = ((packed >> 32) + least, *packed as u32));
}

const SIGN: u64 = 1 << 63;

/// A key whose unsigned order is that of the integers.
fn int_key(value: i64) -> u64 {
    value as u64 ^ SIGN
}

/// A key whose unsigned order is that of the floats, -0.0 before 0.0: negative ones count backwards.
fn float_key(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn float_of(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_and_the_number() {
        let ints = [i64::MIN, -1, 0, 1, i64::MAX];
        assert!(ints.map(int_key).is_sorted());
        let floats = [f64::MIN, -1.5, -f64::MIN_POSITIVE, -0.0, 0.0, 5e-324, 1.0, f64::MAX];
        assert!(floats.map(float_key).is_sorted());
        assert!(floats.iter().all(|float| float_of(float_key(*float)).to_bits() == float.to_bits()));
    }

    #[test]
    fn rows_follow_their_numbers() {
        let [wide, longer] = ["0.1", "0.10"].map(|text| Decimal::parse(text).map(Num::Wide));
        let numbers =
            [Some(Num::Int(7)), None, Some(Num::Float(0.5)), Some(Num::Int(-2)), Some(Num::Int(7)), wide, longer];
        let SortedNumbers { orders: [ints, floats, wides] } =
            SortedNumbers::new(&[0, 1, 2, 3, 4, 5, 6], |row| numbers[row as usize]);
        assert_eq!((ints.len(), floats.len(), wides.len()), (2, 1, 1));
        assert_eq!([0, 1, 2].map(|at| ints.start(at)), [0, 1, 3]);
        assert_eq!((ints.number(1), wides.number(0)), (Num::Int(7), wide.unwrap()));
        assert_eq!((ints.into_rows(), floats.into_rows(), wides.into_rows()), (vec![3, 0, 4], vec![2], vec![5, 6]));
    }
}
