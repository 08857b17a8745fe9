//! The interface to the driver of a device: few calls, each with a meaning on a GPU and in the emulation.

use std::ffi::c_void;
use std::sync::OnceLock;

use sameas_kernels::Primitives;

use super::buffer::DeviceRange;
use crate::error::{Error, Result};

/// What a device is.
#[derive(Clone, Debug)]
pub struct Info {
    /// What its maker calls it.
    pub name: String,
    /// Its multiprocessors.
    pub processors: u32,
    /// Bytes of shared memory that a block can have.
    pub shared: u32,
}

/// A device's driver. Kernels, fills, reads and writes take place in the order of the calls.
pub trait Driver: Send + Sync {
    /// What its maker calls the device.
    fn name(&self) -> &str;

    /// The multiprocessors of the device.
    fn processors(&self) -> u32;

    /// Bytes of shared memory that a block can have.
    fn shared(&self) -> u32;

    /// How fast it is, once that has been measured.
    fn pace(&self) -> &OnceLock<f64>;

    /// Takes device memory, or page-locked host memory, which is all zero. Never for no bytes.
    fn reserve(&self, bytes: usize, on_host: bool) -> Result<u64>;

    /// Gives back what was taken, when everything that uses it has been waited for.
    fn release(&self, at: u64, on_host: bool);

    /// Lets kernels read memory of the host where it lies; the address they have for it. Nothing where it cannot be done.
    ///
    /// # Safety
    /// The memory is there, and nobody writes to it, until [`take_back`](Self::take_back).
    unsafe fn lend(&self, at: u64, bytes: usize) -> Result<Option<u64>>;

    /// Ends one [`lend`](Self::lend) of this memory. No kernel reads it any more.
    fn take_back(&self, at: u64);

    /// Copies as many bytes to the device. The source may be used again when the call returns.
    fn write(&self, to: DeviceRange, from: &[u8]) -> Result<()>;

    /// Copies as many bytes from the device, after waiting for everything so far.
    fn read(&self, to: &mut [u8], from: DeviceRange) -> Result<()>;

    /// Sets bytes on the device to zero.
    fn fill_zero(&self, to: DeviceRange) -> Result<()>;

    /// Begins to copy bytes from the device while kernels run, without waiting for any; they are there when
    /// [`wait_for_copies`](Self::wait_for_copies) returns.
    ///
    /// # Safety
    /// The target is page-locked memory for as many bytes, which is neither used nor released until then.
    unsafe fn copy_aside(&self, to: *mut u8, from: DeviceRange) -> Result<()>;

    /// Starts a kernel. The shape is the number of blocks, the threads of a block, and the bytes of dynamic shared memory of
    /// a block.
    ///
    /// # Safety
    /// `args` is the struct of arguments of this kernel, and its addresses are those of buffers of the device.
    unsafe fn launch(&self, kernel: &'static str, shape: [u32; 3], args: &[u8]) -> Result<()>;

    /// The device-wide primitives, and the stream they work on, with the device made current to this thread. `what`
    /// names the one that is called, for errors.
    fn primitives(&self, what: &'static str) -> Result<(&'static Primitives, *mut c_void)>;

    /// The error for a primitive that returned a code other than zero.
    fn primitive_failed(&self, what: &str, code: i32) -> Error;

    /// Waits for everything so far.
    fn wait(&self) -> Result<()>;

    /// Waits for the copies that run aside.
    fn wait_for_copies(&self) -> Result<()>;

    /// Begins to measure time.
    fn timer(&self) -> Result<Box<dyn Timer + '_>>;
}

/// Measures how long a device works.
pub trait Timer {
    /// Waits for everything so far; the seconds from the timer's start to then, on the device's clock.
    fn seconds(self: Box<Self>) -> Result<f64>;
}
