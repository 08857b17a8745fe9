//! The arguments of a call, read row by row: a constant has one row that stands for all.

use std::sync::Arc;

use arrow_array::{Array, StringArray};

use super::cell::{self, Cell};
use super::write;
use crate::cancel::Cancel;
use crate::expr::{Num, NumberItems, NumberVector, Type, Vector};
use crate::memory::Held;

/// One argument.
pub(crate) struct Arg {
    values: Vector,
    constant: bool,
    /// Its memory, where it was computed and is not a column of the table.
    _held: Held,
}

impl Arg {
    /// One value for every row.
    pub(crate) fn constant(values: Vector) -> Self {
        Self { values, constant: true, _held: Held::default() }
    }

    /// A value for each row.
    pub(crate) fn column(values: Vector) -> Self {
        Self { values, constant: false, _held: Held::default() }
    }

    /// The same with its memory counted.
    pub(crate) fn held(self, cancel: Cancel<'_>) -> Self {
        let bytes = if cancel.counts_memory() { self.values.bytes() } else { 0 };
        Self { _held: cancel.hold(bytes), ..self }
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.constant
    }

    pub(crate) fn ty(&self) -> Type {
        self.values.ty()
    }

    /// The value of a row, whatever its type; `None` is null.
    pub(crate) fn cell(&self, row: usize) -> Option<Cell<'_>> {
        cell::at(&self.values, if self.constant { 0 } else { row })
    }

    /// Number of values that are not null.
    pub(super) fn count(&self) -> u64 {
        cell::count(&self.values)
    }

    /// Number of texts that are not null, if this is text.
    pub(super) fn text_count(&self) -> Option<u64> {
        matches!(self.values, Vector::Text(_)).then(|| cell::count(&self.values))
    }

    /// The values of all rows.
    pub(super) fn into_vector(self, rows: usize, cancel: Cancel<'_>) -> Vector {
        if self.constant { write::repeat(&self.values, rows, cancel) } else { self.values }
    }
}

/// The arguments of one call. An argument that is missing or of another type than expected reads as null,
/// which is how the literal `null` fits every type.
pub(crate) struct Args<'a> {
    list: &'a [Arg],
    rows: usize,
    cancel: Cancel<'a>,
}

impl<'a> Args<'a> {
    pub(crate) fn new(list: &'a [Arg], rows: usize, cancel: Cancel<'a>) -> Self {
        Self { list, rows, cancel }
    }

    /// What counts the memory of the results.
    pub(crate) fn cancel(&self) -> Cancel<'a> {
        self.cancel
    }

    /// Number of rows to compute.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of arguments.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn list(&self) -> &'a [Arg] {
        self.list
    }

    /// The value of an argument in a row.
    pub(crate) fn cell(&self, index: usize, row: usize) -> Option<Cell<'a>> {
        self.list.get(index)?.cell(row)
    }

    /// The argument, if it is a column of texts.
    pub(crate) fn text_column(&self, index: usize) -> Option<&'a StringArray> {
        match self.list.get(index) {
            Some(Arg { values: Vector::Text(array), constant: false, .. }) => Some(array),
            _ => None,
        }
    }

    pub(crate) fn texts(&self, index: usize) -> TextArg<'a> {
        match self.list.get(index) {
            Some(Arg { values: Vector::Text(array), constant, .. }) => {
                TextArg { array: Some(array), constant: *constant }
            }
            _ => TextArg { array: None, constant: true },
        }
    }

    pub(crate) fn bools(&self, index: usize) -> Slots<'a, bool> {
        match self.list.get(index) {
            Some(Arg { values: Vector::Bool(values), constant, .. }) => Slots { values, constant: *constant },
            _ => Slots::nulls(),
        }
    }

    pub(crate) fn numbers(&self, index: usize) -> NumberArg<'a> {
        match self.list.get(index) {
            Some(Arg { values: Vector::Number(values), constant, .. }) => {
                NumberArg { values: Some(values), constant: *constant }
            }
            _ => NumberArg { values: None, constant: true },
        }
    }

    pub(crate) fn dates(&self, index: usize) -> Slots<'a, i32> {
        match self.list.get(index) {
            Some(Arg { values: Vector::Date(values), constant, .. }) => Slots { values, constant: *constant },
            _ => Slots::nulls(),
        }
    }

    pub(crate) fn text_lists(&self, index: usize) -> Slots<'a, Arc<[Box<str>]>> {
        match self.list.get(index) {
            Some(Arg { values: Vector::TextList(values), constant, .. }) => Slots { values, constant: *constant },
            _ => Slots::nulls(),
        }
    }

    pub(crate) fn number_lists(&self, index: usize) -> Slots<'a, NumberItems> {
        match self.list.get(index) {
            Some(Arg { values: Vector::NumberList(values), constant, .. }) => Slots { values, constant: *constant },
            _ => Slots::nulls(),
        }
    }
}

/// The texts of an argument.
#[derive(Clone, Copy)]
pub(crate) struct TextArg<'a> {
    array: Option<&'a StringArray>,
    constant: bool,
}

impl<'a> TextArg<'a> {
    /// The text of a row.
    pub(crate) fn get(self, row: usize) -> Option<&'a str> {
        let (array, row) = (self.array?, if self.constant { 0 } else { row });
        array.is_valid(row).then(|| array.value(row))
    }

    /// Bytes of all texts together over `rows` rows, an estimate of the size of what is made of them.
    pub(crate) fn bytes(self, rows: usize) -> usize {
        match self.array {
            Some(array) if self.constant => array.value_data().len().saturating_mul(rows),
            Some(array) => array.value_offsets().last().map_or(0, |end| (end - array.value_offsets()[0]) as usize),
            None => 0,
        }
    }
}

/// The numbers of an argument.
#[derive(Clone, Copy)]
pub(crate) struct NumberArg<'a> {
    values: Option<&'a NumberVector>,
    constant: bool,
}

impl NumberArg<'_> {
    /// The number of a row.
    #[inline]
    pub(crate) fn get(self, row: usize) -> Option<Num> {
        self.values?.get(if self.constant { 0 } else { row })
    }
}

/// The values of an argument of any other type.
#[derive(Clone, Copy)]
pub(crate) struct Slots<'a, T> {
    values: &'a [Option<T>],
    constant: bool,
}

impl<'a, T> Slots<'a, T> {
    fn nulls() -> Self {
        Self { values: &[], constant: true }
    }

    /// The value of a row.
    pub(crate) fn get(&self, row: usize) -> Option<&'a T> {
        self.values.get(if self.constant { 0 } else { row })?.as_ref()
    }
}
