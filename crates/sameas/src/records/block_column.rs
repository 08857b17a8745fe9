//! The values of a column in a block of records, repeated ones once or nearly so.
//!
//! Most columns repeat their values. What is computed of such a column is computed of its values and not of its rows,
//! and what is encoded is hashed once for each value of a block.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray, UInt32Array};
use arrow_select::take::take;

use super::recent_values::{RecentValues, hash_of};
use crate::cancel::Cancel;
use crate::expr::{Vector, gather};

/// Rows after which a column that repeats little is left as it is.
const TRIED: usize = 4096;

/// A column repeats its values if at most this many of eight rows bring another one.
const MOST_OF_EIGHT: usize = 5;

/// Values are numbered with 16 bits.
const MOST_VALUES: usize = 1 << 16;

/// Slots, as a power of two, in which repetitions are looked for: enough for most columns, and near enough to the core.
const SLOTS: u32 = 13;

/// A column of a block.
#[derive(Clone, Debug)]
pub struct BlockColumn {
    /// Its values.
    pub values: Vector,
    /// For each row the place of its value among them; none where every row has its own.
    pub places: Option<Arc<[u16]>>,
}

impl From<Vector> for BlockColumn {
    fn from(values: Vector) -> Self {
        Self { values, places: None }
    }
}

impl BlockColumn {
    /// A column with its repeated texts taken together, where that pays.
    pub fn new(values: Vector) -> Self {
        let grouped = match &values {
            Vector::Text(texts) => grouped(texts),
            _ => None,
        };
        grouped.unwrap_or_else(|| values.into())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.places.as_ref().map_or_else(|| self.values.len(), |places| places.len())
    }

    /// The value of one row, as a column of one row.
    pub fn slice(&self, row: usize) -> Vector {
        self.values.slice(self.places.as_ref().map_or(row, |places| usize::from(places[row])))
    }

    /// The value of every row.
    pub fn to_rows(&self, cancel: Cancel<'_>) -> Vector {
        self.places.as_ref().map_or_else(|| self.values.clone(), |places| gather(&self.values, places, cancel))
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        self.values.bytes() + self.places.as_ref().map_or(0, |places| size_of_val(&places[..]))
    }

    /// Whether two columns have their values at the same places.
    pub fn has_places_of(&self, other: &Self) -> bool {
        matches!((&self.places, &other.places), (Some(own), Some(others)) if Arc::ptr_eq(own, others))
    }
}

/// The texts once each, or nearly so; nothing where most rows have one of their own.
fn grouped(texts: &StringArray) -> Option<BlockColumn> {
    let mut recent = RecentValues::new(SLOTS);
    let (mut firsts, mut places) = (Vec::<u32>::new(), Vec::with_capacity(texts.len()));
    let mut null = None;
    for row in 0..texts.len() {
        let next = firsts.len() as u32;
        let known = if texts.is_null(row) {
            null.replace(null.unwrap_or(next))
        } else {
            let text = texts.value(row);
            let is_it = |number: u32| texts.value(firsts[number as usize] as usize) == text;
            recent.find_or_remember(hash_of(text.as_bytes()), next, is_it)
        };
        if known.is_none() {
            firsts.push(row as u32);
        }
        places.push(known.unwrap_or(next) as u16);
        if firsts.len() > MOST_VALUES || row + 1 == TRIED && !is_repeated(firsts.len(), TRIED) {
            return None;
        }
    }
    let values = is_repeated(firsts.len(), texts.len()).then(|| take(texts, &UInt32Array::from(firsts), None))?;
    let values = Vector::Text(values.ok()?.as_string().clone());
    Some(BlockColumn { values, places: Some(places.into()) })
}

fn is_repeated(values: usize, rows: usize) -> bool {
    values * 8 <= rows * MOST_OF_EIGHT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(rows: usize, value: impl Fn(usize) -> Option<String>) -> (Vec<Option<String>>, BlockColumn) {
        let texts: Vec<Option<String>> = (0..rows).map(value).collect();
        let column = BlockColumn::new(Vector::Text(StringArray::from(texts.clone())));
        (texts, column)
    }

    #[test]
    fn rows_come_back_whatever_repeats() {
        for (rows, values, nulls) in [(0, 1, 2), (1, 1, 5), (50, 3, 4), (9000, 300, 7), (30_000, 20_000, 1000)] {
            let (texts, column) = column(rows, |i| (i % nulls > 0).then(|| format!("{}", i * 7919 % values)));
            let (all, stored) = (column.to_rows(Cancel::NEVER), column.values.len());
            assert_eq!(column.rows(), rows);
            assert_eq!((0..rows).map(|row| all.shown(row)).collect::<Vec<_>>(), texts);
            assert!((0..rows).all(|row| column.slice(row).shown(0) == texts[row]));
            assert!(stored <= rows && (rows != 9000 || stored <= 320), "{stored} values of {rows} rows");
        }
    }

    #[test]
    fn columns_that_repeat_little_are_left_as_they_are() {
        assert!(column(20_000, |i| Some(format!("{i}"))).1.places.is_none());
        // Repetitions begin after the rows that are tried.
        assert!(column(20_000, |i| Some(format!("{}", i.min(5000)))).1.places.is_none());
        // More values than places have numbers, though each comes four times.
        assert!(column(400_000, |i| Some(format!("{}", i / 4))).1.places.is_none());
        assert_eq!(column(400_000, |i| Some(format!("{}", i / 8))).1.values.len(), 50_000);
        assert_eq!(column(10, |_| None).1.values.len(), 1);
    }
}
