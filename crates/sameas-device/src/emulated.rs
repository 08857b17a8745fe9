//! The kernels of the GPU on the CPU: device memory is host memory, and every call has ended when it returns.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use bytemuck::Zeroable;
use sameas_kernels::{Primitives, host};

use super::DeviceOptions;
use super::buffer::DeviceRange;
use super::driver::{Driver, Timer};
use super::gpu::Gpu;
use crate::error::{Error, ErrorCode, Result};

/// Bytes of all emulated devices together unless the options say otherwise.
pub const MEMORY: usize = 64 << 20;

/// The driver of one of the devices of a job.
pub fn driver(device: usize, options: &DeviceOptions) -> Arc<dyn Driver> {
    let fail_at = options.fail_at_launch.filter(|_| device == 0);
    Arc::new(Emulated::new(device as u64, fail_at))
}

impl Gpu {
    /// An emulated device with this many bytes of memory; threads run in an order drawn from `seed`.
    pub fn emulated(memory: usize, seed: u64) -> Self {
        Gpu::new(Arc::new(Emulated::new(seed, None)), memory).unwrap_or_else(|error| panic!("{error}"))
    }
}

struct Emulated {
    /// Another order for every launch.
    seed: AtomicU64,
    launches: AtomicU64,
    fail_at: Option<u64>,
    /// The kernel at which the device was lost.
    lost_at: OnceLock<&'static str>,
    pace: OnceLock<f64>,
    /// What has been reserved, by address.
    taken: Mutex<HashMap<u64, Box<[DevicePage]>>>,
}

/// Memory begins where that of a GPU could.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(512))]
struct DevicePage([u8; 512]);

impl Emulated {
    fn new(seed: u64, fail_at: Option<u64>) -> Self {
        Self {
            seed: AtomicU64::new(seed << 32),
            launches: AtomicU64::new(0),
            fail_at,
            lost_at: OnceLock::new(),
            pace: OnceLock::new(),
            taken: Mutex::default(),
        }
    }

    /// Whether the device has not been lost.
    fn check(&self) -> Result<()> {
        match self.lost_at.get() {
            Some(kernel) => Err(Error::resource(format!("kernel {kernel}: the emulated device failed on purpose"))
                .with_code(ErrorCode::DeviceFailed)),
            None => Ok(()),
        }
    }
}

impl Emulated {
    /// Does something to bytes on the device.
    fn with_bytes(&self, range: DeviceRange, work: impl FnOnce(&mut [u8])) -> Result<()> {
        self.check()?;
        // SAFETY: the range belongs to a buffer, which lies in reserved memory, zeroed then; the owner of the buffer uses
        // it in the order of the calls, each of which has ended when it returns.
        work(unsafe { std::slice::from_raw_parts_mut(range.at() as *mut u8, range.bytes()) });
        Ok(())
    }
}

impl Driver for Emulated {
    fn name(&self) -> &str {
        "emulated"
    }

    fn processors(&self) -> u32 {
        2
    }

    fn shared(&self) -> u32 {
        64 << 10
    }

    fn pace(&self) -> &OnceLock<f64> {
        &self.pace
    }

    fn reserve(&self, bytes: usize, _on_host: bool) -> Result<u64> {
        self.check()?;
        let Ok(mut pages) = bytemuck::try_zeroed_slice_box::<DevicePage>(bytes.div_ceil(size_of::<DevicePage>()))
        else {
            let text = format!("{} MiB of memory for an emulated device cannot be had", bytes >> 20);
            return Err(Error::resource(text).with_code(ErrorCode::DoesNotFitDevice));
        };
        let at = pages.as_mut_ptr() as u64;
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(at, pages);
        Ok(at)
    }

    fn release(&self, at: u64, _on_host: bool) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&at);
    }

    unsafe fn lend(&self, at: u64, _bytes: usize) -> Result<Option<u64>> {
        self.check()?;
        Ok(Some(at))
    }

    fn take_back(&self, _at: u64) {}

    fn write(&self, to: DeviceRange, from: &[u8]) -> Result<()> {
        self.with_bytes(to, |to| to.copy_from_slice(from))
    }

    fn read(&self, to: &mut [u8], from: DeviceRange) -> Result<()> {
        self.with_bytes(from, |from| to.copy_from_slice(from))
    }

    fn fill_zero(&self, to: DeviceRange) -> Result<()> {
        self.with_bytes(to, |to| to.fill(0))
    }

    unsafe fn copy_aside(&self, to: *mut u8, from: DeviceRange) -> Result<()> {
        // SAFETY: as the caller promises; the memory was zeroed when it was reserved.
        let to = unsafe { std::slice::from_raw_parts_mut(to, from.bytes()) };
        self.read(to, from)
    }

    unsafe fn launch(&self, kernel: &'static str, [grid, block, shared]: [u32; 3], args: &[u8]) -> Result<()> {
        self.check()?;
        if Some(self.launches.fetch_add(1, Relaxed) + 1) == self.fail_at {
            self.lost_at.get_or_init(|| kernel);
            return self.check();
        }
        let seed = self.seed.fetch_add(1, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { host::launch(kernel, grid, block, shared, seed, args.as_ptr().cast()) }.map_err(|reason| {
            Error::internal(format!("kernel {kernel} with {grid} blocks of {block}: {reason}"))
                .with_code(ErrorCode::DeviceFailed)
        })
    }

    fn primitives(&self, _what: &'static str) -> Result<(&'static Primitives, *mut c_void)> {
        self.check()?;
        Ok((&host::PRIMITIVES, std::ptr::null_mut()))
    }

    fn primitive_failed(&self, what: &str, code: i32) -> Error {
        Error::internal(format!("{what} on an emulated device: error {code}")).with_code(ErrorCode::DeviceFailed)
    }

    fn wait(&self) -> Result<()> {
        self.check()
    }

    fn wait_for_copies(&self) -> Result<()> {
        self.check()
    }

    fn timer(&self) -> Result<Box<dyn Timer + '_>> {
        Ok(Box::new(Instant::now()))
    }
}

impl Timer for Instant {
    fn seconds(self: Box<Self>) -> Result<f64> {
        Ok(self.elapsed().as_secs_f64())
    }
}
