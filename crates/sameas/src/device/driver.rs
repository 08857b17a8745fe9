//! What is asked of the driver of a device: few calls, each with a meaning on a GPU and in the emulation.

use std::ffi::c_void;

use sameas_kernels::Primitives;

use crate::error::Result;

/// What a device is.
#[derive(Clone, Debug)]
pub struct Info {
    /// What its maker calls it.
    pub name: String,
    /// Its multiprocessors.
    pub processors: u32,
    /// Bytes of shared memory that a block can have.
    pub shared: u32,
    /// Bytes of device memory that were free when it was opened.
    pub free: usize,
}

/// A copy, or a fill.
pub enum Transfer<'a> {
    /// Bytes to the device. The source may be used again when the call returns.
    In(u64, &'a [u8]),
    /// Bytes from the device; they are there when [`Driver::wait`] returns.
    Out(&'a mut [u8], u64),
    /// The same beside the kernels, without waiting for any; they are there when [`Driver::wait_for_copies`] returns.
    Beside(&'a mut [u8], u64),
    /// So many zeros.
    Zero(u64, usize),
}

/// A kernel's start.
pub struct Launch<'a> {
    /// Its name.
    pub kernel: &'static str,
    /// Blocks.
    pub grid: u32,
    /// Threads of a block.
    pub block: u32,
    /// Bytes of dynamic shared memory of a block.
    pub shared: u32,
    /// Its struct of arguments.
    pub args: &'a [u8],
}

/// A moment in the order of the device's work.
pub struct Stamp(pub u64);

/// A device's driver. Kernels, fills and copies take place in the order of the calls.
pub trait Driver: Send + Sync {
    /// What the device is.
    fn info(&self) -> &Info;

    /// Takes device memory, or page-locked host memory, which is all zero.
    fn reserve(&self, bytes: usize, on_host: bool) -> Result<u64>;

    /// Gives back what was taken, when everything that uses it has been waited for.
    fn release(&self, at: u64, on_host: bool);

    /// Copies or fills.
    fn transfer(&self, transfer: Transfer<'_>) -> Result<()>;

    /// Starts a kernel.
    fn launch(&self, launch: &Launch<'_>) -> Result<()>;

    /// The device-wide primitives, and the stream they work on, with the device made current to this thread.
    fn primitives(&self) -> Result<(&'static Primitives, *mut c_void)>;

    /// Waits for everything so far.
    fn wait(&self) -> Result<()>;

    /// Waits for the copies beside the kernels.
    fn wait_for_copies(&self) -> Result<()>;

    /// Marks this moment.
    fn stamp(&self) -> Result<Stamp>;

    /// Waits for the later of two moments; the seconds between them on the device's clock.
    fn between(&self, from: Stamp, to: Stamp) -> Result<f64>;
}
