//! The values of a column in a block of records, repeated ones once or nearly so.
//!
//! Most columns repeat their values. What is computed of such a column is computed of its values and not of its rows,
//! and what is encoded is hashed once for each value of a block. Texts of the caller that come as views are not copied: they
//! are read where they are encoded, and a block of them is copied for as long as an expression is computed of it.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::iterator::ArrayIter;
use arrow_array::types::{UInt16Type, UInt32Type};
use arrow_array::{
    Array, ArrayAccessor, ArrayRef, DictionaryArray, StringArray, StringViewArray, TypedDictionaryArray,
};
use arrow_schema::DataType;

use crate::cancel::Cancel;
use crate::expr::{Vector, gather, vector_of};
use crate::numbering::{RecentValues, hash_of};

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
    pub values: BlockValues,
    /// For each row the place of its value among them; none where every row has its own.
    pub places: Option<Arc<[u16]>>,
}

/// The values of a column of a block.
#[derive(Clone, Debug)]
pub enum BlockValues {
    /// As expressions read them.
    Plain(Vector),
    /// Texts in the memory of the caller; none is empty.
    Views(StringViewArray),
    /// Texts of a dictionary of the caller; none is empty, and rows whose value is null are null.
    Keyed(DictionaryArray<UInt32Type>),
}

impl BlockValues {
    /// Number of values.
    pub fn count(&self) -> usize {
        match self {
            Self::Plain(values) => values.len(),
            Self::Views(views) => views.len(),
            Self::Keyed(dictionary) => dictionary.len(),
        }
    }

    /// Memory they take; nothing for what the caller holds.
    pub fn bytes(&self) -> usize {
        if let Self::Plain(values) = self { values.bytes() } else { 0 }
    }

    /// As expressions read them: texts of the caller are copied.
    pub fn to_vector(&self) -> Vector {
        match self {
            Self::Plain(values) => values.clone(),
            Self::Views(views) => Vector::Text(copied(views)),
            Self::Keyed(dictionary) => Vector::Text(copied(views_of(dictionary))),
        }
    }

    /// Memory that such a copy takes.
    pub fn copied_bytes(&self) -> usize {
        match self {
            Self::Plain(_) => 0,
            Self::Views(views) => size_of::<i32>() * views.len() + text_bytes(views),
            Self::Keyed(dictionary) => size_of::<i32>() * dictionary.len() + text_bytes(views_of(dictionary)),
        }
    }

    /// The value at a place, as a column of one row.
    fn slice(&self, place: usize) -> Vector {
        match self {
            Self::Plain(values) => values.slice(place),
            Self::Views(views) => Self::Views(views.slice(place, 1)).to_vector(),
            Self::Keyed(dictionary) => Self::Keyed(dictionary.slice(place, 1)).to_vector(),
        }
    }
}

/// The texts of the rows of a dictionary.
pub fn views_of(dictionary: &DictionaryArray<UInt32Type>) -> TypedDictionaryArray<'_, UInt32Type, StringViewArray> {
    // Only dictionaries of views are made.
    dictionary.downcast_dict().unwrap_or_else(|| unreachable!("a dictionary of the caller has views"))
}

fn text_bytes<'t>(texts: impl ArrayAccessor<Item = &'t str>) -> usize {
    ArrayIter::new(texts).flatten().map(str::len).sum()
}

fn copied<'t>(texts: impl ArrayAccessor<Item = &'t str> + Copy) -> StringArray {
    let mut all = StringBuilder::with_capacity(texts.len(), text_bytes(texts));
    ArrayIter::new(texts).for_each(|text| all.append_option(text));
    all.finish()
}

impl From<Vector> for BlockColumn {
    fn from(values: Vector) -> Self {
        Self { values: BlockValues::Plain(values), places: None }
    }
}

impl BlockColumn {
    /// A column of a table, with its repeated texts taken together, where that pays.
    pub fn new(array: &ArrayRef) -> Self {
        match array.data_type() {
            DataType::Utf8View => Self::of_views(array.as_string_view().clone()),
            DataType::Dictionary(key, _) if **key == DataType::UInt16 => Self::of_places(array.as_dictionary()),
            DataType::Dictionary(..) => {
                Self { values: BlockValues::Keyed(array.as_dictionary().clone()), places: None }
            }
            _ => match vector_of(array) {
                Vector::Text(texts) => Self::of_texts(texts),
                values => values.into(),
            },
        }
    }

    /// A column of texts.
    pub fn of_texts(texts: StringArray) -> Self {
        grouped(&texts).unwrap_or_else(|| Vector::Text(texts).into())
    }

    /// A column of texts of the caller.
    pub fn of_views(views: StringViewArray) -> Self {
        grouped(&views).unwrap_or_else(|| Self { values: BlockValues::Views(views), places: None })
    }

    /// A column that has each of its values once, and a key for every row.
    fn of_places(dictionary: &DictionaryArray<UInt16Type>) -> Self {
        let values = BlockValues::Plain(vector_of(dictionary.values()));
        Self { values, places: Some(dictionary.keys().values().iter().copied().collect()) }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.places.as_ref().map_or_else(|| self.values.count(), |places| places.len())
    }

    /// The value of one row, as a column of one row.
    pub fn slice(&self, row: usize) -> Vector {
        let place = self.places.as_ref().map_or(row, |places| usize::from(places[row]));
        self.values.slice(place)
    }

    /// The value of every row.
    pub fn to_rows(&self, cancel: Cancel<'_>) -> Vector {
        let values = self.values.to_vector();
        self.places.as_ref().map_or_else(|| values.clone(), |places| gather(&values, places, cancel))
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        self.values.bytes() + self.places.as_ref().map_or(0, |places| size_of_val(&places[..]))
    }

    /// Whether two columns have their values at the same places.
    pub fn has_places_of(&self, other: &Self) -> bool {
        matches!((&self.places, &other.places), (Some(own), Some(others)) if Arc::ptr_eq(own, others))
    }

    /// Whether after this many rows a column that repeats little is left as it is.
    pub fn is_tried(rows: usize) -> bool {
        rows == TRIED
    }

    /// Whether rows repeat their values, given how many there are of both.
    pub fn is_repeated(values: usize, rows: usize) -> bool {
        values * 8 <= rows * MOST_OF_EIGHT
    }
}

/// The texts once each, or nearly so; nothing where most rows have one of their own.
fn grouped<'t>(texts: impl ArrayAccessor<Item = &'t str> + Copy) -> Option<BlockColumn> {
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
        if firsts.len() > MOST_VALUES
            || BlockColumn::is_tried(row + 1) && !BlockColumn::is_repeated(firsts.len(), TRIED)
        {
            return None;
        }
    }
    if !BlockColumn::is_repeated(firsts.len(), texts.len()) {
        return None;
    }
    let value = |row: &u32| texts.is_valid(*row as usize).then(|| texts.value(*row as usize));
    let values = Vector::Text(firsts.iter().map(value).collect());
    Some(BlockColumn { values: BlockValues::Plain(values), places: Some(places.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of plain texts; one of views has the same values at the same places.
    fn column(rows: usize, value: impl Fn(usize) -> Option<String>) -> (Vec<Option<String>>, BlockColumn) {
        let texts: Vec<Option<String>> = (0..rows).map(value).collect();
        let column = BlockColumn::new(&(Arc::new(StringArray::from(texts.clone())) as ArrayRef));
        let of_views = BlockColumn::new(&(Arc::new(StringViewArray::from(texts.clone())) as ArrayRef));
        assert_eq!(of_views.places, column.places);
        assert_eq!(of_views.places.is_none(), matches!(of_views.values, BlockValues::Views(_)));
        let all = of_views.to_rows(Cancel::NEVER);
        assert_eq!((0..rows).map(|row| all.shown(row)).collect::<Vec<_>>(), texts);
        assert!((0..rows.min(9)).all(|row| of_views.slice(row).shown(0) == texts[row]));
        (texts, column)
    }

    #[test]
    fn rows_come_back_whatever_repeats() {
        for (rows, values, nulls) in [(0, 1, 2), (1, 1, 5), (50, 3, 4), (9000, 300, 7), (30_000, 20_000, 1000)] {
            let (texts, column) = column(rows, |i| (i % nulls > 0).then(|| format!("{}", i * 7919 % values)));
            let (all, stored) = (column.to_rows(Cancel::NEVER), column.values.count());
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
        assert_eq!(column(400_000, |i| Some(format!("{}", i / 8))).1.values.count(), 50_000);
        assert_eq!(column(10, |_| None).1.values.count(), 1);
    }
}
