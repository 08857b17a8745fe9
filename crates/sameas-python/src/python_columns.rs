//! Columns of Python values, and values for Python.

use std::fmt;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, LargeListArray, LargeStringArray, NullArray,
    TimestampMicrosecondArray, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyOverflowError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDate, PyDateTime, PyFloat, PyInt, PyList, PyString, PyTuple};
use sameas::{Error, Result};

use crate::{nested_lists, numpy_memory};

/// Days from the first day of Python's calendar to 1970-01-01.
const DAYS_BEFORE_1970: i64 = 719_163;

/// Values that are converted between two looks for signals.
const BETWEEN_LOOKS: usize = 1 << 14;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Truth,
    Whole,
    Number,
    Text,
    Date,
    Time,
    TimeWithZone,
    List,
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truth => "true or false",
            Self::Whole => "whole numbers",
            Self::Number => "numbers",
            Self::Text => "text",
            Self::Date => "dates",
            Self::Time => "times",
            Self::TimeWithZone => "times with a zone",
            Self::List => "lists",
        })
    }
}

impl ValueKind {
    /// The kind of a value; none where it is missing.
    fn detect(value: &Bound<'_, PyAny>) -> PyResult<std::result::Result<Option<Self>, String>> {
        let py = value.py();
        Ok(Ok(Some(if value.is_instance_of::<PyString>() {
            Self::Text
        } else if value.is_none() {
            return Ok(Ok(None));
        } else if value.is_instance_of::<PyBool>() {
            Self::Truth
        } else if value.is_instance_of::<PyInt>() {
            Self::Whole
        } else if let Ok(number) = value.cast::<PyFloat>() {
            if number.extract::<f64>()?.is_nan() {
                return Ok(Ok(None));
            }
            Self::Number
        } else if value.is_instance_of::<PyDateTime>() {
            match value.getattr(intern!(py, "tzinfo"))?.is_none() {
                // Pandas' missing time is one without a year.
                true if value.getattr(intern!(py, "year"))?.extract::<i64>().is_err() => return Ok(Ok(None)),
                true => Self::Time,
                false => Self::TimeWithZone,
            }
        } else if value.is_instance_of::<PyDate>() {
            Self::Date
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            Self::List
        } else {
            return Self::of_other(value);
        })))
    }

    /// Values of NumPy and Pandas, which are known by the names of their types.
    fn of_other(value: &Bound<'_, PyAny>) -> PyResult<std::result::Result<Option<Self>, String>> {
        let name = value.get_type().name()?.to_string();
        Ok(Ok(Some(match name.as_str() {
            "NAType" | "NaTType" => return Ok(Ok(None)),
            "bool" | "bool_" => Self::Truth,
            "ndarray" | "set" | "frozenset" => Self::List,
            _ if name.starts_with("int") || name.starts_with("uint") => Self::Whole,
            _ if name.starts_with("float") => match value.extract::<f64>()?.is_nan() {
                true => return Ok(Ok(None)),
                false => Self::Number,
            },
            _ => return Ok(Err(name)),
        })))
    }

    /// The kind of values of which some are of one kind and some of another.
    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Self::Whole, Self::Number) | (Self::Number, Self::Whole) => Some(Self::Number),
            _ => None,
        }
    }
}

/// Whether a value is a list, or one of the kinds that count as one.
pub fn is_list(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(matches!(ValueKind::detect(value)?, Ok(Some(ValueKind::List))))
}

/// A column of Python values: a list, or an array of NumPy.
pub fn column(name: &str, values: &Bound<'_, PyAny>) -> PyResult<Result<ArrayRef>> {
    if let Some(numbers) = numpy_memory::numbers(values)? {
        return Ok(Ok(numbers));
    }
    let values = match values.hasattr(intern!(values.py(), "tolist"))? {
        true => values.call_method0(intern!(values.py(), "tolist"))?,
        false => values.clone(),
    };
    let values = values.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    array(name, &values, 0)
}

/// Values that are inside this many lists.
fn array(name: &str, values: &[Bound<'_, PyAny>], lists: usize) -> PyResult<Result<ArrayRef>> {
    let (mut kind, mut missing) = (None::<(ValueKind, usize)>, vec![false; values.len()]);
    for (row, value) in values.iter().enumerate() {
        check_signals_at(value, row)?;
        let own = match ValueKind::detect(value)? {
            Ok(own) => own,
            Err(type_name) => return Ok(Err(unknown(name, row, &type_name))),
        };
        kind = match (kind, own) {
            (kind, None) => {
                missing[row] = true;
                kind
            }
            (None, Some(own)) => Some((own, row)),
            (Some((kind, first)), Some(own)) => match kind.and(own) {
                Some(both) => Some((both, first)),
                None => return Ok(Err(mixed(name, (kind, first), (own, row)))),
            },
        };
    }
    let Some((kind, _)) = kind else { return Ok(Ok(Arc::new(NullArray::new(values.len())))) };
    let given = values.iter().zip(&missing).map(|(value, missing)| (!missing).then_some(value));
    of_kind(name, kind, &given.collect::<Vec<_>>(), lists)
}

fn unknown(name: &str, row: usize, type_name: &str) -> Error {
    let what = format!("column `{name}`: row {} holds a value of type {type_name}, which rules cannot use", row + 1);
    Error::data(what).with_help("convert the column to text, numbers, dates or lists")
}

fn mixed(name: &str, (kind, first): (ValueKind, usize), (other, row): (ValueKind, usize)) -> Error {
    let what = format!("column `{name}` mixes {kind} (row {}) and {other} (row {})", first + 1, row + 1);
    Error::data(what).with_help("convert the column to one type")
}

/// Values of one kind; nothing where one is missing.
type GivenValues<'a, 'py> = [Option<&'a Bound<'py, PyAny>>];

fn of_kind(name: &str, kind: ValueKind, values: &GivenValues<'_, '_>, lists: usize) -> PyResult<Result<ArrayRef>> {
    Ok(Ok(match kind {
        ValueKind::Truth => Arc::new(each(values, |value| value.is_truthy())?.into_iter().collect::<BooleanArray>()),
        ValueKind::Whole => return whole_numbers(name, values),
        ValueKind::Number => Arc::new(Float64Array::from(each(values, |value| value.extract::<f64>())?)),
        ValueKind::Text => return texts(values).map(Ok),
        ValueKind::Date => Arc::new(Date32Array::from(each(values, |value| days(value).map(|days| days as i32))?)),
        ValueKind::Time => Arc::new(TimestampMicrosecondArray::from(each(values, microseconds)?)),
        ValueKind::TimeWithZone => {
            let in_utc = |value: &Bound<'_, PyAny>| {
                let utc = value.py().import("datetime")?.getattr("timezone")?.getattr("utc")?;
                microseconds(&value.call_method1("astimezone", (utc,))?)
            };
            Arc::new(TimestampMicrosecondArray::from(each(values, in_utc)?).with_timezone("UTC"))
        }
        ValueKind::List => return of_lists(name, values, lists + 1),
    }))
}

fn each<T>(
    values: &GivenValues<'_, '_>,
    convert: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<Option<T>>> {
    let convert = |(row, value): (usize, &Option<&Bound<'_, PyAny>>)| {
        let Some(value) = value else { return Ok(None) };
        check_signals_at(value, row)?;
        convert(value).map(Some)
    };
    values.iter().enumerate().map(convert).collect()
}

/// Looks for signals from time to time: Ctrl-C ends the conversion of a long list, too.
fn check_signals_at(value: &Bound<'_, PyAny>, row: usize) -> PyResult<()> {
    if row.is_multiple_of(BETWEEN_LOOKS) { value.py().check_signals() } else { Ok(()) }
}

fn whole_numbers(name: &str, values: &GivenValues<'_, '_>) -> PyResult<Result<ArrayRef>> {
    let is_ended = |error: &PyErr| {
        values.iter().flatten().next().is_some_and(|of| !error.is_instance_of::<PyOverflowError>(of.py()))
    };
    match each(values, |value| value.extract::<i64>()) {
        Ok(numbers) => return Ok(Ok(Arc::new(Int64Array::from(numbers)))),
        Err(error) if is_ended(&error) => return Err(error),
        Err(_) => {}
    }
    Ok(match each(values, |value| value.extract::<u64>()) {
        Ok(numbers) => Ok(Arc::new(UInt64Array::from(numbers))),
        Err(error) if is_ended(&error) => return Err(error),
        Err(_) => Err(Error::data(format!("column `{name}` has whole numbers that need more than 64 bits"))
            .with_help("convert the column to text")),
    })
}

fn texts(values: &GivenValues<'_, '_>) -> PyResult<ArrayRef> {
    let mut builder = arrow_array::builder::LargeStringBuilder::with_capacity(values.len(), 0);
    for (row, value) in values.iter().enumerate() {
        value.map_or(Ok(()), |value| check_signals_at(value, row))?;
        match value {
            Some(value) => builder.append_value(value.cast::<PyString>()?.to_str()?),
            None => builder.append_null(),
        }
    }
    let texts: LargeStringArray = builder.finish();
    Ok(Arc::new(texts))
}

fn days(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(value.call_method0(intern!(value.py(), "toordinal"))?.extract::<i64>()? - DAYS_BEFORE_1970)
}

fn microseconds(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    let part = |name: &str| value.getattr(name)?.extract::<i64>();
    let seconds = ((days(value)? * 24 + part("hour")?) * 60 + part("minute")?) * 60 + part("second")?;
    Ok(seconds * 1_000_000 + part("microsecond")?)
}

/// Lists at a level, counted from 1. Those of the second have all deeper ones inside.
fn of_lists(name: &str, values: &GivenValues<'_, '_>, level: usize) -> PyResult<Result<ArrayRef>> {
    if level == 2
        && let Err(error) = nested_lists::check(name, values)?
    {
        return Ok(Err(error));
    }
    let (mut items, mut ends) = (Vec::new(), vec![0_i64]);
    for value in values {
        if let Some(value) = value {
            items.extend(value.try_iter()?.collect::<PyResult<Vec<_>>>()?);
        }
        ends.push(items.len() as i64);
    }
    let items = match array(name, &items, level)? {
        Ok(items) => items,
        Err(error) => return Ok(Err(error)),
    };
    let nulls: NullBuffer = values.iter().map(Option::is_some).collect();
    let field = Arc::new(Field::new_list_field(items.data_type().clone(), true));
    let lists = LargeListArray::try_new(field, OffsetBuffer::new(ends.into()), items, Some(nulls));
    Ok(lists.map(|lists| Arc::new(lists) as ArrayRef).map_err(|error| Error::data(format!("`{name}`: {error}"))))
}

/// The values of a column of results as Python has them.
pub fn to_objects(py: Python<'_>, array: &ArrayRef) -> PyResult<Vec<Py<PyAny>>> {
    (0..array.len()).map(|row| object(py, array, row).map(Bound::unbind)).collect()
}

fn object<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match array.data_type() {
        DataType::Utf8 => Ok(PyString::new(py, array.as_string::<i32>().value(row)).into_any()),
        DataType::LargeUtf8 => Ok(PyString::new(py, array.as_string::<i64>().value(row)).into_any()),
        DataType::Boolean => Ok(PyBool::new(py, array.as_boolean().value(row)).to_owned().into_any()),
        DataType::Float64 => Ok(PyFloat::new(py, array.as_primitive::<Float64Type>().value(row)).into_any()),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Date32 => {
            let day = i64::from(array.as_primitive::<Date32Type>().value(row)) + DAYS_BEFORE_1970;
            py.import("datetime")?.getattr("date")?.call_method1("fromordinal", (day,))
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            Ok(PyList::new(py, to_objects(py, &items)?)?.into_any())
        }
        other => written(py, array, row, other),
    }
}

/// A value that Python makes of its text.
fn written<'py>(py: Python<'py>, array: &ArrayRef, row: usize, ty: &DataType) -> PyResult<Bound<'py, PyAny>> {
    let text = arrow_cast::display::array_value_to_string(array, row).unwrap_or_default();
    let builtin = |name: &str| py.import("builtins")?.getattr(name)?.call1((&text,));
    match ty {
        ty if ty.is_integer() => builtin("int"),
        ty if ty.is_floating() => builtin("float"),
        ty if ty.is_decimal() => py.import("decimal")?.getattr("Decimal")?.call1((&text,)),
        _ => Ok(PyString::new(py, &text).into_any()),
    }
}
