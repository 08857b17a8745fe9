//! Values that host and device copy to each other byte by byte.

/// A value that is nothing but its bytes.
///
/// # Safety
/// The type has no padding, any bytes are a valid value of it, and its layout is the same in CUDA C++.
pub unsafe trait Plain: Copy + 'static {}

macro_rules! plain {
    ($($number:ty),*) => {
        // SAFETY: numbers have no padding, every pattern of bits is one, and CUDA has the same.
        $(unsafe impl Plain for $number {})*
    };
}
plain!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

// SAFETY: an array is its elements one after the other.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
