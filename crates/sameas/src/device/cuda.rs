//! CUDA devices, through the driver's own interface; the program runs where there is no driver.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CString, c_void};
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::result::{self, DriverError, event, stream};
use cudarc::driver::sys;

use sameas_kernels::Primitives;

use super::DeviceOptions;
use super::driver::{Driver, Info, Launch, Stamp, Transfer};
use super::gpu::Gpu;
use super::list::{Found, Listing};
use crate::error::{Error, Result};

/// What the kernels were built with: 1000 * major + 10 * minor.
const CUDA: i32 = 13_000;

/// The oldest driver that speaks it.
const DRIVER: &str = "580";

/// The oldest devices the kernels were built for.
const OLDEST: (u32, u32) = (7, 5);

/// Unless the user says otherwise, so many times the bytes of the records are taken, and so many more, but not more than
/// the last: taking and giving back tens of gigabytes costs a tenth of a second.
const BESIDE_RECORDS: usize = 8;
const LEAST: usize = 2 << 30;
const USUAL: usize = 32 << 30;

/// Of the free memory, what is left for others and for the driver itself: one part in so many, and so many bytes.
const LEFT: (usize, usize) = (20, 256 << 20);

/// Flags of page-locked memory: none, so that the host reads it as fast as any other.
const CACHED: u32 = 0;

/// That there is no driver, if there is none. cudarc panics where its library is missing, so this is asked first.
pub fn no_driver() -> Option<String> {
    // SAFETY: tries to load the library of the driver and nothing else.
    let present = unsafe { sys::is_culib_present() };
    (!present).then(|| "no NVIDIA driver was found on this machine (libcuda)".into())
}

/// Looks for devices.
pub fn list() -> Listing {
    let none = |reason: String| Listing { devices: Vec::new(), reason: Some(reason), driver: None };
    if let Some(reason) = no_driver() {
        return none(reason);
    }
    if let Err(error) = result::init() {
        return none(format!("the NVIDIA driver does not start: {}", words(error)));
    }
    let mut version = 0;
    // SAFETY: writes one number.
    let asked = unsafe { sys::cuDriverGetVersion(&raw mut version) }.result();
    let driver = asked.is_ok().then(|| format!("CUDA {}.{}", version / 1000, version % 1000 / 10));
    let old = (version < CUDA).then(|| {
        let speaks = driver.clone().unwrap_or_else(|| "an unknown version".into());
        format!("the NVIDIA driver is too old: it speaks {speaks}; CUDA 13.0, driver {DRIVER} or newer, is needed")
    });
    let devices: Vec<Found> = (0..result::device::get_count().unwrap_or(0)).filter_map(|at| found(at, &old)).collect();
    let reason = devices.is_empty().then(|| old.unwrap_or_else(|| "the NVIDIA driver has no device".into()));
    Listing { devices, reason, driver }
}

fn found(ordinal: i32, old: &Option<String>) -> Option<Found> {
    use sys::CUdevice_attribute as Attribute;
    let device = result::device::get(ordinal).ok()?;
    // SAFETY: the device exists.
    let attribute = |which| unsafe { result::device::get_attribute(device, which) }.unwrap_or(0) as u32;
    let compute = (
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    );
    let too_old = (compute < OLDEST)
        .then(|| format!("compute capability {}.{} is older than {}.{}", compute.0, compute.1, OLDEST.0, OLDEST.1));
    Some(Found {
        name: result::device::get_name(device).unwrap_or_else(|_| "unknown".into()),
        compute,
        // SAFETY: the device exists.
        memory: unsafe { result::device::total_mem(device) }.unwrap_or(0) as u64,
        unusable: old.clone().or(too_old),
    })
}

/// Opens the driver of the first usable device.
pub fn start() -> Result<()> {
    first().map(|_| ())
}

/// The first usable device and its driver.
fn first() -> Result<(i32, Arc<Cuda>)> {
    let listing = list();
    if let Some(reason) = listing.unusable() {
        return Err(super::unusable(&reason));
    }
    let usable = (0..).zip(&listing.devices).find(|(_, device)| device.unusable.is_none());
    let ordinal = usable.map_or(0, |(ordinal, _)| ordinal);
    Ok((ordinal, driver(ordinal)?))
}

/// Opens the first usable device for records of so many bytes, or several logical ones on it.
pub fn open(options: DeviceOptions, bytes: usize) -> Result<Vec<Gpu>> {
    let (ordinal, driver) = first()?;
    let free = result::mem_get_info().map_err(|error| fault(format_args!("GPU {ordinal}"), error))?.0;
    let usual = bytes.saturating_mul(BESIDE_RECORDS).saturating_add(LEAST).min(USUAL);
    let bytes = options.memory.unwrap_or(usual).min((free - free / LEFT.0).saturating_sub(LEFT.1));
    let count = options.logical.unwrap_or(1).max(1);
    (0..count).map(|_| Gpu::new(Arc::clone(&driver) as Arc<dyn Driver>, bytes / count)).collect()
}

/// The driver of a device: opened once in a program, since a context takes a good part of a second.
fn driver(ordinal: i32) -> Result<Arc<Cuda>> {
    static OPENED: Mutex<BTreeMap<i32, Arc<Cuda>>> = Mutex::new(BTreeMap::new());
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(driver) = opened.get(&ordinal) {
        driver.current()?;
        return Ok(Arc::clone(driver));
    }
    let driver = Arc::new(Cuda::new(ordinal)?);
    opened.insert(ordinal, Arc::clone(&driver));
    Ok(driver)
}

/// A device with its context, which lives as long as the program.
struct Cuda {
    info: Info,
    context: sys::CUcontext,
    kernels: sys::CUstream,
    copies: sys::CUstream,
    module: sys::CUmodule,
    functions: Mutex<HashMap<&'static str, usize>>,
}

// SAFETY: contexts, streams, modules and functions may be used from any thread in which the context is current, and every
// call makes it so.
unsafe impl Send for Cuda {}
// SAFETY: as above.
unsafe impl Sync for Cuda {}

impl Cuda {
    fn new(ordinal: i32) -> Result<Self> {
        use sys::CUdevice_attribute as Attribute;
        let failed = |error| fault(format_args!("opening GPU {ordinal}"), error);
        let device = result::device::get(ordinal).map_err(failed)?;
        // SAFETY: the device exists; the primary context is never released, so all that is made in it stays valid.
        let (context, module, info) = unsafe {
            let context = result::primary_ctx::retain(device).map_err(failed)?;
            result::ctx::set_current(context).map_err(failed)?;
            let attribute = |which| result::device::get_attribute(device, which).map_err(failed);
            let info = Info {
                name: result::device::get_name(device).map_err(failed)?,
                processors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
                shared: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as u32,
                free: result::mem_get_info().map_err(failed)?.0,
            };
            let module = result::module::load_data(sameas_kernels::cuda::FATBIN.as_ptr().cast());
            (context, module.map_err(|error| fault(format_args!("loading the kernels on GPU {ordinal}"), error))?, info)
        };
        let new_stream = || stream::create(stream::StreamKind::NonBlocking).map_err(failed);
        Ok(Self { info, context, kernels: new_stream()?, copies: new_stream()?, module, functions: Mutex::default() })
    }

    /// Makes the device current to this thread.
    fn current(&self) -> Result<()> {
        // SAFETY: the context is never released.
        unsafe { result::ctx::set_current(self.context) }.map_err(|error| fault(format_args!("a GPU"), error))
    }

    fn function(&self, kernel: &'static str, shared: u32) -> Result<sys::CUfunction> {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = functions.get(kernel) {
            return Ok(*function as sys::CUfunction);
        }
        let failed = |error| fault(format_args!("kernel {kernel}"), error);
        let name = CString::new(kernel).map_err(|e| Error::internal(e.to_string()))?;
        // SAFETY: the module is loaded, and its context current.
        let function = unsafe { result::module::get_function(self.module, name) }.map_err(failed)?;
        let most = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        if shared > 0 {
            // SAFETY: the function was found; a kernel's static shared memory counts too, so less may be allowed.
            let fixed = unsafe {
                let which = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
                result::function::get_function_attribute(function, which).map_err(failed)?
            };
            let most_dynamic = self.info.shared as i32 - fixed;
            // SAFETY: as above.
            unsafe { result::function::set_function_attribute(function, most, most_dynamic) }.map_err(failed)?;
        }
        functions.insert(kernel, function as usize);
        Ok(function)
    }
}

impl Driver for Cuda {
    fn info(&self) -> &Info {
        &self.info
    }

    fn reserve(&self, bytes: usize, on_host: bool) -> Result<u64> {
        self.current()?;
        let what = if on_host { "page-locked memory" } else { "device memory" };
        // SAFETY: plain allocations, which `release` frees.
        let reserved = unsafe {
            if on_host {
                result::malloc_host(bytes, CACHED).map(|at| {
                    std::ptr::write_bytes(at.cast::<u8>(), 0, bytes);
                    at as u64
                })
            } else {
                result::malloc_sync(bytes)
            }
        };
        reserved.map_err(|error| fault(format_args!("{} MiB of {what}", bytes >> 20), error))
    }

    fn release(&self, at: u64, on_host: bool) {
        // What cannot be given back goes with the program; there is nobody to tell.
        if self.current().is_ok() {
            // SAFETY: reserved by `reserve` with the same kind, and released once.
            let _ = unsafe { if on_host { result::free_host(at as *mut c_void) } else { result::free_sync(at) } };
        }
    }

    fn transfer(&self, transfer: Transfer<'_>) -> Result<()> {
        self.current()?;
        // SAFETY: device addresses come from buffers, which lie in reserved memory and are as long as what is copied. A
        // source on the host that is not page-locked has been copied when the call returns; a target is held until it
        // was waited for.
        unsafe {
            match transfer {
                Transfer::In(to, from) => result::memcpy_htod_async(to, from, self.kernels)
                    .map_err(|error| fault(format_args!("copying {} bytes to the GPU", from.len()), error)),
                Transfer::Out(to, from) => copy_out(to, from, self.kernels),
                Transfer::Beside(to, from) => copy_out(to, from, self.copies),
                Transfer::Zero(to, bytes) => result::memset_d8_async(to, 0, bytes, self.kernels)
                    .map_err(|error| fault(format_args!("clearing {bytes} bytes on the GPU"), error)),
            }
        }
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        self.current()?;
        let Launch { kernel, grid, block, shared, args } = launch;
        let function = self.function(kernel, *shared)?;
        let mut parameters = [args.as_ptr().cast_mut().cast::<c_void>()];
        // SAFETY: the kernel takes one struct, whose bytes these are; the driver copies them before it returns.
        unsafe {
            result::launch_kernel(function, (*grid, 1, 1), (*block, 1, 1), *shared, self.kernels, &mut parameters)
        }
        .map_err(|error| fault(format_args!("kernel {kernel} with {grid} blocks of {block}"), error))
    }

    fn primitives(&self) -> Result<(&'static Primitives, *mut c_void)> {
        self.current()?;
        Ok((&sameas_kernels::cuda::PRIMITIVES, self.kernels.cast()))
    }

    fn wait(&self) -> Result<()> {
        self.current()?;
        // SAFETY: the stream is never destroyed.
        unsafe { stream::synchronize(self.kernels) }.map_err(|error| fault(format_args!("the kernels of a GPU"), error))
    }

    fn wait_for_copies(&self) -> Result<()> {
        self.current()?;
        // SAFETY: the stream is never destroyed.
        unsafe { stream::synchronize(self.copies) }.map_err(|error| fault(format_args!("copies from a GPU"), error))
    }

    fn stamp(&self) -> Result<Stamp> {
        self.current()?;
        Ok(Stamp(self.event()?.keep()))
    }

    fn between(&self, from: Stamp, to: Stamp) -> Result<f64> {
        self.current()?;
        let failed = |error| fault(format_args!("timing a GPU"), error);
        let (from, to) = (Event(from.0 as sys::CUevent), Event(to.0 as sys::CUevent));
        // SAFETY: both events were recorded by `stamp` and are destroyed when this returns.
        unsafe {
            event::synchronize(to.0).map_err(failed)?;
            Ok(f64::from(event::elapsed(from.0, to.0).map_err(failed)?) / 1e3)
        }
    }
}

impl Cuda {
    /// An event, recorded behind the kernels so far.
    fn event(&self) -> Result<Event> {
        let failed = |error| fault(format_args!("an event on a GPU"), error);
        let event = Event(event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).map_err(failed)?);
        // SAFETY: event and stream exist.
        unsafe { event::record(event.0, self.kernels) }.map_err(failed)?;
        Ok(event)
    }
}

/// # Safety
/// As for [`Driver::transfer`].
unsafe fn copy_out(to: &mut [u8], from: u64, stream: sys::CUstream) -> Result<()> {
    let bytes = to.len();
    // SAFETY: as demanded of the caller.
    unsafe { result::memcpy_dtoh_async(to, from, stream) }
        .map_err(|error| fault(format_args!("copying {bytes} bytes from the GPU"), error))
}

/// An event, destroyed when dropped.
struct Event(sys::CUevent);

impl Event {
    /// Leaves it to the caller.
    fn keep(self) -> u64 {
        ManuallyDrop::new(self).0 as u64
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: made by `event::create` and not destroyed before. That it fails can be of no consequence.
        let _ = unsafe { event::destroy(self.0) };
    }
}

fn words(error: DriverError) -> String {
    error.error_string().map_or_else(|_| format!("{error:?}"), |text| text.to_string_lossy().into_owned())
}

fn fault(what: std::fmt::Arguments<'_>, error: DriverError) -> Error {
    Error::resource(format!("{what}: {}", words(error)))
}
