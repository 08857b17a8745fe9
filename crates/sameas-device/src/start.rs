//! From the user's choice to a [`Device`].

use std::fmt;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::cuda::{self, Contexts};
use super::driver::Driver;
use super::no_gpu::unusable;
use super::worth::{HostWork, is_worth_a_gpu};
use super::{Device, DeviceChoice, DeviceKind, DeviceOptions, Gpu, NoGpu};
use crate::error::{Error, Result};

/// The drivers of devices: each is opened once, since a context takes a good part of a second. Clones are the same.
#[derive(Clone, Default)]
pub struct Drivers {
    cuda: Arc<Contexts>,
}

impl fmt::Debug for Drivers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drivers")
    }
}

impl Drivers {
    /// Begins to start what the user has chosen. `auto` takes a GPU only for jobs that are worth the start of one, which
    /// is known when [`Starting::ready`] is called.
    pub fn start(&self, choice: DeviceChoice, options: &DeviceOptions) -> Result<Starting> {
        // Where there is no driver at all nothing has to be started to know it.
        if choice == DeviceChoice::Cuda
            && let Some(reason) = cuda::no_driver()
        {
            return Err(unusable(reason));
        }
        let in_background = || {
            let drivers = self.clone();
            // Without a thread for it, it is started when it is needed.
            std::thread::Builder::new().spawn(move || drivers.start_cuda()).ok()
        };
        let gpu = if choice == DeviceChoice::Cuda { in_background() } else { None };
        Ok(Starting { choice, options: options.clone(), drivers: self.clone(), gpu })
    }

    /// Starts the driver with a context and the kernels, and says how long that took.
    fn start_cuda(&self) -> Result<Duration> {
        let begun = Instant::now();
        self.cuda.start()?;
        Ok(begun.elapsed())
    }
}

/// A device that may still be starting: a context takes a good part of a second, in which files can be read.
pub struct Starting {
    choice: DeviceChoice,
    options: DeviceOptions,
    drivers: Drivers,
    gpu: Option<JoinHandle<Result<Duration>>>,
}

impl Starting {
    /// The device, for a job whose records take this many bytes; `auto` takes a GPU where one is usable and the work is
    /// worth it.
    pub fn ready(self, bytes: usize, work: HostWork) -> Result<Device> {
        match self.choice {
            DeviceChoice::Cpu => Ok(Device::cpu(None)),
            DeviceChoice::Auto => self.automatic(bytes, work),
            DeviceChoice::Cuda => self.cuda(bytes),
            #[cfg(feature = "emulated")]
            DeviceChoice::Emulated => {
                let memory = self.options.memory.unwrap_or(super::emulated::MEMORY);
                let driver = |device| super::emulated::driver(device, &self.options);
                Ok(Device::of_gpus(DeviceKind::Emulated, Duration::ZERO, logical(&self.options, memory, driver)?))
            }
        }
    }

    fn cuda(self, bytes: usize) -> Result<Device> {
        let started = match self.gpu.map(JoinHandle::join) {
            Some(Ok(started)) => started?,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => self.drivers.start_cuda()?,
        };
        let (driver, memory) = self.drivers.cuda.open(&self.options, bytes)?;
        Ok(Device::of_gpus(DeviceKind::Cuda, started, logical(&self.options, memory, |_| Arc::clone(&driver))?))
    }

    /// A GPU that cannot be opened is no error here: the CPU gives the same answer.
    fn automatic(self, bytes: usize, work: HostWork) -> Result<Device> {
        if let Some(reason) = cuda::no_driver() {
            return Ok(Device::cpu(Some(reason)));
        }
        // Asked before any driver is started, which takes a while.
        if !is_worth_a_gpu(work) {
            return Ok(Device::cpu(Some(NoGpu::JobTooSmall)));
        }
        if let Some(reason) = cuda::list().unusable() {
            return Ok(Device::cpu(Some(reason)));
        }
        let cannot_open = |error: Error| NoGpu::CannotOpen { error: error.message().to_owned() };
        self.cuda(bytes).or_else(|error| Ok(Device::cpu(Some(cannot_open(error)))))
    }
}

/// The logical devices that share some memory, each with the driver of its number.
fn logical(options: &DeviceOptions, memory: usize, driver: impl Fn(usize) -> Arc<dyn Driver>) -> Result<Vec<Gpu>> {
    let sizes: &[u32] = if options.logical.is_empty() { &[1] } else { &options.logical };
    let all: u128 = sizes.iter().map(|size| u128::from(*size)).sum::<u128>().max(1);
    let bytes = |size: u32| (memory as u128 * u128::from(size) / all) as usize;
    sizes.iter().enumerate().map(|(device, size)| Gpu::new(driver(device), bytes(*size))).collect()
}
