//! One value of any type, for operations that treat all types the same: comparison, choice, null tests.

use std::cmp::Ordering;

use arrow_array::Array;

use crate::expr::{Num, NumberItems, Vector};

/// A value that is not null.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'a> {
    Bool(bool),
    Text(&'a str),
    Number(Num),
    Date(i32),
    TextList(&'a [Box<str>]),
    NumberList(&'a NumberItems),
}

impl Cell<'_> {
    /// Ranks the types, so that cells of all types have one total order.
    fn rank(self) -> u8 {
        match self {
            Self::Bool(_) => 0,
            Self::Text(_) => 1,
            Self::Number(_) => 2,
            Self::Date(_) => 3,
            Self::TextList(_) => 4,
            Self::NumberList(_) => 5,
        }
    }
}

impl Ord for Cell<'_> {
    /// False before true, texts by code point, numbers and dates by value, lists element by element.
    fn cmp(&self, other: &Self) -> Ordering {
        match (*self, *other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(&b),
            // UTF-8 keeps the order of code points.
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.cmp(&b),
            (Self::Date(a), Self::Date(b)) => a.cmp(&b),
            (Self::TextList(a), Self::TextList(b)) => a.cmp(b),
            (Self::NumberList(a), Self::NumberList(b)) => a.iter().cmp(b.iter()),
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl PartialOrd for Cell<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell<'_> {}

/// The value in a row; `None` is null.
pub(super) fn at(values: &Vector, row: usize) -> Option<Cell<'_>> {
    match values {
        Vector::Null(_) => None,
        Vector::Bool(values) => values[row].map(Cell::Bool),
        Vector::Text(values) => values.is_valid(row).then(|| Cell::Text(values.value(row))),
        Vector::Number(values) => values.get(row).map(Cell::Number),
        Vector::Date(values) => values[row].map(Cell::Date),
        Vector::TextList(values) => values[row].as_deref().map(Cell::TextList),
        Vector::NumberList(values) => values[row].as_ref().map(Cell::NumberList),
    }
}

/// Number of values that are not null.
pub(super) fn count(values: &Vector) -> u64 {
    (0..values.len()).filter(|row| at(values, *row).is_some()).count() as u64
}
