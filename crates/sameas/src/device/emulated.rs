//! The kernels of the GPU on the CPU: device memory is host memory, and every call has ended when it returns.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sameas_kernels::Primitives;

use super::DeviceOptions;
use super::driver::{Driver, Info, Launch, Stamp, Transfer};
use super::gpu::Gpu;
use crate::error::{Error, Result};

/// Bytes of an emulated device unless the options say otherwise.
const MEMORY: usize = 64 << 20;

/// Emulated devices as the options want them.
pub fn open(options: DeviceOptions) -> Vec<Gpu> {
    let count = options.logical.unwrap_or(1).max(1);
    let memory = options.memory.unwrap_or(MEMORY) / count;
    (0..count as u64).map(|seed| Gpu::emulated(memory, seed)).collect()
}

impl Gpu {
    /// A device that is none, with so many bytes of memory; threads run in an order drawn from `seed`.
    pub fn emulated(memory: usize, seed: u64) -> Self {
        let info = Info { name: "emulated".into(), processors: 2, shared: 227 << 10, free: memory };
        let driver =
            Emulated { info, begun: Instant::now(), seed: AtomicU64::new(seed << 32), taken: Mutex::default() };
        Gpu::new(Arc::new(driver), memory).unwrap_or_else(|error| panic!("{error}"))
    }
}

struct Emulated {
    info: Info,
    begun: Instant,
    /// Another order for every launch.
    seed: AtomicU64,
    taken: Mutex<Vec<(usize, Layout)>>,
}

impl Driver for Emulated {
    fn info(&self) -> &Info {
        &self.info
    }

    fn reserve(&self, bytes: usize, _on_host: bool) -> Result<u64> {
        let layout = Layout::from_size_align(bytes.max(1), 512).map_err(|e| Error::internal(e.to_string()))?;
        // SAFETY: the size is not zero.
        let at = unsafe { alloc_zeroed(layout) } as usize;
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).push((at, layout));
        Ok(at as u64)
    }

    fn release(&self, at: u64, _on_host: bool) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = taken.iter().position(|(begin, _)| *begin as u64 == at) {
            let (at, layout) = taken.swap_remove(place);
            // SAFETY: reserved with this layout, and released once.
            unsafe { dealloc(at as *mut u8, layout) };
        }
    }

    fn transfer(&self, transfer: Transfer<'_>) -> Result<()> {
        // SAFETY: addresses come from buffers, which lie in reserved memory and are as long as what is copied.
        unsafe {
            match transfer {
                Transfer::In(to, from) => std::ptr::copy_nonoverlapping(from.as_ptr(), to as *mut u8, from.len()),
                Transfer::Out(to, from) | Transfer::Beside(to, from) => {
                    std::ptr::copy_nonoverlapping(from as *const u8, to.as_mut_ptr(), to.len());
                }
                Transfer::Zero(to, bytes) => std::ptr::write_bytes(to as *mut u8, 0, bytes),
            }
        }
        Ok(())
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let Launch { kernel, grid, block, shared, args } = launch;
        let seed = self.seed.fetch_add(1, Relaxed);
        if sameas_kernels::host::args_bytes(kernel) != Some(args.len()) {
            return Err(Error::internal(format!("kernel {kernel} does not take {} bytes of arguments", args.len())));
        }
        // SAFETY: the arguments are the kernel's, and their addresses those of buffers.
        unsafe { sameas_kernels::host::launch(kernel, *grid, *block, *shared, seed, args.as_ptr().cast()) }
            .map_err(|reason| Error::internal(format!("kernel {kernel} with {grid} blocks of {block}: {reason}")))
    }

    fn primitives(&self) -> Result<(&'static Primitives, *mut c_void)> {
        Ok((&sameas_kernels::host::PRIMITIVES, std::ptr::null_mut()))
    }

    fn wait(&self) -> Result<()> {
        Ok(())
    }

    fn wait_for_copies(&self) -> Result<()> {
        Ok(())
    }

    fn stamp(&self) -> Result<Stamp> {
        Ok(Stamp(self.begun.elapsed().as_nanos() as u64))
    }

    fn between(&self, from: Stamp, to: Stamp) -> Result<f64> {
        Ok((to.0 - from.0) as f64 / 1e9)
    }
}
