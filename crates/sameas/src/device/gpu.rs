//! One device: its memory, its copies and its kernels.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sameas_kernels::Plain;

use super::arena::Arena;
use super::buffer::{Buffer, Pinned, bytes_of, bytes_of_mut};
use super::does_not_fit::DoesNotFit;
use super::driver::{Driver, Info, Launch, Transfer};
use crate::error::{Error, ErrorCode, Result};

/// A device, or a share of one, with memory of fixed size. Clones are the same device.
#[derive(Clone)]
pub struct Gpu {
    pub(super) inner: Arc<Inner>,
}

/// What buffers hold on to.
pub(super) struct Inner {
    pub(super) driver: Arc<dyn Driver>,
    /// Address of the arena's first byte.
    pub(super) base: u64,
    bytes: usize,
    arena: Mutex<Arena>,
    /// Page-locked memory that nobody uses now: address and bytes.
    pinned: Mutex<Vec<(u64, usize)>>,
}

impl Inner {
    pub(super) fn arena(&self) -> MutexGuard<'_, Arena> {
        self.arena.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn keep_pinned(&self, at: u64, bytes: usize) {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner).push((at, bytes));
    }
}

impl Drop for Inner {
    /// Waits for what still runs: it may use the memory.
    fn drop(&mut self) {
        let _ = self.driver.wait().and_then(|()| self.driver.wait_for_copies());
        self.driver.release(self.base, false);
        for (at, _) in self.pinned.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            self.driver.release(at, true);
        }
    }
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with {} bytes", self.info().name, self.inner.bytes)
    }
}

impl Gpu {
    /// A device with so many bytes of memory.
    pub(super) fn new(driver: Arc<dyn Driver>, bytes: usize) -> Result<Self> {
        let base = driver.reserve(bytes, false)?;
        let (arena, pinned) = (Mutex::new(Arena::new(bytes)), Mutex::default());
        Ok(Self { inner: Arc::new(Inner { driver, base, bytes, arena, pinned }) })
    }

    /// What it is.
    pub fn info(&self) -> &Info {
        self.inner.driver.info()
    }

    /// Bytes of its memory, used or not.
    pub fn bytes(&self) -> usize {
        self.inner.bytes
    }

    /// Bytes that are free.
    pub fn free(&self) -> usize {
        self.inner.arena().free()
    }

    /// Room for values, whatever the memory holds.
    pub fn buffer<T: Plain>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len * size_of::<T>();
        let mut arena = self.inner.arena();
        match arena.take(bytes) {
            Some(begin) => Ok(Buffer { gpu: Arc::clone(&self.inner), begin, len, of: PhantomData }),
            None => Err(self.too_small(bytes, arena.largest())),
        }
    }

    /// The error for more memory than there is: so many bytes are wanted, and only so many free.
    pub fn too_small(&self, wanted: usize, largest: usize) -> Error {
        let (needed, free, memory) = (wanted as u64, largest as u64, self.inner.bytes as u64);
        let cause = DoesNotFit { needed, free, memory };
        let error = Error::resource(cause.to_string()).with_code(ErrorCode::DoesNotFitDevice).with_source(cause);
        error.with_help("raise --device-memory, or use --device cpu")
    }

    /// Room for values, all bytes zero.
    pub fn zeroed<T: Plain>(&self, len: usize) -> Result<Buffer<T>> {
        let buffer = self.buffer(len)?;
        self.fill_zero(&buffer)?;
        Ok(buffer)
    }

    /// Values on the device.
    pub fn upload<T: Plain>(&self, values: &[T]) -> Result<Buffer<T>> {
        let buffer = self.buffer(values.len())?;
        self.write(&buffer, 0, values)?;
        Ok(buffer)
    }

    /// Overwrites values from place `at` on.
    pub fn write<T: Plain>(&self, buffer: &Buffer<T>, at: usize, values: &[T]) -> Result<()> {
        self.check(buffer, &(at..at + values.len()));
        let place = buffer.at() + (at * size_of::<T>()) as u64;
        self.inner.driver.transfer(Transfer::In(place, bytes_of(values)))
    }

    /// Sets all bytes to zero.
    pub fn fill_zero<T: Plain>(&self, buffer: &Buffer<T>) -> Result<()> {
        self.check(buffer, &(0..buffer.len()));
        self.inner.driver.transfer(Transfer::Zero(buffer.at(), buffer.bytes()))
    }

    /// Values from the device, after everything that was asked for before.
    pub fn read<T: Plain>(&self, buffer: &Buffer<T>, range: Range<usize>) -> Result<Vec<T>> {
        self.check(buffer, &range);
        let place = buffer.at() + (range.start * size_of::<T>()) as u64;
        let mut values: Vec<T> = Vec::with_capacity(range.len());
        // SAFETY: any bytes are values of a plain type, zeros too; they are overwritten next.
        unsafe {
            std::ptr::write_bytes(values.as_mut_ptr(), 0, range.len());
            values.set_len(range.len());
        }
        self.inner.driver.transfer(Transfer::Out(bytes_of_mut(&mut values), place))?;
        self.wait()?;
        Ok(values)
    }

    /// Host memory that [`fetch`](Self::fetch) copies to.
    pub fn pinned<T: Plain>(&self, len: usize) -> Result<Pinned<T>> {
        let bytes = len * size_of::<T>();
        let mut kept = self.inner.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        let at = match kept.iter().position(|(_, size)| *size == bytes) {
            Some(place) => kept.swap_remove(place).0,
            None => self.inner.driver.reserve(bytes, true)?,
        };
        Ok(Pinned { gpu: Arc::clone(&self.inner), at, len, of: PhantomData })
    }

    /// Begins to copy values to the host beside whatever the device does now: what made them must have been waited for.
    /// They are there when [`wait_for_copies`](Self::wait_for_copies) returns.
    pub fn fetch<T: Plain>(&self, buffer: &Buffer<T>, range: Range<usize>, to: &mut Pinned<T>) -> Result<()> {
        self.check(buffer, &range);
        let place = buffer.at() + (range.start * size_of::<T>()) as u64;
        self.inner.driver.transfer(Transfer::Beside(to.bytes_mut(range.len()), place))
    }

    /// Waits for what [`fetch`](Self::fetch) has begun.
    pub fn wait_for_copies(&self) -> Result<()> {
        self.inner.driver.wait_for_copies()
    }

    /// Starts a kernel; `args` is its struct of arguments.
    pub fn launch<A: Plain>(&self, kernel: &'static str, grid: u32, block: u32, shared: u32, args: &A) -> Result<()> {
        let args = bytes_of(std::slice::from_ref(args));
        self.inner.driver.launch(&Launch { kernel, grid, block, shared, args })
    }

    /// Waits for everything that was asked for.
    pub fn wait(&self) -> Result<()> {
        self.inner.driver.wait()
    }

    /// What some work gives, and the seconds it took on the device's clock.
    pub fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, f64)> {
        let begun = self.inner.driver.stamp()?;
        let result = work()?;
        let ended = self.inner.driver.stamp()?;
        Ok((result, self.inner.driver.between(begun, ended)?))
    }

    /// A buffer belongs to one device, logical or not: crossing is a defect, not a slow copy.
    fn check<T: Plain>(&self, buffer: &Buffer<T>, range: &Range<usize>) {
        assert!(Arc::ptr_eq(&self.inner, &buffer.gpu), "a buffer of another device");
        assert!(range.end <= buffer.len(), "values {range:?} of {}", buffer.len());
    }
}
