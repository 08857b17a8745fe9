//! One device: its memory, its copies and its kernels.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::{NoUninit, Pod, Zeroable};
use rayon::prelude::*;
use sameas_kernels::Kernel;

use super::arena::Arena;
use super::buffer::{Buffer, Copying, DeviceRange, Pinned};
use super::does_not_fit::DoesNotFit;
use super::driver::{Driver, Info};
use crate::error::{Error, ErrorCode, Result};

/// Bytes that one core copies at a time.
const PIECE: usize = 1 << 20;

/// A device, or a share of one, with memory of fixed size. Clones are the same device.
#[derive(Clone)]
pub struct Gpu {
    pub(super) inner: Arc<Inner>,
}

/// What buffers hold on to.
pub(super) struct Inner {
    pub(super) driver: Arc<dyn Driver>,
    info: Info,
    /// Address of the arena's first byte.
    pub(super) base: u64,
    bytes: usize,
    arena: Mutex<Arena>,
    /// Page-locked memory that nobody uses now: address and bytes.
    pinned: Mutex<Vec<(u64, usize)>>,
    /// Memory of the host that kernels read: address and end.
    pub(super) lent: Mutex<Vec<(u64, u64)>>,
    /// Bytes that were copied to it and from it.
    copied: AtomicU64,
}

impl Inner {
    pub(super) fn arena(&self) -> MutexGuard<'_, Arena> {
        self.arena.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an address is one of memory that the host has lent.
    fn has_lent(&self, address: u64) -> bool {
        let lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        lent.iter().any(|(begin, end)| (*begin..=*end).contains(&address))
    }

    /// Remembers memory of the host that kernels may be given.
    pub(super) fn lends(&self, at: u64, bytes: usize) {
        self.lent.lock().unwrap_or_else(PoisonError::into_inner).push((at, at + bytes as u64));
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
    /// A device with this many bytes of memory.
    pub(super) fn new(driver: Arc<dyn Driver>, bytes: usize) -> Result<Self> {
        let base = driver.reserve(bytes.max(1), false)?;
        let (arena, pinned, lent) = (Mutex::new(Arena::new(bytes)), Mutex::default(), Mutex::default());
        let (name, processors, shared) = (driver.name().to_owned(), driver.processors(), driver.shared());
        let info = Info { name, processors, shared };
        Ok(Self {
            inner: Arc::new(Inner { driver, info, base, bytes, arena, pinned, lent, copied: AtomicU64::new(0) }),
        })
    }

    /// What it is.
    pub fn info(&self) -> &Info {
        &self.inner.info
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
    pub fn buffer<T: NoUninit>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len * size_of::<T>();
        let mut arena = self.inner.arena();
        match arena.take(bytes) {
            Some(begin) => Ok(Buffer::new(&self.inner, begin, len)),
            None => Err(self.too_small(bytes, arena.largest())),
        }
    }

    /// The error for more memory than there is: the bytes that are wanted, and those that are free in one piece.
    pub fn too_small(&self, wanted: usize, largest: usize) -> Error {
        let (needed, free, memory) = (wanted as u64, largest as u64, self.inner.bytes as u64);
        let cause = DoesNotFit::new(needed, free, memory);
        let error = Error::resource(cause.to_string()).with_code(ErrorCode::DoesNotFitDevice).with_source(cause);
        error.with_help("allow more device memory, or run the job on the CPU")
    }

    /// Room for values, all bytes zero.
    pub fn zeroed<T: NoUninit + Zeroable>(&self, len: usize) -> Result<Buffer<T>> {
        let buffer = self.buffer(len)?;
        self.fill_zero(&buffer)?;
        Ok(buffer)
    }

    /// Values on the device.
    pub fn upload<T: NoUninit>(&self, values: &[T]) -> Result<Buffer<T>> {
        let buffer = self.buffer(values.len())?;
        self.write(&buffer, 0, values)?;
        Ok(buffer)
    }

    /// Overwrites values from place `at` on.
    pub fn write<T: NoUninit>(&self, buffer: &Buffer<T>, at: usize, values: &[T]) -> Result<()> {
        let to = self.range(buffer, &(at..at + values.len()));
        self.count_copied(size_of_val(values));
        self.inner.driver.write(to, bytemuck::cast_slice(values))
    }

    /// Sets all bytes to zero.
    pub fn fill_zero<T: Zeroable>(&self, buffer: &Buffer<T>) -> Result<()> {
        self.inner.driver.fill_zero(self.range(buffer, &(0..buffer.len())))
    }

    /// Values from the device, after everything that was begun before.
    pub fn read<T: Pod>(&self, buffer: &Buffer<T>, range: Range<usize>) -> Result<Vec<T>> {
        let from = self.range(buffer, &range);
        let mut values: Vec<T> = bytemuck::zeroed_vec(range.len());
        self.count_copied(size_of_val(&values[..]));
        self.inner.driver.read(bytemuck::cast_slice_mut(&mut values), from)?;
        Ok(values)
    }

    /// Host memory that [`fetch`](Self::fetch) copies to.
    pub fn pinned<T: Pod>(&self, len: usize) -> Result<Pinned<T>> {
        self.reserve_pinned(len)
    }

    fn reserve_pinned<T>(&self, len: usize) -> Result<Pinned<T>> {
        let bytes = len * size_of::<T>();
        if bytes == 0 {
            return Ok(Pinned::new(&self.inner, None, 0));
        }
        let mut kept = self.inner.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        let at = match kept.iter().position(|(_, size)| *size == bytes) {
            Some(place) => kept.swap_remove(place).0,
            None => {
                let at = self.inner.driver.reserve(bytes, true)?;
                self.inner.lends(at, bytes);
                at
            }
        };
        Ok(Pinned::new(&self.inner, Some(at), len))
    }

    /// Values in page-locked host memory.
    pub fn pinned_copy<T: NoUninit>(&self, values: &[T]) -> Result<Pinned<T>> {
        let mut memory = self.reserve_pinned::<T>(values.len())?;
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let pieces = memory.bytes_mut().par_chunks_mut(PIECE).zip(bytes.par_chunks(PIECE));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
        Ok(memory)
    }

    /// Begins to copy values to the host while the device goes on: what made them must have been waited for. They are
    /// there when the copy has been waited for.
    pub fn fetch<T: Pod>(&self, buffer: &Buffer<T>, range: Range<usize>, to: Pinned<T>) -> Result<Copying<T>> {
        self.count_copied(range.len() * size_of::<T>());
        to.copy_from(self.range(buffer, &range))
    }

    /// Bytes that were copied to it and from it so far.
    pub fn copied(&self) -> u64 {
        self.inner.copied.load(Relaxed)
    }

    fn count_copied(&self, bytes: usize) {
        self.inner.copied.fetch_add(bytes as u64, Relaxed);
    }

    /// Starts a kernel with its arguments: `grid` blocks of `block` threads, each block with `shared` bytes of dynamic
    /// shared memory.
    pub fn launch<A: NoUninit>(&self, kernel: Kernel<A>, grid: u32, block: u32, shared: u32, args: &A) -> Result<()> {
        self.assert_own(kernel.name(), kernel.pointers(), bytemuck::bytes_of(args));
        // SAFETY: a kernel knows the type of its arguments, and addresses in them can only be had from buffers.
        unsafe { self.inner.driver.launch(kernel.name(), [grid, block, shared], bytemuck::bytes_of(args)) }
    }

    /// Addresses in arguments are of buffers of this device. Those in memory that arguments lead to are not looked at.
    fn assert_own(&self, kernel: &str, pointers: &[usize], args: &[u8]) {
        let memory = self.inner.base..=self.inner.base + self.inner.bytes as u64;
        for pointer in pointers {
            let mut address = [0; 8];
            address.copy_from_slice(&args[*pointer..pointer + 8]);
            let address = u64::from_ne_bytes(address);
            let is_own = address == 0 || memory.contains(&address) || self.inner.has_lent(address);
            assert!(is_own, "{kernel} is given a buffer of another device");
        }
    }

    /// Waits for everything that was begun.
    pub fn wait(&self) -> Result<()> {
        self.inner.driver.wait()
    }

    /// What some work gives, and the seconds it took on the device's clock.
    pub fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, f64)> {
        let timer = self.inner.driver.timer()?;
        let result = work()?;
        Ok((result, timer.seconds()?))
    }

    /// How fast it is: as measured now, or earlier by any user of this device.
    pub fn pace(&self, measure: impl FnOnce() -> f64) -> f64 {
        *self.inner.driver.pace().get_or_init(measure)
    }

    /// A buffer belongs to one device, logical or not: crossing is a defect, not a slow copy.
    pub(super) fn range<T>(&self, buffer: &Buffer<T>, range: &Range<usize>) -> DeviceRange {
        assert!(buffer.is_of(&self.inner), "a buffer of another device");
        buffer.range(range)
    }
}
