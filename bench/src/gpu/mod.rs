//! Measurements on a GPU: times are the device's own, taken by events around the work.

#[cfg(feature = "cuda")]
pub mod equi_join;
pub mod text_join;

use sameas::device::{DeviceChoice, DeviceOptions, Gpu, start};

/// The first GPU, or an emulated one where that is what was built, with so many bytes of its memory.
fn open(memory: Option<usize>) -> Gpu {
    #[cfg(feature = "cuda")]
    let (choice, options) = (DeviceChoice::Cuda, DeviceOptions { memory, ..DeviceOptions::default() });
    #[cfg(not(feature = "cuda"))]
    let (choice, options) =
        (DeviceChoice::Emulated, DeviceOptions { memory: memory.or(Some(1 << 29)), ..DeviceOptions::default() });
    let device =
        start(choice, options).and_then(|starting| starting.ready(usize::MAX, || true)).expect("there is a GPU");
    device.gpus.into_iter().next().expect("there is a GPU")
}
