//! CUDA devices, through the driver's own interface; the program runs where there is no driver.

mod staging;

use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::fmt::Arguments;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaContext, CudaEvent, CudaFunction, CudaModule, CudaStream, sys};
use cudarc::nvrtc::Ptx;

use sameas_kernels::Primitives;

use self::staging::{LEAST_STAGED, StagingMemory};
use super::buffer::DeviceRange;
use super::driver::{Driver, Timer};
use super::list::{DeviceInfo, DeviceList};
use super::no_gpu::{NoGpu, unusable};
use super::options::DeviceOptions;
use crate::error::{Error, ErrorCode, Result};

/// The version of CUDA that the kernels were built with.
const CUDA: (u32, u32) = (13, 0);

/// The oldest driver that speaks it.
const DRIVER: u32 = 580;

/// The oldest devices the kernels were built for.
const OLDEST: (u32, u32) = (7, 5);

/// Kernels with this in their name call themselves, and need a stack of this many bytes.
const RECURSIVE: &str = "_recursively";
const STACK: usize = 16 << 10;

/// Unless the user says otherwise, this many times the bytes of the records are taken, and the second figure more, but
/// not more than the third, or than the last many times the bytes: taking and giving back tens of gigabytes costs a tenth of
/// a second, but less than going in parts.
const TIMES_RECORDS: usize = 8;
const LEAST: usize = 2 << 30;
const USUAL: usize = 32 << 30;
const TIMES_MANY_RECORDS: usize = 2;

/// Of the free memory, what is left for others and for the driver itself: one part in the first figure, and the second in bytes.
const LEFT: (usize, usize) = (20, 256 << 20);

/// Flags of page-locked memory: none, so that the host reads it as fast as any other.
const CACHED: u32 = 0;

/// That there is no driver, if there is none. cudarc panics where its library is missing, so this is checked first.
pub fn no_driver() -> Option<NoGpu> {
    // SAFETY: tries to load the library of the driver and nothing else.
    let present = unsafe { sys::is_culib_present() };
    (!present).then_some(NoGpu::NoDriver)
}

/// Looks for devices.
pub fn list() -> DeviceList {
    let none = |reason: NoGpu| DeviceList { devices: Vec::new(), reason: Some(reason), driver: None };
    if let Some(reason) = no_driver() {
        return none(reason);
    }
    if let Err(error) = result::init() {
        return none(NoGpu::DriverDoesNotStart { error: words(error) });
    }
    let speaks = version();
    let is_old = speaks.is_none_or(|speaks| speaks < CUDA);
    let old = is_old.then_some(NoGpu::DriverTooOld { speaks, needed: CUDA, oldest_driver: DRIVER });
    let devices: Vec<DeviceInfo> =
        (0..result::device::get_count().unwrap_or(0)).filter_map(|at| found(at, old.as_ref())).collect();
    let reason = devices.is_empty().then(|| old.unwrap_or(NoGpu::NoDevice));
    DeviceList { devices, reason, driver: speaks.map(|(major, minor)| format!("CUDA {major}.{minor}")) }
}

/// The version of CUDA that the driver speaks, if it says one.
fn version() -> Option<(u32, u32)> {
    let mut version = 0;
    // SAFETY: writes one number, 1000 * major + 10 * minor.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().ok()?;
    let version = u32::try_from(version).ok()?;
    Some((version / 1000, version % 1000 / 10))
}

fn found(ordinal: i32, old: Option<&NoGpu>) -> Option<DeviceInfo> {
    use sys::CUdevice_attribute as Attribute;
    let device = result::device::get(ordinal).ok()?;
    // SAFETY: the device exists.
    let (major, minor, memory) = unsafe {
        let attribute = |which| result::device::get_attribute(device, which).unwrap_or(0) as u32;
        let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        (major, minor, result::device::total_mem(device).unwrap_or(0) as u64)
    };
    let compute = (major, minor);
    let too_old = (compute < OLDEST).then_some(NoGpu::ComputeTooOld { compute, oldest: OLDEST });
    Some(DeviceInfo {
        name: result::device::get_name(device).unwrap_or_else(|_| "unknown".into()),
        compute,
        memory,
        unusable: old.cloned().or(too_old),
    })
}

/// The contexts that have been opened, by device.
#[derive(Default)]
pub struct Contexts {
    opened: Mutex<BTreeMap<i32, Arc<Cuda>>>,
}

impl Contexts {
    /// Opens the driver of the first usable device.
    pub fn start(&self) -> Result<()> {
        self.first().map(|_| ())
    }

    /// The driver of the first usable device, and the bytes of its memory to take for records of this many bytes.
    pub fn open(&self, options: &DeviceOptions, bytes: usize) -> Result<(Arc<dyn Driver>, usize)> {
        let driver = self.first()?;
        let known = driver.context.mem_get_info();
        let free = known.map_err(|error| driver.failed(format_args!("its free memory"), error))?.0;
        let times = |times| bytes.saturating_mul(times);
        let usual = times(TIMES_RECORDS).saturating_add(LEAST).min(USUAL.max(times(TIMES_MANY_RECORDS)));
        let bytes = options.memory.unwrap_or(usual).min((free - free / LEFT.0).saturating_sub(LEFT.1));
        Ok((driver, bytes))
    }

    /// The driver of the first usable device, current to this thread.
    fn first(&self) -> Result<Arc<Cuda>> {
        let ordinal = list().first_usable().map_err(unusable)? as i32;
        let mut opened = lock(&self.opened);
        if let Some(driver) = opened.get(&ordinal) {
            driver.current()?;
            return Ok(Arc::clone(driver));
        }
        let driver = Arc::new(Cuda::new(ordinal)?);
        opened.insert(ordinal, Arc::clone(&driver));
        Ok(driver)
    }
}

/// A device with its context.
///
/// Streams and kernels are given back with it. Its reference to the primary context is not: the CUDA runtime that the
/// primitives are linked with works in the same context, as other libraries of the process may, and what a runtime does
/// whose context is destroyed beneath it is not defined. So the context ends with the process.
struct Cuda {
    name: String,
    processors: u32,
    ordinal: i32,
    context: Arc<CudaContext>,
    kernels: Arc<CudaStream>,
    copies: Arc<CudaStream>,
    module: Arc<CudaModule>,
    /// Bytes of shared memory that a block can have.
    shared: u32,
    functions: Mutex<HashMap<&'static str, CudaFunction>>,
    /// What was launched since the last wait that found no error, each name once.
    launched: Mutex<Vec<&'static str>>,
    stages: StagingMemory,
    /// Memory of the host that kernels read, by address, and how often it is lent.
    lent: Mutex<HashMap<u64, usize>>,
    pace: OnceLock<f64>,
}

impl Drop for Cuda {
    /// All memory has been given back, so that nothing runs. At the end of the process the driver may be gone already,
    /// and calls to it fail, which is of no consequence.
    fn drop(&mut self) {
        if self.current().is_ok() {
            let mut stages = std::mem::take(&mut self.stages);
            stages.release(self);
        }
    }
}

impl Cuda {
    fn new(ordinal: i32) -> Result<Self> {
        use sys::CUdevice_attribute as Attribute;
        let failed = |error| cannot_open(ordinal, "it cannot be opened", error);
        let context = CudaContext::new(ordinal as usize).map_err(failed)?;
        // The reference that is not given back.
        std::mem::forget(Arc::clone(&context));
        // Else the first stream would wait for everything that others do in the context.
        // SAFETY: what would be tracked are uses of cudarc's own slices, and there are none.
        unsafe { context.disable_event_tracking() };
        let attribute = |which| context.attribute(which).map(|value| value as u32).map_err(failed);
        let kernels = Ptx::from_binary(sameas_kernels::cuda::FATBIN.to_vec());
        let module = context.load_module(kernels);
        Ok(Self {
            name: context.name().map_err(failed)?,
            processors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            ordinal,
            module: module.map_err(|error| cannot_open(ordinal, "the kernels cannot be loaded", error))?,
            kernels: context.new_stream().map_err(failed)?,
            copies: context.new_stream().map_err(failed)?,
            context,
            functions: Mutex::default(),
            launched: Mutex::default(),
            stages: StagingMemory::default(),
            lent: Mutex::default(),
            pace: OnceLock::new(),
        })
    }

    /// The error for what failed on the device, or for memory that it does not have.
    fn failed(&self, what: Arguments<'_>, error: DriverError) -> Error {
        let code = match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => ErrorCode::DoesNotFitDevice,
            _ => ErrorCode::DeviceFailed,
        };
        self.error(code, format_args!("{what}: {}", words(error))).with_source(error)
    }

    /// An error of this device. CUDA reports a fault of a kernel at some later call, so all kernels since the last wait
    /// are named.
    fn error(&self, code: ErrorCode, what: Arguments<'_>) -> Error {
        let launched = lock(&self.launched);
        let since = match code {
            ErrorCode::DeviceFailed if !launched.is_empty() => {
                format!(" (kernels since the last wait: {})", launched.join(", "))
            }
            _ => String::new(),
        };
        Error::resource(format!("GPU {}: {what}{since}", self.ordinal)).with_code(code)
    }

    /// Remembers what is launched, for errors.
    fn launches(&self, name: &'static str) {
        let mut launched = lock(&self.launched);
        if !launched.contains(&name) {
            launched.push(name);
        }
    }

    /// Makes the device current to this thread.
    fn current(&self) -> Result<()> {
        self.context.bind_to_thread().map_err(|error| self.failed(format_args!("its context"), error))
    }

    fn function(&self, kernel: &'static str, shared: u32) -> Result<sys::CUfunction> {
        let mut functions = lock(&self.functions);
        if let Some(function) = functions.get(kernel) {
            return Ok(function.cu_function());
        }
        let failed = |error| self.failed(format_args!("kernel {kernel}"), error);
        let function = self.module.load_function(kernel).map_err(failed)?;
        if kernel.contains(RECURSIVE) {
            self.context.set_limit(sys::CUlimit::CU_LIMIT_STACK_SIZE, STACK).map_err(failed)?;
        }
        if shared > 0 {
            // A kernel's static shared memory counts too, so less may be allowed.
            let most = self.shared as i32 - function.shared_size_bytes().map_err(failed)?;
            let which = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            function.set_attribute(which, most).map_err(failed)?;
        }
        let found = function.cu_function();
        functions.insert(kernel, function);
        Ok(found)
    }
}

impl Driver for Cuda {
    fn name(&self) -> &str {
        &self.name
    }

    fn processors(&self) -> u32 {
        self.processors
    }

    fn shared(&self) -> u32 {
        self.shared
    }

    fn pace(&self) -> &OnceLock<f64> {
        &self.pace
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
        reserved.map_err(|error| self.failed(format_args!("{} MiB of {what}", bytes >> 20), error))
    }

    fn release(&self, at: u64, on_host: bool) {
        // What cannot be given back goes with the program; there is nobody to report to.
        if self.current().is_ok() {
            // SAFETY: reserved by `reserve` with the same kind, and released once.
            let _ = unsafe { if on_host { result::free_host(at as *mut c_void) } else { result::free_sync(at) } };
        }
    }

    unsafe fn lend(&self, at: u64, bytes: usize) -> Result<Option<u64>> {
        self.current()?;
        let mut lent = lock(&self.lent);
        let times = lent.entry(at).or_insert(0);
        if *times == 0 {
            // SAFETY: memory of the caller, which stays; the driver writes no byte of it.
            let locked =
                unsafe { sys::cuMemHostRegister_v2(at as *mut c_void, bytes, sys::CU_MEMHOSTREGISTER_DEVICEMAP) };
            if locked.result().is_err() {
                lent.remove(&at);
                return Ok(None);
            }
        }
        *times += 1;
        drop(lent);
        let mut on_device = 0;
        // SAFETY: writes one address, of memory that has been made known to the driver.
        let found = unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut on_device, at as *mut c_void, 0) }.result();
        found.map(|()| Some(on_device)).map_err(|error| {
            self.take_back(at);
            self.failed(format_args!("memory of the host that it reads"), error)
        })
    }

    fn take_back(&self, at: u64) {
        let mut lent = lock(&self.lent);
        let Some(times) = lent.get_mut(&at) else { return };
        *times -= 1;
        if *times == 0 && self.current().is_ok() {
            lent.remove(&at);
            // SAFETY: made known by `lend`. That it fails can be of no consequence.
            let _ = unsafe { sys::cuMemHostUnregister(at as *mut c_void) };
        }
    }

    fn write(&self, to: DeviceRange, from: &[u8]) -> Result<()> {
        if from.len() >= LEAST_STAGED {
            assert_eq!(to.bytes(), from.len());
            self.current()?;
            return self.stages.write(self, to, from);
        }
        self.begin_write(to, from)
    }

    fn read(&self, to: &mut [u8], from: DeviceRange) -> Result<()> {
        let begun = self.begin(Transfer::Read(to, from));
        // The target is borrowed until the copy has ended, also where it fails halfway.
        let waited = self.wait();
        begun.map_err(|error| self.failed(format_args!("copying {} bytes from it", from.bytes()), error))?;
        waited
    }

    fn fill_zero(&self, to: DeviceRange) -> Result<()> {
        self.begin(Transfer::Zero(to))
            .map_err(|error| self.failed(format_args!("clearing {} bytes on it", to.bytes()), error))
    }

    unsafe fn copy_aside(&self, to: *mut u8, from: DeviceRange) -> Result<()> {
        self.current()?;
        // SAFETY: the range belongs to a buffer, which lies in reserved memory; the target is as the caller promises.
        unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from.at(), from.bytes(), self.copies.cu_stream()) }
            .result()
            .map_err(|error| self.failed(format_args!("copying {} bytes from it", from.bytes()), error))
    }

    unsafe fn launch(&self, kernel: &'static str, [grid, block, shared]: [u32; 3], args: &[u8]) -> Result<()> {
        self.current()?;
        let function = self.function(kernel, shared)?;
        self.launches(kernel);
        let stream = self.kernels.cu_stream();
        let mut parameters = [args.as_ptr().cast_mut().cast::<c_void>()];
        // SAFETY: the kernel takes one struct, whose bytes these are; the driver copies them before it returns.
        unsafe { result::launch_kernel(function, (grid, 1, 1), (block, 1, 1), shared, stream, &mut parameters) }
            .map_err(|error| self.failed(format_args!("kernel {kernel} with {grid} blocks of {block}"), error))
    }

    fn primitives(&self, what: &'static str) -> Result<(&'static Primitives, *mut c_void)> {
        self.current()?;
        self.launches(what);
        Ok((&sameas_kernels::cuda::PRIMITIVES, self.kernels.cu_stream().cast()))
    }

    fn primitive_failed(&self, what: &str, code: i32) -> Error {
        self.error(ErrorCode::DeviceFailed, format_args!("{what}: CUDA error {code}"))
    }

    fn wait(&self) -> Result<()> {
        self.wait_for(&self.kernels)?;
        lock(&self.launched).clear();
        Ok(())
    }

    fn wait_for_copies(&self) -> Result<()> {
        self.wait_for(&self.copies)
    }

    fn timer(&self) -> Result<Box<dyn Timer + '_>> {
        Ok(Box::new(Events { cuda: self, from: self.event()? }))
    }
}

/// A copy or a fill in the order of the kernels.
enum Transfer<'a> {
    Write(DeviceRange, &'a [u8]),
    Read(&'a mut [u8], DeviceRange),
    Zero(DeviceRange),
}

impl Cuda {
    /// Begins a transfer. What is read is there when the kernels have been waited for.
    fn begin(&self, transfer: Transfer<'_>) -> std::result::Result<(), DriverError> {
        self.context.bind_to_thread()?;
        let stream = self.kernels.cu_stream();
        // SAFETY: ranges belong to buffers, which lie in reserved memory, and are as long as what is copied. A source that
        // is not page-locked has been copied when the call returns. One that is, a stage, is not touched until an event
        // after this has been waited for. A target is borrowed by `read`, which waits.
        unsafe {
            match transfer {
                Transfer::Write(to, from) => {
                    assert_eq!(to.bytes(), from.len());
                    result::memcpy_htod_async(to.at(), from, stream)
                }
                Transfer::Read(to, from) => {
                    assert_eq!(to.len(), from.bytes());
                    result::memcpy_dtoh_async(to, from.at(), stream)
                }
                Transfer::Zero(to) => result::memset_d8_async(to.at(), 0, to.bytes(), stream),
            }
        }
    }

    /// Begins to copy to the device.
    fn begin_write(&self, to: DeviceRange, from: &[u8]) -> Result<()> {
        self.begin(Transfer::Write(to, from))
            .map_err(|error| self.failed(format_args!("copying {} bytes to it", from.len()), error))
    }

    /// Waits for all work of a stream of this device.
    fn wait_for(&self, stream: &CudaStream) -> Result<()> {
        stream.synchronize().map_err(|error| self.failed(format_args!("waiting for it"), error))
    }

    /// Waits until what was begun before an event has ended.
    fn wait_for_event(&self, event: &CudaEvent) -> Result<()> {
        event.synchronize().map_err(|error| self.failed(format_args!("waiting for a copy"), error))
    }

    /// An event, recorded after the kernels so far.
    fn event(&self) -> Result<CudaEvent> {
        let recorded = self.kernels.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
        recorded.map_err(|error| self.failed(format_args!("an event on it"), error))
    }
}

/// The time since an event.
struct Events<'a> {
    cuda: &'a Cuda,
    from: CudaEvent,
}

impl Timer for Events<'_> {
    fn seconds(self: Box<Self>) -> Result<f64> {
        let to = self.cuda.event()?;
        let milliseconds = self.from.elapsed_ms(&to);
        let failed = |error| self.cuda.failed(format_args!("timing it"), error);
        Ok(f64::from(milliseconds.map_err(failed)?) / 1e3)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn words(error: DriverError) -> String {
    error.error_string().map_or_else(|_| format!("{error:?}"), |text| text.to_string_lossy().into_owned())
}

/// The error for a GPU that is there and cannot be opened.
fn cannot_open(ordinal: i32, what: &str, error: DriverError) -> Error {
    Error::resource(format!("GPU {ordinal}: {what}: {}", words(error)))
        .with_code(ErrorCode::DeviceUnavailable)
        .with_source(error)
}
