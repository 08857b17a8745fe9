//! Typed pieces of a device's memory, and of page-locked host memory that a device writes to.

use std::marker::PhantomData;
use std::sync::Arc;

use sameas_kernels::Plain;

use super::gpu::Inner;

/// Values on a device, given back to its arena when dropped. Everything on a device runs in the order it was asked for,
/// so whoever takes the memory next writes to it after all reads that were asked for before.
pub struct Buffer<T> {
    pub(super) gpu: Arc<Inner>,
    /// Where in the arena.
    pub(super) begin: usize,
    pub(super) len: usize,
    pub(super) of: PhantomData<T>,
}

impl<T: Plain> Buffer<T> {
    /// Its address on the device.
    pub fn at(&self) -> u64 {
        self.gpu.base + self.begin as u64
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.gpu.arena().give_back(self.begin, self.len * size_of::<T>());
    }
}

/// Values in host memory that a device copies to while its kernels go on. Kept by the device when dropped, to be used
/// again: page-locking memory is slow.
pub struct Pinned<T> {
    pub(super) gpu: Arc<Inner>,
    pub(super) at: u64,
    pub(super) len: usize,
    pub(super) of: PhantomData<T>,
}

impl<T: Plain> Pinned<T> {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The values that have been copied here.
    pub fn values(&self) -> &[T] {
        // SAFETY: the memory holds `len` values, was zeroed when it was reserved, and any bytes are values of a plain type.
        unsafe { std::slice::from_raw_parts(self.at as *const T, self.len) }
    }

    pub(super) fn bytes_mut(&mut self, values: usize) -> &mut [u8] {
        assert!(values <= self.len, "more values than there is room for");
        // SAFETY: as above; plain values may be written as bytes.
        unsafe { std::slice::from_raw_parts_mut(self.at as *mut u8, values * size_of::<T>()) }
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        self.gpu.keep_pinned(self.at, self.len * size_of::<T>());
    }
}

/// The bytes of plain values.
pub(super) fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: plain values have no padding, so each of their bytes is initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The same, to be written.
pub(super) fn bytes_of_mut<T: Plain>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as above, and any bytes are values of a plain type.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}
