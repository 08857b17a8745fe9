//! Arrow data of other libraries, by the C interfaces: their memory is used as it is.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StructArray, make_array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use sameas::{Error, Result};

use crate::{arrow_check, null_columns};

/// A stream of arrays of one type.
pub struct ForeignStream {
    stream: FFI_ArrowArrayStream,
    field: Field,
}

impl ForeignStream {
    /// The stream of a capsule that `__arrow_c_stream__` gave. The capsule is empty afterwards.
    pub fn take(capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<Self>> {
        let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
        // SAFETY: a capsule of this name holds such a stream, which stays where it is while the capsule lives. Its content is
        // moved out, and what is left behind says that it is released.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
        Ok(Self::new(stream))
    }

    fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self> {
        let get_schema = match (stream.release, stream.get_schema) {
            (Some(_), Some(get_schema)) => get_schema,
            _ => return Err(Error::data("the Arrow stream has been read before")),
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and the schema is a place to write one to.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(failed(&mut stream, code));
        }
        arrow_check::check_type(&schema)?;
        let field = Field::try_from(&schema).map_err(unreadable)?;
        Ok(Self { stream, field })
    }

    /// The next array; none at the end.
    fn next(&mut self) -> Result<Option<ArrayRef>> {
        let Some(get_next) = self.stream.get_next else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and the array is a place to write one to.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(failed(&mut self.stream, code));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer says that the array is of the type of the stream.
        unsafe { imported(array, self.field.data_type(), self.field.name()) }.map(Some)
    }

    /// All arrays, and their type.
    pub fn arrays(mut self) -> Result<(DataType, Vec<ArrayRef>)> {
        let mut arrays = Vec::new();
        while let Some(array) = self.next()? {
            arrays.push(array);
        }
        Ok((self.field.data_type().clone(), arrays))
    }

    /// All arrays as batches of a table; an array that is no table is one with one column.
    pub fn batches(self, name: &str) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        let (data_type, arrays) = self.arrays()?;
        let DataType::Struct(fields) = &data_type else {
            return Err(not_a_table(name, &data_type));
        };
        let schema = Arc::new(Schema::new(fields.clone()));
        let batches = arrays.iter().map(|array| batch(name, &schema, array)).collect::<Result<_>>()?;
        Ok((schema, batches))
    }
}

fn unreadable(error: ArrowError) -> Error {
    Error::data(format!("an Arrow schema: {error}"))
}

/// An array whose parts hold together, in the memory of its producer.
///
/// # Safety
///
/// The array is of this type.
unsafe fn imported(mut array: FFI_ArrowArray, data_type: &DataType, name: &str) -> Result<ArrayRef> {
    null_columns::repair(&mut array, data_type);
    // SAFETY: the caller says that the array is of this type.
    let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
    let data = data.map_err(|error| Error::data(format!("an Arrow array: {error}")))?;
    arrow_check::check_array(&data, name)?;
    Ok(make_array(data))
}

fn not_a_table(name: &str, data_type: &DataType) -> Error {
    Error::data(format!("`{name}` is a column of {data_type}, and not a table"))
        .with_help("give a table, whose columns have names")
}

/// The rows of an array of structures.
fn batch(name: &str, schema: &SchemaRef, array: &ArrayRef) -> Result<RecordBatch> {
    let Some(rows) = array.as_any().downcast_ref::<StructArray>() else {
        return Err(not_a_table(name, array.data_type()));
    };
    if rows.null_count() > 0 {
        return Err(Error::data(format!("`{name}` has rows that are null as a whole")));
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema.clone(), rows.columns().to_vec(), &options)
        .map_err(|error| Error::data(format!("`{name}`: {error}")))
}

fn failed(stream: &mut FFI_ArrowArrayStream, code: i32) -> Error {
    let text = stream.get_last_error.and_then(|get_last_error| {
        // SAFETY: the stream is not released, and has just failed.
        let text = unsafe { get_last_error(stream) };
        // SAFETY: a text that is not null ends with a zero, and lives until the stream is asked again.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    });
    let text = text.unwrap_or_else(|| format!("error {code}"));
    Error::data(format!("the Arrow stream ended with an error: {text}"))
}

/// The array of two capsules that `__arrow_c_array__` gave.
pub fn array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<Result<ArrayRef>> {
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: a capsule of this name holds an array, whose content is moved out; what is left says that it is released.
    let array = unsafe { FFI_ArrowArray::from_raw(array.cast().as_ptr()) };
    if array.is_released() {
        return Ok(Err(Error::data("the Arrow array has been taken before")));
    }
    // SAFETY: a capsule of this name holds a schema, which lives as long as the capsule.
    let schema: &FFI_ArrowSchema = unsafe { schema.cast().as_ref() };
    let data_type = arrow_check::check_type(schema).and_then(|()| DataType::try_from(schema).map_err(unreadable));
    // SAFETY: the producer says that the array is of this schema.
    Ok(data_type.and_then(|data_type| unsafe { imported(array, &data_type, schema.name().unwrap_or_default()) }))
}

/// An array of structures as a table of one batch.
pub fn table(name: &str, array: &ArrayRef) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let DataType::Struct(fields) = array.data_type() else { return Err(not_a_table(name, array.data_type())) };
    let schema = Arc::new(Schema::new(fields.clone()));
    let only = batch(name, &schema, array)?;
    Ok((schema, vec![only]))
}
