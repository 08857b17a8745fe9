//! Device-wide sorting, sums and selection: CUB's on a GPU, plain ones in the emulation, under the same names.

use std::ffi::c_void;
use std::ops::Range;

use sameas_kernels::{Plain, Primitives, SortPairs};

use super::buffer::Buffer;
use super::gpu::Gpu;
use crate::error::{Error, Result};

/// What pairs can be sorted by.
pub trait SortKey: Plain {
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
        let (sorted, carried) = (self.buffer::<K>(n)?, self.buffer::<u32>(n)?);
        self.with_temporary("sort", n, |call, temporary, bytes, stream| {
            // SAFETY: all four arrays have `n` entries, and the temporary storage the size that was asked for.
            unsafe {
                K::sort(call)(
                    temporary,
                    bytes,
                    keys.at() as *const K,
                    sorted.at() as *mut K,
                    values.at() as *const u32,
                    carried.at() as *mut u32,
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
        let sums = self.buffer::<u64>(n)?;
        self.with_temporary("sum", n, |call, temporary, bytes, stream| {
            let (from, to) = (values.at() as *const u32, sums.at() as *mut u64);
            // SAFETY: both arrays have `n` entries, and the temporary storage the size that was asked for.
            unsafe { (call.exclusive_sum_u32_to_u64)(temporary, bytes, from, to, n as u64, stream) }
        })?;
        Ok(sums)
    }

    /// The same for values of 64 bits.
    pub fn exclusive_sum_u64(&self, values: &Buffer<u64>, n: usize) -> Result<Buffer<u64>> {
        let sums = self.buffer::<u64>(n)?;
        self.with_temporary("sum", n, |call, temporary, bytes, stream| {
            let (from, to) = (values.at() as *const u64, sums.at() as *mut u64);
            // SAFETY: as above.
            unsafe { (call.exclusive_sum_u64)(temporary, bytes, from, to, n as u64, stream) }
        })?;
        Ok(sums)
    }

    /// The values whose flag is not zero, in order, and how many they are.
    pub fn select_flagged(&self, values: &Buffer<u32>, flags: &Buffer<u8>, n: usize) -> Result<(Buffer<u32>, usize)> {
        let (selected, count) = (self.buffer::<u32>(n)?, self.buffer::<u32>(1)?);
        self.with_temporary("selection", n, |call, temporary, bytes, stream| {
            // SAFETY: values, flags and what is selected have `n` entries, the count one.
            unsafe {
                (call.select_flagged_u32)(
                    temporary,
                    bytes,
                    values.at() as *const u32,
                    flags.at() as *const u8,
                    selected.at() as *mut u32,
                    count.at() as *mut u32,
                    n as u64,
                    stream,
                )
            }
        })?;
        let count = self.read(&count, 0..1)?[0] as usize;
        Ok((selected, count))
    }

    /// Calls a primitive twice: for the size of its temporary storage, and with it.
    fn with_temporary(
        &self,
        what: &str,
        n: usize,
        call: impl Fn(&Primitives, *mut c_void, *mut usize, *mut c_void) -> i32,
    ) -> Result<()> {
        let (primitives, stream) = self.inner.driver.primitives()?;
        let check = |code| match code {
            0 => Ok(()),
            code => Err(Error::resource(format!("a {what} of {n} entries on the GPU: CUDA error {code}"))),
        };
        let mut bytes = 0;
        check(call(primitives, std::ptr::null_mut(), &raw mut bytes, stream))?;
        let temporary = self.buffer::<u8>(bytes.max(1))?;
        check(call(primitives, temporary.at() as *mut c_void, &raw mut bytes, stream))
    }
}
