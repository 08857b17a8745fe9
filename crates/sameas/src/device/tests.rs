//! A device that is none: memory, copies and primitives behave as on one.

use super::Gpu;
use crate::error::ErrorKind;

#[test]
fn values_come_back_as_they_were_sent() {
    let gpu = Gpu::emulated(1 << 20, 1);
    let sent: Vec<u32> = (0..1000).map(|i| i * 7).collect();
    let buffer = gpu.upload(&sent).unwrap();
    assert_eq!(gpu.read(&buffer, 0..1000).unwrap(), sent);
    gpu.write(&buffer, 10, &[1, 2, 3]).unwrap();
    assert_eq!(gpu.read(&buffer, 9..14).unwrap(), [63, 1, 2, 3, 91]);
    let mut landing = gpu.pinned::<u32>(4).unwrap();
    gpu.fetch(&buffer, 10..13, &mut landing).unwrap();
    gpu.wait_for_copies().unwrap();
    assert_eq!(landing.values()[..3], [1, 2, 3]);
    gpu.fill_zero(&buffer).unwrap();
    assert!(gpu.read(&buffer, 0..1000).unwrap().iter().all(|value| *value == 0));
}

#[test]
fn memory_is_never_exceeded_and_comes_back() {
    let gpu = Gpu::emulated(1 << 20, 1);
    let all = gpu.free();
    let held = gpu.buffer::<u64>(1 << 16).unwrap();
    let Err(error) = gpu.buffer::<u64>(1 << 17) else { panic!("more than there is") };
    assert_eq!(error.kind(), ErrorKind::Resource);
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

#[test]
fn an_unknown_kernel_is_an_error() {
    assert!(Gpu::emulated(1 << 16, 1).launch("no_such_kernel", 1, 32, 0, &1_u64).is_err());
}
