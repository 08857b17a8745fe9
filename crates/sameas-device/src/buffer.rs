//! Typed pieces of a device's memory, and of page-locked host memory that a device writes to.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;
use sameas_kernels::DevicePtr;

use super::gpu::Inner;
use crate::error::Result;

/// Values on a device, given back to its arena when dropped. Everything on a device runs in the order of the calls, so
/// who takes the memory next writes to it after all reads that were begun before.
pub struct Buffer<T> {
    gpu: Arc<Inner>,
    /// Where in the arena.
    begin: usize,
    len: usize,
    of: PhantomData<fn() -> T>,
}

/// Bytes of device memory that belong to a buffer.
#[derive(Clone, Copy)]
pub struct DeviceRange {
    at: u64,
    bytes: usize,
}

impl DeviceRange {
    /// The address of the first.
    pub fn at(self) -> u64 {
        self.at
    }

    /// How many there are.
    pub fn bytes(self) -> usize {
        self.bytes
    }

    /// Some of them, from one on.
    #[cfg(feature = "cuda")]
    pub fn part(self, from: usize, bytes: usize) -> Self {
        assert!(from + bytes <= self.bytes, "bytes {from} to {} of {}", from + bytes, self.bytes);
        Self { at: self.at + from as u64, bytes }
    }
}

impl<T> Buffer<T> {
    /// A piece of the arena that was taken for it.
    pub(super) fn new(gpu: &Arc<Inner>, begin: usize, len: usize) -> Self {
        Self { gpu: Arc::clone(gpu), begin, len, of: PhantomData }
    }

    /// Its address on the device.
    pub fn at(&self) -> DevicePtr<T> {
        self.at_index(0)
    }

    /// The address of one of its values, or of the end.
    pub fn at_index(&self, index: usize) -> DevicePtr<T> {
        let values = self.range(&(index..self.len));
        // SAFETY: the arena has this memory for as long as the device, which a kernel that uses the address runs on.
        unsafe { DevicePtr::new(values.at()) }
    }

    /// Some of its values as bytes.
    pub(super) fn range(&self, range: &Range<usize>) -> DeviceRange {
        assert!(range.start <= range.end && range.end <= self.len, "values {range:?} of {}", self.len);
        let at = self.gpu.base + (self.begin + range.start * size_of::<T>()) as u64;
        DeviceRange { at, bytes: range.len() * size_of::<T>() }
    }

    /// Whether it is memory of this device, logical or not.
    pub(super) fn is_of(&self, gpu: &Arc<Inner>) -> bool {
        Arc::ptr_eq(gpu, &self.gpu)
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

/// Values in host memory that a device can copy to while its kernels run. Kept by the device when dropped, to be used
/// again: page-locking memory is slow.
pub struct Pinned<T> {
    gpu: Arc<Inner>,
    at: u64,
    len: usize,
    of: PhantomData<fn() -> T>,
}

impl<T> Pinned<T> {
    /// Memory that was reserved for it, or none where there are no values.
    pub(super) fn new(gpu: &Arc<Inner>, at: Option<u64>, len: usize) -> Self {
        Self { gpu: Arc::clone(gpu), at: at.unwrap_or(align_of::<T>() as u64), len, of: PhantomData }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where kernels find the values.
    pub fn on_device(&self) -> DevicePtr<T> {
        // SAFETY: page-locked memory has one address for the host and for devices, and is kept as long as the device.
        unsafe { DevicePtr::new(if self.len == 0 { 0 } else { self.at }) }
    }

    /// Begins to copy bytes of a buffer here.
    pub(super) fn copy_from(self, from: DeviceRange) -> Result<Copying<T>> {
        assert!(from.bytes() <= self.len * size_of::<T>(), "more values than there is room for");
        let (gpu, to) = (Arc::clone(&self.gpu), self.at as *mut u8);
        // Made first, so that a copy that fails halfway is waited for.
        let copying = Copying { to: Some(self) };
        if from.bytes() > 0 {
            // SAFETY: the memory has room, and `copying` lets nobody at it before the copy has ended.
            unsafe { gpu.driver.copy_aside(to, from) }?;
        }
        Ok(copying)
    }
}

impl<T: Pod> Pinned<T> {
    /// The values that have been copied here.
    pub fn values(&self) -> &[T] {
        // SAFETY: the memory holds `len` values, was zeroed when it was reserved, and any bytes are values of a plain
        // type. No copy runs: while one does, `Copying` owns the memory.
        unsafe { std::slice::from_raw_parts(self.at as *const T, self.len) }
    }
}

impl<T> Pinned<T> {
    /// All bytes, to be written by who makes values of them.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else has it.
        unsafe { std::slice::from_raw_parts_mut(self.at as *mut u8, self.len * size_of::<T>()) }
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        if self.len > 0 {
            self.gpu.keep_pinned(self.at, self.len * size_of::<T>());
        }
    }
}

/// Host memory that a device is copying to: nobody reads it before the copy has been waited for.
#[must_use = "the values are there when the copy has been waited for"]
pub struct Copying<T> {
    /// There until it is handed out.
    to: Option<Pinned<T>>,
}

impl<T> Copying<T> {
    /// Waits for the copy; the memory with its values.
    pub fn wait(mut self) -> Result<Pinned<T>> {
        let to = self.to.take().unwrap_or_else(|| unreachable!("it is taken once"));
        to.gpu.driver.wait_for_copies()?;
        Ok(to)
    }
}

impl<T> Drop for Copying<T> {
    /// The memory is used again, so the copy must have ended. If it fails, the device writes no more.
    fn drop(&mut self) {
        if let Some(to) = self.to.take() {
            let _ = to.gpu.driver.wait_for_copies();
        }
    }
}
