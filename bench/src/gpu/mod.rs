//! Measurements on a GPU: times are the device's own, taken by events around the work.

pub mod checks;
pub mod closure;
pub mod equi_join;
pub mod schedule;
pub mod set_join;
pub mod text_join;

use sameas_device::{DeviceChoice, DeviceOptions, Drivers, Gpu, HostWork, list};

/// The first GPU or, where there is none and that is what was built, an emulated one, with some of its memory.
fn open(memory: Option<usize>) -> Gpu {
    let emulated = DeviceChoice::emulated().filter(|_| list().unusable().is_some());
    let (choice, memory) = match emulated {
        Some(emulated) => (emulated, memory.or(Some(1 << 29))),
        None => (DeviceChoice::Cuda, memory),
    };
    let options = DeviceOptions::default().with_memory(memory);
    let work = HostWork::CoreSeconds(f64::INFINITY);
    let device = Drivers::default().start(choice, &options).and_then(|starting| starting.ready(usize::MAX, work));
    let device = device.unwrap_or_else(|error| panic!("{error}"));
    device.gpus.into_iter().next().expect("a device has a GPU")
}
