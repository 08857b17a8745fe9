//! Columns of nothing but nulls, as some producers hand them out.
//!
//! An array of type null has no buffers. Some say that it has one, for its validity, and the importer refuses that.

use std::ffi::c_void;

use arrow_array::ffi::FFI_ArrowArray;
use arrow_schema::DataType;

/// An array of Arrow's C data interface, as its specification lays it out.
#[repr(C)]
struct RawArray {
    length: i64,
    null_count: i64,
    offset: i64,
    buffers: i64,
    children: i64,
    buffer_addresses: *mut *const c_void,
    child_addresses: *mut *mut RawArray,
    dictionary: *mut RawArray,
    release: *mut c_void,
    private_data: *mut c_void,
}

const _: () = assert!(size_of::<RawArray>() == size_of::<FFI_ArrowArray>());

/// Leaves out the buffers of arrays of type null.
pub fn repair(array: &mut FFI_ArrowArray, data_type: &DataType) {
    if !array.is_released() && has_nulls(data_type) {
        // SAFETY: both are the same structure, and the array is not released.
        unsafe { repair_raw((&raw mut *array).cast(), data_type) };
    }
}

/// Whether something in a type is of type null.
fn has_nulls(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Null) || children(data_type).iter().any(|child| has_nulls(child))
}

fn children(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => vec![item.data_type()],
        _ => Vec::new(),
    }
}

/// # Safety
///
/// The array is one of this type, and not released.
unsafe fn repair_raw(array: *mut RawArray, data_type: &DataType) {
    // SAFETY: the caller says that there is an array; nobody else looks at it now.
    let array = unsafe { &mut *array };
    if matches!(data_type, DataType::Null) {
        array.buffers = 0;
    }
    let children = children(data_type);
    if array.children != children.len() as i64 || array.child_addresses.is_null() {
        return;
    }
    for (at, child) in children.into_iter().enumerate() {
        // SAFETY: an array has as many children as it says, each of the type that belongs to it.
        unsafe { repair_raw(*array.child_addresses.add(at), child) };
    }
}
