//! An emulated device: memory, copies and primitives behave as on one.

use sameas_kernels::kernel;
use sameas_kernels::layout::components::ComponentsFlatten;

use super::{DeviceChoice, DeviceOptions, Drivers, Gpu, HostWork};
use crate::error::{ErrorCode, ErrorKind, Result};

#[test]
fn values_come_back_as_they_were_sent() {
    let gpu = Gpu::emulated(1 << 20, 1);
    let sent: Vec<u32> = (0..1000).map(|i| i * 7).collect();
    let buffer = gpu.upload(&sent).unwrap();
    assert_eq!(gpu.read(&buffer, 0..1000).unwrap(), sent);
    gpu.write(&buffer, 10, &[1, 2, 3]).unwrap();
    assert_eq!(gpu.read(&buffer, 9..14).unwrap(), [63, 1, 2, 3, 91]);
    let copying = gpu.fetch(&buffer, 10..13, gpu.pinned(4).unwrap()).unwrap();
    assert_eq!(copying.wait().unwrap().values()[..3], [1, 2, 3]);
    assert!(gpu.fetch(&buffer, 3..3, gpu.pinned(0).unwrap()).unwrap().wait().unwrap().values().is_empty());
    gpu.fill_zero(&buffer).unwrap();
    assert!(gpu.read(&buffer, 0..1000).unwrap().iter().all(|value| *value == 0));
}

#[test]
fn memory_is_never_exceeded_and_comes_back() {
    let gpu = Gpu::emulated(1 << 20, 1);
    let all = gpu.free();
    let held = gpu.buffer::<u64>(1 << 16).unwrap();
    let Err(error) = gpu.buffer::<u64>(1 << 17) else { panic!("more than there is") };
    assert_eq!((error.kind(), error.code()), (ErrorKind::Resource, ErrorCode::DoesNotFitDevice));
    let said = "1024 KiB of device memory are needed at once, and of 1024 KiB only 512 KiB are free in one piece";
    assert_eq!(error.message(), said);
    drop(held);
    assert_eq!(gpu.free(), all);
}

#[test]
#[should_panic(expected = "a buffer of another device")]
fn a_buffer_belongs_to_its_device() {
    let buffer = Gpu::emulated(1 << 16, 1).upload(&[1_u32]).unwrap();
    let _ = Gpu::emulated(1 << 16, 2).read(&buffer, 0..1);
}

#[test]
#[should_panic(expected = "components_flatten is given a buffer of another device")]
fn a_kernel_is_given_buffers_of_its_device() {
    let buffer = Gpu::emulated(1 << 16, 1).upload(&[0_u32]).unwrap();
    let args = ComponentsFlatten { parent: buffer.at(), rows: 1 };
    let _ = Gpu::emulated(1 << 16, 2).launch(kernel::COMPONENTS_FLATTEN, 1, 32, 0, &args);
}

#[test]
fn primitives_sort_sum_and_select() {
    let gpu = Gpu::emulated(1 << 20, 3);
    let keys = gpu.upload(&[0x31_u32, 0x12, 0x21, 0x11]).unwrap();
    let values = gpu.upload(&[0_u32, 1, 2, 3]).unwrap();
    // By the second digit only, so that equal digits stay in order.
    let (sorted, carried) = gpu.sort_pairs(&keys, &values, 4, 4..8).unwrap();
    assert_eq!(gpu.read(&sorted, 0..4).unwrap(), [0x12, 0x11, 0x21, 0x31]);
    assert_eq!(gpu.read(&carried, 0..4).unwrap(), [1, 3, 2, 0]);
    let sums = gpu.exclusive_sum(&keys, 4).unwrap();
    assert_eq!(gpu.read(&sums, 0..4).unwrap(), [0, 0x31, 0x43, 0x64]);
    let (selected, count) = gpu.select_flagged(&keys, &gpu.upload(&[0_u8, 1, 0, 5]).unwrap(), 4).unwrap();
    assert_eq!(gpu.read(&selected, 0..count).unwrap(), [0x12, 0x11]);
}

/// Makes every row its own cluster's first, which it is.
fn flatten(gpu: &Gpu) -> Result<Vec<u32>> {
    let parents = gpu.upload(&[0_u32, 1, 2])?;
    let args = ComponentsFlatten { parent: parents.at(), rows: 3 };
    gpu.launch(kernel::COMPONENTS_FLATTEN, 1, 32, 0, &args)?;
    gpu.read(&parents, 0..3)
}

fn opened(options: &DeviceOptions) -> Vec<Gpu> {
    let starting = Drivers::default().start(DeviceChoice::Emulated, options).unwrap();
    starting.ready(0, HostWork::Milliseconds(0)).unwrap().gpus
}

#[test]
fn logical_devices_have_the_sizes_that_were_chosen() {
    let options = DeviceOptions { memory: Some(4 << 20), logical: vec![3, 1], ..DeviceOptions::default() };
    assert_eq!(opened(&options).iter().map(Gpu::bytes).collect::<Vec<_>>(), [3 << 20, 1 << 20]);
    let one = DeviceOptions { logical: Vec::new(), ..options };
    assert_eq!(opened(&one).iter().map(Gpu::bytes).collect::<Vec<_>>(), [4 << 20]);
}

#[test]
fn a_device_that_fails_names_the_kernel_and_stays_lost() {
    let options = DeviceOptions { logical: vec![1, 1], fail_at_launch: Some(2), ..DeviceOptions::default() };
    let gpus = opened(&options);
    assert_eq!(flatten(&gpus[0]).unwrap(), [0, 1, 2]);
    for error in [flatten(&gpus[0]).unwrap_err(), gpus[0].wait().unwrap_err(), gpus[0].upload(&[1_u8]).err().unwrap()] {
        assert_eq!(error.code(), ErrorCode::DeviceFailed);
        assert!(error.message().contains("components_flatten"), "{error}");
    }
    for _ in 0..3 {
        flatten(&gpus[1]).unwrap();
    }
}

#[test]
fn a_gpu_that_cannot_be_used_is_an_error_with_a_code() {
    if super::list().unusable().is_some() {
        let Err(error) = Drivers::default().start(DeviceChoice::Cuda, &DeviceOptions::default()) else {
            panic!("there is no GPU")
        };
        assert_eq!(error.code(), ErrorCode::DeviceUnavailable);
        assert!(std::error::Error::source(&error).is_some_and(|cause| cause.is::<super::NoGpu>()), "{error}");
    }
}
