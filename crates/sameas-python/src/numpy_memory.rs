//! NumPy's numbers, in the memory that they have.
//!
//! The stable interface of Python 3.10 has no buffers; what NumPy calls the array interface says where an array lies.

use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::{ArrayRef, make_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keeps an array of NumPy alive while its memory is used.
type Owner = AssertUnwindSafe<Py<PyAny>>;

/// The numbers of an array with one dimension, one after the other in memory; nothing for any other object.
pub fn numbers(values: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    let Ok(interface) = values.getattr(intern!(values.py(), "__array_interface__")) else { return Ok(None) };
    let interface = interface.cast_into::<PyDict>()?;
    let item = |name: &str| interface.get_item(name);
    let (Some(kind), Some(shape), Some(data)) = (item("typestr")?, item("shape")?, item("data")?) else {
        return Ok(None);
    };
    let strides = item("strides")?.filter(|strides| !strides.is_none());
    let (shape, (address, _)): (Vec<usize>, (usize, bool)) = (shape.extract()?, data.extract()?);
    let (Some((data_type, width)), &[rows]) = (data_type(kind.extract()?), &shape[..]) else { return Ok(None) };
    let is_dense = match strides {
        Some(strides) => strides.extract::<Vec<isize>>()? == [width as isize],
        None => true,
    };
    let Some(address) = NonNull::new(address as *mut u8).filter(|_| is_dense && rows > 0) else { return Ok(None) };
    if address.addr().get() % width != 0 {
        return Ok(None);
    }
    let owner: Arc<Owner> = Arc::new(AssertUnwindSafe(values.clone().unbind()));
    // SAFETY: NumPy says that this many numbers lie there, in this type, and the owner keeps them there.
    let buffer = unsafe { Buffer::from_custom_allocation(address, rows * width, owner) };
    let data = ArrayData::builder(data_type).len(rows).add_buffer(buffer).build();
    data.map(|data| Some(make_array(data))).map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))
}

/// Numbers in the order of bytes that this machine has.
fn data_type(kind: &str) -> Option<(DataType, usize)> {
    let native = if cfg!(target_endian = "little") { '<' } else { '>' };
    let kind = kind.strip_prefix([native, '|'])?;
    Some(match kind {
        "i1" => (DataType::Int8, 1),
        "i2" => (DataType::Int16, 2),
        "i4" => (DataType::Int32, 4),
        "i8" => (DataType::Int64, 8),
        "u1" => (DataType::UInt8, 1),
        "u2" => (DataType::UInt16, 2),
        "u4" => (DataType::UInt32, 4),
        "u8" => (DataType::UInt64, 8),
        "f4" => (DataType::Float32, 4),
        "f8" => (DataType::Float64, 8),
        _ => return None,
    })
}
