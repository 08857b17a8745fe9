//! Device-wide sorting, sums and selection: CUB's on a GPU, plain ones in the emulation, under the same names.

use std::ffi::c_void;
use std::ops::Range;

use bytemuck::{NoUninit, Pod};
use sameas_kernels::{DevicePtr, ExclusiveSum, Primitives, SortPairs};

use super::buffer::Buffer;
use super::gpu::Gpu;
use crate::error::Result;

/// What pairs can be sorted by.
pub trait SortKey: Pod {
    /// The primitive that sorts by such keys.
    fn sort(primitives: &Primitives) -> SortPairs<Self>;
}

impl SortKey for u32 {
    fn sort(primitives: &Primitives) -> SortPairs<Self> {
        primitives.sort_pairs_u32
    }
}

impl SortKey for u64 {
    fn sort(primitives: &Primitives) -> SortPairs<Self> {
        primitives.sort_pairs_u64
    }
}

impl Gpu {
    /// Sorts keys by some of their bits, and their values with them; equal keys stay in order.
    pub fn sort_pairs<K: SortKey>(
        &self,
        keys: &Buffer<K>,
        values: &Buffer<u32>,
        n: usize,
        bits: Range<u32>,
    ) -> Result<(Buffer<K>, Buffer<u32>)> {
        let (from, with) = (self.first(keys, n), self.first(values, n));
        let (sorted, carried) = (self.buffer::<K>(n)?, self.buffer::<u32>(n)?);
        self.with_temporary("sort", n, |call, temporary, bytes, stream| {
            // SAFETY: all four arrays have `n` entries, and the temporary storage the size that the primitive has named.
            unsafe {
                K::sort(call)(
                    temporary,
                    bytes,
                    from.as_ptr(),
                    sorted.at().as_ptr(),
                    with.as_ptr(),
                    carried.at().as_ptr(),
                    n as u64,
                    bits.start as i32,
                    bits.end as i32,
                    stream,
                )
            }
        })?;
        Ok((sorted, carried))
    }

    /// The sum of all values before each.
    pub fn exclusive_sum(&self, values: &Buffer<u32>, n: usize) -> Result<Buffer<u64>> {
        self.sum(values, n, |primitives| primitives.exclusive_sum_u32_to_u64)
    }

    /// The same for values of 64 bits.
    pub fn exclusive_sum_u64(&self, values: &Buffer<u64>, n: usize) -> Result<Buffer<u64>> {
        self.sum(values, n, |primitives| primitives.exclusive_sum_u64)
    }

    fn sum<T: Pod>(
        &self,
        values: &Buffer<T>,
        n: usize,
        of: impl Fn(&Primitives) -> ExclusiveSum<T, u64>,
    ) -> Result<Buffer<u64>> {
        let (values, sums) = (self.first(values, n), self.buffer::<u64>(n)?);
        self.with_temporary("sum", n, |call, temporary, bytes, stream| {
            let (from, to) = (values.as_ptr(), sums.at().as_ptr());
            // SAFETY: both arrays have `n` entries, and the temporary storage the size that the primitive has named.
            unsafe { of(call)(temporary, bytes, from, to, n as u64, stream) }
        })?;
        Ok(sums)
    }

    /// The values whose flag is not zero, in order, and how many they are.
    pub fn select_flagged(&self, values: &Buffer<u32>, flags: &Buffer<u8>, n: usize) -> Result<(Buffer<u32>, usize)> {
        let (values, flags) = (self.first(values, n), self.first(flags, n));
        let (selected, count) = (self.buffer::<u32>(n)?, self.buffer::<u32>(1)?);
        self.with_temporary("selection", n, |call, temporary, bytes, stream| {
            // SAFETY: values, flags and what is selected have `n` entries, the count one.
            unsafe {
                (call.select_flagged_u32)(
                    temporary,
                    bytes,
                    values.as_ptr(),
                    flags.as_ptr(),
                    selected.at().as_ptr(),
                    count.at().as_ptr(),
                    n as u64,
                    stream,
                )
            }
        })?;
        let count = self.read(&count, 0..1)?[0] as usize;
        Ok((selected, count))
    }

    /// The address of a buffer of this device that has at least `n` values.
    fn first<T: NoUninit>(&self, buffer: &Buffer<T>, n: usize) -> DevicePtr<T> {
        self.range(buffer, &(0..n));
        buffer.at()
    }

    /// Calls a primitive twice: for the size of its temporary storage, and with it.
    fn with_temporary(
        &self,
        what: &'static str,
        n: usize,
        call: impl Fn(&Primitives, *mut c_void, *mut usize, *mut c_void) -> i32,
    ) -> Result<()> {
        let (primitives, stream) = self.inner.driver.primitives(what)?;
        let check = |code| match code {
            0 => Ok(()),
            code => Err(self.inner.driver.primitive_failed(&format!("a {what} of {n} entries"), code)),
        };
        let mut bytes = 0;
        check(call(primitives, std::ptr::null_mut(), &raw mut bytes, stream))?;
        let temporary = self.buffer::<u8>(bytes.max(1))?;
        check(call(primitives, temporary.at().as_ptr().cast(), &raw mut bytes, stream))
    }
}
