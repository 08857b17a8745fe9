//! Memory of the host that kernels read where it lies, over the bus: what does not fit a device, and is read once or rarely.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use bytemuck::NoUninit;
use sameas_kernels::DevicePtr;

use super::buffer::Pinned;
use super::gpu::Gpu;
use crate::error::Result;

/// Memory of fewer bytes is copied to page-locked memory: it may share a page with other memory, and a page can be lent
/// once only. Allocators map what is larger by itself.
const LEAST_LENT: usize = 32 << 20;

/// Borrowed for this long, neither longer nor shorter: what is borrowed for less may not be lent.
type BorrowedFor<'a> = fn(&'a [u8]) -> &'a [u8];

/// What a device has been lent, for as long as this lives; nothing is lent twice.
pub struct LentMemory<'a> {
    gpu: Gpu,
    /// By the address on the host.
    lent: Mutex<BTreeMap<u64, LentSlice>>,
    of: PhantomData<BorrowedFor<'a>>,
}

/// A piece of it.
struct LentSlice {
    on_device: u64,
    bytes: usize,
    /// The copy that kernels read, where they do not read the memory itself.
    copy: Option<Pinned<u8>>,
}

impl<'a> LentMemory<'a> {
    /// Nothing yet.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), lent: Mutex::default(), of: PhantomData }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Where kernels read these values.
    pub fn at<T: NoUninit>(&self, values: &'a [T]) -> Result<DevicePtr<T>> {
        let (at, bytes) = (values.as_ptr() as u64, size_of_val(values));
        if bytes == 0 {
            return Ok(DevicePtr::NULL);
        }
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lent.get(&at).filter(|slice| slice.bytes >= bytes).map(|slice| slice.on_device);
        let on_device = match known {
            Some(on_device) => on_device,
            None => {
                let slice = self.lend(at, bytemuck::cast_slice(values))?;
                let on_device = slice.on_device;
                lent.insert(at, slice);
                on_device
            }
        };
        // SAFETY: the memory is borrowed for longer than this lives, or a copy that lives as long; who uses addresses has
        // ended, or is waited for, when this ends.
        Ok(unsafe { DevicePtr::new(on_device) })
    }

    fn lend(&self, at: u64, values: &'a [u8]) -> Result<LentSlice> {
        let (inner, bytes) = (&self.gpu.inner, values.len());
        // SAFETY: the values are borrowed until this has ended, and are taken back then.
        let lent = if bytes < LEAST_LENT { None } else { unsafe { inner.driver.lend(at, bytes) }? };
        let slice = match lent {
            Some(on_device) => {
                inner.lends(on_device, bytes);
                LentSlice { on_device, bytes, copy: None }
            }
            None => {
                let copy = self.gpu.pinned_copy(values)?;
                LentSlice { on_device: copy.values().as_ptr() as u64, bytes, copy: Some(copy) }
            }
        };
        Ok(slice)
    }
}

impl Drop for LentMemory<'_> {
    /// Waits for what still reads it.
    fn drop(&mut self) {
        let inner = &self.gpu.inner;
        let _ = inner.driver.wait();
        let lent = std::mem::take(self.lent.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (at, slice) in lent {
            if slice.copy.is_none() {
                inner.lent.lock().unwrap_or_else(PoisonError::into_inner).retain(|(at, _)| *at != slice.on_device);
                inner.driver.take_back(at);
            }
        }
    }
}
